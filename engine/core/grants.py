"""What an operator gives to a seat: time on its clock, the strikes of turns that it missed, a bot that plays for it.

Nothing that is in a log is changed by it: the default move that a missed turn brought about stays made.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from engine.core import clock as clocks
from engine.core.clock import LONGEST_S, SECOND, PerMove
from engine.core.errors import Refusal, RefusalCode
from engine.core.table import BOTS_SINCE, Grant, SeatState, Table


def untimely_grant(table: Table[Any, Any], grant: Grant, received: int) -> Refusal | None:
    """Why this can't be given back at `received` (UTC), or None."""
    if grant.seat not in range(len(table.seats)):
        return _impossible(f"the match has the seats 0 to {len(table.seats) - 1}, not {grant.seat}")
    at = table.seats[grant.seat]
    if at.has_left:
        return Refusal(RefusalCode.SEAT_LEFT, "this seat has left the match")
    if not 0 <= grant.ms <= LONGEST_S * SECOND:
        return _impossible(f"at most {LONGEST_S} seconds can be given at once, and none can be taken")
    if not grant.ms and not (grant.forgives and at.strikes):
        return _impossible("no strike stands against this seat: there is nothing to take back")
    return _timeless(table, at, received) if grant.ms else None


def untimely_loan(table: Table[Any, Any], seat: int) -> Refusal | None:
    """Why no bot can be put on this seat, or None."""
    if seat not in range(len(table.seats)):
        return _impossible(f"the match has the seats 0 to {len(table.seats) - 1}, not {seat}")
    if table.seats[seat].has_left:
        return Refusal(RefusalCode.SEAT_LEFT, "this seat has left the match")
    if table.seats[seat].bot is not None:
        return _impossible("a bot plays this seat already")
    if table.format < BOTS_SINCE:
        return _impossible("the match began before there were bots")
    return None


def granted(table: Table[Any, Any], grant: Grant) -> Table[Any, Any]:
    """The table with it given back."""
    at = table.seats[grant.seat]
    # What follows in a turn that was missed is no second strike: `struck` stays.
    after = replace(at, clock=clocks.give(at.clock, grant.ms), strikes=0 if grant.forgives else at.strikes)
    seats = (*table.seats[: grant.seat], after, *table.seats[grant.seat + 1 :])
    return replace(table, seats=seats)


def _timeless(table: Table[Any, Any], at: SeatState, received: int) -> Refusal | None:
    """Why there is no clock to which time could be added."""
    if at.clock.left is None:
        return _impossible("the match has no clocks")
    if isinstance(table.control, PerMove) and not at.clock.awaited:
        return _impossible("the seat isn't awaited, and has all its time when it is: there is no clock to add to")
    flag = clocks.due(at.clock)
    if flag is not None and flag <= table.match_time(received):
        return _impossible("the clock has run out: what comes of it is just about to happen")
    return None


def _impossible(reason: str) -> Refusal:
    return Refusal(RefusalCode.GRANT_IMPOSSIBLE, reason)
