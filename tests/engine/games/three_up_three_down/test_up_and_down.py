"""Once the draw pile is used up and the hand empty: the UP cards, then the DOWN cards, one by one."""

from __future__ import annotations

import pytest

from engine.games.three_up_three_down import GAME
from engine.games.three_up_three_down.moves import (
    Discard,
    Discarded,
    DownTurned,
    MoreDiscards,
    PickedUp,
    PickUp,
    PileCleared,
    TurnBegan,
    TurnDown,
)
from engine.games.three_up_three_down.view import TurnedView
from tests.engine.games.three_up_three_down.sheet import (
    Cards,
    code_and_rule,
    down,
    hand,
    make,
    others,
    position,
    up,
    words,
)


@pytest.mark.rule("TUD-23")
@pytest.mark.parametrize("card", ["8", "9"])
def test_up_is_not_played_while_there_is_a_hand(card: str) -> None:
    state = position(Cards("2", "8 8 9", "1 2 3"), *others(), discard="1")

    assert code_and_rule(state, Discard(card)) == ("illegal_move", "TUD-23")  # type: ignore[arg-type]
    assert GAME.legal_moves(state, 0) == (Discard("2"),)


@pytest.mark.rule("TUD-23")
def test_a_hand_that_cannot_be_played_is_not_saved_by_up() -> None:
    state = position(Cards("2", "8 8 9", "1 2 3"), *others(), discard="5")

    assert GAME.legal_moves(state, 0) == (PickUp(),)


@pytest.mark.rule("TUD-23")
def test_up_is_played_once_hand_and_draw_pile_are_gone() -> None:
    state = position(Cards("2", "8 8 9", "1 2 3"), Cards("9", "5 5 5"), discard="1")
    state = make(state, Discard("2"), Discard("9")).state
    assert (state.seat, hand(state)) == (0, "")

    assert GAME.legal_moves(state, 0) == (Discard("9"),)
    assert GAME.view(state, 1).seats[0].zone == "up"


@pytest.mark.rule("TUD-23")
@pytest.mark.parametrize("slot", [0, 1, 2, 3, -1, 10**30])
def test_down_is_not_turned_while_there_is_a_hand_or_up(slot: int) -> None:
    with_hand = position(Cards("2", "", "1 2 3"), *others())
    with_up = position(Cards("", "2", "1 2 3"), *others())

    assert code_and_rule(with_hand, TurnDown(slot)) == ("illegal_move", "TUD-23")
    assert code_and_rule(with_up, TurnDown(slot)) == ("illegal_move", "TUD-23")


@pytest.mark.rule("TUD-24")
def test_equal_up_cards_are_played_as_multiples() -> None:
    state = position(Cards("", "8 8 9", "1 2 3"), *others(), discard="8 7")
    assert GAME.legal_moves(state, 0) == (Discard("8"), Discard("8", 2), Discard("9"))

    after = make(state, Discard("8", 2))
    assert (up(after.state), words(after.state.discard), after.state.seat) == ("9", "8 7 8 8", 1)
    assert after.events() == [Discarded(0, "up", "8", 2), TurnBegan(1, 8)]


@pytest.mark.rule("TUD-14", "TUD-24")
def test_three_equal_up_cards_clear_the_pile() -> None:
    after = make(position(Cards("", "8 8 8", "1 2 3"), *others(), discard="7"), Discard("8", 3)).state

    assert (after.discard, words(after.cleared), up(after)) == ((), "7 8 8 8", "")


@pytest.mark.rule("TUD-24")
@pytest.mark.parametrize("count", [2, 3])
def test_more_up_cards_than_there_are_is_refused(count: int) -> None:
    state = position(Cards("", "8 9 9", "1 2 3"), *others())

    assert code_and_rule(state, Discard("8", count)) == ("illegal_move", "TUD-24")


@pytest.mark.rule("TUD-24")
def test_hand_and_up_never_mix_in_one_play() -> None:
    state = position(Cards("8", "8 9 9", "1 2 3"), *others(), discard="1")

    assert code_and_rule(state, Discard("8", 2)) == ("illegal_move", "TUD-24")
    after = make(state, Discard("8")).state
    assert (hand(after), up(after)) == ("", "8 9 9")


