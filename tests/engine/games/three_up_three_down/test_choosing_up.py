"""UP cards are chosen by all at the same time, and hidden until the last one has chosen."""

from __future__ import annotations

import pytest

from engine.core.game import Occasion
from engine.games.three_up_three_down import GAME
from engine.games.three_up_three_down.moves import (
    ChooseUp,
    Discard,
    Draw,
    OwnUpChosen,
    PickUp,
    SkipDraw,
    TurnBegan,
    TurnDown,
    UpChosen,
    UpRevealed,
)
from tests.engine.games.three_up_three_down.sheet import choosing, code_and_rule, down, hand, make, refused, up

SIX = "1 2 3 4 5 6"


@pytest.mark.rule("TUD-3")
def test_three_of_six_lie_up_and_the_rest_is_the_hand() -> None:
    state = choosing(SIX, "7 7 7 8 8 c")
    state = make(state, ChooseUp(("6", "1", "4")), seat=0).state
    state = make(state, ChooseUp(("7", "clear", "7")), seat=1).state

    assert (up(state, 0), hand(state, 0), down(state, 0)) == ("1 4 6", "2 3 5", "1 2 3")
    assert (up(state, 1), hand(state, 1)) == ("7 7 c", "7 8 8")


@pytest.mark.rule("TUD-3")
def test_each_distinct_choice_is_listed_once() -> None:
    state = choosing("7 7 7 7 8 9", SIX)

    assert GAME.legal_moves(state, 0) == (
        ChooseUp(("7", "7", "7")),
        ChooseUp(("7", "7", "8")),
        ChooseUp(("7", "7", "9")),
        ChooseUp(("7", "8", "9")),
    )
    assert len(GAME.legal_moves(state, 1)) == 20


@pytest.mark.rule("TUD-3")
@pytest.mark.parametrize("cards", [("1", "1", "2"), ("1", "2", "7"), ("1", "2", "clear")])
def test_only_cards_dealt_can_be_chosen(cards: tuple[str, str, str]) -> None:
    assert code_and_rule(choosing(SIX, SIX), ChooseUp(cards), seat=0) == ("illegal_move", "TUD-3")  # type: ignore[arg-type]


@pytest.mark.rule("TUD-3")
@pytest.mark.parametrize("cards", [(), ("1",), ("1", "2", "3", "4"), ("0", "1", "2"), ("", "", "")])
def test_choices_of_another_shape_are_refused(cards: tuple[str, ...]) -> None:
    assert code_and_rule(choosing(SIX, SIX), ChooseUp(cards), seat=0) == ("illegal_move", "TUD-3")  # type: ignore[arg-type]


@pytest.mark.rule("TUD-3")
@pytest.mark.parametrize("move", [Discard("1"), PickUp(), Draw(), SkipDraw(), TurnDown(0)])
def test_nothing_is_played_before_all_have_chosen(move: Discard | PickUp | Draw | SkipDraw | TurnDown) -> None:
    state = choosing(SIX, SIX, dealer=1)

    assert code_and_rule(state, move, seat=0) == ("illegal_move", "TUD-3")
    assert code_and_rule(state, move, seat=1) == ("illegal_move", "TUD-3")


@pytest.mark.rule("TUD-3")
def test_up_cards_are_chosen_once() -> None:
    state = choosing(SIX, SIX)
    waiting = make(state, ChooseUp(("1", "2", "3")), seat=0).state
    begun = make(waiting, ChooseUp(("1", "2", "3")), seat=1).state

    assert code_and_rule(waiting, ChooseUp(("4", "5", "6")), seat=0) == ("not_your_turn", None)
    assert refused(begun, ChooseUp(("4", "5", "6")), seat=0).rule == "TUD-3"


