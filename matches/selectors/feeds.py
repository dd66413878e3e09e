"""What the stream service reads: many matches in one query, of each no more than tells who may see what.

Nothing of it is shown as it is: a feed's entries go through `entry_shown`, for one seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from django.db import connection

from engine.core.codec import encode
from engine.core.errors import NewerFormat, UnknownGame
from engine.core.viewing import view_entry
from matches import bridge
from matches.bridge import AnyEntry, Glance
from matches.errors import ServiceError
from matches.models import Player
from matches.selectors.matches import match_played, seat_of, snapshot_of
from matches.selectors.table import entries_after
from matches.timing import now_ms

MOST_ENTRIES = 200
"""So many entries of a match are read at once; the next reading has the rest."""
MOST_MATCHES = 500
"""So many of a player's matches are hinted at."""
UNREADABLE = (NewerFormat, UnknownGame, msgspec.DecodeError)
"""A match of which this is raised keeps no other from being read."""

_NEWS = """
SELECT p.match_id, w.number, m.game, m.ruleset, p.snapshot,
    ARRAY(SELECT s.player_id FROM matches_seat s WHERE s.match_id = p.match_id ORDER BY s.number),
    ARRAY(SELECT r.entry FROM matches_moverecord r
          WHERE r.match_id = p.match_id AND r.number > w.number ORDER BY r.number LIMIT %(most)s)
FROM unnest(%(ids)s::uuid[], %(numbers)s::int[]) AS w (match_id, number)
JOIN matches_position p ON p.match_id = w.match_id
JOIN matches_match m ON m.id = w.match_id
"""
_BEHIND = """
SELECT w.match_id FROM unnest(%(ids)s::uuid[], %(numbers)s::int[]) AS w (match_id, number)
JOIN matches_position p ON p.match_id = w.match_id WHERE p.number > w.number
"""
_RIPE = """
SELECT w.match_id, COALESCE((SELECT r.number FROM matches_moverecord r
    WHERE r.match_id = w.match_id AND r.at <= %(now)s - 1000 * w.delay ORDER BY r.number DESC LIMIT 1), 1)
FROM unnest(%(ids)s::uuid[], %(delays)s::bigint[]) AS w (match_id, delay)
"""
_RUNNING = """
SELECT p.match_id, s.number, m.game, m.ruleset, p.snapshot FROM matches_seat s
JOIN matches_match m ON m.id = s.match_id AND m.status = 'running'
JOIN matches_position p ON p.match_id = s.match_id
WHERE s.player_id = %(player)s ORDER BY s.awaited_since IS NULL, p.match_id DESC LIMIT %(most)s
"""
_BEGUN = """
SELECT DISTINCT s.match_id FROM matches_seat s JOIN matches_match m ON m.id = s.match_id AND m.status = 'running'
WHERE s.player_id = ANY(%(players)s) AND m.started_at > now() - interval '5 minutes'
"""


class Opened(NamedTuple):
    """A feed that somebody may see; `seat` is None for a spectator. `horizon` is the last entry that others may see.

    `delay_s` is how late it is shown to this viewer, 0 for who sits in it and for everybody once it is over; `shown` is
    the last entry that this viewer may see.
    """

    game: str
    ruleset: int
    seat: int | None
    delay_s: int
    horizon: int
    shown: int
    is_over: bool


class News(NamedTuple):
    """How a match stands. `players` are the ids by seat, None for a bot; `entries` are those behind number `after`."""

    match_id: UUID
    after: int
    game: str
    ruleset: int
    glance: Glance
    players: tuple[int | None, ...]
    entries: tuple[str, ...]


class Standing(NamedTuple):
    """What a player is hinted at of one of their running matches."""

    match_id: UUID
    game: str
    ruleset: int
    horizon: int
    your_turn: bool