@pytest.mark.rule("TUD-25")
def test_no_up_card_playable_means_picking_up_and_up_stays() -> None:
    state = position(Cards("", "2 3 4", "1 2 3"), *others(), discard="9 5")
    assert GAME.legal_moves(state, 0) == (PickUp(),)

    after = make(state, PickUp())
    assert (hand(after.state), up(after.state), down(after.state)) == ("5 9", "2 3 4", "1 2 3")
    assert (after.state.discard, after.state.seat) == ((), 1)
    assert after.events() == [PickedUp(0, ("9", "5")), TurnBegan(1, 8)]


@pytest.mark.rule("TUD-10", "TUD-25")
def test_a_playable_up_card_must_be_played() -> None:
    state = position(Cards("", "2 3 5", "1 2 3"), *others(), discard="9 5")

    assert code_and_rule(state, PickUp()) == ("illegal_move", "TUD-10")
    assert GAME.legal_moves(state, 0) == (Discard("5"),)


@pytest.mark.rule("TUD-26")
def test_the_seat_chooses_which_down_card_to_turn() -> None:
    state = position(Cards("", "", "1 . 9"), *others(), discard="5")
    assert GAME.legal_moves(state, 0) == (TurnDown(0), TurnDown(2))
    assert GAME.view(state, 0).asked == "turn_down"

    after = make(state, TurnDown(2))
    assert (down(after.state), words(after.state.discard), after.state.seat) == ("1 . .", "5 9", 1)
    assert after.events() == [DownTurned(0, 2, "9", "played"), TurnBegan(1, 8)]
    assert GAME.view(after.state, None).turned == TurnedView(0, 2, "9", "played")


@pytest.mark.rule("TUD-26")
@pytest.mark.parametrize(("card", "is_played"), [("4", False), ("5", True), ("6", True), ("c", True)])
def test_a_turned_card_is_judged_like_any_other(card: str, is_played: bool) -> None:  # noqa: FBT001
    after = make(position(Cards("", "", f"{card} 1 1"), *others(), discard="9 5"), TurnDown(0)).state

    assert down(after) == ". 1 1"
    assert hand(after) == ("" if is_played else "4 5 9")


@pytest.mark.rule("TUD-26")
def test_a_down_card_that_fails_goes_to_the_hand_with_the_pile() -> None:
    state = position(Cards("", "", "4 1 1"), *others(), discard="9 5")
    after = make(state, TurnDown(0))

    assert (hand(after.state), down(after.state), after.state.discard) == ("4 5 9", ". 1 1", ())
    assert (after.state.seat, after.state.due, after.state.known) == (1, 1, (0, 0))
    assert after.events() == [DownTurned(0, 0, "4", "hand"), PickedUp(0, ("9", "5")), TurnBegan(1, 8)]
    assert GAME.view(after.state, 1).turned == TurnedView(0, 0, "4", "hand")


@pytest.mark.rule("TUD-26")
def test_anything_turned_on_an_empty_pile_is_played() -> None:
    after = make(position(Cards("", "", "1 2 3"), *others()), TurnDown(1)).state

    assert (words(after.discard), down(after), hand(after)) == ("2", "1 . 3", "")


@pytest.mark.rule("TUD-26")
@pytest.mark.parametrize("slot", [1, 3, -1, -3, 10**30])
def test_a_place_without_a_card_cannot_be_turned(slot: int) -> None:
    assert code_and_rule(position(Cards("", "", "1 . 3"), *others()), TurnDown(slot)) == ("illegal_move", "TUD-26")


@pytest.mark.rule("TUD-26")
@pytest.mark.parametrize("move", [Discard("1"), Discard("9"), PickUp()])
def test_down_cards_are_neither_named_nor_passed_over(move: Discard | PickUp) -> None:
    state = position(Cards("", "", "1 2 3"), *others(), discard="9")

    assert code_and_rule(state, move) == ("illegal_move", "TUD-26")


