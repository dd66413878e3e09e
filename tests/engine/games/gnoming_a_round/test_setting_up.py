"""Each seat turns up two cards of its choice, all at the same time."""

from __future__ import annotations

import pytest

from engine.core.game import Occasion
from engine.core.rng import Rng, Seed
from engine.games.gnoming_a_round import GAME
from engine.games.gnoming_a_round.moves import (
    CardsTurnedUp,
    Decline,
    Draw,
    OwnSlotsChosen,
    SlotsChosen,
    TurnBegan,
    TurnUp,
)
from engine.games.gnoming_a_round.state import Phase, Source
from tests.engine.games.gnoming_a_round.sheet import DOWN, code_and_rule, layout, make, position, seen


@pytest.mark.rule("GNO-5", "GNO-28")
def test_that_a_seat_has_chosen_is_public_and_what_is_not() -> None:
    after = make(position(DOWN, DOWN, DOWN, phase=Phase.SETUP), TurnUp((2, 4)), seat=1)

    assert after.events() == [SlotsChosen(1)]
    assert after.events(0) == [SlotsChosen(1)]
    assert after.events(1) == [SlotsChosen(1), OwnSlotsChosen(1, (2, 4))]
    assert seen(after.state, 1).setup.own_slots == (2, 4)
    assert seen(after.state, 0).setup.own_slots is None
    assert seen(after.state, 0).setup.chosen == (1,)
    assert layout(after.state, 1) == DOWN
    assert GAME.awaited(after.state) == {0: Occasion("setup", 1), 2: Occasion("setup", 1)}


@pytest.mark.rule("GNO-5", "GNO-6")
def test_all_cards_are_shown_when_the_last_seat_has_chosen() -> None:
    state = position(DOWN, DOWN, DOWN, phase=Phase.SETUP, chosen=((0, 8), None, (1, 2)), turns=0, turn_number=0)
    after = make(state, TurnUp((3, 4)), seat=1)

    assert after.events() == [
        SlotsChosen(1),
        CardsTurnedUp(0, (0, 8), ("1", "10")),
        CardsTurnedUp(1, (3, 4), ("4", "6")),
        CardsTurnedUp(2, (1, 2), ("2", "3")),
        TurnBegan(0, 1),
    ]
    assert layout(after.state, 0) == "1 (2) (3) / (4) (6) (7) / (8) (9) 10"
    assert layout(after.state, 1) == "(1) (2) (3) / 4 6 (7) / (8) (9) (10)"
    assert GAME.awaited(after.state) == {0: Occasion("turn", 1)}
    assert GAME.view(after.state, None).setup is None
    assert after.state.chosen == (None, None, None)


@pytest.mark.rule("GNO-5")
def test_the_order_of_the_two_slots_means_nothing() -> None:
    state = position(DOWN, DOWN, DOWN, phase=Phase.SETUP)

    assert GAME.refuse(state, 0, TurnUp((7, 3))) is None
    after, _ = GAME.play(state, 0, TurnUp((7, 3)), 0, Rng(Seed.from_number(1)))
    assert after.chosen == ((3, 7), None, None)
    assert GAME.refuse(state, 0, TurnUp((8, 0))) is None
    assert len(GAME.legal_moves(state, 0)) == 36


@pytest.mark.rule("GNO-5")
@pytest.mark.parametrize("slots", [(4, 4), (-1, 3), (3, -1), (0, 9), (9, 0), (10**30, 2), (-(10**30), 2)])
def test_two_different_slots_of_the_layout_must_be_named(slots: tuple[int, int]) -> None:
    state = position(DOWN, DOWN, DOWN, phase=Phase.SETUP)

    assert code_and_rule(state, TurnUp(slots), seat=2) == ("illegal_move", "GNO-5")


@pytest.mark.rule("GNO-5")
def test_a_seat_chooses_once_and_nothing_else_comes_first() -> None:
    state = position(DOWN, DOWN, DOWN, phase=Phase.SETUP, chosen=((0, 1), None, None))

    assert code_and_rule(state, TurnUp((2, 3)), seat=0) == ("not_your_turn", None)
    assert code_and_rule(state, Draw(Source.PILE), seat=1) == ("illegal_move", "GNO-5")
    assert code_and_rule(state, Decline(), seat=1) == ("illegal_move", "GNO-5")
    assert code_and_rule(state, TurnUp((2, 3)), seat=3) == ("not_your_turn", None)
    for seat in (-1, -2, -3, -(10**30)):
        assert code_and_rule(state, TurnUp((2, 3)), seat=seat) == ("not_your_turn", None)
