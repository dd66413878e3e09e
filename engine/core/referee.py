"""The only code that changes a match: it takes a table and returns the next one with the entries between them.

Time is handed in, as UTC milliseconds. `received` is when a request came in and decides whether it was in time; `now`
decides what may be fired: nothing is before its due + `LAG`, so that a move received in time but still waiting for its
turn isn't overtaken. What fires late is logged at the time at which it was due. docs/decisions/0005-one-rule-of-time.md
says why.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from msgspec.structs import replace

from engine.core import clock as clocks
from engine.core.admission import has_result, is_possible, not_for, untimely
from engine.core.errors import BadOptions, NewerFormat, Refusal, RefusalCode, ReplayMismatch
from engine.core.grants import untimely_grant, untimely_loan
from engine.core.offers import (
    is_agreed,
    offer_of,
    untimely_answer,
    untimely_offer,
)
from engine.core.rng import Rng
from engine.core.scribe import Scribe
from engine.core.table import (
    FORMAT,
    Cause,
    EndedAs,
    Entry,
    Grant,
    Offer,
    OfferKind,
    Opening,
    SeatState,
    Step,
    Table,
    Window,
)
from engine.core.waits import LAG, Wait, WaitKind, waits

__all__ = ["LAG", "MOST_ENTRIES", "Referee"]

S = TypeVar("S")
M = TypeVar("M")
E = TypeVar("E")
O = TypeVar("O")  # noqa: E741
V = TypeVar("V")

MOST_ENTRIES = 100
"""What one call settles at most; the rest is settled by the next."""


@dataclass(frozen=True, slots=True)
class Referee(Scribe[S, M, E, O, V]):
    """Applies one game with one seed. It holds nothing of a match: the same calls give the same tables anywhere."""

    def open(self, opening: Opening[O]) -> Step[S, M, E]:
        """Deal. Raises BadOptions for a seat count or options that the game doesn't allow."""
        self.game.check(opening.seats, opening.options)
        rng = Rng(self.seed)
        state, told = self.game.setup(opening.seats, opening.options, opening.at, rng)
        if len(opening.bots) not in {0, opening.seats}:
            raise BadOptions(f"bots are given for {len(opening.bots)} seats of {opening.seats}")
        levels = opening.bots or (None,) * opening.seats
        seats = tuple(SeatState(clocks.opening(opening.control, is_bot=bot is not None), bot=bot) for bot in levels)
        table: Table[S, M] = Table(
            opening.game,
            opening.ruleset,
            state,
            number=0,
            at=opening.at,
            drawn=0,
            seats=seats,
            control=opening.control,
            policy=opening.policy,
            format=opening.format,
        )
        return self._log(table, Cause.OPEN, opening.at, state, told, rng)

    def submit(
        self, table: Table[S, M], *, seat: int, serial: int, move: M, received: int, now: int, by_bot: bool = False
    ) -> Step[S, M, E]:
        """Settle what is due, then make the move or say why not.

        A serial whose decision is over gives `late_move`; whether it was answered with this very move, the log tells.
        A player whose seat is lent to a bot takes it back with its move.
        """
        settled = self._catch_up(table, received, now)
        if settled.refusal is not None:
            return settled
        table = settled.table
        refusal = (
            not_for(table, seat, by_bot=by_bot)
            or untimely(self.game, table, seat, serial, received)
            or self.game.refuse(table.state, seat, move)
        )
        if refusal is not None:
            return replace(settled, refusal=refusal)
        back: tuple[Entry[M, E], ...] = ()
        if table.seats[seat].lent and not by_bot:
            returned = self._return(table, seat, received)
            table, back = returned.table, returned.entries
        step = self._make(table, seat, serial, move, received)
        return replace(step, entries=settled.entries + back + step.entries)

    def hand_back(self, table: Table[S, M], seat: int, *, received: int, now: int) -> Step[S, M, E]:
        """The player of this seat is back, whether or not a bot has played it."""

        def go(table: Table[S, M]) -> Step[S, M, E]:
            at = table.seats[seat]
            if at.has_left:
                return Step(table, refusal=Refusal(RefusalCode.SEAT_LEFT, "this seat has left the match"))
            return self._return(table, seat, received) if at.lent else Step(table)

        return self._after_settling(table, received, now, go)

    def settle(self, table: Table[S, M], now: int) -> Step[S, M, E]:
        """Fire what is due, each at its own time, in order; at most `MOST_ENTRIES` entries a call."""
        return self._fire_while(table, lambda wait: wait.due + LAG <= now)

    def leave(
        self, table: Table[S, M], seats: tuple[int, ...], *, received: int, now: int, why: str = "resigned"
    ) -> Step[S, M, E]:
        """These seats leave at the same moment, by the game's own rule (ALL-4)."""

        def go(table: Table[S, M]) -> Step[S, M, E]:
            if any(table.seats[seat].has_left for seat in seats):
                return Step(table, refusal=Refusal(RefusalCode.SEAT_LEFT, "this seat has left the match already"))
            return self._leave(table, Cause.LEAVE, seats, received, why)

        return self._after_settling(table, received, now, go)

    def stop(
        self, table: Table[S, M], reason: str, *, received: int, now: int, seats: tuple[int, ...] = ()
    ) -> Step[S, M, E]:
        """Set a stop reason: for these seats' clocks, or for the whole match when there are none.

        A look or a race in progress is never stopped: the stop of a whole match then begins when it is over.
        To make good an outage, hand in its begin, and `LAG` later as `now`: what was due by then happens first,
        what came due in the outage doesn't.
        """

        def go(table: Table[S, M]) -> Step[S, M, E]:
            is_racing = any(timer.seats for timer in self.game.timers(table.state))
            if is_racing and not seats and table.halted is None:
                return self._schedule(table, Window(reason, begins=received), received)
            return self._stop(table, reason, received, seats)

        return self._after_settling(table, received, now, go)

    def start(
        self, table: Table[S, M], reason: str, *, received: int, now: int, seats: tuple[int, ...] = ()
    ) -> Step[S, M, E]:
        """Clear a stop reason; where nothing stands for it, a stop for it that was still to begin is called off."""
        return self._after_settling(table, received, now, lambda table: self._start(table, reason, received, seats))

    def schedule(self, table: Table[S, M], window: Window, *, received: int, now: int) -> Step[S, M, E]:
        """Announce a time in which clocks stand: a night, a weekend, a vacation, computed from a calendar elsewhere.

        It takes the place of one for the same reason and seats that is still to begin.
        """
        return self._after_settling(table, received, now, lambda table: self._schedule(table, window, received))

    def offer(
        self,
        table: Table[S, M],
        seat: int,
        kind: OfferKind,
        *,
        received: int,
        now: int,
        open_s: int,
        pause_s: int | None = None,
    ) -> Step[S, M, E]:
        """Offer everybody else to pause for `pause_s` seconds, to resume, or to abort; open for `open_s` seconds."""

        def go(table: Table[S, M]) -> Step[S, M, E]:
            offer = offer_of(table, seat, kind, received, pause_s, open_s)
            refusal = untimely_offer(table, offer, received)
            return Step(table, refusal=refusal) if refusal else self._offer(table, offer, received)

        return self._after_settling(table, received, now, go)

    def answer(
        self, table: Table[S, M], seat: int, number: int, *, agrees: bool, received: int, now: int
    ) -> Step[S, M, E]:
        """Consent to the offer `number`, or decline it; when everybody has consented it is carried out.

        A consent that comes again changes nothing.
        """

        def go(table: Table[S, M]) -> Step[S, M, E]:
            refusal = untimely_answer(table, seat, number)
            if refusal is not None or (agrees and table.offer is not None and seat in table.offer.agreed):
                return Step(table, refusal=refusal)
            return self._answer(table, seat, received, agrees=agrees)

        return self._after_settling(table, received, now, go)

    def void(self, table: Table[S, M], *, received: int, now: int, why: str) -> Step[S, M, E]:
        """Correct: the match ends without a result."""
        return self._after_settling(
            table, received, now, lambda table: self._end(table, Cause.VOID, EndedAs.VOID, received, why)
        )

    def annul(self, table: Table[S, M], *, received: int, why: str) -> Step[S, M, E]:
        """Correct a match that is over: its result counts no more. Refused where there is none."""
        if not has_result(table):
            return Step(table, refusal=Refusal(RefusalCode.MATCH_OVER, "the match has no result that could be void"))
        return self._end(table, Cause.VOID, EndedAs.VOID, received, why)

    def grant(self, table: Table[S, M], grant: Grant, *, received: int, now: int) -> Step[S, M, E]:
        """Correct: give time, or strikes, back to a seat."""

        def go(table: Table[S, M]) -> Step[S, M, E]:
            refusal = untimely_grant(table, grant, received)
            return Step(table, refusal=refusal) if refusal else self._grant(table, grant, received)

        return self._after_settling(table, received, now, go)

    def lend(self, table: Table[S, M], seat: int, bot: str, *, received: int, now: int, why: str) -> Step[S, M, E]:
        """Correct: a bot of this level plays the seat from now on, until its player returns."""

        def go(table: Table[S, M]) -> Step[S, M, E]:
            refusal = untimely_loan(table, seat)
            return Step(table, refusal=refusal) if refusal else self._take_over(table, seat, received, bot, why)

        return self._after_settling(table, received, now, go)

    def due(self, table: Table[S, M]) -> int | None:
        """The UTC time at which something next happens by itself, or None. It is fired `LAG` later at the earliest."""
        wait = min(waits(self.game, table), default=None)
        return None if wait is None else wait.due

    def replay(self, opening: Opening[O], entries: Iterable[Entry[M, E]]) -> Table[S, M]:
        """Play a log again from its opening. Raises ReplayMismatch at the first entry that comes out otherwise."""
        if opening.format > FORMAT:
            raise NewerFormat(f"this match has format {opening.format}, the newest known here is {FORMAT}")
        logged = iter(entries)
        first = next(logged, None)
        step = self._reading(first).open(opening)
        self._compare(step, first)
        return self.replay_on(step.table, logged)

    def replay_on(self, table: Table[S, M], entries: Iterable[Entry[M, E]]) -> Table[S, M]:
        """Play on along a log, from the table that its entries so far have led to. Raises ReplayMismatch."""
        for entry in entries:
            if not is_possible(self.game, table, entry):
                raise ReplayMismatch(f"entry {entry.number} couldn't have happened: {entry!r}")
            step = self._again(table, entry)
            self._compare(step, entry)
            table = step.table
        return table

    # What a request does first

    def _catch_up(self, table: Table[S, M], received: int, now: int) -> Step[S, M, E]:
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
        self, table: Table[S, M], received: int, now: int, go: Callable[[Table[S, M]], Step[S, M, E]]
    ) -> Step[S, M, E]:
        settled = self._catch_up(table, received, now)
        if settled.refusal is not None:
            return settled
        step = go(settled.table)
        entries = settled.entries + step.entries
        if is_agreed(step.table):
            step = self._carry_out(step.table, received)
            entries += step.entries
            # A pause begins with the consent, unless a race has to end first.
            step = self._fire_while(step.table, lambda wait: wait.is_harmless and wait.due <= received)
            entries += step.entries
        return replace(step, entries=entries)

    # What comes due

    def _fire_while(self, table: Table[S, M], may_fire: Callable[[Wait], bool]) -> Step[S, M, E]:
        entries: list[Entry[M, E]] = []
        while len(entries) < MOST_ENTRIES:
            ripe = [wait for wait in waits(self.game, table) if may_fire(wait)]
            if not ripe:
                break
            step = self._fire(table, min(ripe))
            table = step.table
            entries += step.entries
        return Step(table, tuple(entries))

    def _fire(self, table: Table[S, M], wait: Wait) -> Step[S, M, E]:
        match wait.kind:
            case WaitKind.RULE:
                return self._expire(table, wait.key, wait.due)
            case WaitKind.BOT:
                plan = next(plan for plan in table.plans if plan.seat == wait.place)
                return self._make(table, plan.seat, plan.serial, plan.move, wait.due)
            case WaitKind.FLAG:
                return self._flag(table, wait.place, wait.due)
            case WaitKind.IDLE:
                return self._end(table, Cause.ABANDON, EndedAs.ABANDONED, wait.due, "idle")
            case WaitKind.LAPSE:
                return self._lapse(table, wait.due)
            case WaitKind.BEGINS:
                window = table.windows[wait.place]
                return self._stop(table, window.reason, wait.due, window.seats)
            case WaitKind.ENDS:
                window = table.windows[wait.place]
                return self._start(table, window.reason, wait.due, window.seats)

    # Replay

    def _again(self, table: Table[S, M], entry: Entry[M, E]) -> Step[S, M, E]:
        """What this entry says was asked for or came due, once more, with what it says bots were drawn to do."""
        return self._reading(entry)._redo(table, entry)  # noqa: SLF001 - it is one of its kind

    def _reading(self, entry: Entry[M, E] | None) -> Referee[S, M, E, O, V]:
        return dataclasses.replace(self, recorded=() if entry is None else entry.plans)

    def _redo(self, table: Table[S, M], entry: Entry[M, E]) -> Step[S, M, E]:
        if is_agreed(table):
            return self._carry_out(table, entry.received)
        if entry.cause in {Cause.OFFER, Cause.ANSWER, Cause.LAPSE}:
            return self._offering_again(table, entry)
        if entry.cause in {Cause.STOP, Cause.START, Cause.SCHEDULE}:
            return self._standing_again(table, entry)
        if entry.cause in {Cause.TAKE_OVER, Cause.RETURN, Cause.GRANT}:
            return self._lending_again(table, entry)
        if entry.cause in {Cause.ABANDON, Cause.VOID}:
            status = EndedAs.VOID if entry.cause is Cause.VOID else EndedAs.ABANDONED
            return self._end(table, entry.cause, status, entry.received, entry.key or "")
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
            case _:
                raise _unfit(entry)

    def _standing_again(self, table: Table[S, M], entry: Entry[M, E]) -> Step[S, M, E]:
        received, key = entry.received, entry.key or ""
        match entry:
            case Entry(cause=Cause.STOP):
                return self._stop(table, key, received, entry.seats)
            case Entry(cause=Cause.START):
                return self._start(table, key, received, entry.seats)
            case Entry(window=Window() as window):
                return self._schedule(table, window, received)
            case _:
                raise _unfit(entry)

    def _lending_again(self, table: Table[S, M], entry: Entry[M, E]) -> Step[S, M, E]:
        match entry:
            case Entry(cause=Cause.TAKE_OVER, seat=int(seat), bot=str(bot), key=str(why)):
                return self._take_over(table, seat, entry.received, bot, why)
            case Entry(cause=Cause.TAKE_OVER, seat=int(seat)):
                return self._flag(table, seat, entry.received)
            case Entry(cause=Cause.RETURN, seat=int(seat)):
                return self._return(table, seat, entry.received)
            case Entry(cause=Cause.GRANT, grant=Grant() as grant):
                return self._grant(table, grant, entry.received)
            case _:
                raise _unfit(entry)

    def _offering_again(self, table: Table[S, M], entry: Entry[M, E]) -> Step[S, M, E]:
        match entry:
            case Entry(cause=Cause.OFFER, offer=Offer() as offer):
                return self._offer(table, offer, entry.received)
            case Entry(cause=Cause.ANSWER, seat=int(seat), agrees=bool() as agrees):
                return self._answer(table, seat, entry.received, agrees=agrees)
            case Entry(cause=Cause.LAPSE):
                return self._lapse(table, entry.received)
            case _:
                raise _unfit(entry)

    def _compare(self, step: Step[S, M, E], logged: Entry[M, E] | None) -> None:
        replayed = step.entries[-1]
        if logged != replayed:
            raise ReplayMismatch(f"entry {replayed.number}: the log has {logged!r}, the replay {replayed!r}")


def _unfit(entry: Entry[Any, Any]) -> ReplayMismatch:
    return ReplayMismatch(f"entry {entry.number} can't be replayed: {entry.cause} without what it needs")
