"""A refusal says in words what would be right."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.gnoming_a_round.moves import AnyMove, Bounce, Decline, Discard, Draw, Place, TurnUp, TurnUpOne
from engine.games.gnoming_a_round.state import HazardAnswer, HazardCall, Phase, Pile, Source, State
from tests.engine.games.gnoming_a_round.sheet import DOWN, TWO_UP, make, position, refusal

LEFT = Discard(Pile.LEFT)


def table(**changes: Any) -> State:
    return position(TWO_UP, TWO_UP, TWO_UP, **changes)


SETUP = position(DOWN, DOWN, DOWN, phase=Phase.SETUP, chosen=((0, 1), None, None))
HOLDING = table(hand="9", source=Source.PILE)
HOLDING_HAZARD = table(hand="H", source=Source.PILE)
REPLACED = make(HOLDING, Place(0)).state
HAZARD = table(phase=Phase.HAZARD, hazard=HazardCall(1, (1, 2), (HazardAnswer(2, None),)))
BOUNCING = make(
    position("5 2 (5) / (4) (6) (7) / (8) (9) (10)", TWO_UP, TWO_UP, hand="3", source=Source.PILE), Place(2)
).state


@pytest.mark.rule("GNO-5", "GNO-7", "GNO-8", "GNO-10", "GNO-11", "GNO-15", "GNO-16")
@pytest.mark.parametrize(
    ("state", "move", "reason"),
    [
        (SETUP, Decline(), "GNO-5: first choose two cards of your layout with turn_up"),
        (SETUP, TurnUp((3, 3)), "GNO-5: turn up two different slots from 0 to 8"),
        (table(), LEFT, "GNO-7: first draw a card, from the draw pile or a discard pile"),
        (table(left=""), Draw(Source.LEFT), "GNO-10: the left discard pile is empty, draw from another pile"),
        (table(right=""), Draw(Source.RIGHT), "GNO-10: the right discard pile is empty, draw from another pile"),
        (HOLDING, Place(9), "GNO-8: place the card in a slot from 0 to 8"),
        (HOLDING, Draw(Source.PILE), "GNO-8: place the drawn card in your layout or discard it"),
        (HOLDING, Discard(), "GNO-10: name the pile on which you discard, left or right"),
        (HOLDING_HAZARD, LEFT, "GNO-11: a Hazard leaves play, discard it without naming a pile"),
        (
            REPLACED,
            Place(1),
            "GNO-15: the slot of your play is binding, discard the replaced card or bounce it if it may",
        ),
        (
            REPLACED,
            Draw(Source.PILE),
            "GNO-8: the card is placed, now discard the replaced card or let it bounce if it may",
        ),
        (BOUNCING, Bounce(9), "GNO-16: bounce to a slot from 0 to 8"),
        (HAZARD, LEFT, "GNO-11: answer the Hazard with turn_up_one or decline"),
        (
            HAZARD,
            TurnUpOne(0),
            "GNO-11: turn up a face-down card of your layout, slots from 0 to 8, or decline",
        ),
    ],
)
def test_a_move_that_is_not_allowed_now(state: State, move: AnyMove, reason: str) -> None:
    seat = 1 if state.phase in {Phase.SETUP, Phase.HAZARD} else 0

    assert refusal(state, move, seat).reason == reason


@pytest.mark.parametrize(
    ("state", "seat", "reason"),
    [
        (SETUP, 0, "wait until every seat has chosen the two cards it turns up"),
        (table(turn=2), 0, "wait for seat 2, which is in turn"),
        (HOLDING, 1, "wait for seat 0, which is in turn"),
        (HAZARD, 2, "wait until all seats that are asked have answered the Hazard"),
        (table(phase=Phase.OVER, reason="rounds"), 0, "the match is over"),
    ],
)
def test_a_move_of_a_seat_that_has_nothing_to_decide(state: State, seat: int, reason: str) -> None:
    refused = refusal(state, LEFT, seat)

    assert (refused.code.value, refused.reason, refused.rule) == ("not_your_turn", reason, None)
