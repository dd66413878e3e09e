"""The entries of a log, one function a cause: each takes a table and gives the next one with the entry between them.

They ask no questions: whether something may happen now, and in which order, is `engine.core.referee`'s business.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from engine.core import clock as clocks
from engine.core.bookkeeping import (
    change_clocks,
    ending_of,
    is_own_move,
    leaves_on_flag,
    plans_kept,
    seats_after,
)
from engine.core.bots import TAKES_OVER, React, draw_plan, is_drawn, is_fit, recorded_plan
from engine.core.clock import OnTimeout
from engine.core.events import Told
from engine.core.game import RACE, Game, Occasion
from engine.core.grants import granted
from engine.core.offers import (
    AGREED,
    PAUSE,
    answered,
    pause_window,
)
from engine.core.rng import Rng, Seed
from engine.core.table import (
    BOTS_SINCE,
    Cause,
    EndedAs,
    Ending,
    Entry,
    Grant,
    Offer,
    OfferKind,
    Plan,
    Sealed,
    SeatState,
    Step,
    Table,
    Window,
)
from engine.core.windows import announced, begun, ended

S = TypeVar("S")
M = TypeVar("M")
E = TypeVar("E")
O = TypeVar("O")  # noqa: E741
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Scribe(Generic[S, M, E, O, V]):
    """Writes entries of one game with one seed.

    `react` is how bots answer races; in a replay what they answered is `recorded` already.
    """

    game: Game[S, M, E, O, V]
    seed: Seed
    react: React | None = None
    recorded: tuple[Plan[M], ...] | None = None

    def _expire(self, table: Table[S, M], key: str, due: int) -> Step[S, M, E]:
        rng = Rng(self.seed, table.drawn)
        state, told = self.game.expire(table.state, key, table.match_time(due), rng)
        return self._log(table, Cause.TIMER, due, state, told, rng, key=key)

    def _flag(self, table: Table[S, M], seat: int, due: int) -> Step[S, M, E]:
        if leaves_on_flag(table.policy, table.seats[seat]):
            moment = clocks.due(table.seats[seat].clock)
            flagged = [n for n, at in enumerate(table.seats) if clocks.due(at.clock) == moment]
            leavers = tuple(n for n in flagged if leaves_on_flag(table.policy, table.seats[n]))
            return self._leave(table, Cause.FLAG, leavers, due, "timeout")
        if table.policy.on_timeout is OnTimeout.BOT and table.format >= BOTS_SINCE:
            return self._take_over(table, seat, due)
        decision = table.seats[seat].decision
        assert decision is not None  # noqa: S101 - a clock runs only for an open decision
        move = self.game.default_move(table.state, seat)
        rng = Rng(self.seed, table.drawn)
        state, told = self.game.play(table.state, seat, move, table.match_time(due), rng)
        return self._log(
            table, Cause.FLAG, due, state, told, rng, seat=seat, serial=decision.serial, move=move, acted=(seat,)
        )

    def _take_over(
        self, table: Table[S, M], seat: int, due: int, bot: str = TAKES_OVER, why: str | None = None
    ) -> Step[S, M, E]:
        """A bot plays the seat; `why` where that was asked for, None where the clock ran out."""
        return self._log(table, Cause.TAKE_OVER, due, seat=seat, bot=bot, key=why)

    def _return(self, table: Table[S, M], seat: int, received: int) -> Step[S, M, E]:
        return self._log(table, Cause.RETURN, received, seat=seat)

    def _make(self, table: Table[S, M], seat: int, serial: int, move: M, received: int) -> Step[S, M, E]:
        rng = Rng(self.seed, table.drawn)
        state, told = self.game.play(table.state, seat, move, table.match_time(received), rng)
        return self._log(
            table, Cause.MOVE, received, state, told, rng, seat=seat, serial=serial, move=move, acted=(seat,)
        )

    def _leave(
        self, table: Table[S, M], cause: Cause, seats: tuple[int, ...], received: int, why: str
    ) -> Step[S, M, E]:
        rng = Rng(self.seed, table.drawn)
        state, told = self.game.leave(table.state, seats, table.match_time(received), rng)
        # Whoever is left may see things otherwise: what was offered is to be offered again.
        table = replace(table, offer=None)
        return self._log(table, cause, received, state, told, rng, seats=seats, key=why, left=seats)

    def _offer(self, table: Table[S, M], offer: Offer, received: int) -> Step[S, M, E]:
        return self._log(
            replace(table, offer=offer, offered=offer.number), Cause.OFFER, received, seat=offer.seat, offer=offer
        )

    def _answer(self, table: Table[S, M], seat: int, received: int, *, agrees: bool) -> Step[S, M, E]:
        offer = None if table.offer is None else answered(table.offer, seat, agrees=agrees)
        return self._log(replace(table, offer=offer), Cause.ANSWER, received, seat=seat, agrees=agrees)

    def _lapse(self, table: Table[S, M], received: int) -> Step[S, M, E]:
        return self._log(replace(table, offer=None), Cause.LAPSE, received)

    def _carry_out(self, table: Table[S, M], received: int) -> Step[S, M, E]:
        """Do what everybody has agreed to."""
        offer, table = table.offer, replace(table, offer=None)
        match offer:
            case Offer(kind=OfferKind.PAUSE):
                return self._schedule(table, pause_window(offer, received), received)
            case Offer(kind=OfferKind.RESUME):
                return self._start(table, PAUSE, received, ())
            case _:
                return self._end(table, Cause.ABANDON, EndedAs.ABANDONED, received, AGREED)

    def _stop(self, table: Table[S, M], reason: str, received: int, seats: tuple[int, ...]) -> Step[S, M, E]:
        at = max(table.at, received)
        changed = replace(table, windows=begun(table.windows, reason, seats, received))
        if seats:
            changed = change_clocks(changed, seats, lambda c: clocks.stop(c, reason, table.match_time(at)))
        elif reason not in table.stops:
            begun_at = (at, received) if table.halted is None else (table.halted, table.closed)
            changed = replace(changed, stops=(*table.stops, reason), halted=begun_at[0], closed=begun_at[1])
        return self._log(changed, Cause.STOP, received, seats=seats, key=reason, shown=table.seats)

    def _start(self, table: Table[S, M], reason: str, received: int, seats: tuple[int, ...]) -> Step[S, M, E]:
        at = max(table.at, received)
        stands = any(reason in table.seats[seat].clock.stops for seat in seats) if seats else reason in table.stops
        changed = replace(table, windows=ended(table.windows, reason, seats, stands=stands))
        if seats:
            changed = change_clocks(changed, seats, lambda c: clocks.start(c, reason, table.match_time(at)))
        elif table.halted is not None and table.stops == (reason,):
            lost = table.lost + at - table.halted
            changed = replace(changed, stops=(), halted=None, closed=None, lost=lost, stood=(table.halted, at))
        elif stands:
            changed = replace(changed, stops=tuple(other for other in table.stops if other != reason))
        return self._log(changed, Cause.START, received, seats=seats, key=reason, shown=table.seats)

    def _schedule(self, table: Table[S, M], window: Window, received: int) -> Step[S, M, E]:
        changed = replace(table, windows=announced(table.windows, window))
        return self._log(changed, Cause.SCHEDULE, received, window=window)

    def _grant(self, table: Table[S, M], grant: Grant, received: int) -> Step[S, M, E]:
        return self._log(granted(table, grant), Cause.GRANT, received, grant=grant, shown=table.seats)

    def _end(self, table: Table[S, M], cause: Cause, status: EndedAs, received: int, why: str) -> Step[S, M, E]:
        return self._log(table, cause, received, key=why, ending=Ending(status))

    def _log(
        self,
        table: Table[S, M],
        cause: Cause,
        received: int,
        state: S | None = None,
        told: tuple[Told[E], ...] = (),
        rng: Rng | None = None,
        *,
        acted: tuple[int, ...] = (),
        left: tuple[int, ...] = (),
        ending: Ending | None = None,
        shown: tuple[SeatState, ...] | None = None,
        **fields: Any,
    ) -> Step[S, M, E]:
        """Write one entry and bring the table up to it: decisions, clocks, the seal, the end.

        `shown` are the seats as they were before it, where the table that is handed in has others already.
        """
        entry: Entry[M, E] = Entry(table.number + 1, max(table.at, received), received, cause, events=told, **fields)
        is_of_the_game, state = state is not None, table.state if state is None else state
        if ending is None:
            ending = ending_of(table, self.game.outcome(state), left)
        awaited = {} if ending else self.game.awaited(state)
        reacting = {} if ending else self.game.reacting(state)
        seats = seats_after(table, entry, awaited, reacting, acted, left)
        plans = plans_kept(table.plans, seats)
        drawn = self._draw(state, seats, plans, table.match_time(received))
        entry = replace(entry, plans=drawn)
        sealed = None
        if ending is None and (self.game.is_sealed(state) or (not is_of_the_game and _is_racing(awaited))):
            sealed = table.sealed or Sealed(entry.number, table.seats if shown is None else shown)
        after = replace(
            table,
            state=state,
            number=entry.number,
            at=entry.at,
            drawn=table.drawn if rng is None else rng.drawn,
            seats=seats,
            sealed=sealed,
            ending=ending,
            offer=None if ending else table.offer,
            moves=table.moves + is_own_move(table, entry),
            plans=plans + drawn,
        )
        return Step(after, (entry,))

    def _draw(
        self, state: S, seats: tuple[SeatState, ...], known: tuple[Plan[M], ...], since: int
    ) -> tuple[Plan[M], ...]:
        """What bots will do about the races that they are asked to answer since now."""
        planned = {plan.seat for plan in known}
        drawn = []
        for seat, at in enumerate(seats):
            if is_drawn(at) and seat not in planned:
                if self.recorded is None:
                    plan = draw_plan(self.game, state, seat, at, self.seed, since, self.react)
                else:
                    plan = recorded_plan(self.recorded, seat, at)
                if plan is not None and is_fit(self.game, state, plan, since):
                    drawn.append(plan)
        return tuple(drawn)


def _is_racing(awaited: dict[int, Occasion]) -> bool:
    """Whether answers may be sealed. Then what is no answer is sealed as well, the first one or not.

    Or else it would be in the log at once as long as nobody has looked, and only then.
    """
    return any(occasion.kind == RACE for occasion in awaited.values())
