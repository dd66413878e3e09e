"""Hands are known to their owners only, DOWN cards and the draw pile to nobody; everything else is open."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.games.three_up_three_down import GAME
from engine.games.three_up_three_down.moves import ChooseUp, Discard, PickUp, TurnDown
from engine.games.three_up_three_down.state import State
from engine.games.three_up_three_down.view import DownPlace
from tests.engine.games.three_up_three_down.sheet import Cards, census, choosing, make, others, position, rng, words

MIDDLE = position(
    Cards("2 5 10", "4 4 4", "1 2 3"),
    Cards("6 7 8", "9 9 9", "5 . 6"),
    Cards("1 3 c+2", "8 8", "c . ."),
    discard="1 2",
    draw="3 7 9 c+1 10 6",
)


@pytest.mark.rule("TUD-32")
def test_the_view_shows_what_lies_open_and_counts_the_rest() -> None:
    view = GAME.view(MIDDLE, 1)

    assert view.hand == ("6", "7", "8")
    assert (view.discard_pile, view.top, view.draw_pile) == (("1", "2"), "2", 6)
    assert [seat.hand for seat in view.seats] == [3, 3, 3]
    assert [seat.up for seat in view.seats] == [("4", "4", "4"), ("9", "9", "9"), ("8", "8")]
    assert view.seats[1].down == (DownPlace(0, None), DownPlace(2, None))
    assert [seat.cards_left for seat in view.seats] == [9, 8, 6]
    assert (view.seat, view.turn, view.asked, view.discards_due) == (0, 7, "discard", 1)


@pytest.mark.rule("TUD-32")
def test_a_spectator_sees_no_hand() -> None:
    assert GAME.view(MIDDLE, None).hand == ()


@pytest.mark.rule("TUD-10", "TUD-32")
def test_nobody_else_sees_whether_a_hand_can_be_played() -> None:
    can = position(Cards("2 2 9"), *others(), discard="5")
    cannot = position(Cards("2 2 3"), *others(), discard="5")

    assert GAME.view(can, 1) == GAME.view(cannot, 1)
    assert GAME.view(can, None) == GAME.view(cannot, None)
    assert GAME.refuse(can, 1, PickUp()) == GAME.refuse(cannot, 1, PickUp())


@pytest.mark.rule("TUD-32")
def test_own_down_cards_are_hidden_from_the_owner_too() -> None:
    low = position(Cards("", "", "1 1 1"), *others(), discard="5")
    high = position(Cards("", "", "9 9 9"), *others(), discard="5")

    assert GAME.view(low, 0) == GAME.view(high, 0)
    assert GAME.legal_moves(low, 0) == GAME.legal_moves(high, 0) == (TurnDown(0), TurnDown(1), TurnDown(2))
    assert GAME.default_move(low, 0) == GAME.default_move(high, 0)


@pytest.mark.rule("ALL-2", "TUD-32")
@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_shuffling_what_is_hidden_changes_nothing_that_is_seen(viewer: int | None) -> None:
    for number in range(50):
        shuffled = GAME.shuffle_hidden(MIDDLE, viewer, rng(number))
        assert GAME.view(shuffled, viewer) == GAME.view(MIDDLE, viewer)
        assert census(shuffled) == census(MIDDLE)
        if viewer is not None:
            assert GAME.legal_moves(shuffled, viewer) == GAME.legal_moves(MIDDLE, viewer)


@pytest.mark.rule("ALL-2", "TUD-32")
@pytest.mark.parametrize(
    "place",
    [
        lambda state: state.draw[-1],
        lambda state: state.hands[0][0],
        lambda state: state.hands[2],
        lambda state: state.downs[1][0],
        lambda state: state.downs[0][2],
        lambda state: state.downs[2][0],
    ],
)
def test_every_hidden_place_may_hold_anything(place: Callable[[State], object]) -> None:
    assert len({place(GAME.shuffle_hidden(MIDDLE, 1, rng(number))) for number in range(50)}) > 3


@pytest.mark.rule("ALL-2", "TUD-4")
def test_hidden_choices_are_shuffled_with_the_hands_they_come_from() -> None:
    state = make(choosing("1 2 3 4 5 6", "7 8 9 10 c c+1"), ChooseUp(("1", "2", "3")), seat=0).state
    choices = set()
    for number in range(30):
        shuffled = GAME.shuffle_hidden(state, 1, rng(number))
        assert GAME.view(shuffled, 1) == GAME.view(state, 1)
        assert not set(shuffled.choices[0]) - set(shuffled.hands[0])
        choices.add(shuffled.choices[0])
        assert GAME.shuffle_hidden(state, 0, rng(number)).choices[0] == (1, 2, 3)

    assert len(choices) > 3


@pytest.mark.rule("ALL-2", "TUD-26")
def test_a_card_just_seen_going_to_a_hand_stays_there() -> None:
    state = make(position(Cards("", "", "4 1 1"), *others(2), discard="7 5"), TurnDown(0)).state

    hands = [words(GAME.shuffle_hidden(state, 1, rng(number)).hands[0]) for number in range(50)]
    assert all("4" in cards.split() for cards in hands)
    assert len(set(hands)) > 3
    assert GAME.view(make(state, Discard("5")).state, 2).turned is None


@pytest.mark.rule("ALL-2", "TUD-33")
def test_cards_of_a_leaver_stay_hidden() -> None:
    state, _ = GAME.leave(MIDDLE, (2,), 0, rng())

    assert len({GAME.shuffle_hidden(state, 0, rng(number)).hands[2] for number in range(50)}) > 3
    assert GAME.view(GAME.shuffle_hidden(state, 0, rng()), 0) == GAME.view(state, 0)
