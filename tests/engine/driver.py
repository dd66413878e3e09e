"""Plays matches at random through the referee, in virtual time: with delays, silence, leavers, stops, repeats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Any

import msgspec

from engine.core.bots import is_drawn
from engine.core.clock import Fischer, OnTimeout, PerMove, Policy, TimeControl, Total, Unlimited
from engine.core.errors import Refusal, RefusalCode
from engine.core.game import Game
from engine.core.offers import PAUSE as OFFERED
from engine.core.referee import LAG, MOST_ENTRIES, Referee
from engine.core.rng import Rng, Seed
from engine.core.table import Cause, Entry, Grant, OfferKind, Opening, SeatState, Step, Table

AnyGame = Game[Any, Any, Any, Any, Any]
AnyTable = Table[Any, Any]
AnyEntry = Entry[Any, Any]

BEGAN = 1_790_000_000_000
CONTROLS: tuple[TimeControl, ...] = (
    PerMove(move_s=10),
    Fischer(bank_s=30, increment_s=5, cap_s=40),
    Total(bank_s=120),
    Unlimited(idle_limit_s=86_400),
)
DELAYS = (0, 0, 1, 2, 7, 39, 40, 41, 59, 60, 61, 150, 400, 1300, 2600, 4900)
TOO_LATE = {RefusalCode.LATE_MOVE, RefusalCode.MATCH_OVER, RefusalCode.SEAT_LEFT, RefusalCode.MATCH_PAUSED}


class Temper(StrEnum):
    """How the players of a match behave."""

    BRISK = "brisk"
    """Everybody answers, nobody leaves; no clocks."""
    SILENT = "silent"
    """Many let their time run out, and play on."""
    STORMY = "stormy"
    """Some leave, run out of time, pause, send things twice, too late and in another order."""
    MIXED = "mixed"
    """As stormy; some seats are bots', others are lent to bots when their clocks run out, and taken back."""


WILD = {Temper.STORMY, Temper.MIXED}


@dataclass(frozen=True)
class Case:
    """A game with a seat count and options; `text` names it and can be read back."""

    game: AnyGame
    seats: int
    preset: str = "standard"
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def options(self) -> Any:
        """The options themselves."""
        return self.game.options(self.values, self.preset)

    @property
    def text(self) -> str:
        """Game, seats, preset and changed options, for instance `snap/4/standard/{"turn_limit":40}`."""
        values = msgspec.json.encode(self.values).decode()
        return f"{self.game.key}/{self.seats}/{self.preset}/{values}"


@dataclass(frozen=True)
class Moment:
    """One entry, and the table before and after it."""

    before: AnyTable
    entry: AnyEntry
    after: AnyTable


@dataclass(frozen=True)
class Request:
    """A move that was asked for, with the table that it met and what came of it."""

    seat: int
    serial: int
    move: Any
    received: int
    before: AnyTable
    step: Step[Any, Any, Any]
    by_bot: bool = False


