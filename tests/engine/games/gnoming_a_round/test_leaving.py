"""Seats leave at every moment; their cards go out of the round."""

from __future__ import annotations

import pytest

from engine.core.game import Occasion
from engine.core.outcome import Outcome
from engine.core.rng import Rng, Seed
from engine.games.gnoming_a_round import GAME
from engine.games.gnoming_a_round.moves import Discard, Draw, Place, SeatsLeft, TurnBegan, TurnUp
from engine.games.gnoming_a_round.rounds import deal
from engine.games.gnoming_a_round.state import Ending, Phase, Pile, Result, Source, TakenAlong
from tests.engine.games.gnoming_a_round.sheet import (
    ALMOST,
    DOWN,
    TWO_UP,
    all_cards,
    code_and_rule,
    leave,
    make,
    make_all,
    position,
    words,
)

LEFT = Discard(Pile.LEFT)
PASS = (Draw(Source.PILE), LEFT)
ALL_UP = ALMOST.replace("(", "").replace(")", "")


@pytest.mark.rule("GNO-29")
def test_the_layout_goes_out_of_the_round() -> None:
    after = leave(position(TWO_UP, ALMOST, TWO_UP), 1)

    assert after.events() == [SeatsLeft((1,))]
    assert after.state.layouts[1] == ()
    assert words(after.state.withdrawn_open) == "1 2 3 4 6 7 8 9"
    assert words(after.state.withdrawn_hidden) == "10"
    assert GAME.awaited(after.state) == {0: Occasion("turn", 5)}
    assert make_all(after.state, *PASS).state.turn == 2


@pytest.mark.rule("GNO-29")
def test_the_next_seat_is_in_turn_when_the_one_in_turn_leaves() -> None:
    after = leave(position(TWO_UP, TWO_UP, TWO_UP, turn=2), 2)

    assert after.events() == [SeatsLeft((2,)), TurnBegan(0, 6)]
    assert GAME.awaited(after.state) == {0: Occasion("turn", 6)}


@pytest.mark.rule("GNO-29", "GNO-28")
def test_a_drawn_card_goes_out_unseen() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, hand="-4", source=Source.PILE)
    after = leave(state, 0)

    assert after.state.taken_along == (TakenAlong(0, -4, fresh=False),)
    assert (after.state.hand, after.state.source, after.state.turn, after.state.phase) == (None, None, 1, Phase.DRAW)
    assert "-4" not in repr(after.told)
    assert "-4" not in repr(GAME.view(after.state, 1))
    assert GAME.census(after.state)["withdrawn"].count("-4") == 1


@pytest.mark.rule("GNO-29", "ALL-1")
def test_two_leavers_take_a_drawn_card_each_along() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, TWO_UP, draw="5 -3", hand="-4", source=Source.PILE)
    first = leave(state, 0).state
    second = leave(make(first, Draw(Source.PILE)).state, 1).state

    assert second.taken_along == (TakenAlong(0, -4, fresh=False), TakenAlong(1, -3, fresh=False))
    assert GAME.view(second, None).withdrawn == 20
    assert all_cards(second) == all_cards(state)


@pytest.mark.rule("GNO-29")
@pytest.mark.parametrize("source", [Source.LEFT, None], ids=["taken", "replaced"])
def test_an_open_card_in_hand_goes_out_too(source: Source | None) -> None:
    phase = Phase.PLAY if source else Phase.REPLACED
    after = leave(position(TWO_UP, TWO_UP, TWO_UP, left="", hand="-4", source=source, phase=phase), 0).state

    assert words(after.withdrawn_open) == "-4 1 2"
    assert (after.hand, after.source, after.left_pile, after.phase) == (None, None, (), Phase.DRAW)


@pytest.mark.rule("GNO-29")
def test_a_seat_that_leaves_between_two_bounces_hands_nothing_on() -> None:
    state = position("5 2 (5) / (4) (6) (7) / (8) (9) (10)", TWO_UP, TWO_UP, hand="3", source=Source.PILE)
    after = leave(make(state, Place(2)).state, 0).state

    assert (after.turn, after.used, after.may_bounce) == (1, 0, False)
    assert words(after.withdrawn_open) == "5 5 2 3"


@pytest.mark.rule("GNO-29", "GNO-5")
def test_during_set_up_the_others_choices_are_shown_when_the_last_to_choose_leaves() -> None:
    state = position(DOWN, DOWN, DOWN, phase=Phase.SETUP, chosen=((0, 1), None, (3, 4)), turns=0, turn_number=0)
    after = leave(state, 1)

    assert after.state.up == (0b000000011, 0, 0b000011000)
    assert GAME.awaited(after.state) == {0: Occasion("turn", 1)}


@pytest.mark.rule("GNO-29", "GNO-6")
def test_if_the_seat_that_was_to_begin_leaves_during_set_up_the_next_one_does() -> None:
    state = position(DOWN, DOWN, DOWN, phase=Phase.SETUP, chosen=((0, 1), None, None), turns=0, turn_number=0)
    left = leave(state, 0).state

    assert (left.turn, left.chosen) == (1, (None, None, None))
    assert GAME.awaited(left) == {1: Occasion("setup", 1), 2: Occasion("setup", 1)}
    assert code_and_rule(left, TurnUp((0, 1)), seat=0) == ("not_your_turn", None)
    assert GAME.legal_moves(left, 0) == ()
    after = make(make(left, TurnUp((0, 1)), seat=1).state, TurnUp((7, 8)), seat=2)
    assert GAME.awaited(after.state) == {1: Occasion("turn", 1)}


