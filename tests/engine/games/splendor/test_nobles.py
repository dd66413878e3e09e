"""Nobles that come by themselves."""

from __future__ import annotations

import pytest

from engine.core.game import Occasion
from engine.games.splendor import GAME
from engine.games.splendor.moves import (
    Buy,
    CardBought,
    ChooseNoble,
    Gems,
    GemsTaken,
    NobleCame,
    Pass,
    PlaceFilled,
    Reserve,
    ReturnTokens,
    SplendorMove,
    Take,
    Tokens,
    TokensReturned,
)
from engine.games.splendor.state import Phase
from tests.engine.games.splendor.builders import bonus, hand, play, refused, rule_against, table

FOUR_WHITE_FOUR_BLUE = bonus("white", 4) + bonus("blue", 4)
AND_FOUR_BLACK = FOUR_WHITE_FOUR_BLUE + bonus("black", 4)


@pytest.mark.rule("SPL-14", "SPL-15")
def test_the_noble_comes_with_the_card_that_makes_it_willing() -> None:
    # noble-06 asks for four white and four blue; L1-blue-04 costs two green and two black.
    one = hand((0, 0, 2, 0, 2, 0), bought=bonus("white", 4) + bonus("blue", 3))
    state = table(one, hand(), grid={(1, 0): "L1-blue-04"}, tops={1: "L1-red-01"}, nobles=("noble-06", "noble-09"))
    after, events = play(state, Buy("L1-blue-04"))
    assert events == [
        CardBought(0, "L1-blue-04", 1, Tokens(green=2, black=2), 0, None),
        PlaceFilled(1, 0, "L1-red-01"),
        NobleCame(0, "noble-06"),
    ]
    assert (after.hands[0].prestige, after.hands[0].nobles) == (3, (5,))
    assert after.board.nobles == (8,)
    assert after.seat == 1


@pytest.mark.rule("SPL-14")
@pytest.mark.parametrize(("blue", "comes"), [(3, []), (4, [NobleCame(0, "noble-06")]), (5, [NobleCame(0, "noble-06")])])
def test_a_noble_comes_from_exactly_what_it_asks_for(blue: int, comes: list[NobleCame]) -> None:
    one = hand(bought=bonus("white", 4) + bonus("blue", blue) + bonus("red", 3))
    state = table(one, hand(), nobles=("noble-06", "noble-09"))
    _, events = play(state, Take(Gems(white=2)))
    assert events[1:] == comes


@pytest.mark.rule("SPL-15")
def test_tokens_do_not_count_for_nobles() -> None:
    one = hand((3, 3, 0, 0, 0, 4), bought=bonus("white", 3) + bonus("blue", 3) + bonus("red", 7))
    state = table(one, hand(), hand(), hand(), nobles=("noble-01", "noble-06"))
    after, events = play(state, Take(Gems(white=1, blue=1, green=1), returning=Tokens(gold=3)))
    assert events == [GemsTaken(0, Gems(1, 1, 1, 0, 0)), TokensReturned(0, Tokens(gold=3))]
    assert after.hands[0].nobles == ()


@pytest.mark.rule("SPL-15")
def test_reserved_cards_do_not_count_for_nobles() -> None:
    one = hand(bought=bonus("white", 4) + bonus("blue", 3) + bonus("red", 1), reserved=("L1-blue-04",))
    after, _ = play(table(one, hand(), nobles=("noble-06",)), Take(Gems(white=2)))
    assert after.hands[0].nobles == ()


@pytest.mark.rule("SPL-14")
def test_of_several_willing_nobles_the_seat_chooses_one_within_its_turn() -> None:
    state = table(hand(bought=AND_FOUR_BLACK), hand(), nobles=("noble-10", "noble-07", "noble-06"))
    state, events = play(state, Take(Gems(white=2)))
    assert events == [GemsTaken(0, Gems(white=2))]
    assert (state.phase, GAME.awaited(state)) == (Phase.NOBLE, {0: Occasion("turn", 1)})
    assert GAME.view(state, 1).willing_nobles == ("noble-07", "noble-06")
    assert GAME.legal_moves(state, 0) == [ChooseNoble("noble-07"), ChooseNoble("noble-06")]
    state, events = play(state, ChooseNoble("noble-06"))
    assert events == [NobleCame(0, "noble-06")]
    assert (state.board.nobles, state.hands[0].nobles, state.hands[0].prestige) == ((9, 6), (5,), 3)
    assert GAME.awaited(state) == {1: Occasion("turn", 2)}


@pytest.mark.rule("SPL-14")
def test_the_other_noble_comes_at_the_end_of_the_next_own_turn() -> None:
    state = table(hand(bought=AND_FOUR_BLACK), hand(), nobles=("noble-07", "noble-06"))
    state, _ = play(state, Take(Gems(white=2)))
    state, _ = play(state, ChooseNoble("noble-06"))
    state, events = play(state, Take(Gems(blue=2)))
    assert events == [GemsTaken(1, Gems(blue=2))]
    state, events = play(state, Reserve(level=1))
    assert events[-1] == NobleCame(0, "noble-07")
    assert state.hands[0].prestige == 6


@pytest.mark.rule("SPL-14")
def test_a_noble_comes_only_at_the_end_of_an_own_turn() -> None:
    state = table(hand(), hand(bought=FOUR_WHITE_FOUR_BLUE), nobles=("noble-06",))
    state, events = play(state, Take(Gems(white=2)))
    assert events == [GemsTaken(0, Gems(white=2))]
    state, events = play(state, Take(Gems(blue=2)))
    assert events == [GemsTaken(1, Gems(blue=2)), NobleCame(1, "noble-06")]


@pytest.mark.rule("SPL-14")
def test_a_noble_can_neither_be_refused_nor_exchanged() -> None:
    state = table(hand(bought=AND_FOUR_BLACK), hand(), nobles=("noble-10", "noble-07", "noble-06"))
    state, _ = play(state, Take(Gems(white=2)))
    moves: list[SplendorMove] = [
        Pass(),
        Take(Gems(blue=2)),
        Reserve(level=1),
        Buy("L1-red-01"),
        ReturnTokens(Tokens()),
        ChooseNoble("noble-10"),
        ChooseNoble("noble-08"),
        ChooseNoble(""),
    ]
    for move in moves:
        assert rule_against(state, move) == "SPL-14"
    assert refused(state, ChooseNoble("noble-10")) == (
        "illegal_move",
        "SPL-14",
        "SPL-14: noble-10 would not come to you: choose one of noble-07, noble-06",
    )


@pytest.mark.rule("SPL-14")
def test_no_noble_is_chosen_before_the_end_of_a_turn() -> None:
    state = table(hand(bought=AND_FOUR_BLACK), hand(), nobles=("noble-07", "noble-06"))
    assert rule_against(state, ChooseNoble("noble-06")) == "SPL-14"


@pytest.mark.rule("SPL-13", "SPL-14")
def test_one_turn_may_hold_an_action_a_return_and_a_choice() -> None:
    one = hand((3, 3, 3, 0, 0, 0), bought=AND_FOUR_BLACK)
    state = table(one, hand(), hand(), hand(), nobles=("noble-07", "noble-06"))
    state, _ = play(state, Take(Gems(red=2)))
    assert state.phase is Phase.RETURN
    state, _ = play(state, ReturnTokens(Tokens(white=1)))
    assert state.phase is Phase.NOBLE
    assert GAME.awaited(state) == {0: Occasion("turn", 1)}
    state, _ = play(state, ChooseNoble("noble-07"))
    assert (state.seat, state.turn, state.phase) == (1, 2, Phase.ACTION)
