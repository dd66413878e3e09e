"""A turn begins with a card from the draw pile or from a discard pile."""

from __future__ import annotations

import pytest

from engine.core.game import Occasion
from engine.games.gnoming_a_round import GAME
from engine.games.gnoming_a_round.moves import CardDrawn, Discard, Draw, DrawnCardSeen, Place, TurnUp, TurnUpOne
from engine.games.gnoming_a_round.state import Pile, Source
from engine.games.gnoming_a_round.view import HandView
from tests.engine.games.gnoming_a_round.sheet import TWO_UP, code_and_rule, make, position, seen, words


@pytest.mark.rule("GNO-7", "GNO-28")
def test_a_card_from_the_draw_pile_is_seen_by_its_drawer_only() -> None:
    after = make(position(TWO_UP, TWO_UP, TWO_UP, draw="3 -4"), Draw(Source.PILE))

    assert after.events() == [CardDrawn(0, Source.PILE, None)]
    assert after.events(1) == [CardDrawn(0, Source.PILE, None)]
    assert after.events(0) == [CardDrawn(0, Source.PILE, None), DrawnCardSeen(0, "-4")]
    assert seen(after.state, 0).hand == HandView(0, "-4", Source.PILE)
    assert seen(after.state, 1).hand == seen(after.state, None).hand == HandView(0, None, Source.PILE)
    assert words(after.state.pile) == "3"


@pytest.mark.rule("GNO-7")
@pytest.mark.parametrize(
    ("source", "card", "left", "right"), [(Source.LEFT, "9", "4", "2"), (Source.RIGHT, "2", "4 9", "")]
)
def test_a_card_from_a_discard_pile_is_public(source: Source, card: str, left: str, right: str) -> None:
    after = make(position(TWO_UP, TWO_UP, TWO_UP, left="4 9", right="2"), Draw(source))

    assert after.events() == [CardDrawn(0, source, card)]
    assert [seen(after.state, viewer).hand for viewer in (0, 1, None)] == [HandView(0, card, source)] * 3
    assert (words(after.state.left_pile), words(after.state.right_pile)) == (left, right)


@pytest.mark.rule("GNO-7")
def test_drawing_and_playing_are_one_occasion() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP)
    after = make(state, Draw(Source.PILE))

    assert GAME.awaited(state) == GAME.awaited(after.state) == {0: Occasion("turn", 5)}


@pytest.mark.rule("GNO-7")
def test_the_seat_in_turn_draws_before_anything_else() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP)

    for move in (Place(0), Discard(Pile.LEFT), TurnUp((3, 4)), TurnUpOne(3)):
        assert code_and_rule(state, move) == ("illegal_move", "GNO-7")
    assert code_and_rule(state, Draw(Source.PILE), seat=1) == ("not_your_turn", None)


@pytest.mark.rule("GNO-10")
def test_an_empty_discard_pile_cannot_be_drawn_from() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, left="", right="")

    assert GAME.legal_moves(state, 0) == (Draw(Source.PILE),)
    assert code_and_rule(state, Draw(Source.LEFT)) == ("illegal_move", "GNO-10")
    assert code_and_rule(state, Draw(Source.RIGHT)) == ("illegal_move", "GNO-10")
