"""A match of the toy game for the tests of the referee: what was asked when, and what came of it."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.bots import React
from engine.core.clock import Policy, TimeControl, Unlimited
from engine.core.errors import RefusalCode
from engine.core.referee import Referee
from engine.core.rng import Seed
from engine.core.table import Cause, Entry, Grant, Opening, Step, Table, Window
from tests.engine.core.toy import CARDS, TOY, EventType, MoveType, Options, State

BEGAN = 1_000_000
SECOND = 1000
SEED = Seed.from_number(1)


class Board:
    """Drives one match. Times are milliseconds after it began; a request is taken at once unless `now` says later."""

    def __init__(
        self,
        seats: int = 2,
        control: TimeControl = Unlimited(),  # noqa: B008 - frozen
        policy: Policy = Policy(),  # noqa: B008 - frozen
        *,
        hands: tuple[tuple[str, ...], ...] | None = None,
        options: Options = Options(),  # noqa: B008 - frozen
        bots: tuple[str | None, ...] = (),
        react: React | None = None,
    ) -> None:
        self.referee = Referee(TOY, SEED, react)
        self.opening = Opening("toy", 1, seats, options, BEGAN, control, policy, bots=bots)
        step = self.referee.open(self.opening)
        self.table: Table[State, MoveType] = step.table
        self.log: list[Entry[MoveType, EventType]] = list(step.entries)
        if hands is not None:
            deck = tuple(card for card in CARDS if not any(card in hand for hand in hands))
            self.table = replace(self.table, state=replace(self.table.state, hands=hands, deck=deck))

    def move(
        self,
        seat: int,
        move: MoveType,
        at: int,
        *,
        now: int | None = None,
        serial: int | None = None,
        by_bot: bool = False,
    ) -> RefusalCode | None:
        """Submit a move of this seat for its open decision; the code with which it is refused, or None."""
        decision = self.table.seats[seat].decision
        named = serial if serial is not None else (decision.serial if decision else 1)
        return self._take(
            self.referee.submit(
                self.table,
                seat=seat,
                serial=named,
                move=move,
                received=BEGAN + at,
                now=BEGAN + (now or at),
                by_bot=by_bot,
            )
        )

    def back(self, seat: int, at: int) -> RefusalCode | None:
        """The player of this seat takes it back."""
        return self._take(self.referee.hand_back(self.table, seat, received=BEGAN + at, now=BEGAN + at))

    def settle(self, now: int) -> list[tuple[Cause, int]]:
        """Let time pass; the cause and time of each new entry."""
        before = len(self.log)
        self._take(self.referee.settle(self.table, BEGAN + now))
        return self.causes(before)

    def leave(self, *seats: int, at: int, now: int | None = None) -> RefusalCode | None:
        """These seats resign."""
        return self._take(self.referee.leave(self.table, seats, received=BEGAN + at, now=BEGAN + (now or at)))

    def stop(self, reason: str, at: int, *seats: int, now: int | None = None) -> RefusalCode | None:
        """Set a stop reason."""
        return self._take(
            self.referee.stop(self.table, reason, received=BEGAN + at, now=BEGAN + (now or at), seats=seats)
        )

    def start(self, reason: str, at: int, *seats: int) -> RefusalCode | None:
        """Clear a stop reason."""
        return self._take(self.referee.start(self.table, reason, received=BEGAN + at, now=BEGAN + at, seats=seats))

    def schedule(self, reason: str, begins: int, ends: int | None, *seats: int, at: int = 0) -> RefusalCode | None:
        """Announce a window."""
        window = Window(reason, BEGAN + begins, None if ends is None else BEGAN + ends, seats)
        return self._take(self.referee.schedule(self.table, window, received=BEGAN + at, now=BEGAN + at))

    def void(self, at: int) -> RefusalCode | None:
        """An operator ends the match without a result."""
        return self._take(self.referee.void(self.table, received=BEGAN + at, now=BEGAN + at, why="a mistake"))

    def annul(self, at: int) -> RefusalCode | None:
        """An operator takes the result of a match that is over back."""
        return self._take(self.referee.annul(self.table, received=BEGAN + at, why="a mistake"))

    def grant(self, seat: int, ms: int, at: int, *, forgives: bool = False) -> RefusalCode | None:
        """An operator gives time, or strikes, back to a seat."""
        grant = Grant(seat, ms, forgives)
        return self._take(self.referee.grant(self.table, grant, received=BEGAN + at, now=BEGAN + at))

    def due(self) -> int | None:
        """When something next happens by itself."""
        due = self.referee.due(self.table)
        return None if due is None else due - BEGAN

    def left_ms(self, seat: int) -> int | None:
        """What the clock of this seat holds, as of when it last began to run or stood still."""
        return self.table.seats[seat].clock.left

    def runs(self, seat: int) -> bool:
        """Whether the clock of this seat runs, the match's own stops aside."""
        return self.table.seats[seat].clock.since is not None

    def serial(self, seat: int) -> int | None:
        """The serial of what this seat is asked."""
        decision = self.table.seats[seat].decision
        return None if decision is None else decision.serial

    def causes(self, start: int = 1) -> list[tuple[Cause, int]]:
        """Cause and time of the entries from `start` on; by default all but the opening."""
        return [(entry.cause, entry.at - BEGAN) for entry in self.log[start:]]

    def _take(self, step: Step[State, MoveType, EventType]) -> RefusalCode | None:
        self.table = step.table
        self.log += step.entries
        return None if step.refusal is None else step.refusal.code