@pytest.mark.rule("TUD-14", "TUD-26")
def test_a_turned_card_can_clear_the_pile_by_equality() -> None:
    after = make(position(Cards("", "", "5 1 1"), *others(), discard="5 5"), TurnDown(0)).state

    assert (after.discard, words(after.cleared), after.seat) == ((), "5 5 5", 1)


@pytest.mark.rule("TUD-16", "TUD-26")
def test_a_clear_plus_1_turned_asks_for_another_down_card() -> None:
    after = make(position(Cards("", "", "c+1 2 3"), *others(), discard="9"), TurnDown(0))

    assert (after.state.seat, after.state.due) == (0, 1)
    assert GAME.legal_moves(after.state, 0) == (TurnDown(1), TurnDown(2))
    assert after.events() == [
        DownTurned(0, 0, "clear_plus_1", "played"),
        PileCleared("clear_card", 2),
        MoreDiscards(0, 1),
    ]


@pytest.mark.rule("TUD-27")
def test_after_picking_up_the_hand_goes_first() -> None:
    state = position(Cards("", "2 3", "1 2 3"), Cards("1 1 9", "5 5 5"), discard="4 5")
    state = make(state, PickUp(), Discard("1")).state
    assert (state.seat, hand(state)) == (0, "4 5")

    assert GAME.legal_moves(state, 0) == (Discard("4"), Discard("5"))
    assert code_and_rule(state, Discard("2")) == ("illegal_move", "TUD-23")
    assert GAME.view(state, 0).seats[0].zone == "hand"


@pytest.mark.rule("TUD-27")
def test_up_comes_back_into_play_when_the_hand_is_empty_again() -> None:
    state = position(Cards("5", "2 9", "1 2 3"), Cards("5 6", "5 5 5"), discard="4")
    state = make(state, Discard("5"), Discard("5")).state

    assert GAME.legal_moves(state, 0) == (Discard("9"),)


@pytest.mark.rule("TUD-27")
def test_down_waits_for_the_hand_after_a_failed_card() -> None:
    state = position(Cards("", "", "4 1 1"), Cards("1 6", "5 5 5"), discard="9 5")
    state = make(state, TurnDown(0), Discard("1")).state

    assert (state.seat, hand(state)) == (0, "4 5 9")
    assert code_and_rule(state, TurnDown(1)) == ("illegal_move", "TUD-23")


@pytest.mark.rule("TUD-28")
def test_clear_plus_2_from_up_whose_last_extra_is_lower() -> None:
    state = position(Cards("", "2 7 c+2", "1 2 3"), *others(), discard="10")
    state = make(state, Discard("clear_plus_2"), Discard("7")).state
    assert GAME.legal_moves(state, 0) == (PickUp(),)

    after = make(state, PickUp()).state
    assert (hand(after), up(after), words(after.cleared), after.seat) == ("7", "2", "10 c+2", 1)


@pytest.mark.rule("TUD-28")
@pytest.mark.parametrize(("last", "result"), [("6", "6 7"), ("7", ""), ("8", "")])
def test_clear_plus_2_from_down_whose_last_extra_is_turned(last: str, result: str) -> None:
    state = position(Cards("", "", f"c+2 7 {last}"), Cards("1", "1"), discard="10")
    after = make(state, TurnDown(0), TurnDown(1), TurnDown(2)).state

    assert hand(after) == result
    assert down(after) == ". . ."
    assert GAME.outcome(after) is None if result else after.reason == "out"


@pytest.mark.rule("TUD-20", "TUD-28")
def test_clear_plus_2_from_up_goes_on_from_down_where_the_last_extra_fails() -> None:
    state = position(Cards("", "7 c+2", "6 8 9"), *others(), discard="10")
    state = make(state, Discard("clear_plus_2"), Discard("7")).state
    assert GAME.legal_moves(state, 0) == (TurnDown(0), TurnDown(1), TurnDown(2))

    after = make(state, TurnDown(0)).state
    assert (hand(after), down(after), after.seat) == ("6 7", ". 8 9", 1)
