"""The first seat with all cards face up goes out, every other one has one more turn, then the round is scored."""

from __future__ import annotations

import pytest

from engine.games.gnoming_a_round import GAME
from engine.games.gnoming_a_round.moves import (
    Bounce,
    CardsTurnedUp,
    Discard,
    Draw,
    Place,
    RoundBegan,
    RoundScored,
    TurnBegan,
    WentOut,
)
from engine.games.gnoming_a_round.state import Ending, Phase, Pile, Source
from tests.engine.games.gnoming_a_round.sheet import ALMOST, DOWN, TWO_UP, layout, make, make_all, position

LEFT = Discard(Pile.LEFT)
PASS = (Draw(Source.PILE), LEFT)

UP_7 = "-1 -1 -1 / 1 1 2 / 1 2 3"
"""All face up, 7 points: -3 + 10."""

UP_10 = "1 2 4 / 3 -1 -2 / 1 2 M"
"""All face up, 10 points; the Mulligan completes nothing."""


@pytest.mark.rule("GNO-18")
def test_after_a_seat_has_gone_out_every_other_one_has_one_more_turn() -> None:
    state = position(TWO_UP, ALMOST, TWO_UP, TWO_UP, turn=1, hand="5", source=Source.PILE)
    out = make_all(state, Place(8), LEFT)

    assert out.events()[1:] == [WentOut(1, (2, 3, 0)), TurnBegan(2, 6)]
    assert (out.state.out_first, out.state.last_turns) == (1, (2, 3, 0))
    third = make_all(out.state, *PASS)
    assert (third.state.turn, third.state.last_turns) == (3, (3, 0))
    fourth = make_all(third.state, *PASS)
    assert (fourth.state.turn, fourth.state.last_turns) == (0, (0,))
    assert make_all(fourth.state, *PASS).scored().ending is Ending.LAST_TURNS


@pytest.mark.rule("GNO-18", "GNO-29")
def test_who_has_left_has_no_last_turn() -> None:
    state = position(TWO_UP, ALMOST, TWO_UP, "", turn=1, hand="5", source=Source.PILE)
    out = make_all(state, Place(8), LEFT)

    assert out.only(WentOut) == WentOut(1, (2, 0))
    assert make_all(out.state, *PASS, *PASS).scored().ending is Ending.LAST_TURNS


@pytest.mark.rule("GNO-18")
def test_going_out_is_tested_after_the_whole_turn() -> None:
    state = position("5 2 3 / 4 6 7 / 8 9 (5)", TWO_UP, TWO_UP, hand="-1", source=Source.PILE)
    placed = make(state, Place(8)).state

    assert layout(placed, 0) == "5 2 3 / 4 6 7 / 8 9 -1"
    assert (placed.phase, placed.out_first) == (Phase.REPLACED, None)
    bounced = make(placed, Bounce(7)).state
    assert bounced.out_first is None
    assert make(bounced, LEFT).only(WentOut) == WentOut(0, (1, 2))


@pytest.mark.rule("GNO-18", "GNO-11")
def test_going_out_waits_for_the_answers_to_a_hazard() -> None:
    state = position("1 2 3 / 4 6 7 / 8 9 (H)", TWO_UP, ALMOST, hand="-1", source=Source.PILE)
    placed = make(state, Place(8)).state

    assert (placed.phase, placed.out_first) == (Phase.HAZARD, None)
    answered = make(placed, GAME.default_move(placed, 1), seat=1)
    assert answered.only(WentOut) == WentOut(0, (1, 2))


@pytest.mark.rule("GNO-18")
def test_a_second_seat_that_turns_up_its_last_card_changes_nothing() -> None:
    state = position(UP_7, ALMOST, TWO_UP, turn=1, hand="5", source=Source.PILE, out_first=0, last_turns=(1, 2))
    after = make_all(state, Place(8), LEFT)

    assert (after.state.out_first, after.state.last_turns, after.state.turn) == (0, (2,), 2)
    assert not any(isinstance(event, WentOut) for event in after.events())


@pytest.mark.rule("GNO-18")
def test_at_the_end_all_cards_are_turned_up_where_they_lie_and_count_in_lines() -> None:
    hidden_line = "(5) (5) (5) / 1 2 (3) / 4 6 (7)"
    state = position(UP_7, UP_10, hidden_line, turn=2, hand="9", source=Source.PILE, out_first=0, last_turns=(2,))
    after = make(state, LEFT)

    assert after.only(CardsTurnedUp) == CardsTurnedUp(2, (0, 1, 2, 5, 8), ("5", "5", "5", "3", "7"))
    assert after.scored().layouts[2] == ("5", "5", "5", "1", "2", "3", "4", "6", "7")
    assert after.scored().scores[2] == 18


@pytest.mark.rule("GNO-18")
def test_events_of_the_end_of_a_round_come_in_order() -> None:
    state = position(UP_7, UP_10, TWO_UP, turn=2, hand="9", source=Source.PILE, out_first=0, last_turns=(2,))
    kinds = [type(event) for event in make(state, LEFT).events()[1:]]

    assert kinds == [CardsTurnedUp, RoundScored, RoundBegan]


@pytest.mark.rule("GNO-23")
@pytest.mark.parametrize(
    ("out", "scores", "bonus"),
    [
        (UP_7, (2, 10, 50), -5),  # 7 is the lowest
        (UP_10, (5, 10, 50), -5),  # a tie for the lowest
        ("1 2 4 / 3 -1 -2 / 1 2 1", (16, 10, 50), 5),  # 11 is one too many
        ("1 2 3 / -1 -2 -3 / M M M", (-5, 10, 50), -5),  # 0 is the lowest
        (DOWN.replace("(", "").replace(")", ""), (55, 10, 50), 5),
    ],
)
def test_who_went_out_first_gets_5_off_with_the_lowest_score_and_5_more_otherwise(
    out: str, scores: tuple[int, ...], bonus: int
) -> None:
    state = position(out, UP_10, TWO_UP, turn=2, hand="9", source=Source.PILE, out_first=0, last_turns=(2,))
    scored = make(state, LEFT).scored()

    assert (scored.scores, scored.out_first, scored.bonus) == (scores, 0, bonus)


@pytest.mark.rule("GNO-23")
def test_scores_are_compared_before_the_bonus() -> None:
    state = position(UP_10, UP_7, TWO_UP, turn=2, hand="9", source=Source.PILE, out_first=0, last_turns=(2,))

    # 10 against 7: with 5 off it would have been the lowest
    assert make(state, LEFT).scored().scores == (15, 7, 50)


@pytest.mark.rule("GNO-23", "GNO-29")
def test_a_leaver_is_not_compared_with() -> None:
    state = position(UP_10, TWO_UP, "", turn=1, hand="9", source=Source.PILE, out_first=0, last_turns=(1,))

    assert make(state, LEFT).scored().scores == (5, 50, None)


@pytest.mark.rule("GNO-18", "GNO-23")
def test_two_seats_play_last_turns_too() -> None:
    state = position(ALMOST, TWO_UP, preset="publisher", hand="M", source=Source.PILE)
    out = make_all(state, Place(8), LEFT).state
    assert out.last_turns == (1,)

    # 1+2+3+4+6+7+8+9 = 40 with the Mulligan idle, against 50
    assert make_all(out, *PASS).scored().scores == (35, 50)
