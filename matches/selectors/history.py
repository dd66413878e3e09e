"""Tables of the past: a log played again as far as somebody asks for."""

from __future__ import annotations

from functools import lru_cache

from engine.core.errors import NewerFormat, UnknownGame
from matches import bridge
from matches.bridge import AnyEntry, AnyReferee, AnyTable
from matches.errors import ServiceError
from matches.models import Match, MoveRecord, Seat

STRIDE = 64
"""Every so many entries a table is kept, so that the next question about a match plays fewer of them again."""


def table_at(match: Match, number: int) -> AnyTable:
    """The table right after entry `number` (from 1), which must be in the log; the seats must have been fetched.

    What has happened never changes, so neither does the answer.
    """
    try:
        mark = (number - 1) // STRIDE
        return _referee(match).replay_on(_milestone(match, mark), _logged(match, mark * STRIDE + 1, number))
    except (NewerFormat, UnknownGame) as error:
        raise ServiceError("newer_format", str(error)) from None


def replayed_from_the_deal(match: Match, number: int) -> AnyTable:
    """The same with nothing that was kept: the log as it is stored now. Raises ReplayMismatch."""
    return _referee(match).replay(bridge.opening_of(match, _seats(match)), _logged(match, 0, number))


def number_at(match: Match, moment: int) -> int:
    """The last entry at this moment (UTC milliseconds) or before it; the deal when there was none."""
    earlier = MoveRecord.objects.filter(match=match, at__lte=moment).order_by("-number")
    return earlier.values_list("number", flat=True).first() or 1


@lru_cache(maxsize=512)
def _milestone(match: Match, mark: int) -> AnyTable:
    referee, first = _referee(match), (mark - 1) * STRIDE + 1
    if mark == 0:
        return referee.replay(bridge.opening_of(match, _seats(match)), _logged(match, 0, 1))
    return referee.replay_on(_milestone(match, mark - 1), _logged(match, first, first + STRIDE))


def _referee(match: Match) -> AnyReferee:
    return bridge.referee_of(match, _seats(match))


def _seats(match: Match) -> list[Seat]:
    return sorted(match.seats.all(), key=lambda seat: seat.number)


def _logged(match: Match, after: int, last: int) -> list[AnyEntry]:
    if after >= last:
        return []
    codec = bridge.codec_of(match.game, match.ruleset)
    rows = MoveRecord.objects.filter(match=match, number__gt=after, number__lte=last).order_by("number")
    return [codec.entry(entry) for entry in rows.values_list("entry", flat=True)]
