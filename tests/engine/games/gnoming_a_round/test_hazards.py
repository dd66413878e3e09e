"""A Hazard that is discarded leaves play, and the others may turn up a card."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.game import Occasion
from engine.games.gnoming_a_round import GAME
from engine.games.gnoming_a_round.moves import (
    CardPlaced,
    CardsTurnedUp,
    Decline,
    Discard,
    Draw,
    HazardAnswered,
    HazardDiscarded,
    HazardResolved,
    OwnHazardAnswer,
    Place,
    TurnBegan,
    TurnUpOne,
)
from engine.games.gnoming_a_round.state import HazardAnswer, HazardCall, Phase, Pile, Source, State
from tests.engine.games.gnoming_a_round.sheet import (
    ALMOST,
    TWO_UP,
    After,
    code_and_rule,
    layout,
    leave,
    make,
    make_all,
    position,
    seen,
    words,
)

TWO_DOWN = "1 2 3 / 4 6 7 / 8 (9) (10)"


def asked(*layouts: str, **changes: Any) -> State:
    """Seat 0 discards a Hazard it has drawn."""
    state = position(*layouts, hand="H", source=Source.PILE, **changes)
    return make(state, Discard()).state


@pytest.mark.rule("GNO-11")
def test_a_drawn_hazard_that_is_discarded_leaves_play_and_asks_the_others() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, hand="H", source=Source.PILE)
    after = make(state, Discard())

    assert after.events() == [HazardDiscarded(0, (1, 2))]
    assert (words(after.state.left_pile), words(after.state.right_pile)) == ("1", "2")
    assert (after.state.hazards_gone, after.state.hand) == (1, None)
    assert GAME.awaited(after.state) == {1: Occasion("hazard", 1), 2: Occasion("hazard", 1)}


@pytest.mark.rule("GNO-10", "GNO-11")
def test_a_hazard_goes_on_no_pile_and_an_empty_one_stays_empty() -> None:
    state = position(TWO_UP, ALMOST, ALMOST, left="", hand="H", source=Source.PILE)

    assert GAME.legal_moves(state, 0)[9:] == (Discard(),)
    assert code_and_rule(state, Discard(Pile.LEFT)) == ("illegal_move", "GNO-11")
    after = make(state, Discard()).state
    assert (after.left_pile, after.turn, after.phase) == ((), 1, Phase.DRAW)
    drawn = make(after, Draw(Source.PILE)).state
    assert GAME.legal_moves(drawn, 1)[9:] == (Discard(Pile.LEFT),)


@pytest.mark.rule("GNO-11")
@pytest.mark.parametrize("written", ["H", "(H)"])
def test_a_replaced_hazard_leaves_play_too(written: str) -> None:
    state = position(f"1 2 {written} / (4) (6) (7) / (8) (9) (10)", TWO_UP, TWO_UP, hand="5", source=Source.PILE)
    after = make(state, Place(2))

    assert after.events() == [
        CardPlaced(0, 2, "5", "hazard", was_face_down=written == "(H)"),
        HazardDiscarded(0, (1, 2)),
    ]
    assert layout(after.state, 0) == "1 2 5 / (4) (6) (7) / (8) (9) (10)"
    assert after.state.hazards_gone == 1


@pytest.mark.rule("GNO-10", "GNO-11")
def test_a_replaced_hazard_goes_on_no_pile_although_one_is_empty() -> None:
    state = position("1 2 H / (4) (6) (7) / (8) (9) (10)", TWO_UP, TWO_UP, right="", hand="5", source=Source.RIGHT)
    after = make(state, Place(2)).state

    assert (after.right_pile, after.hazards_gone) == ((), 1)


@pytest.mark.rule("GNO-11")
def test_only_seats_with_two_or_more_face_down_cards_are_asked() -> None:
    state = asked(TWO_UP, ALMOST, TWO_DOWN, "1 2 3 / 4 5 6 / 7 8 9", "", out_first=3, last_turns=(0, 1, 2))

    assert GAME.awaited(state) == {2: Occasion("hazard", 1)}


@pytest.mark.rule("GNO-11")
def test_a_hazard_that_asks_nobody_ends_the_turn() -> None:
    state = position(TWO_UP, ALMOST, ALMOST, hand="H", source=Source.PILE)
    after = make(state, Discard())

    assert after.events() == [HazardDiscarded(0, ()), TurnBegan(1, 6)]
    assert GAME.awaited(after.state) == {1: Occasion("turn", 6)}


@pytest.mark.rule("GNO-11", "GNO-28")
def test_answers_are_sealed_until_all_have_answered() -> None:
    first = make(asked(TWO_UP, TWO_UP, TWO_UP), TurnUpOne(8), seat=2)

    assert first.events() == first.events(1) == [HazardAnswered(2)]
    assert first.events(2) == [HazardAnswered(2), OwnHazardAnswer(2, 8)]
    assert layout(first.state, 2) == TWO_UP
    assert (seen(first.state, 2).hazard.own_answered, seen(first.state, 2).hazard.own_slot) == (True, 8)
    assert (seen(first.state, 1).hazard.own_answered, seen(first.state, 1).hazard.own_slot) == (False, None)
    assert seen(first.state, None).hazard.answered == (2,)
    assert GAME.awaited(first.state) == {1: Occasion("hazard", 1)}

    second = make(first.state, Decline(), seat=1)
    assert second.events() == [
        HazardAnswered(1),
        HazardResolved((2,), (1,)),
        CardsTurnedUp(2, (8,), ("10",)),
        TurnBegan(1, 6),
    ]
    assert layout(second.state, 2) == "1 2 (3) / (4) (6) (7) / (8) (9) 10"
    assert layout(second.state, 1) == TWO_UP
    assert GAME.awaited(second.state) == {1: Occasion("turn", 6)}


@pytest.mark.rule("GNO-11")
def test_each_hazard_is_an_occasion_of_its_own() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, draw="7 H H H")
    for seat, number in ((0, 1), (1, 2), (2, 3)):
        state = make_all(state, Draw(Source.PILE), Discard()).state
        others = [other for other in range(3) if other != seat]
        assert GAME.awaited(state) == {other: Occasion("hazard", number) for other in others}
        assert (state.hazards_gone, state.hand, state.source) == (number, None, None)
        for other in others:
            state = make(state, Decline(), seat=other).state


@pytest.mark.rule("GNO-11")
def test_all_cards_that_are_turned_up_are_shown_together() -> None:
    first = make(asked(TWO_UP, TWO_UP, TWO_UP), TurnUpOne(3), seat=2)
    second = make(first.state, TurnUpOne(8), seat=1)

    assert second.events() == [
        HazardAnswered(1),
        HazardResolved((1, 2), ()),
        CardsTurnedUp(1, (8,), ("10",)),
        CardsTurnedUp(2, (3,), ("4",)),
        TurnBegan(1, 6),
    ]


@pytest.mark.rule("GNO-11")
def test_only_a_face_down_card_of_the_own_layout_can_be_turned_up() -> None:
    state = asked(TWO_UP, TWO_DOWN, TWO_UP)

    assert GAME.legal_moves(state, 1) == (TurnUpOne(7), TurnUpOne(8), Decline())
    for slot in (0, 6, -1, 9, 10**30):
        assert code_and_rule(state, TurnUpOne(slot), seat=1) == ("illegal_move", "GNO-11")
    assert code_and_rule(state, Draw(Source.PILE), seat=1) == ("illegal_move", "GNO-11")


@pytest.mark.rule("GNO-11")
def test_nobody_answers_twice_nor_unasked() -> None:
    state = make(asked(TWO_UP, TWO_UP, TWO_UP), Decline(), seat=1).state

    assert code_and_rule(state, TurnUpOne(3), seat=1) == ("not_your_turn", None)
    assert code_and_rule(state, Decline(), seat=0) == ("not_your_turn", None)
    assert code_and_rule(state, Draw(Source.PILE), seat=0) == ("not_your_turn", None)
    assert code_and_rule(state, Decline(), seat=7) == ("not_your_turn", None)


@pytest.mark.rule("GNO-11", "GNO-18")
def test_hazards_ask_in_the_last_turns_too() -> None:
    all_up = "1 2 3 / 4 5 6 / 7 8 9"
    state = asked(TWO_UP, TWO_UP, all_up, out_first=2, last_turns=(0, 1))

    assert GAME.awaited(state) == {1: Occasion("hazard", 1)}
    after = make(state, TurnUpOne(8), seat=1).state
    assert (after.turn, after.last_turns) == (1, (1,))


@pytest.mark.rule("GNO-11")
def test_a_seat_that_leaves_has_declined() -> None:
    sealed = make(asked(TWO_UP, TWO_UP, TWO_UP, TWO_UP), TurnUpOne(8), seat=3).state
    sealed = make(sealed, TurnUpOne(4), seat=1).state
    after = leave(sealed, 2)

    assert after.only(HazardResolved) == HazardResolved((1, 3), ())
    assert after.state.turn == 1


@pytest.mark.rule("GNO-11")
def test_a_sealed_answer_of_a_leaver_is_void() -> None:
    sealed = make(asked(TWO_UP, TWO_UP, TWO_UP, TWO_UP), TurnUpOne(8), seat=3).state
    left = leave(sealed, 3).state

    assert left.hazard == HazardCall(1, (1, 2), latest=1000)
    assert GAME.awaited(left) == {1: Occasion("hazard", 1), 2: Occasion("hazard", 1)}


@pytest.mark.rule("GNO-11", "GNO-29")
def test_answers_are_awaited_although_the_seat_in_turn_has_left() -> None:
    left = leave(asked(TWO_UP, TWO_UP, TWO_UP), 0).state
    assert GAME.awaited(left) == {1: Occasion("hazard", 1), 2: Occasion("hazard", 1)}
    sealed = make(left, TurnUpOne(8), seat=2).state
    assert sealed.hazard == HazardCall(1, (1, 2), (HazardAnswer(2, 8),), latest=1000)

    after = make(sealed, Decline(), seat=1)
    assert (after.state.turn, after.state.phase) == (1, Phase.DRAW)
    assert layout(after.state, 2) == "1 2 (3) / (4) (6) (7) / (8) (9) 10"


@pytest.mark.rule("GNO-12")
def test_a_drawn_hazard_may_be_kept_in_the_layout() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, hand="H", source=Source.PILE)
    after: After = make(state, Place(0))

    assert layout(after.state, 0) == "H 2 (3) / (4) (6) (7) / (8) (9) (10)"
    assert (after.state.phase, after.state.hazards_gone) == (Phase.REPLACED, 0)
    assert make(after.state, Discard(Pile.LEFT)).state.turn == 1


@pytest.mark.rule("GNO-11", "GNO-12")
def test_a_hazard_in_place_of_a_hazard() -> None:
    state = position("H 2 (3) / (4) (6) (7) / (8) (9) (10)", TWO_UP, TWO_UP, hand="H", source=Source.PILE)
    after = make(state, Place(0)).state

    assert layout(after, 0) == "H 2 (3) / (4) (6) (7) / (8) (9) (10)"
    assert (after.phase, after.hazards_gone) == (Phase.HAZARD, 1)
