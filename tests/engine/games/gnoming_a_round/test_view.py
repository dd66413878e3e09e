"""The view says what a client needs to draw the table."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.gnoming_a_round import GAME
from engine.games.gnoming_a_round.moves import Decline, Discard, Draw, Place, RoundScored, TurnUpOne
from engine.games.gnoming_a_round.state import Ending, Phase, Pile, Source
from engine.games.gnoming_a_round.view import HandView, HazardView, RoundView, ScoredSeat
from tests.engine.games.gnoming_a_round.sheet import ALMOST, DOWN, TWO_UP, leave, make, make_all, position

ALL_UP = ALMOST.replace("(", "").replace(")", "")


def test_layouts_piles_and_counts() -> None:
    view = GAME.view(position(TWO_UP, "5 5 M / H (6) -2 / (8) (9) (10)", TWO_UP, draw="1 2 3", left="4 -1"), 2)

    assert view.seats[0].cards == ("1", "2", None, None, None, None, None, None, None)
    assert view.seats[1].cards == ("5", "5", "mulligan", "hazard", None, "-2", None, None, None)
    assert [seat.showing for seat in view.seats] == [3, 3, 3]  # -5 + 10 - 2 for seat 1
    assert (view.draw_pile, view.left_pile, view.right_pile) == (3, ("4", "-1"), ("2",))
    assert (view.viewer, view.phase, view.round, view.rounds, view.turn) == (2, Phase.DRAW, 1, 3, 0)
    assert (view.turns, view.turn_limit) == (5, 150)
    assert [seat.is_awaited for seat in view.seats] == [True, False, False]
    assert view.hand is None


def test_the_replaced_card_is_in_hand_with_the_slots_to_which_it_may_bounce() -> None:
    state = position("5 2 (5) / (4) (6) (7) / (8) (9) (10)", TWO_UP, TWO_UP, hand="3", source=Source.PILE)
    view = GAME.view(make(state, Place(2)).state, None)

    assert view.hand == HandView(0, "5", None)
    assert view.bounce_slots == (0, 1, 3, 4, 5, 6, 7, 8)


def test_hazards_leavers_and_last_turns() -> None:
    state = position(
        TWO_UP, TWO_UP, TWO_UP, "1 2 3 / 4 5 6 / 7 8 9", hand="H", source=Source.PILE, out_first=3, last_turns=(0, 1, 2)
    )
    view = GAME.view(leave(make(state, Discard()).state, 2).state, 1)

    assert view.hazard == HazardView((1,), (), own_answered=False, own_slot=None)
    assert (view.hazards_gone, view.withdrawn, view.out_first) == (1, 9, 3)
    assert [seat.has_last_turn for seat in view.seats] == [True, True, False, False]
    assert [seat.has_left for seat in view.seats] == [False, False, True, False]
    assert (view.seats[2].cards, view.seats[2].showing) == ((), 0)


def test_a_scored_round_stays_in_view() -> None:
    layout = "5 5 M / 1 2 3 / 4 6 7"
    state = position(TWO_UP, layout, "", hand="9", source=Source.PILE, cut=Ending.PILE)
    view = GAME.view(make(state, Discard(Pile.LEFT)).state, None)

    cards = ("1", "2", "3", "4", "6", "7", "8", "9", "10")
    wild = ScoredSeat(("5", "5", "mulligan", "1", "2", "3", "4", "6", "7"), ((0, 1, 2),), 2, 18)
    assert view.results == (
        RoundView(1, Ending.PILE, (ScoredSeat(cards, (), None, 50), wild, ScoredSeat((), (), None, None)), None, 0),
    )
    assert [(seat.rounds, seat.total, seat.place) for seat in view.seats] == [
        ((50,), 50, 2),
        ((18,), 18, 1),
        ((None,), 0, 3),
    ]
    assert (view.round, view.ends_after_turn) == (2, None)


def test_the_final_table_lies_open() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, hand="9", source=Source.PILE, cut=Ending.TIME_LIMIT, last_round=True)
    view = GAME.view(make(state, Discard(Pile.LEFT)).state, None)

    assert (view.phase, view.turn, view.reason) == (Phase.OVER, None, "time_limit")
    assert view.seats[1].cards == ("1", "2", "3", "4", "6", "7", "8", "9", "10")


@pytest.mark.rule("GNO-18", "GNO-24", "GNO-30")
@pytest.mark.parametrize(
    ("changes", "ending"),
    [
        ({}, None),
        ({"turns": 7, "options": {"turn_limit": 8}}, None),
        ({"turns": 8, "options": {"turn_limit": 8}}, Ending.TURN_LIMIT),
        ({"cut": Ending.PILE}, Ending.PILE),
        ({"cut": Ending.PILE, "turns": 8, "options": {"turn_limit": 8}}, Ending.PILE),
        ({"out_first": 2, "last_turns": (0, 1)}, None),
        ({"out_first": 2, "last_turns": (0, 1), "cut": Ending.PILE}, Ending.PILE),
        ({"out_first": 2, "last_turns": (0,)}, Ending.LAST_TURNS),
        ({"out_first": 2, "last_turns": (0,), "cut": Ending.PILE}, Ending.LAST_TURNS),
    ],
)
def test_why_the_round_ends_after_this_turn(changes: dict[str, Any], ending: Ending | None) -> None:
    state = position(TWO_UP, TWO_UP, ALL_UP, **changes)

    assert GAME.view(state, 1).ends_after_turn is ending
    after = make_all(state, Draw(Source.PILE), Discard(Pile.LEFT))
    assert [event.ending for event in after.events() if isinstance(event, RoundScored)] == ([ending] if ending else [])


@pytest.mark.rule("GNO-18", "GNO-29")
def test_the_round_ends_with_the_hazard_that_the_last_seat_with_a_last_turn_left_behind() -> None:
    state = position(TWO_UP, TWO_UP, ALL_UP, hand="H", source=Source.PILE, out_first=2, last_turns=(0,))
    state = leave(make(state, Discard()).state, 0).state

    assert GAME.view(state, None).ends_after_turn is Ending.LAST_TURNS
    assert make(state, Decline(), seat=1).scored().ending is Ending.LAST_TURNS


@pytest.mark.rule("GNO-29")
def test_a_match_that_ends_in_the_middle_of_a_turn_leaves_nothing_open() -> None:
    state = position(
        "5 2 (5) / (4) (6) (7) / (8) (9) (10)",
        ALL_UP,
        hand="3",
        source=Source.PILE,
        preset="publisher",
        out_first=1,
        last_turns=(0,),
        cut=Ending.PILE,
    )
    placed = make(state, Place(2)).state
    assert GAME.view(placed, None).bounce_slots == (0, 1, 3, 4, 5, 6, 7, 8)
    view = GAME.view(leave(placed, 1).state, 0)

    assert (view.phase, view.turn, view.bounce_slots, view.ends_after_turn) == (Phase.OVER, None, (), None)
    assert [(seat.is_awaited, seat.has_last_turn) for seat in view.seats] == [(False, False)] * 2
    assert view.hand == HandView(0, "5", None)


@pytest.mark.rule("GNO-29", "GNO-11")
def test_a_match_that_ends_while_a_hazard_is_answered_asks_nobody_any_more() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, hand="H", source=Source.PILE)
    state = leave(make(make(state, Discard()).state, TurnUpOne(8), seat=1).state, 0, 2).state
    view = GAME.view(state, 1)

    assert (view.phase, view.hazard, view.reason) == (Phase.OVER, None, "last_seat")
    assert view.seats[1].cards[8] is None


@pytest.mark.rule("GNO-29", "GNO-5")
def test_a_match_that_ends_during_set_up_turns_nothing_up() -> None:
    state = position(DOWN, DOWN, DOWN, phase=Phase.SETUP, chosen=(None, (3, 4), None))
    view = GAME.view(leave(state, 0, 2).state, 1)

    assert (view.phase, view.setup, view.turn) == (Phase.OVER, None, None)
    assert view.seats[1].cards == (None,) * 9
