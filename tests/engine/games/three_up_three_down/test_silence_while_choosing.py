"""Four players choose at the same time, unseen; some run out of time, and only they are chosen for."""

from __future__ import annotations

from typing import Any

from engine.core.clock import OnTimeout, PerMove, Policy
from engine.core.errors import RefusalCode
from engine.core.referee import LAG, Referee
from engine.core.rng import Seed
from engine.core.table import Cause, Opening, Step, Table
from engine.games.three_up_three_down import GAME

BEGAN = 1_000_000


class Choosing:
    """A match of four that has just begun; ten seconds for each choice, times after its begin."""

    def __init__(self, policy: Policy) -> None:
        self.referee: Referee[Any, Any, Any, Any, Any] = Referee(GAME, Seed.from_number(4))
        opening = Opening(GAME.key, GAME.ruleset, 4, GAME.options(), BEGAN, PerMove(10), policy)
        self.step = self.referee.open(opening)

    @property
    def table(self) -> Table[Any, Any]:
        return self.step.table

    def choose(self, seat: int, at: int) -> Step[Any, Any, Any]:
        decision = self.table.seats[seat].decision
        serial = 1 if decision is None else decision.serial
        move = (*GAME.legal_moves(self.table.state, seat), *GAME.legal_moves(self.table.state, 3))[0]
        now = BEGAN + at
        self.step = self.referee.submit(self.table, seat=seat, serial=serial, move=move, received=now, now=now)
        return self.step

    def away(self, seats: tuple[int, ...], begins: int, ends: int) -> None:
        for ask, at in ((self.referee.stop, begins), (self.referee.start, ends)):
            self.step = ask(self.table, "vacation", received=BEGAN + at, now=BEGAN + at, seats=seats)

    def settle(self, now: int) -> list[tuple[Cause, int, int | None]]:
        self.step = self.referee.settle(self.table, BEGAN + now)
        return [(entry.cause, entry.at - BEGAN, entry.seat) for entry in self.step.entries]


def test_one_clock_then_two_run_out_and_the_choice_is_complete() -> None:
    match = Choosing(Policy(strikes=3))
    assert [match.table.seats[seat].clock.awaited for seat in range(4)] == [True] * 4
    match.away((1, 2), 1_000, 6_000)
    assert match.choose(3, 7_000).refusal is None
    assert match.settle(10_000 + LAG) == [(Cause.FLAG, 10_000, 0)]
    assert [match.table.seats[seat].clock.awaited for seat in range(4)] == [False, True, True, False]
    assert match.settle(15_000 + LAG) == [(Cause.FLAG, 15_000, 1), (Cause.FLAG, 15_000, 2)]
    assert [match.table.seats[seat].strikes for seat in range(4)] == [1, 1, 1, 0]
    assert not any(seat.has_left for seat in match.table.seats)
    # The round is resolved: the choices lie open, and one seat is to play.
    assert [seat.clock.awaited for seat in match.table.seats].count(True) == 1


def test_who_leaves_by_the_clock_takes_no_choice_of_the_others_along() -> None:
    match = Choosing(Policy(OnTimeout.LEAVE))
    match.away((1, 2), 1_000, 6_000)
    chosen = match.choose(3, 7_000).entries[0].move
    assert match.settle(10_000 + LAG) == [(Cause.FLAG, 10_000, None)]
    assert match.step.entries[0].seats == (0,)
    assert match.choose(1, 14_999).refusal is None
    assert match.settle(15_000 + LAG) == [(Cause.FLAG, 15_000, None)]
    assert match.step.entries[0].seats == (2,)
    assert [seat.has_left for seat in match.table.seats] == [True, False, True, False]
    assert not match.table.is_over
    assert chosen is not None


def test_a_choice_after_the_deadline_is_late_and_costs_the_others_nothing() -> None:
    match = Choosing(Policy(strikes=3))
    before = match.table
    late = match.choose(0, 10_000)
    assert late.refusal is not None
    assert late.refusal.code is RefusalCode.LATE_MOVE
    assert match.table == before
