"""What goes on in the service as a whole, for the staff."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.db.models import Q

from config import figures
from matches.models import Figure, MoveCount, Position, Status
from matches.timing import now_ms

MINUTE_MS = 60_000
DAY_MINUTES = 1440
MOST_STUCK = 10
SLOWEST = 8


class Stock(NamedTuple):
    """What was counted last, `at` UTC milliseconds (None: never yet): matches by game and status, players active.

    `moves` are the moves of each of the last 1,440 full minutes, the oldest first, `until` the minute that follows.
    """

    at: int | None
    matches: dict[str, dict[str, int]]
    today: int
    week: int
    moves: list[int]
    until: int


class Stuck(NamedTuple):
    """A match whose settling fails: how often in a row, why, and when it is tried again (UTC milliseconds)."""

    match_id: Any
    game: str
    fails: int
    error: str
    retry_at: int


class Endpoint(NamedTuple):
    """How long requests to it took lately, in milliseconds; p95 is the upper end of its class, None above them all."""

    name: str
    requests: int
    mean_ms: float
    p95_ms: int | None


def stock() -> Stock:
    """The last stock that was taken, in two queries."""
    rows = {figure.name: figure for figure in Figure.objects.filter(name__in=("matches", "players", "moves"))}
    until = rows["moves"].value["until"] if "moves" in rows else now_ms() // MINUTE_MS
    begin = until - DAY_MINUTES
    moves = [0] * DAY_MINUTES
    for minute, number in MoveCount.objects.filter(minute__gte=begin, minute__lt=until).values_list("minute", "moves"):
        moves[minute - begin] = number
    players = rows["players"].value if "players" in rows else {"today": 0, "week": 0}
    matches = rows["matches"].value if "matches" in rows else {}
    at = min((figure.at for figure in rows.values()), default=None)
    return Stock(at, matches, players["today"], players["week"], moves, until)


def stuck_matches() -> list[Stuck]:
    """The matches that are set aside, those that failed most often first."""
    rows = Position.objects.filter(~Q(retry_at=None), match__status=Status.RUNNING).select_related("match")
    rows = rows.defer("snapshot").order_by("-fails")[:MOST_STUCK]
    return [Stuck(row.match_id, row.match.game, row.fails, row.last_error, row.retry_at or 0) for row in rows]


def slowest_endpoints() -> list[Endpoint]:
    """Those whose requests took longest within the last one or two hours."""
    spent: dict[str, int] = {}
    classes: dict[str, list[int]] = {}
    for name, number in figures.lately().items():
        kind, _, rest = name.partition("|")
        if kind == "took_us":
            spent[rest] = number
        elif kind == "took":
            endpoint, _, place = rest.rpartition("|")
            classes.setdefault(endpoint, [0] * (len(figures.BOUNDS_MS) + 1))[int(place)] += number
    found = [_endpoint(name, counts, spent.get(name, 0)) for name, counts in classes.items()]
    found.sort(key=lambda endpoint: (endpoint.p95_ms is not None, -(endpoint.p95_ms or 0), -endpoint.mean_ms))
    return found[:SLOWEST]


def _endpoint(name: str, counts: list[int], spent_us: int) -> Endpoint:
    requests, below = sum(counts), 0
    p95: int | None = None
    for bound, number in zip(figures.BOUNDS_MS, counts, strict=False):
        below += number
        if below >= 0.95 * requests:
            p95 = bound
            break
    return Endpoint(name, requests, spent_us / 1000 / requests, p95)
