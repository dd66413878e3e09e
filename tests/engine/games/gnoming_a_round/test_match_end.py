"""Three rounds; the lowest total wins."""

from __future__ import annotations

import pytest

from engine.core.game import Occasion
from engine.core.outcome import Outcome, Standing
from engine.games.gnoming_a_round import GAME
from engine.games.gnoming_a_round.moves import (
    CardDiscarded,
    CardsTurnedUp,
    Discard,
    Draw,
    MatchEnded,
    RoundBegan,
    RoundScored,
    TurnUp,
)
from engine.games.gnoming_a_round.state import Ending, Phase, Pile, Result, Source, State
from tests.engine.games.gnoming_a_round.sheet import TWO_UP, Stacked, code_and_rule, make, make_all, position

LEFT = Discard(Pile.LEFT)

POINTS = {
    9: "1 2 -1 / 2 1 -1 / 1 3 1",
    10: "1 2 -1 / 2 1 -1 / 1 4 1",
    11: "1 2 -1 / 2 1 -1 / 1 5 1",
    50: TWO_UP,
}
"""Layouts without lines, by what they score."""


def result(*scores: int | None) -> Result:
    return Result(((),) * len(scores), scores, Ending.LAST_TURNS, None, 0)


def third_round(results: tuple[Result, ...], *points: int) -> State:
    """The last turn of the third round, cut short so that nobody gets a bonus."""
    layouts = [POINTS[score] for score in points]
    return position(*layouts, hand="9", source=Source.PILE, number=len(results) + 1, results=results, cut=Ending.PILE)


@pytest.mark.rule("GNO-25")
@pytest.mark.parametrize("number", [1, 2])
def test_after_the_first_and_the_second_round_the_next_is_dealt(number: int) -> None:
    state = third_round((result(1, 2, 3),) * (number - 1), 50, 9, 10)
    after = make(state, LEFT, at=5000)

    assert [type(event) for event in after.events()] == [
        CardDiscarded,
        CardsTurnedUp,
        RoundScored,
        RoundBegan,
    ]
    assert after.scored().round == number
    assert (after.state.phase, after.state.number, after.state.round_began) == (Phase.SETUP, number + 1, 5000)
    assert GAME.outcome(after.state) is None


@pytest.mark.rule("GNO-25")
def test_after_the_third_round_the_lowest_total_wins() -> None:
    after = make(third_round((result(20, 30, -5), result(1, 0, 40)), 50, 10, 11), LEFT)

    # 20 + 1 + 50, 30 + 0 + 10, -5 + 40 + 11
    assert GAME.outcome(after.state) == Outcome("rounds", (3, 1, 2), (71, 40, 46))
    assert after.only(MatchEnded) == MatchEnded("rounds", (3, 1, 2), (71, 40, 46))
    assert after.scored().totals == (71, 40, 46)
    assert GAME.awaited(after.state) == {}
    assert GAME.legal_moves(after.state, 1) == ()
    assert code_and_rule(after.state, LEFT, seat=1) == ("not_your_turn", None)


@pytest.mark.rule("GNO-25")
def test_of_equal_totals_the_lower_score_in_the_third_round_is_better() -> None:
    after = make(third_round((result(11, 9, 0), result(0, 0, 0)), 9, 11, 50), LEFT)

    assert GAME.outcome(after.state) == Outcome("rounds", (1, 2, 3), (20, 20, 50))


@pytest.mark.rule("GNO-25")
def test_still_tied_the_win_and_places_are_shared() -> None:
    after = make(third_round((result(5, 0, 5, 9), result(0, 5, 0, 1)), 9, 9, 9, 10), LEFT)

    assert GAME.outcome(after.state) == Outcome("rounds", (1, 1, 1, 4), (14, 14, 14, 20))


@pytest.mark.rule("GNO-25")
def test_the_standing_during_a_round_is_that_of_the_scored_ones() -> None:
    assert GAME.standing(position(TWO_UP, TWO_UP, TWO_UP)) == Standing((1, 1, 1), (0, 0, 0))
    state = position(TWO_UP, TWO_UP, TWO_UP, number=3, results=(result(4, 9, 5), result(6, 1, 4)))

    # 10, 10, 9; of the two with 10 seat 1 was better in the second round
    assert GAME.standing(state) == Standing((3, 2, 1), (10, 10, 9))


@pytest.mark.rule("GNO-25")
def test_around_nought_too_the_lower_score_in_the_last_round_is_better() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, number=3, results=(result(9, 8, 10), result(0, 1, -1)))

    assert GAME.standing(state) == Standing((2, 3, 1), (9, 9, 9))


@pytest.mark.rule("GNO-25", "GNO-6")
def test_no_occasion_of_a_round_comes_again_in_the_next() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, hand="9", source=Source.PILE, cut=Ending.PILE, hazard_number=2)
    state = make(state, LEFT, rng=Stacked("5 H 9 8")).state
    assert GAME.awaited(state) == dict.fromkeys((0, 1, 2), Occasion("setup", 2))
    for seat in range(3):
        state = make(state, TurnUp((0, 1)), seat=seat).state
    assert GAME.awaited(state) == {1: Occasion("turn", 6)}

    state = make_all(state, Draw(Source.PILE), Discard()).state
    assert GAME.awaited(state) == dict.fromkeys((2, 0), Occasion("hazard", 3))
