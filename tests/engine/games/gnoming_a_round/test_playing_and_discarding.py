"""The drawn card replaces one of the layout, or is discarded."""

from __future__ import annotations

import pytest

from engine.core.game import Occasion
from engine.games.gnoming_a_round import GAME
from engine.games.gnoming_a_round.moves import Bounce, CardDiscarded, CardPlaced, Discard, Draw, Place, TurnBegan
from engine.games.gnoming_a_round.state import Phase, Pile, Source
from tests.engine.games.gnoming_a_round.sheet import (
    TWO_UP,
    code_and_rule,
    layout,
    make,
    make_all,
    position,
    refusal,
    seen,
    words,
)

LEFT, RIGHT = Discard(Pile.LEFT), Discard(Pile.RIGHT)


@pytest.mark.rule("GNO-8")
def test_a_face_up_card_is_replaced_and_then_discarded() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, hand="-3", source=Source.PILE)
    placed = make(state, Place(1))

    assert placed.events() == [CardPlaced(0, 1, "-3", "2", was_face_down=False)]
    assert layout(placed.state, 0) == "1 -3 (3) / (4) (6) (7) / (8) (9) (10)"
    assert [seen(placed.state, viewer).hand.card for viewer in (0, 1, None)] == ["2"] * 3
    assert GAME.awaited(placed.state) == {0: Occasion("turn", 5)}
    after = make(placed.state, LEFT)
    assert after.events() == [CardDiscarded(0, "2", Pile.LEFT), TurnBegan(1, 6)]
    assert (words(after.state.left_pile), words(after.state.right_pile)) == ("1 2", "2")
    assert GAME.awaited(after.state) == {1: Occasion("turn", 6)}


@pytest.mark.rule("GNO-8")
def test_a_face_down_card_is_replaced_and_seen_by_all() -> None:
    placed = make(position(TWO_UP, TWO_UP, TWO_UP, hand="-3", source=Source.PILE), Place(8))

    assert placed.events() == [CardPlaced(0, 8, "-3", "10", was_face_down=True)]
    assert layout(placed.state, 0) == "1 2 (3) / (4) (6) (7) / (8) (9) -3"
    assert GAME.legal_moves(placed.state, 0) == (LEFT, RIGHT)


@pytest.mark.rule("GNO-8", "GNO-15")
def test_the_slot_of_the_play_is_binding() -> None:
    placed = make(position(TWO_UP, TWO_UP, TWO_UP, hand="-3", source=Source.PILE), Place(8))

    assert code_and_rule(placed.state, Place(7)) == ("illegal_move", "GNO-15")
    assert code_and_rule(placed.state, Draw(Source.PILE)) == ("illegal_move", "GNO-8")


@pytest.mark.rule("GNO-8")
@pytest.mark.parametrize("slot", [-1, 9, 10**30, -(10**30)])
def test_a_card_is_placed_in_a_slot_of_the_layout(slot: int) -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, hand="-3", source=Source.PILE)

    assert code_and_rule(state, Place(slot)) == ("illegal_move", "GNO-8")
    assert code_and_rule(state, Bounce(0)) == ("illegal_move", "GNO-8")


@pytest.mark.rule("GNO-9")
@pytest.mark.parametrize("source", list(Source))
@pytest.mark.parametrize("pile", list(Pile))
def test_a_drawn_card_may_be_discarded_on_either_pile_and_turns_nothing_up(source: Source, pile: Pile) -> None:
    drawn = make(position(TWO_UP, TWO_UP, TWO_UP, left="3 4", right="5 6"), Draw(source))
    after = make(drawn.state, Discard(pile))

    card = {Source.PILE: "7", Source.LEFT: "4", Source.RIGHT: "6"}[source]
    assert after.events() == [CardDiscarded(0, card, pile), TurnBegan(1, 6)]
    assert layout(after.state, 0) == TWO_UP
    assert (after.state.hand, after.state.source) == (None, None)


