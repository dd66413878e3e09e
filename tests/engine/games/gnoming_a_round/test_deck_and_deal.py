"""110 cards, nine face down to each seat, two discard piles."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.core.errors import BadOptions
from engine.core.rng import Rng, Seed
from engine.games.gnoming_a_round import GAME
from engine.games.gnoming_a_round.cards import DECK, HAZARD, MULLIGAN
from engine.games.gnoming_a_round.moves import RoundBegan
from engine.games.gnoming_a_round.rounds import deal
from engine.games.gnoming_a_round.state import Phase, TakenAlong
from tests.engine.games.gnoming_a_round.sheet import After, Stacked, position, words


@pytest.mark.rule("GNO-1")
def test_the_deck_has_82_positive_22_negative_and_six_special_cards() -> None:
    assert len(DECK) == 110
    assert sum(1 <= card <= 10 for card in DECK) == 82
    assert sum(card < 0 for card in DECK) == 22
    assert (DECK.count(HAZARD), DECK.count(MULLIGAN)) == (3, 3)


@pytest.mark.rule("GNO-1")
def test_the_deck_has_these_copies_of_each_value() -> None:
    negative = {-4: 4, -3: 5, -2: 6, -1: 7}
    positive = {1: 8, 2: 8, 3: 8, 4: 8, 5: 9, 6: 9, 7: 8, 8: 8, 9: 8, 10: 8}

    assert Counter(DECK) == {**negative, **positive, HAZARD: 3, MULLIGAN: 3}


@pytest.mark.rule("GNO-2")
@pytest.mark.parametrize(("preset", "fewest"), [("standard", 3), ("publisher", 2)])
def test_three_to_seven_seats_and_two_with_the_publishers_preset(preset: str, fewest: int) -> None:
    options = GAME.options(preset=preset)

    assert list(GAME.seat_range(options)) == list(range(fewest, 8))
    for seats in (fewest - 1, 8):
        with pytest.raises(BadOptions, match=f"is for {fewest} to 7 seats with these options, not {seats}"):
            GAME.check(seats, options)


@pytest.mark.rule("GNO-3", "GNO-4")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6, 7])
def test_nine_cards_lie_face_down_before_each_seat_and_the_rest_is_the_draw_pile(seats: int) -> None:
    options = GAME.options(preset="publisher")
    state, told = GAME.setup(seats, options, 0, Rng(Seed.from_number(3)))

    assert state.phase is Phase.SETUP
    assert [len(cards) for cards in state.layouts] == [9] * seats
    assert state.up == (0,) * seats
    assert (len(state.left_pile), len(state.right_pile), len(state.pile)) == (1, 1, 108 - 9 * seats)
    assert len(told) == 1
    for viewer in (None, *range(seats)):
        assert all(seat.cards == (None,) * 9 for seat in GAME.view(state, viewer).seats)


@pytest.mark.rule("GNO-4")
def test_two_cards_turned_over_start_the_discard_piles() -> None:
    after = After(*GAME.setup(3, GAME.options(), 0, Stacked("4 -2 M")))

    assert (words(after.state.left_pile), words(after.state.right_pile)) == ("M", "-2")
    assert words(after.state.pile[-1:]) == "4"
    assert after.events() == [RoundBegan(1, 0, (0, 1, 2), "mulligan", "-2", 81)]


@pytest.mark.rule("GNO-4")
@pytest.mark.parametrize(
    "shuffles",
    [
        ("5 6 H", "5 H 9", "6 8"),
        ("5 H 9", "5 H", "6 8"),
    ],
)
def test_a_hazard_turned_up_is_shuffled_back_and_another_turned(shuffles: tuple[str, ...]) -> None:
    after = After(*GAME.setup(3, GAME.options(), 0, Stacked(*shuffles)))

    assert (words(after.state.left_pile), words(after.state.right_pile)) == ("9", "8")
    assert words(after.state.pile[-1:]) == "6"
    assert sum(zone.count("hazard") for zone in GAME.census(after.state).values()) == 3
    assert len(after.events()) == 1


@pytest.mark.rule("GNO-6")
@pytest.mark.parametrize(
    ("seats", "number", "starter"), [(3, 0, 0), (3, 1, 1), (3, 2, 2), (7, 2, 2), (2, 0, 0), (2, 1, 1), (2, 2, 0)]
)
def test_the_next_seat_begins_each_round(seats: int, number: int, starter: int) -> None:
    before = position(*["(1)"] * seats, number=number)
    state, _ = deal(before, 0, Rng(Seed.from_number(5)))

    assert (state.number, state.turn) == (number + 1, starter)


@pytest.mark.rule("GNO-26")
def test_every_round_is_dealt_from_all_110_cards() -> None:
    before = position("", "1 2", "3 4", "5 6", number=1, withdrawn_open=(5,), withdrawn_hidden=(7,), hazards_gone=2)
    state, _ = deal(before, 0, Rng(Seed.from_number(5)))
    zones = GAME.census(state)

    assert sum(len(cards) for cards in zones.values()) == 110
    assert (len(zones["draw_pile"]), zones["withdrawn"], zones["hazards"]) == (81, (), ())


@pytest.mark.rule("ALL-1")
def test_every_card_of_a_round_is_in_one_zone() -> None:
    state = position(
        "M 2 3 / 4 5 6 / 7 8 (9)",
        "",
        "1 1 1 / 2 2 2 / H 3 (3)",
        draw="7 -4",
        left="1 -1",
        right="10",
        hand="5",
        withdrawn_open=(1, 2),
        withdrawn_hidden=(3,),
        taken_along=(TakenAlong(1, 4, fresh=False),),
        hazards_gone=2,
    )

    assert GAME.census(state) == {
        "draw_pile": ("7", "-4"),
        "left": ("1", "-1"),
        "right": ("10",),
        "hand": ("5",),
        "hazards": ("hazard", "hazard"),
        "withdrawn": ("1", "2", "3", "4"),
        "layout:0": ("mulligan", "2", "3", "4", "5", "6", "7", "8", "9"),
        "layout:1": (),
        "layout:2": ("1", "1", "1", "2", "2", "2", "hazard", "3", "3"),
    }
