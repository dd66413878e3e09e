"""When the last card of the draw pile is drawn the discards make a new one, once a round."""

from __future__ import annotations

import pytest

from engine.games.gnoming_a_round import GAME
from engine.games.gnoming_a_round.moves import Discard, Draw, PileRanOut, PileReshuffled, Place
from engine.games.gnoming_a_round.state import Ending, Pile, Source
from tests.engine.games.gnoming_a_round.sheet import ALMOST, TWO_UP, Stacked, make, make_all, position, words

LEFT = Discard(Pile.LEFT)
ALL_UP = ALMOST.replace("(", "").replace(")", "")


@pytest.mark.rule("GNO-24")
def test_the_discards_under_the_two_tops_are_shuffled_into_a_new_draw_pile() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, draw="9", left="3 4 5", right="6 7")
    after = make(state, Draw(Source.PILE), rng=Stacked("4 6 3"))

    assert words(after.state.pile) == "4 6 3"
    assert (words(after.state.left_pile), words(after.state.right_pile)) == ("5", "7")
    assert after.state.hand == 9
    assert after.events()[1:] == [PileReshuffled(3)]
    assert after.state.cut is None
    assert make(after.state, LEFT).state.turn == 1


@pytest.mark.rule("GNO-24")
def test_nothing_is_reshuffled_before_the_last_card_is_drawn() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, draw="9 8", left="3 4 5", right="6 7")

    assert words(make(state, Draw(Source.PILE)).state.left_pile) == "3 4 5"


@pytest.mark.rule("GNO-24")
@pytest.mark.parametrize(("left", "right"), [("3", "4"), ("", "4"), ("", "")])
def test_with_nothing_to_shuffle_the_round_ends_after_the_turn(left: str, right: str) -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, draw="9", left=left, right=right)
    drawn = make(state, Draw(Source.PILE))

    assert drawn.events()[1:] == [PileRanOut()]
    assert (drawn.state.cut, drawn.state.turn) == (Ending.PILE, 0)
    scored = make(drawn.state, LEFT).scored()
    assert (scored.ending, scored.scores, scored.bonus) == (Ending.PILE, (50, 50, 50), 0)


@pytest.mark.rule("GNO-24")
def test_the_second_time_the_round_ends_after_the_turn() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, draw="9", left="3 4 5", right="6 7", reshuffled_in=2)
    drawn = make(state, Draw(Source.PILE))

    assert (words(drawn.state.left_pile), words(drawn.state.pile)) == ("3 4 5", "")
    scored = make_all(drawn.state, Place(0), LEFT).scored()
    # 9 in place of 1
    assert (scored.ending, scored.scores) == (Ending.PILE, (58, 50, 50))


@pytest.mark.rule("GNO-24", "GNO-23")
def test_without_all_last_turns_nobody_gets_the_bonus() -> None:
    state = position(ALL_UP, TWO_UP, TWO_UP, turn=1, draw="9", out_first=0, last_turns=(1, 2))
    scored = make_all(state, Draw(Source.PILE), LEFT).scored()

    assert (scored.ending, scored.scores, scored.out_first, scored.bonus) == (Ending.PILE, (50, 50, 50), 0, 0)


@pytest.mark.rule("GNO-24", "GNO-23")
def test_if_the_pile_runs_out_in_the_last_of_the_last_turns_the_bonus_counts() -> None:
    state = position(ALL_UP, TWO_UP, TWO_UP, turn=2, draw="9", out_first=0, last_turns=(2,))
    scored = make_all(state, Draw(Source.PILE), LEFT).scored()

    assert (scored.ending, scored.scores, scored.bonus) == (Ending.LAST_TURNS, (45, 50, 50), -5)


@pytest.mark.rule("GNO-24", "GNO-23")
def test_who_goes_out_in_the_turn_that_empties_the_pile_gets_no_bonus() -> None:
    state = position(ALMOST, TWO_UP, TWO_UP, draw="-4")
    scored = make_all(state, Draw(Source.PILE), Place(8), LEFT).scored()

    # -4 in place of 10
    assert (scored.ending, scored.scores, scored.bonus) == (Ending.PILE, (36, 50, 50), 0)


@pytest.mark.rule("GNO-24", "GNO-10")
def test_the_top_cards_stay_and_can_be_drawn() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, draw="9", left="3 4 5", right="")
    after = make_all(state, Draw(Source.PILE), Discard(Pile.RIGHT), Draw(Source.LEFT))

    assert (words(after.state.left_pile), words(after.state.right_pile)) == ("", "9")
    assert sorted(words(after.state.pile).split()) == ["3", "4"]


@pytest.mark.rule("GNO-24")
def test_the_draw_pile_is_renewed_once_a_round() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, draw="9", left="3 4", right="6 7")
    renewed = make(state, Draw(Source.PILE), rng=Stacked("3 6"))
    assert (renewed.events()[1:], GAME.view(renewed.state, None).has_reshuffled) == ([PileReshuffled(2)], True)

    second = make_all(renewed.state, LEFT, Draw(Source.PILE))
    assert (words(second.state.pile), second.state.hand) == ("3", 6)
    third = make_all(second.state, LEFT, Draw(Source.PILE))
    # Under the two tops lie 4 and 9, and they stay there
    assert third.events()[1:] == [PileRanOut()]
    assert (words(third.state.left_pile), words(third.state.pile)) == ("4 9 6", "")


@pytest.mark.rule("GNO-24", "GNO-27")
def test_a_round_that_a_limit_ends_already_ends_by_the_limit() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, draw="9", cut=Ending.ROUND_LIMIT)
    drawn = make(state, Draw(Source.PILE)).state

    assert GAME.view(drawn, None).ends_after_turn is Ending.ROUND_LIMIT
    assert make(drawn, LEFT).scored().ending is Ending.ROUND_LIMIT
