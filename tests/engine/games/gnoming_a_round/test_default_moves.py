"""What a silent seat is taken to do."""

from __future__ import annotations

import pytest

from engine.games.gnoming_a_round import GAME
from engine.games.gnoming_a_round.moves import AnyMove, Decline, Discard, Draw, Place, TurnUp
from engine.games.gnoming_a_round.state import Phase, Pile, Source, State
from tests.engine.games.gnoming_a_round.sheet import DOWN, TWO_UP, make, position

SIX_UP = "(1) (2) (3) / 4 5 6 / 7 8 9"
MAY_BOUNCE = position("5 2 3 / (4) (6) (7) / (8) (9) (10)", TWO_UP, TWO_UP, hand="5", phase=Phase.REPLACED)


@pytest.mark.rule("ALL-6")
@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (position(DOWN, DOWN, DOWN, phase=Phase.SETUP), TurnUp((0, 1))),
        (position(TWO_UP, TWO_UP, TWO_UP), Draw(Source.PILE)),
        (position(TWO_UP, TWO_UP, TWO_UP, hand="-4", source=Source.PILE), Discard(Pile.LEFT)),
        (position(TWO_UP, TWO_UP, TWO_UP, hand="-4", source=Source.LEFT), Discard(Pile.LEFT)),
        (position(TWO_UP, TWO_UP, TWO_UP, right="", hand="-4", source=Source.PILE), Discard(Pile.RIGHT)),
        (position(TWO_UP, TWO_UP, TWO_UP, left="", right="", hand="-4", source=Source.PILE), Discard(Pile.LEFT)),
        (position(TWO_UP, TWO_UP, TWO_UP, hand="H", source=Source.PILE), Discard()),
        (position(SIX_UP, TWO_UP, TWO_UP, hand="9", source=Source.LEFT, preset="publisher"), Place(3)),
        (position(TWO_UP, TWO_UP, TWO_UP, hand="9", source=Source.RIGHT, preset="publisher"), Place(0)),
        (position(SIX_UP, TWO_UP, TWO_UP, hand="9", source=Source.PILE, preset="publisher"), Discard(Pile.LEFT)),
        (MAY_BOUNCE, Discard(Pile.LEFT)),
        (position(TWO_UP, TWO_UP, TWO_UP, hand="5", phase=Phase.REPLACED, preset="publisher"), Discard(Pile.LEFT)),
    ],
)
def test_it_is_the_most_passive_one(state: State, expected: AnyMove) -> None:
    assert GAME.default_move(state, 0) == expected
    assert GAME.refuse(state, 0, expected) is None


@pytest.mark.rule("ALL-6", "GNO-11")
def test_a_silent_seat_declines_a_hazard() -> None:
    state = make(position(TWO_UP, TWO_UP, TWO_UP, hand="H", source=Source.PILE), Discard()).state

    assert GAME.default_move(state, 2) == Decline()
