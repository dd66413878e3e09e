"""Option `failed_down: stays`: a DOWN card that fails goes back to its place, known to all."""

from __future__ import annotations

import pytest

from engine.games.three_up_three_down import GAME
from engine.games.three_up_three_down.moves import DownTurned, PickedUp, TurnBegan, TurnDown
from engine.games.three_up_three_down.state import State
from engine.games.three_up_three_down.view import DownPlace, TurnedView
from tests.engine.games.three_up_three_down.sheet import (
    Cards,
    code_and_rule,
    down,
    hand,
    make,
    others,
    position,
    refused,
    rng,
    words,
)


def stays(mine: Cards, discard: str) -> State:
    return position(mine, *others(), discard=discard, failed_down="stays")


@pytest.mark.rule("TUD-26")
def test_the_pile_is_picked_up_and_the_card_goes_back() -> None:
    after = make(stays(Cards("", "", "8 4 1"), "9 5"), TurnDown(1))

    assert (hand(after.state), down(after.state), after.state.discard) == ("5 9", "8 4 1", ())
    assert (after.state.seat, after.state.known) == (1, (0b010, 0))
    assert after.events() == [DownTurned(0, 1, "4", "back"), PickedUp(0, ("9", "5")), TurnBegan(1, 8)]
    view = GAME.view(after.state, None)
    assert view.seats[0].down == (DownPlace(0, None), DownPlace(1, "4"), DownPlace(2, None))
    assert view.turned == TurnedView(0, 1, "4", "back")


@pytest.mark.rule("TUD-26")
def test_a_card_that_can_be_played_is_played_as_ever() -> None:
    after = make(stays(Cards("", "", "8 4 1"), "9 5"), TurnDown(0)).state

    assert (down(after), words(after.discard), after.known) == (". 4 1", "9 5 8", (0, 0))


@pytest.mark.rule("TUD-26")
@pytest.mark.parametrize(("top", "slots"), [("3", (0, 1, 2)), ("4", (0, 1, 2)), ("5", (0, 2))])
def test_a_known_card_is_turned_only_if_it_can_be_played(top: str, slots: tuple[int, ...]) -> None:
    state = stays(Cards("", "", "8 4 1", known=(1,)), top)

    assert GAME.legal_moves(state, 0) == tuple(TurnDown(slot) for slot in slots)
    if 1 not in slots:
        assert refused(state, TurnDown(1)).reason == (
            "TUD-26: the card at 1 is known and can't be played: turn one at 0, 2"
        )


@pytest.mark.rule("TUD-26")
def test_an_unknown_card_may_be_turned_although_a_known_one_can_be_played() -> None:
    after = make(stays(Cards("", "", "2 9 .", known=(1,)), "5"), TurnDown(0)).state

    assert (hand(after), down(after), after.known) == ("5", "2 9 .", (0b011, 0))


@pytest.mark.rule("TUD-26")
def test_with_no_unknown_card_left_one_that_fails_may_be_turned() -> None:
    state = stays(Cards("", "", "2 . 3", known=(0, 2)), "9 5")
    assert GAME.legal_moves(state, 0) == (TurnDown(0), TurnDown(2))

    after = make(state, TurnDown(2)).state
    assert (hand(after), down(after), after.known) == ("5 9", "2 . 3", (0b101, 0))


@pytest.mark.rule("TUD-10", "TUD-26")
def test_with_all_known_the_one_that_can_be_played_must_be() -> None:
    state = stays(Cards("", "", "2 6 3", known=(0, 1, 2)), "5")

    assert GAME.legal_moves(state, 0) == (TurnDown(1),)
    assert code_and_rule(state, TurnDown(0)) == ("illegal_move", "TUD-10")


@pytest.mark.rule("TUD-26")
def test_a_known_card_played_leaves_an_empty_place() -> None:
    state = stays(Cards("", "", "2 6 3", known=(0, 1, 2)), "5")
    after = make(state, TurnDown(1)).state

    assert (down(after), words(after.discard)) == ("2 . 3", "5 6")
    assert GAME.view(after, 1).seats[0].down == (DownPlace(0, "2"), DownPlace(2, "3"))


@pytest.mark.rule("TUD-26", "TUD-32")
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_a_known_card_keeps_its_place_when_hidden_cards_are_shuffled(viewer: int | None) -> None:
    state = stays(Cards("", "", "8 4 1", known=(1,)), "5")
    shuffles = [GAME.shuffle_hidden(state, viewer, rng(number)) for number in range(50)]

    assert {shuffled.downs[0][1] for shuffled in shuffles} == {4}
    assert {GAME.legal_moves(shuffled, 0) for shuffled in shuffles} == {(TurnDown(0), TurnDown(2))}
    assert len({shuffled.downs[0][0] for shuffled in shuffles}) > 1