class Playing:
    """One match being played; `number` decides everything that is random in it."""

    def __init__(self, case: Case, number: int, temper: Temper = Temper.BRISK) -> None:
        self.case, self.number, self.temper = case, number, temper
        self.game = case.game
        self.random = Random(f"{case.text} {number} {temper}")
        self.referee = Referee(self.game, Seed.from_number(number), self.react)
        control, policy = self._manners()
        game, ruleset, seats = self.game.key, self.game.ruleset, case.seats
        bots = self._bots()
        self.opening = Opening(game, ruleset, seats, case.options, BEGAN, control, policy, bots=bots)
        step = self.referee.open(self.opening)
        self.table: AnyTable = step.table
        self.log: list[AnyEntry] = list(step.entries)
        self.now = BEGAN
        self.requests: list[Request] = []
        self.refusals: Counter[str] = Counter()

    def __str__(self) -> str:
        return f"{self.case.text} {self.number} {self.temper}"

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.table.is_over

    def moments(self, most: int | None = None) -> Iterator[Moment]:
        """Play on, at most `most` entries, and show each; the match is then over or that far."""
        shown = 0
        while not self.is_over and (most is None or shown < most):
            before, start = self.table, len(self.log)
            self.act()
            for moment in self._between(before, self.log[start:]):
                shown += 1
                yield moment

    def play_out(self, most: int = 1_000_000) -> None:
        """Play until the match is over. Raises AssertionError when that takes more than `most` entries."""
        start = len(self.log)
        while not self.is_over:
            self.act()
            assert len(self.log) - start <= most, f"{self} goes on after {most} entries"

    def act(self) -> None:
        """Do one thing that may be done now."""
        dice = self.random.random()
        if self.temper in WILD and dice < 0.06:
            self._disturb()
        elif self.temper in WILD and dice < 0.12:
            self._crowd()
        elif self.temper in {Temper.SILENT, Temper.MIXED} and dice < 0.3:
            self.pass_time()
        else:
            self._answer()

    def open_seats(self) -> list[int]:
        """The seats that are asked something and may be answered for from outside."""
        return [seat for seat, at in enumerate(self.table.seats) if at.decision is not None and self._is_asked(at)]

    def react(self, state: Any, seat: int, level: str, rng: Rng) -> tuple[Any, int] | None:
        """How bots answer races: anything, soon or too late, or nothing at all."""
        moves = self.game.legal_moves(state, seat)
        return (moves[rng.below(len(moves))], rng.below(3000)) if rng.below(20) else None

    def choose(self, seat: int) -> Any:
        """A legal move: first its type at random, then which."""
        moves = self.game.legal_moves(self.table.state, seat)
        assert moves, f"seat {seat} is asked {self.table.seats[seat].decision!r} and has no legal move"
        kinds = sorted({type(move).__name__ for move in moves})
        kind = self.random.choice(kinds)
        return self.random.choice([move for move in moves if type(move).__name__ == kind])

    def submit(
        self, seat: int, move: Any, received: int, now: int, serial: int | None = None, *, by_bot: bool | None = None
    ) -> Request:
        """Ask the referee, and take what comes. For a lent seat sometimes its player moves, sometimes the bot."""
        at = self.table.seats[seat]
        if by_bot is None:
            by_bot = at.bot is not None and not (at.lent and (is_drawn(at) or self.random.random() < 0.3))
        decision = self.table.seats[seat].decision
        named = serial if serial is not None else (decision.serial if decision else 0)
        before = self.table
        step = self.referee.submit(
            before, seat=seat, serial=named, move=move, received=received, now=now, by_bot=by_bot
        )
        request = Request(seat, named, move, received, before, step, by_bot)
        self.requests.append(request)
        self.take(step)
        self.now = max(self.now, now)
        return request

    def take(self, step: Step[Any, Any, Any]) -> Refusal | None:
        """The match goes on with this step."""
        self.table = step.table
        self.log += step.entries
        if step.refusal is not None:
            self.refusals[step.refusal.code] += 1
        return step.refusal

    def pass_time(self) -> None:
        """Let the next thing that is due happen; without one, a minute passes."""
        due = self.referee.due(self.table)
        if due is None or (isinstance(self.table.control, Unlimited) and due - self.now > 3_600_000):
            self._answer() if self.open_seats() and due is not None else self._go_on()
            return
        self.now = max(self.now, due + LAG + self.random.choice((0, 0, 1, 700)))
        self.take(self.referee.settle(self.table, self.now))

    def _manners(self) -> tuple[TimeControl, Policy]:
        if self.temper is Temper.BRISK:
            return Unlimited(), Policy()
        if self.temper is Temper.SILENT:
            return self.random.choice(CONTROLS), Policy(OnTimeout.PLAY_ON, strikes=self.random.choice((1, 3, 100)))
        if self.temper is Temper.MIXED:
            return self.random.choice(CONTROLS), Policy(OnTimeout.BOT)
        return self.random.choice(CONTROLS), Policy(self.random.choice(tuple(OnTimeout)), strikes=2)

    def _bots(self) -> tuple[str | None, ...]:
        if self.temper is not Temper.MIXED:
            return ()
        return tuple(self.random.choice(("normal", None)) for _ in range(self.case.seats))

    def _is_asked(self, at: SeatState) -> bool:
        """Not what is drawn for a bot; whose seat it was lent may come back in between."""
        return not is_drawn(at) or (at.lent and self.random.random() < 0.3)

    def _answer(self) -> None:
        """One seat that is asked something answers; when nobody is, or the match stands, time passes."""
        seats = self.open_seats()
        if not seats or self.table.halted is not None:
            self.pass_time()
            return
        seat = self.random.choice(seats)
        self.now += self.random.choice(DELAYS)
        # What is overdue by now happens before the move is chosen.
        self.take(self.referee.settle(self.table, self.now))
        if self.table.is_over or self.table.seats[seat].decision is None:
            return
        request = self.submit(seat, self.choose(seat), self.now, self.now)
        refusal = request.step.refusal
        assert refusal is None or refusal.code in TOO_LATE | {RefusalCode.TRY_AGAIN}, (
            f"{self}: the legal move {request.move!r} of seat {seat} was refused: {refusal!r}"
        )

    def _crowd(self) -> None:
        """Several seats answer at nearly the same time, and come in in another order; some send it twice."""
        seats = self.open_seats()
        if not seats or self.table.halted is not None:
            self._answer()
            return
        chosen = self.random.sample(seats, min(len(seats), 4))
        stamped = [(seat, self.choose(seat), self.now + self.random.randrange(LAG // 2)) for seat in chosen]
        now = max(received for _, _, received in stamped)
        serials = {seat: decision.serial for seat in chosen if (decision := self.table.seats[seat].decision)}
        for seat, move, received in stamped + self.random.sample(stamped, 1):
            self.submit(seat, move, received, now, serials[seat])

    def _disturb(self) -> None:
        """Somebody leaves, the match stands for a while, a clock stands, or nobody does anything."""
        dice = self.random.random()
        seats = [seat for seat, at in enumerate(self.table.seats) if not at.has_left]
        if dice < 0.25 and len(self.log) > 4:
            leaving = tuple(self.random.sample(seats, self.random.choice((1, 1, 1, 1, min(2, len(seats)), len(seats)))))
            self.take(self.referee.leave(self.table, leaving, received=self.now, now=self.now))
        elif dice < 0.5:
            self.now += self.random.choice(DELAYS)
            self.take(self.referee.stop(self.table, "pause", received=self.now, now=self.now))
        elif dice < 0.6:
            seat = self.random.choice(seats)
            self.take(self.referee.stop(self.table, "vacation", received=self.now, now=self.now, seats=(seat,)))
        elif dice < 0.7:
            seat = self.random.choice(seats)
            self.take(self.referee.start(self.table, "vacation", received=self.now, now=self.now, seats=(seat,)))
        elif dice < 0.85:
            self._offer(self.random.choice(seats))
        elif dice < 0.93:
            grant = Grant(self.random.choice(seats), self.random.choice((0, 1, 7_000)), self.random.random() < 0.5)
            self.take(self.referee.grant(self.table, grant, received=self.now, now=self.now))
        elif dice < 0.95:
            seat = self.random.choice(seats)
            self.take(self.referee.lend(self.table, seat, "easy", received=self.now, now=self.now, why="moderator"))
        elif dice < 0.97:
            seat = self.random.choice(seats)
            self.take(self.referee.hand_back(self.table, seat, received=self.now, now=self.now))
        else:
            self.pass_time()

    def _offer(self, seat: int) -> None:
        """A seat offers to pause or to resume, and the others answer, most of them with yes."""
        kind = OfferKind.RESUME if OFFERED in self.table.stops else OfferKind.PAUSE
        step = self.referee.offer(
            self.table,
            seat,
            kind,
            received=self.now,
            now=self.now,
            open_s=3600,
            pause_s=600 if kind is OfferKind.PAUSE else None,
        )
        if self.take(step) is not None or self.table.offer is None:
            return
        number = self.table.offer.number
        for other in range(self.case.seats):
            agrees = self.random.random() < 0.8
            self.take(self.referee.answer(self.table, other, number, agrees=agrees, received=self.now, now=self.now))

    def _go_on(self) -> None:
        """Nothing is due: the pause is over, or the clocks of the seats on vacation run again."""
        self.now += 60_000
        if self.table.stops:
            self.take(self.referee.start(self.table, self.table.stops[0], received=self.now, now=self.now))
            return
        resting = tuple(seat for seat, at in enumerate(self.table.seats) if at.clock.stops)
        assert resting, f"{self}: nothing is due, and nobody may do anything"
        self.take(self.referee.start(self.table, "vacation", received=self.now, now=self.now, seats=resting))

    def _between(self, before: AnyTable, entries: list[AnyEntry]) -> Iterator[Moment]:
        """Each entry with its own tables; a step of several is played again one by one."""
        for place, entry in enumerate(entries, 1):
            after = self.table if place == len(entries) else self.referee._again(before, entry).table
            yield Moment(before, entry, after)
            before = after


def settled(referee: Referee[Any, Any, Any, Any, Any], table: AnyTable, now: int) -> AnyTable:
    """The table once everything due by `now` has happened."""
    while len((step := referee.settle(table, now)).entries) == MOST_ENTRIES:
        table = step.table
    return step.table


def moves_and_timers(log: list[AnyEntry]) -> int:
    """How many entries count towards the bound that a game declares (ALL-3)."""
    return sum(entry.cause in {Cause.MOVE, Cause.TIMER, Cause.FLAG} for entry in log)