@pytest.mark.rule("GNO-9")
@pytest.mark.parametrize("source", [Source.LEFT, Source.RIGHT])
def test_with_the_option_a_card_taken_from_a_discard_pile_must_be_played(source: Source) -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, left="3 4", right="5 6", options={"taken_must_be_played": True})
    drawn = make(state, Draw(source)).state

    assert GAME.legal_moves(drawn, 0) == tuple(Place(slot) for slot in range(9))
    for move in (LEFT, Discard(), Bounce(0), Draw(Source.PILE)):
        assert refusal(drawn, move).reason == "GNO-9: a card taken from a discard pile must be placed in your layout"
    assert code_and_rule(drawn, Place(9)) == ("illegal_move", "GNO-8")
    assert GAME.legal_moves(make(drawn, Place(0)).state, 0) == (LEFT, RIGHT)


@pytest.mark.rule("GNO-9")
def test_with_the_option_a_card_from_the_draw_pile_may_still_be_discarded() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, options={"taken_must_be_played": True})

    after = make_all(state, Draw(Source.PILE), RIGHT)
    assert words(after.state.right_pile) == "2 7"


@pytest.mark.rule("GNO-10")
@pytest.mark.parametrize(
    ("left", "right", "allowed"),
    [("1", "2", (LEFT, RIGHT)), ("", "2", (LEFT,)), ("1", "", (RIGHT,)), ("", "", (LEFT, RIGHT))],
)
def test_the_discard_must_go_on_the_empty_pile_if_one_is(left: str, right: str, allowed: tuple[Discard, ...]) -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, left=left, right=right, hand="5", source=Source.PILE)

    assert GAME.legal_moves(state, 0)[9:] == allowed
    for move in {LEFT, RIGHT} - set(allowed):
        assert code_and_rule(state, move) == ("illegal_move", "GNO-10")
    assert code_and_rule(state, Discard()) == ("illegal_move", "GNO-10")


@pytest.mark.rule("GNO-10")
def test_a_lone_card_taken_and_discarded_goes_back_where_it_was() -> None:
    drawn = make(position(TWO_UP, TWO_UP, TWO_UP, left="1", right="2 5"), Draw(Source.LEFT)).state

    for move in (RIGHT, Discard()):
        assert refusal(drawn, move).reason == "GNO-10: the left discard pile is empty, so the discard must go there"
    assert words(make(drawn, LEFT).state.left_pile) == "1"


@pytest.mark.rule("GNO-10")
def test_a_replaced_card_goes_on_the_empty_pile_by_itself() -> None:
    after = make_all(position(TWO_UP, TWO_UP, TWO_UP, left="4", right="2 5"), Draw(Source.LEFT), Place(0))

    assert after.events() == [
        CardPlaced(0, 0, "4", "1", was_face_down=False),
        CardDiscarded(0, "1", Pile.LEFT),
        TurnBegan(1, 6),
    ]
    assert (words(after.state.left_pile), words(after.state.right_pile)) == ("1", "2 5")


@pytest.mark.rule("GNO-10")
def test_a_replaced_card_goes_on_either_pile_if_both_are_empty() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, left="", right="", hand="5", source=Source.PILE)
    placed = make(state, Place(0)).state

    assert placed.phase is Phase.REPLACED
    assert GAME.legal_moves(placed, 0) == (LEFT, RIGHT)
    assert code_and_rule(placed, Discard()) == ("illegal_move", "GNO-10")


@pytest.mark.rule("GNO-10", "GNO-15")
def test_a_card_that_may_bounce_waits_even_if_the_pile_is_forced() -> None:
    state = position("5 2 (5) / (4) (6) (7) / (8) (9) (10)", TWO_UP, TWO_UP, left="", hand="3", source=Source.PILE)
    placed = make(state, Place(2)).state

    assert GAME.legal_moves(placed, 0)[8:] == (LEFT,)
    assert code_and_rule(placed, RIGHT) == ("illegal_move", "GNO-10")
