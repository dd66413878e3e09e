"""Searches: what they find, and what ends them."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.bots import Level, bot_for
from engine.bots.search import Budget, Search
from engine.core.rng import Rng
from tests.engine.bots.cases import sight_in, stream
from tests.engine.cases import GAMES
from tests.engine.driver import Case

MOVES = ("worst", "good", "best", "bad")
WORTH = {"worst": -1.0, "bad": -0.5, "good": 0.4, "best": 0.5}


def imagine(rng: Rng) -> int:
    """A deal that is nothing but its luck, from -1 to 1."""
    return rng.below(3) - 1


class Counting:
    """What a move brings in a deal, with how often each was tried."""

    def __init__(self) -> None:
        self.tried: Counter[str] = Counter()

    def play_on(self, deal: int, move: str, rng: Rng) -> float:
        self.tried[move] += 1
        return WORTH[move] + 10 * deal + rng.below(100)


def test_luck_does_not_choose_for_all_moves_meet_the_same_deals() -> None:
    assert Search(Budget(8), None).best(MOVES, imagine, Counting().play_on, stream(1)) == "best"


def test_moves_that_do_badly_are_given_up() -> None:
    counting = Counting()

    Search(Budget(8), None).best(MOVES, imagine, counting.play_on, stream(1))

    assert counting.tried == {"worst": 2, "bad": 2, "good": 4, "best": 4}


def test_the_only_move_is_not_tried() -> None:
    counting = Counting()

    assert Search(Budget(8), None).best(["bad"], imagine, counting.play_on, stream(1)) == "bad"
    assert not counting.tried


def test_no_deal_is_begun_after_the_limit() -> None:
    counting, times = Counting(), iter([1000, 1000, 1699, 1700])

    found = Search(Budget(800, limit_ms=700), lambda: next(times)).best(MOVES, imagine, counting.play_on, stream(1))

    assert found == "best"
    assert counting.tried == dict.fromkeys(MOVES, 2)


def test_without_any_time_it_is_the_first_move() -> None:
    times = iter([0, 700])

    assert Search(Budget(8, 700), lambda: next(times)).best(MOVES, imagine, Counting().play_on, stream(1)) == "worst"


@pytest.mark.parametrize("key", ["splendor", "three_up_three_down"])
def test_a_hard_bot_whose_time_is_over_still_makes_a_move(key: str) -> None:
    case = Case(GAMES[key], 2)
    state, _ = case.game.setup(2, case.options, 0, stream(3))
    sight = sight_in(case, state, min(case.game.awaited(state)), 1)
    later = iter(range(0, 10**9, 10**6))

    move = bot_for(case.game, Level.HARD, clock=lambda: next(later)).choose(sight, stream(1))

    assert move in sight.moves