def feed_open(*, match_id: UUID, viewer_id: int | None) -> Opened:
    """Whether a viewer may see a match's feed, and how far. Raises ServiceError as `entries_after` does."""
    match = match_played(match_id=match_id, viewer_id=viewer_id)
    snapshot = snapshot_of(match)
    try:
        bridge.codec_of(match.game, match.ruleset)
        glance = bridge.glance(snapshot)
    except (NewerFormat, UnknownGame) as error:
        raise ServiceError("newer_format", str(error)) from None
    seat = seat_of(match, viewer_id)
    delay_s = match.spectator_delay_s if seat is None and not glance.is_over else 0
    shown = glance.horizon
    if delay_s:
        _, shown = entries_after(match_id=match_id, viewer_id=viewer_id, after=shown, limit=1)
    return Opened(match.game, match.ruleset, seat, delay_s, glance.horizon, shown, glance.is_over)


def feed_news(*, wanted: Sequence[tuple[UUID, int]]) -> list[News]:
    """How these matches stand, each with the entries behind a number; what this process can't read is left out."""
    found = []
    for match_id, after, game, ruleset, snapshot, players, entries in _rows(_NEWS, wanted, most=MOST_ENTRIES):
        try:
            bridge.codec_of(game, ruleset)
            glance = bridge.glance(snapshot)
        except UNREADABLE:
            continue
        found.append(News(match_id, after, game, ruleset, glance, tuple(players), tuple(entries)))
    return found


def feeds_behind(*, known: Sequence[tuple[UUID, int]]) -> list[UUID]:
    """Those of these matches that have gone on behind the number that is known of them; one query for all."""
    return [match_id for (match_id,) in _rows(_BEHIND, known)]


def feeds_ripe(*, wanted: Sequence[tuple[UUID, int]]) -> dict[UUID, int]:
    """The last entry of each match that was there so many seconds ago; the deal when there was none."""
    ids, delays = [match_id for match_id, _ in wanted], [delay for _, delay in wanted]
    with connection.cursor() as cursor:
        cursor.execute(_RIPE, {"ids": ids, "delays": delays, "now": now_ms()})
        return dict(cursor.fetchall())


def standings_of(*, player_id: int) -> list[Standing]:
    """A player's running matches, those that wait for the player first."""
    found = []
    with connection.cursor() as cursor:
        cursor.execute(_RUNNING, {"player": player_id, "most": MOST_MATCHES})
        rows = cursor.fetchall()
    for match_id, seat, game, ruleset, snapshot in rows:
        try:
            glance = bridge.glance(snapshot)
        except UNREADABLE:
            continue
        found.append(Standing(match_id, game, ruleset, glance.horizon, glance.awaits(seat)))
    return found


def matches_begun(*, players: Sequence[int]) -> list[UUID]:
    """The matches of these players that began in the last minutes."""
    with connection.cursor() as cursor:
        cursor.execute(_BEGUN, {"players": list(players)})
        return [match_id for (match_id,) in cursor.fetchall()]


def epochs_of(*, players: Sequence[int]) -> dict[int, int]:
    """The epoch of each of these players; who is closed isn't there."""
    return dict(Player.objects.filter(pk__in=players, is_active=True).values_list("pk", "epoch"))


def entry_read(*, game: str, ruleset: int, entry: str) -> AnyEntry:
    """A stored entry. Raises UnknownGame for a ruleset that this process doesn't know."""
    decoded: AnyEntry = bridge.codec_of(game, ruleset).entry(entry)
    return decoded


def entry_shown(entry: AnyEntry, seat: int | None, *, is_over: bool) -> bytes:
    """An entry for one viewer, as the log shows it, in JSON; the caller stops at the horizon."""
    return encode(view_entry(entry, seat, is_over=is_over))


def _rows(statement: str, pairs: Sequence[tuple[UUID, int]], **more: int) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(
            statement, {"ids": [match_id for match_id, _ in pairs], "numbers": [number for _, number in pairs], **more}
        )
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows
