"""What the write of a move is told of the seats, read off the table."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from engine.core.game import Occasion
from matches import bridge
from matches.bridge import AnyTable
from matches.timing import moment


class SeatRow(Struct, frozen=True):
    """What the write is told of a seat. `is_new`: it is asked for something else than before."""

    number: int
    has_left: bool
    bot: str | None
    awaited: bool
    is_new: bool
    deadline: datetime | None
    place: int | None
    score: int | None


def is_changed(before: AnyTable | None, table: AnyTable, seat: int) -> bool:
    """Whether a seat's row has to be written: all when a match begins, stands, goes on, ends, or a race is unsealed."""
    if before is None or table.ending is not None or before.halted != table.halted:
        return True
    unsealed = before.sealed is not None and table.sealed is None
    return unsealed or before.seats[seat] != table.seats[seat]


def _occasion(table: AnyTable, seat: int) -> Occasion | None:
    return table.seats[seat].clock.occasion if _awaits_player(table, seat) else None


def _awaits_player(table: AnyTable, seat: int) -> bool:
    return table.seats[seat].clock.awaited and table.seats[seat].bot is None


def seat_row(before: AnyTable | None, table: AnyTable, seat: int) -> SeatRow:
    deadline = bridge.flag_at(table, seat)
    outcome = None if table.ending is None else table.ending.outcome
    # Everybody reads who has left, so it waits until the race is over, like all that others may see.
    shown = table.seats if table.sealed is None else table.sealed.seats
    return SeatRow(
        number=seat,
        has_left=shown[seat].has_left,
        bot=shown[seat].bot,
        awaited=_awaits_player(table, seat),
        is_new=before is None or _occasion(before, seat) != _occasion(table, seat),
        deadline=None if deadline is None else moment(deadline),
        place=None if outcome is None else outcome.places[seat],
        score=None if outcome is None else outcome.scores[seat],
    )
