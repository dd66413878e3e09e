"""What a silent seat is taken to do."""

from __future__ import annotations

import pytest

from engine.games.three_up_three_down import GAME
from engine.games.three_up_three_down.moves import AnyMove, Discard, Draw, PickUp, TurnDown
from tests.engine.games.three_up_three_down.sheet import Cards, make, others, position


@pytest.mark.rule("ALL-6", "TUD-10")
@pytest.mark.parametrize(
    ("mine", "discard", "default"),
    [
        (Cards("2 2 5 c"), "", Discard("2")),
        (Cards("2 5 5 c"), "3", Discard("5")),
        (Cards("2 c c c+1 c+2"), "3", Discard("clear")),
        (Cards("2 c+1 c+2"), "3", Discard("clear_plus_1")),
        (Cards("2 c+2"), "3", Discard("clear_plus_2")),
        (Cards("1 2 2"), "3", PickUp()),
        (Cards("", "2 6 6"), "3", Discard("6")),
        (Cards("", "2 2 2"), "3", PickUp()),
        (Cards("", "", "1 2 3"), "3", TurnDown(0)),
        (Cards("", "", ". 2 3"), "3", TurnDown(1)),
        (Cards("", "", "1 2 3", known=(0,)), "3", TurnDown(1)),
        (Cards("", "", "1 2 .", known=(0, 1)), "3", TurnDown(0)),
    ],
)
def test_the_lowest_card_singly_or_what_must_be(mine: Cards, discard: str, default: AnyMove) -> None:
    state = position(mine, *others(), discard=discard, failed_down="stays")

    assert GAME.default_move(state, 0) == default
    assert GAME.refuse(state, 0, default) is None


@pytest.mark.rule("ALL-6", "TUD-16")
def test_no_draw_is_left_out() -> None:
    state = make(position(Cards("2 5 c+1"), *others(), draw="6 7"), Discard("clear_plus_1")).state

    assert GAME.default_move(state, 0) == Draw()
