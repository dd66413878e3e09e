"""The only code that changes a match: it takes a table and returns the next one with the entries between them.

Time is handed in, as UTC milliseconds. `received` is when a request came in and decides whether it was in time; `now`
decides what may be fired: nothing is before its due + `LAG`, so that a move received in time but still waiting for its
turn isn't overtaken. What fires late is logged at the time at which it was due. docs/decisions/0005-one-rule-of-time.md
says why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from engine.core import clock as clocks
from engine.core.admission import is_possible, untimely
from engine.core.bookkeeping import change_clocks, leaves_on_flag, seats_after
from engine.core.errors import NewerFormat, Refusal, RefusalCode, ReplayMismatch
from engine.core.events import Told
from engine.core.game import Game
from engine.core.rng import Rng, Seed
from engine.core.table import (
    FORMAT,
    Cause,
    EndedAs,
    Ending,
    Entry,
    Opening,
    Sealed,
    SeatState,
    Step,
    Table,
    Window,
)
from engine.core.waits import LAG, Wait, WaitKind, waits
from engine.core.windows import announced, begun, ended

__all__ = ["LAG", "MOST_ENTRIES", "Referee"]

S = TypeVar("S")
M = TypeVar("M")
E = TypeVar("E")
O = TypeVar("O")  # noqa: E741
V = TypeVar("V")

MOST_ENTRIES = 100
"""What one call settles at most; the rest is settled by the next."""


@dataclass(frozen=True, slots=True)
class Referee(Generic[S, M, E, O, V]):
    """Applies one game with one seed. It holds nothing of a match: the same calls give the same tables anywhere."""

    game: Game[S, M, E, O, V]
    seed: Seed

    def open(self, opening: Opening[O]) -> Step[S, M, E]:
        """Deal. Raises BadOptions for a seat count or options that the game doesn't allow."""
        self.game.check(opening.seats, opening.options)
        rng = Rng(self.seed)
        state, told = self.game.setup(opening.seats, opening.options, opening.at, rng)
        seats = tuple(SeatState(clocks.opening(opening.control)) for _ in range(opening.seats))
        table = Table(
            opening.game,
            opening.ruleset,
            state,
            number=0,
            at=opening.at,
            drawn=0,
            seats=seats,
            control=opening.control,
            policy=opening.policy,
        )
        return self._log(table, Cause.OPEN, opening.at, state, told, rng)

    def submit(self, table: Table[S], *, seat: int, serial: int, move: M, received: int, now: int) -> Step[S, M, E]:
        """Settle what is due, then make the move or say why not.

        A serial whose decision is over gives `late_move`; whether it was answered with this very move, the log tells.
        """
        settled = self._catch_up(table, received, now)
        if settled.refusal is not None:
            return settled
        table = settled.table
        refusal = untimely(self.game, table, seat, serial, received) or self.game.refuse(table.state, seat, move)
        if refusal is not None:
            return replace(settled, refusal=refusal)
        step = self._make(table, seat, serial, move, received)
        return replace(step, entries=settled.entries + step.entries)

    def settle(self, table: Table[S], now: int) -> Step[S, M, E]:
        """Fire what is due, each at its own time, in order; at most `MOST_ENTRIES` entries a call."""
        return self._fire_while(table, lambda wait: wait.due + LAG <= now)

    def leave(
        self, table: Table[S], seats: tuple[int, ...], *, received: int, now: int, why: str = "resigned"
    ) -> Step[S, M, E]:
        """These seats leave at the same moment, by the game's own rule (ALL-4)."""

        def go(table: Table[S]) -> Step[S, M, E]:
            if any(table.seats[seat].has_left for seat in seats):
                return Step(table, refusal=Refusal(RefusalCode.SEAT_LEFT, "this seat has left the match already"))
            return self._leave(table, Cause.LEAVE, seats, received, why)

        return self._after_settling(table, received, now, go)

    def stop(
        self, table: Table[S], reason: str, *, received: int, now: int, seats: tuple[int, ...] = ()
    ) -> Step[S, M, E]:
        """Set a stop reason: for these seats' clocks, or for the whole match when there are none.

        A look or a race in progress is never stopped: the stop of a whole match then begins when it is over.
        To make good an outage, hand in its begin as `now` too: what came due in it mustn't happen first.
        """

        def go(table: Table[S]) -> Step[S, M, E]:
            is_racing = any(timer.seats for timer in self.game.timers(table.state))
            if is_racing and not seats and table.halted is None:
                return self._schedule(table, Window(reason, begins=received), received)
            return self._stop(table, reason, received, seats)

        return self._after_settling(table, received, now, go)

    def start(
        self, table: Table[S], reason: str, *, received: int, now: int, seats: tuple[int, ...] = ()
    ) -> Step[S, M, E]:
        """Clear a stop reason; where nothing stands for it, a stop for it that was still to begin is called off."""
        return self._after_settling(table, received, now, lambda table: self._start(table, reason, received, seats))

    def schedule(self, table: Table[S], window: Window, *, received: int, now: int) -> Step[S, M, E]:
        """Announce a time in which clocks stand: a night, a weekend, a vacation, computed from a calendar elsewhere.

        It takes the place of one for the same reason and seats that is still to begin.
        """
        return self._after_settling(table, received, now, lambda table: self._schedule(table, window, received))

    def void(self, table: Table[S], *, received: int, now: int, why: str) -> Step[S, M, E]:
        """Correct: the match ends without a result."""
        return self._after_settling(
            table, received, now, lambda table: self._end(table, Cause.VOID, EndedAs.VOID, received, why)
        )

    def due(self, table: Table[S]) -> int | None:
        """The UTC time at which something next happens by itself, or None. It is fired `LAG` later at the earliest."""
        wait = min(waits(self.game, table), default=None)
        return None if wait is None else wait.due

    def replay(self, opening: Opening[O], entries: Iterable[Entry[M, E]]) -> Table[S]:
        """Play a log again from its opening. Raises ReplayMismatch at the first entry that comes out otherwise."""
        if opening.format > FORMAT:
            raise NewerFormat(f"this match has format {opening.format}, the newest known here is {FORMAT}")
        logged = iter(entries)
        step = self.open(opening)
        self._compare(step, next(logged, None))
        for entry in logged:
            if not is_possible(self.game, step.table, entry):
                raise ReplayMismatch(f"entry {entry.number} couldn't have happened: {entry!r}")
            step = self._again(step.table, entry)
            self._compare(step, entry)
        return step.table

    # What a request does first

    def _catch_up(self, table: Table[S], received: int, now: int) -> Step[S, M, E]:
        """Settle before a request; a limit that ends nobody's decision needs no lag (it can't overtake a move)."""
        latest = max(now, received)
        step = self._fire_while(
            table, lambda wait: wait.due + LAG <= latest or (wait.is_harmless and wait.due <= received)
        )
        if step.table.is_over:
            return replace(step, refusal=Refusal(RefusalCode.MATCH_OVER, "the match is over"))
        if len(step.entries) >= MOST_ENTRIES:
            return replace(step, refusal=Refusal(RefusalCode.TRY_AGAIN, "the match is catching up; send it again"))
        return step

    def _after_settling(
        self, table: Table[S], received: int, now: int, go: Callable[[Table[S]], Step[S, M, E]]
    ) -> Step[S, M, E]:
        settled = self._catch_up(table, received, now)
        if settled.refusal is not None:
            return settled
        step = go(settled.table)
        return replace(step, entries=settled.entries + step.entries)

    # What comes due

    def _fire_while(self, table: Table[S], may_fire: Callable[[Wait], bool]) -> Step[S, M, E]:
        entries: list[Entry[M, E]] = []
        while len(entries) < MOST_ENTRIES:
            ripe = [wait for wait in waits(self.game, table) if may_fire(wait)]
            if not ripe:
                break
            step = self._fire(table, min(ripe))
            table = step.table
            entries += step.entries
        return Step(table, tuple(entries))

    def _fire(self, table: Table[S], wait: Wait) -> Step[S, M, E]:
        match wait.kind:
            case WaitKind.RULE:
                return self._expire(table, wait.key, wait.due)
            case WaitKind.FLAG:
                return self._flag(table, wait.place, wait.due)
            case WaitKind.IDLE:
                return self._end(table, Cause.ABANDON, EndedAs.ABANDONED, wait.due, "idle")
            case WaitKind.BEGINS:
                window = table.windows[wait.place]
                return self._stop(table, window.reason, wait.due, window.seats)
            case WaitKind.ENDS:
                window = table.windows[wait.place]
                return self._start(table, window.reason, wait.due, window.seats)

    def _expire(self, table: Table[S], key: str, due: int) -> Step[S, M, E]:
        rng = Rng(self.seed, table.drawn)
        state, told = self.game.expire(table.state, key, table.match_time(due), rng)
        return self._log(table, Cause.TIMER, due, state, told, rng, key=key)

    def _flag(self, table: Table[S], seat: int, due: int) -> Step[S, M, E]:
        if leaves_on_flag(table.policy, table.seats[seat]):
            moment = clocks.due(table.seats[seat].clock)
            flagged = [n for n, at in enumerate(table.seats) if clocks.due(at.clock) == moment]
            leavers = tuple(n for n in flagged if leaves_on_flag(table.policy, table.seats[n]))
            return self._leave(table, Cause.FLAG, leavers, due, "timeout")
        decision = table.seats[seat].decision
        assert decision is not None  # noqa: S101 - a clock runs only for an open decision
        move = self.game.default_move(table.state, seat)
        rng = Rng(self.seed, table.drawn)
        state, told = self.game.play(table.state, seat, move, table.match_time(due), rng)
        return self._log(
            table, Cause.FLAG, due, state, told, rng, seat=seat, serial=decision.serial, move=move, acted=(seat,)
        )

    # One entry each

    def _make(self, table: Table[S], seat: int, serial: int, move: M, received: int) -> Step[S, M, E]:
        rng = Rng(self.seed, table.drawn)
        state, told = self.game.play(table.state, seat, move, table.match_time(received), rng)
        return self._log(
            table, Cause.MOVE, received, state, told, rng, seat=seat, serial=serial, move=move, acted=(seat,)
        )

    def _leave(self, table: Table[S], cause: Cause, seats: tuple[int, ...], received: int, why: str) -> Step[S, M, E]:
        rng = Rng(self.seed, table.drawn)
        state, told = self.game.leave(table.state, seats, table.match_time(received), rng)
        return self._log(table, cause, received, state, told, rng, seats=seats, key=why, left=seats)

    def _stop(self, table: Table[S], reason: str, received: int, seats: tuple[int, ...]) -> Step[S, M, E]:
        at = max(table.at, received)
        changed = replace(table, windows=begun(table.windows, reason, seats, received))
        if seats:
            changed = change_clocks(changed, seats, lambda c: clocks.stop(c, reason, table.match_time(at)))
        elif reason not in table.stops:
            halted = at if table.halted is None else table.halted
            changed = replace(changed, stops=(*table.stops, reason), halted=halted)
        return self._log(changed, Cause.STOP, received, seats=seats, key=reason)

    def _start(self, table: Table[S], reason: str, received: int, seats: tuple[int, ...]) -> Step[S, M, E]:
        at = max(table.at, received)
        stands = any(reason in table.seats[seat].clock.stops for seat in seats) if seats else reason in table.stops
        changed = replace(table, windows=ended(table.windows, reason, seats, stands=stands))
        if seats:
            changed = change_clocks(changed, seats, lambda c: clocks.start(c, reason, table.match_time(at)))
        elif table.halted is not None and table.stops == (reason,):
            lost = table.lost + at - table.halted
            changed = replace(changed, stops=(), halted=None, lost=lost, stood=(table.halted, at))
        elif stands:
            changed = replace(changed, stops=tuple(other for other in table.stops if other != reason))
        return self._log(changed, Cause.START, received, seats=seats, key=reason)

    def _schedule(self, table: Table[S], window: Window, received: int) -> Step[S, M, E]:
        changed = replace(table, windows=announced(table.windows, window))
        return self._log(changed, Cause.SCHEDULE, received, window=window)

    def _end(self, table: Table[S], cause: Cause, status: EndedAs, received: int, why: str) -> Step[S, M, E]:
        return self._log(table, cause, received, key=why, ending=Ending(status))

    def _log(
        self,
        table: Table[S],
        cause: Cause,
        received: int,
        state: S | None = None,
        told: tuple[Told[E], ...] = (),
        rng: Rng | None = None,
        *,
        acted: tuple[int, ...] = (),
        left: tuple[int, ...] = (),
        ending: Ending | None = None,
        **fields: Any,
    ) -> Step[S, M, E]:
        """Write one entry and bring the table up to it: decisions, clocks, the seal, the end."""
        entry: Entry[M, E] = Entry(table.number + 1, max(table.at, received), received, cause, events=told, **fields)
        state = table.state if state is None else state
        if ending is None:
            outcome = self.game.outcome(state)
            ending = None if outcome is None else Ending(EndedAs.FINISHED, outcome)
        awaited = {} if ending else self.game.awaited(state)
        reacting = {} if ending else self.game.reacting(state)
        seats = seats_after(table, entry, awaited, reacting, acted, left)
        sealed = None
        if ending is None and self.game.is_sealed(state):
            sealed = table.sealed or Sealed(entry.number, table.seats)
        after = replace(
            table,
            state=state,
            number=entry.number,
            at=entry.at,
            drawn=table.drawn if rng is None else rng.drawn,
            seats=seats,
            sealed=sealed,
            ending=ending,
        )
        return Step(after, (entry,))

    # Replay

    def _again(self, table: Table[S], entry: Entry[M, E]) -> Step[S, M, E]:
        received, key = entry.received, entry.key or ""
        match entry:
            case Entry(cause=Cause.MOVE, seat=int(seat), serial=int(serial), move=move) if move is not None:
                return self._make(table, seat, serial, move, received)
            case Entry(cause=Cause.TIMER):
                return self._expire(table, key, received)
            case Entry(cause=Cause.FLAG, seat=seat, seats=seats) if seats or seat is not None:
                return self._flag(table, seats[0] if seat is None else seat, received)
            case Entry(cause=Cause.LEAVE):
                return self._leave(table, Cause.LEAVE, entry.seats, received, key)
            case Entry(cause=Cause.STOP):
                return self._stop(table, key, received, entry.seats)
            case Entry(cause=Cause.START):
                return self._start(table, key, received, entry.seats)
            case Entry(cause=Cause.SCHEDULE, window=Window() as window):
                return self._schedule(table, window, received)
            case Entry(cause=Cause.ABANDON):
                return self._end(table, Cause.ABANDON, EndedAs.ABANDONED, received, key)
            case Entry(cause=Cause.VOID):
                return self._end(table, Cause.VOID, EndedAs.VOID, received, key)
            case _:
                raise ReplayMismatch(f"entry {entry.number} can't be replayed: {entry.cause} without what it needs")

    def _compare(self, step: Step[S, M, E], logged: Entry[M, E] | None) -> None:
        replayed = step.entries[-1]
        if logged != replayed:
            raise ReplayMismatch(f"entry {replayed.number}: the log has {logged!r}, the replay {replayed!r}")
