"""What one viewer may know of a table, built up from nothing (ALL-2)."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from msgspec import Struct

from engine.core import clock as clocks
from engine.core.clock import Clock
from engine.core.game import Game
from engine.core.outcome import Standing
from engine.core.table import Cause, Ending, Entry, Grant, Offer, Plan, Table, Window

V = TypeVar("V")
M = TypeVar("M")
E = TypeVar("E")


class DecisionView(Struct, Generic[M], frozen=True):
    """What the viewer is asked: name `serial` when you move. `deadline` is UTC in milliseconds, None without one.

    `moves` are the legal moves; a move received at the deadline is late.
    """

    serial: int
    occasion: str
    deadline: int | None
    moves: tuple[M, ...]


class ClockView(Struct, frozen=True):
    """A seat's clock: `left_ms` at the UTC time `since`, running down from there; it stands while `since` is None."""

    left_ms: int | None
    since: int | None
    stops: tuple[str, ...]


class TimerView(Struct, frozen=True):
    """A wait that the rules define, with the UTC time at which it ends; None while the match stands."""

    key: str
    due: int | None


class TableView(Struct, Generic[V, M], frozen=True):
    """A match as its viewer may know it. `number` is the last entry it reflects; `seat` is None for a spectator.

    `stops` are the reasons why the whole match stands. `windows` are the times in which clocks will stand or do, so
    that a client can count down across them; `offer` is what waits for everybody's consent. `bots` says for each seat
    which level of bot plays it now.
    """

    number: int
    seat: int | None
    state: V
    awaited: tuple[int, ...]
    decision: DecisionView[M] | None
    clocks: tuple[ClockView, ...]
    timers: tuple[TimerView, ...]
    stops: tuple[str, ...]
    windows: tuple[Window, ...]
    offer: Offer | None
    left: tuple[int, ...]
    bots: tuple[str | None, ...]
    standing: Standing
    ending: Ending | None


class EntryView(Struct, Generic[M, E], frozen=True, omit_defaults=True):
    """A line of the log as its viewer may know it. `move` is there for the seat that made it, and once all is over.

    So are `plans`, what was drawn here for bots to do in a race; `bot` is the level that took `seat` over.
    """

    number: int
    at: int
    cause: Cause
    seat: int | None = None
    serial: int | None = None
    move: M | None = None
    key: str | None = None
    seats: tuple[int, ...] = ()
    window: Window | None = None
    offer: Offer | None = None
    agrees: bool | None = None
    grant: Grant | None = None
    bot: str | None = None
    plans: tuple[Plan[M], ...] = ()
    events: tuple[E, ...] = ()


def view_table(game: Game[Any, M, Any, Any, V], table: Table[Any, Any], viewer: int | None) -> TableView[V, M]:
    """The table for one viewer: a seat, or None for a spectator.

    While answers lie sealed, everything of the other seats is as it was before the first of them.
    """
    shown = table.seats if table.sealed is None else table.sealed.seats
    seats = [at if seat == viewer else shown[seat] for seat, at in enumerate(table.seats)]
    standing = game.standing(table.state)
    return TableView(
        number=table.horizon,
        seat=viewer,
        state=game.view(table.state, viewer),
        awaited=tuple(seat for seat, at in enumerate(seats) if at.clock.awaited),
        decision=None if viewer is None else _decision(game, table, viewer),
        clocks=tuple(_clock(table, at.clock) for at in seats),
        timers=_timers(game, table, viewer),
        stops=table.stops,
        windows=() if table.is_over else table.windows,
        offer=table.offer,
        left=tuple(seat for seat, at in enumerate(seats) if at.has_left),
        bots=tuple(at.bot for at in seats),
        standing=standing,
        ending=table.ending,
    )


def view_entry(entry: Entry[M, E], viewer: int | None, *, is_over: bool) -> EntryView[M, E]:
    """An entry for one viewer; once the match is over everything of it. The caller stops at the horizon."""
    is_own = is_over or (viewer is not None and entry.seat == viewer)
    return EntryView(
        entry.number,
        entry.at,
        entry.cause,
        entry.seat,
        entry.serial if is_own else None,
        entry.move if is_own else None,
        entry.key,
        entry.seats,
        entry.window,
        entry.offer,
        entry.agrees,
        entry.grant,
        entry.bot,
        entry.plans if is_over else (),
        tuple(told.event for told in entry.events if is_over or told.reaches(viewer)),
    )


def _decision(game: Game[Any, M, Any, Any, Any], table: Table[Any, Any], seat: int) -> DecisionView[M] | None:
    decision = table.seats[seat].decision
    if decision is None:
        return None
    ends = [timer.due for timer in game.known_timers(table.state, seat) if seat in timer.seats]
    flag = clocks.due(table.seats[seat].clock)
    if flag is not None:
        ends.append(flag)
    stands = table.halted is not None or not ends
    return DecisionView(
        serial=decision.serial,
        occasion=decision.occasion.kind,
        deadline=None if stands else table.utc(min(ends)),
        moves=tuple(game.legal_moves(table.state, seat)),
    )


def _timers(game: Game[Any, Any, Any, Any, Any], table: Table[Any, Any], viewer: int | None) -> tuple[TimerView, ...]:
    if table.is_over:
        return ()
    stands = table.halted is not None
    return tuple(TimerView(t.key, None if stands else table.utc(t.due)) for t in game.known_timers(table.state, viewer))


def _clock(table: Table[Any, Any], clock: Clock) -> ClockView:
    if table.halted is not None and clock.since is not None:
        return ClockView(clocks.left_at(clock, table.match_time(table.halted)), None, clock.stops)
    # As if it had begun to run later by all the time for which the match stood: the clock shows the same.
    since = None if clock.since is None else clock.since + table.lost
    return ClockView(clock.left, since, clock.stops)
