"""What an entry does to each seat: its clock, its decision, its strikes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec.structs import replace

from engine.core import clock as clocks
from engine.core.clock import OnTimeout, Policy, TimeControl
from engine.core.game import RACE, Occasion
from engine.core.outcome import Outcome
from engine.core.table import Cause, Decision, EndedAs, Ending, Entry, Plan, SeatState, Table

M = TypeVar("M")

FEWEST_MOVES = 2
"""A match that somebody leaves before so many moves were made has no winner."""


def seats_after(
    table: Table[Any, Any],
    entry: Entry[Any, Any],
    awaited: dict[int, Occasion],
    reacting: dict[int, Occasion],
    acted: tuple[int, ...],
    left: tuple[int, ...],
) -> tuple[SeatState, ...]:
    """The seats once `entry` is in the log: who is asked what now, and whose clock runs since when.

    The clock of a seat that acted stands from the time its move was received; what starts, starts with the entry.
    """
    at, received = table.match_time(entry.at), table.match_time(entry.received)
    after = []
    for seat, was in enumerate(table.seats):
        before = _lent(was, entry, table.control, at) if seat == entry.seat else was
        clock = clocks.rest(before.clock, received) if seat in acted else before.clock
        occasion = awaited.get(seat)
        if occasion is not None:
            clock = clocks.ask(clock, table.control, occasion, at)
        else:
            clock = clocks.rest(clock, at)
            occasion = reacting.get(seat)
        decision = _decision(before, occasion, has_acted=seat in acted)
        strikes, struck = _strikes(before, entry) if seat in acted else (before.strikes, before.struck)
        after.append(
            SeatState(
                clock,
                decision,
                before.asked if decision is None else decision.serial,
                strikes,
                struck,
                before.has_left or seat in left,
                before.bot,
                before.lent,
            )
        )
    return tuple(after)


def leaves_on_flag(policy: Policy, at: SeatState) -> bool:
    """Whether a seat leaves when its clock runs out.

    Letting a race pass is no missed turn (ALL-6), nor is what follows in a turn that was missed already.
    """
    occasion = at.clock.occasion
    if occasion is None or occasion.kind == RACE or at.struck == occasion:
        return False
    if policy.on_timeout is OnTimeout.PLAY_ON:
        return at.strikes >= policy.strikes
    return policy.on_timeout is OnTimeout.LEAVE


def ending_of(table: Table[Any, Any], outcome: Outcome | None, left: tuple[int, ...]) -> Ending | None:
    """How the match ends with this outcome; `left` are the seats whose leaving has brought it about."""
    if outcome is None:
        return None
    if left and table.moves < FEWEST_MOVES:
        return Ending(EndedAs.ABANDONED)
    return Ending(EndedAs.FINISHED, outcome)


def change_clocks(
    table: Table[Any, Any], seats: tuple[int, ...], change: Callable[[clocks.Clock], clocks.Clock]
) -> Any:
    """The table with the clocks of these seats changed."""
    changed = tuple(replace(at, clock=change(at.clock)) if seat in seats else at for seat, at in enumerate(table.seats))
    return replace(table, seats=changed)


def plans_kept(plans: tuple[Plan[M], ...], seats: tuple[SeatState, ...]) -> tuple[Plan[M], ...]:
    """The plans whose decisions are still open and a bot's."""
    return tuple(
        plan
        for plan in plans
        if seats[plan.seat].bot is not None
        and (decision := seats[plan.seat].decision) is not None
        and decision.serial == plan.serial
    )


def is_own_move(table: Table[Any, Any], entry: Entry[Any, Any]) -> bool:
    """Whether this is a move of who has the seat, and not of a bot that it is lent to."""
    return entry.cause is Cause.MOVE and entry.seat is not None and not table.seats[entry.seat].lent


def _lent(at: SeatState, entry: Entry[Any, Any], control: TimeControl, now: int) -> SeatState:
    """A bot takes the seat over, or its player comes back."""
    match entry.cause:
        case Cause.TAKE_OVER:
            return replace(at, bot=entry.bot, lent=True, clock=clocks.lend(at.clock, now))
        case Cause.RETURN:
            return replace(at, bot=None, lent=False, clock=clocks.regain(at.clock, control, now))
        case _:
            return at


def _decision(before: SeatState, occasion: Occasion | None, *, has_acted: bool) -> Decision | None:
    if occasion is None:
        return None
    if before.decision is not None and before.decision.occasion == occasion and not has_acted:
        return before.decision
    return Decision(before.asked + 1, occasion)


def _strikes(before: SeatState, entry: Entry[Any, Any]) -> tuple[int, Occasion | None]:
    """A move of its own clears a seat's strikes; a default move is one, once an occasion, races excepted."""
    if entry.cause is Cause.MOVE:
        return 0, None
    occasion = before.clock.occasion
    if occasion is None or occasion.kind == RACE or before.struck == occasion:
        return before.strikes, before.struck
    return before.strikes + 1, occasion
