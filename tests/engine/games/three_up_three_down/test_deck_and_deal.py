"""The decks, and what lies where when a match begins."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.core.errors import BadOptions
from engine.games.three_up_three_down import GAME
from engine.games.three_up_three_down.cards import Deck, cards_of
from engine.games.three_up_three_down.moves import Dealt, HandDealt
from tests.engine.games.three_up_three_down.sheet import census, rng

NUMBERS = [str(number) for number in range(1, 11)]


@pytest.mark.rule("TUD-1")
@pytest.mark.parametrize(
    ("deck", "each", "clear", "plus_1", "plus_2", "total"),
    [("84", 7, 7, 6, 1, 84), ("60", 5, 5, 4, 1, 60), ("36", 3, 3, 2, 1, 36)],
)
def test_decks_are_made_of_whole_colours(
    deck: str, each: int, clear: int, plus_1: int, plus_2: int, total: int
) -> None:
    state, _ = GAME.setup(2, GAME.options({"deck": deck}), 0, rng())

    assert census(state) == Counter(
        dict.fromkeys(NUMBERS, each) | {"clear": clear, "clear_plus_1": plus_1, "clear_plus_2": plus_2}
    )
    assert len(cards_of(Deck(deck))) == total


@pytest.mark.rule("TUD-1", "TUD-2")
@pytest.mark.parametrize(("deck", "most"), [("84", 6), ("60", 5), ("36", 3)])
def test_shorter_decks_are_for_fewer_seats(deck: str, most: int) -> None:
    options = GAME.options({"deck": deck})

    assert list(GAME.seat_range(options)) == list(range(2, most + 1))
    GAME.check(most, options)
    with pytest.raises(BadOptions, match=f"2 to {most} seats"):
        GAME.check(most + 1, options)
    with pytest.raises(BadOptions, match=f"2 to {most} seats"):
        GAME.check(1, options)


@pytest.mark.rule("TUD-2", "TUD-3", "TUD-5")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_three_down_and_six_to_choose_from_for_every_seat(seats: int) -> None:
    state, _ = GAME.setup(seats, GAME.options(), 0, rng())

    assert [len(cards) for cards in state.hands] == [6] * seats
    assert [len(cards) for cards in state.downs] == [3] * seats
    assert all(card for cards in state.downs for card in cards)
    assert state.ups == ((),) * seats
    assert len(state.draw) == 84 - 9 * seats
    assert state.discard == ()


@pytest.mark.rule("TUD-2", "TUD-3", "TUD-32")
def test_a_deal_tells_each_seat_its_six_cards_and_nobody_a_down_card() -> None:
    state, told = GAME.setup(3, GAME.options(), 0, rng())

    public = [event.event for event in told if event.to is None]
    own = {event.to: event.event for event in told if event.to is not None}
    assert public == [Dealt(state.dealer, 57)]
    assert own == {(seat,): HandDealt(GAME.view(state, seat).hand) for seat in range(3)}
    assert [place.card for seat in GAME.view(state, 0).seats for place in seat.down] == [None] * 9


@pytest.mark.rule("TUD-6")
def test_every_seat_may_be_drawn_as_dealer() -> None:
    dealers = {GAME.setup(3, GAME.options(), 0, rng(number))[0].dealer for number in range(40)}

    assert dealers == {0, 1, 2}


def test_the_same_seed_deals_the_same() -> None:
    assert GAME.setup(4, GAME.options(), 5, rng(3)) == GAME.setup(4, GAME.options(), 5, rng(3))
    assert GAME.setup(4, GAME.options(), 5, rng(3)) != GAME.setup(4, GAME.options(), 5, rng(4))


@pytest.mark.parametrize(
    "values",
    [
        {"deck": "83"},
        {"failed_down": "gone"},
        {"turn_limit": 0},
        {"turn_limit": 10_001},
        {"turn_limit": None},
        {"time_limit_s": 59},
        {"colour": "red"},
    ],
)
def test_options_that_do_not_exist_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(BadOptions, match="options of 3UP 3DOWN"):
        GAME.options(values)


def test_the_standard_preset_is_the_default() -> None:
    options = GAME.options()

    assert (options.deck, options.failed_down, options.turn_limit, options.time_limit_s) == ("84", "hand", 600, None)
    assert list(GAME.presets) == ["standard"]