@pytest.mark.rule("GNO-29", "GNO-6")
@pytest.mark.parametrize(("left", "starters"), [((0, 1, 0), (2, 2)), ((0, 0, 1), (1, 0)), ((1, 0, 0), (1, 2))])
def test_in_later_rounds_a_leaver_is_not_dealt_to_and_does_not_begin(
    left: tuple[int, ...], starters: tuple[int, int]
) -> None:
    for number, starter in zip((1, 2), starters, strict=True):
        layouts = ["" if step else TWO_UP for step in left]
        state, _ = deal(position(*layouts, number=number), 0, Rng(Seed.from_number(2)))
        assert state.turn == starter
        assert [len(cards) for cards in state.layouts] == [0 if step else 9 for step in left]
        assert GAME.awaited(state).keys() == {seat for seat in range(3) if not left[seat]}


@pytest.mark.rule("GNO-29", "GNO-23")
def test_if_the_seat_that_went_out_leaves_the_last_turns_go_on_without_a_bonus() -> None:
    state = position(ALL_UP, TWO_UP, TWO_UP, turn=1, out_first=0, last_turns=(1, 2))
    left = leave(state, 0).state
    assert (left.turn, left.last_turns) == (1, (1, 2))

    scored = make_all(left, *PASS, *PASS).scored()
    assert (scored.scores, scored.bonus, scored.ending) == ((None, 50, 50), 0, Ending.LAST_TURNS)


@pytest.mark.rule("GNO-29", "GNO-18")
@pytest.mark.parametrize("leaver", [1, 2])
def test_a_leaver_has_no_last_turn(leaver: int) -> None:
    state = position(ALL_UP, TWO_UP, TWO_UP, turn=1, out_first=0, last_turns=(1, 2))
    left = leave(state, leaver).state
    other = 3 - leaver

    assert (left.turn, left.last_turns) == (other, (other,))
    assert make_all(left, *PASS).scored().scores[0] == 45


@pytest.mark.rule("GNO-29", "GNO-18")
def test_the_round_is_scored_when_the_last_of_the_last_turns_is_left() -> None:
    state = position(ALL_UP, TWO_UP, TWO_UP, turn=2, out_first=0, last_turns=(2,), hand="9", source=Source.PILE)
    scored = leave(state, 2).scored()

    assert (scored.scores, scored.ending, scored.bonus) == ((45, 50, None), Ending.LAST_TURNS, -5)


@pytest.mark.rule("GNO-29", "GNO-18")
def test_a_seat_that_leaves_with_all_cards_face_up_has_not_gone_out() -> None:
    state = position(ALL_UP, TWO_UP, TWO_UP, hand="9", phase=Phase.REPLACED)
    after = leave(state, 0).state

    assert (after.out_first, after.last_turns, after.turn) == (None, (), 1)


@pytest.mark.rule("ALL-4")
def test_the_last_seat_wins_and_the_earlier_leaver_is_lower() -> None:
    results = (Result(((),) * 3, (-9, 20, 5), Ending.LAST_TURNS, None, 0),)
    first = leave(position(TWO_UP, TWO_UP, TWO_UP, number=2, results=results), 0).state
    second = leave(first, 2)

    assert GAME.outcome(first) is None
    assert GAME.outcome(second.state) == Outcome("last_seat", (3, 1, 2), (-9, 20, 5))
    assert GAME.awaited(second.state) == {}
    assert code_and_rule(second.state, Draw(Source.PILE), seat=1) == ("not_your_turn", None)


@pytest.mark.rule("ALL-4")
def test_who_leaves_together_shares_a_place() -> None:
    after = leave(position(TWO_UP, TWO_UP, TWO_UP, TWO_UP), 3, 1, 0).state

    assert GAME.outcome(after) == Outcome("last_seat", (2, 2, 1, 2), (0, 0, 0, 0))


@pytest.mark.rule("ALL-4")
def test_if_all_leave_together_they_share_the_win() -> None:
    first = leave(position(TWO_UP, TWO_UP, TWO_UP, TWO_UP), 1).state
    after = leave(first, 0, 2, 3).state

    assert GAME.outcome(after) == Outcome("all_left", (1, 4, 1, 1), (0, 0, 0, 0))


@pytest.mark.rule("ALL-4")
@pytest.mark.parametrize("phase", [Phase.SETUP, Phase.DRAW])
def test_a_leaver_cannot_leave_again_nor_anybody_after_the_end(phase: Phase) -> None:
    state = leave(position(DOWN, DOWN, DOWN, turn=1, phase=phase), 0).state
    assert leave(state, 0, 9).told == ()
    assert leave(state, 0, 9).state == state
    over = leave(state, 1).state
    assert leave(over, 2).state == over
    assert leave(over, 2).told == ()
