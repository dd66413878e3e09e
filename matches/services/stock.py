"""Taking stock: what the dashboard shows and would take too long to count while somebody waits."""

from __future__ import annotations

from django.db import connection, transaction

from matches.models import Figure, MoveCount
from matches.timing import now_ms

MINUTE_MS = 60_000
DAY_MINUTES = 1440
KEPT_MINUTES = 8 * DAY_MINUTES
AGAIN_MINUTES = 3
"""A move is committed a moment after the time that it bears; so late minutes are counted again."""

_MOVES = """
INSERT INTO matches_movecount AS m (minute, moves)
SELECT at / 60000, count(*) FROM matches_moverecord WHERE at >= %s AND at < %s AND cause = 'move' GROUP BY 1
ON CONFLICT (minute) DO UPDATE SET moves = EXCLUDED.moves WHERE m.moves <> EXCLUDED.moves
"""
_MATCHES = "SELECT game, status, count(*) FROM matches_match GROUP BY game, status"
# A device renews its token every quarter of an hour while it is used.
_PLAYERS = """
SELECT count(DISTINCT r.player_id) FILTER (WHERE r.last_used_at >= date_trunc('day', now(), 'UTC')),
    count(DISTINCT r.player_id)
FROM matches_refreshtoken r JOIN matches_player p ON p.id = r.player_id
WHERE r.last_used_at >= now() - interval '7 days' AND NOT p.is_bot
"""


def stock_take(*, now: int | None = None) -> None:
    """Count moves, matches and players. `now` (UTC milliseconds) takes the place of the service's time."""
    now = now_ms() if now is None else now
    with transaction.atomic():
        _count_moves(now)
    with connection.cursor() as cursor:
        cursor.execute(_MATCHES)
        matches: dict[str, dict[str, int]] = {}
        for game, status, number in cursor.fetchall():
            matches.setdefault(game, {})[status] = number
        cursor.execute(_PLAYERS)
        today, week = cursor.fetchone()
    _keep("matches", now, matches)
    _keep("players", now, {"today": today, "week": week})


def _count_moves(now: int) -> None:
    """From where the last count ended, at most a day back; the minute that isn't over yet is left out."""
    until = now // MINUTE_MS
    last = Figure.objects.select_for_update().filter(name="moves").first()
    begin = until - DAY_MINUTES if last is None else last.value["until"] - AGAIN_MINUTES
    begin = max(begin, until - DAY_MINUTES)
    with connection.cursor() as cursor:
        cursor.execute(_MOVES, [begin * MINUTE_MS, until * MINUTE_MS])
    MoveCount.objects.filter(minute__lt=until - KEPT_MINUTES).delete()
    _keep("moves", now, {"until": until})


def _keep(name: str, now: int, value: object) -> None:
    Figure.objects.update_or_create(name=name, defaults={"at": now, "value": value})