@pytest.mark.rule("TUD-4")
def test_all_are_awaited_at_once_in_any_order() -> None:
    state = choosing(SIX, SIX, SIX)
    assert GAME.awaited(state) == dict.fromkeys((0, 1, 2), Occasion("setup", 0))

    state = make(state, ChooseUp(("1", "2", "3")), seat=1).state
    assert GAME.awaited(state) == dict.fromkeys((0, 2), Occasion("setup", 0))
    assert GAME.legal_moves(state, 1) == ()

    state = make(state, ChooseUp(("1", "2", "3")), seat=2).state
    assert GAME.awaited(state) == {0: Occasion("setup", 0)}


@pytest.mark.rule("TUD-4")
def test_that_a_seat_has_chosen_is_public_and_what_is_not() -> None:
    before = choosing(SIX, SIX, SIX)
    low = make(before, ChooseUp(("1", "2", "3")), seat=1)
    high = make(before, ChooseUp(("6", "5", "4")), seat=1)

    assert low.events(0) == high.events(0) == low.events(None) == [UpChosen(1)]
    assert high.events(1) == [UpChosen(1), OwnUpChosen(("4", "5", "6"))]
    assert GAME.view(low.state, 0) == GAME.view(high.state, 0)
    assert GAME.view(low.state, None) == GAME.view(high.state, None)
    view = GAME.view(low.state, 0)
    assert [seat.has_chosen for seat in view.seats] == [False, True, False]
    assert [(seat.hand, seat.up) for seat in view.seats] == [(6, ())] * 3
    assert (view.asked, view.seat, view.turn) == ("choose_up", None, 0)
    assert GAME.view(high.state, 1).choice == ("4", "5", "6")


@pytest.mark.rule("TUD-4", "TUD-6")
def test_the_last_choice_reveals_all_and_the_seat_left_of_the_dealer_begins() -> None:
    state = choosing(SIX, "7 7 7 8 8 c", dealer=0)
    state = make(state, ChooseUp(("7", "7", "8")), seat=1).state
    after = make(state, ChooseUp(("3", "2", "1")), seat=0)

    assert after.events() == [UpChosen(0), UpRevealed((("1", "2", "3"), ("7", "7", "8"))), TurnBegan(1, 1)]
    assert GAME.awaited(after.state) == {1: Occasion("turn", 1)}
    assert GAME.view(after.state, 0).choice == ()
    assert [seat.up for seat in GAME.view(after.state, None).seats] == [("1", "2", "3"), ("7", "7", "8")]


@pytest.mark.rule("TUD-6")
@pytest.mark.parametrize(("dealer", "first"), [(0, 1), (1, 2), (2, 0)])
def test_the_seat_left_of_the_dealer_begins(dealer: int, first: int) -> None:
    state = choosing(SIX, SIX, SIX, dealer=dealer)
    for seat in (2, 0, 1):
        state = make(state, ChooseUp(("1", "2", "3")), seat=seat).state

    assert (state.seat, state.turn, state.due) == (first, 1, 1)


@pytest.mark.rule("TUD-4")
@pytest.mark.parametrize(
    ("dealt", "chosen"),
    [
        (SIX, ("4", "5", "6")),
        ("10 c 9 c+2 1 c+1", ("clear", "clear_plus_1", "clear_plus_2")),
        ("10 10 10 10 10 2", ("10", "10", "10")),
        ("1 1 2 9 10 c", ("9", "10", "clear")),
    ],
)
def test_the_default_choice_is_the_three_highest(dealt: str, chosen: tuple[str, str, str]) -> None:
    state = choosing(dealt, SIX)
    default = GAME.default_move(state, 0)

    assert default == ChooseUp(chosen)  # type: ignore[arg-type]
    assert GAME.refuse(state, 0, default) is None


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_a_seat_that_does_not_exist_chooses_nothing(seat: int) -> None:
    state = choosing(SIX, SIX)

    assert code_and_rule(state, ChooseUp(("1", "2", "3")), seat) == ("not_your_turn", None)
    assert GAME.legal_moves(state, seat) == ()
