"""The deck and the deal (SLM-1 to SLM-6)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine.core.errors import BadOptions
from engine.core.events import public
from engine.core.game import Occasion
from engine.core.rng import Rng, Seed
from engine.games.slamwich import GAME
from engine.games.slamwich.cards import NAMES, deck
from engine.games.slamwich.moves import CardTurned, Dealt
from engine.games.slamwich.state import State
from tests.engine.games.slamwich.sheet import REACTION, Sheet, position

SHARES = {2: (27, 1), 3: (18, 1), 4: (13, 3), 5: (11, 0), 6: (9, 1)}
SHARES_WITHOUT_MUNCHERS = {2: (23, 1), 3: (15, 2), 4: (11, 3), 5: (9, 2), 6: (7, 5)}


def dealt(seats: int, seed: int = 1, **options: Any) -> State:
    return GAME.setup(seats, GAME.options(options), 1000, Rng(Seed.from_number(seed)))[0]


@pytest.mark.rule("SLM-1", "SLM-2", "SLM-3")
def test_the_deck_has_44_foods_8_munchers_and_3_thieves() -> None:
    copies = Counter(NAMES[card] for card in deck(munchers=True))
    assert copies.total() == 55
    foods = (
        "ketchup_and_mustard birthday_cake chicken tomato_and_lettuce fish gummy_candy ham cheese meatballs "
        "peanut_butter jelly"
    )
    assert dict.fromkeys(foods.split(), 4).items() <= copies.items()
    assert [copies[f"muncher_{number}"] for number in (1, 2, 3)] == [3, 2, 3]
    assert [copies[f"thief_{animal}"] for animal in ("ant", "cat", "dog")] == [1, 1, 1]


@pytest.mark.rule("SLM-22", "ALL-1")
def test_without_munchers_47_cards_are_played_with_and_8_lie_aside() -> None:
    zones = GAME.census(dealt(2, munchers=False))
    assert [len(zones[zone]) for zone in ("stack 0", "stack 1", "pile", "left_out")] == [23, 23, 1, 8]
    assert Counter(card for zone in zones.values() for card in zone) == Counter(
        NAMES[card] for card in deck(munchers=True)
    )
    assert sorted(zones["left_out"]) == 3 * ["muncher_1"] + 2 * ["muncher_2"] + 3 * ["muncher_3"]


@pytest.mark.rule("SLM-4")
@pytest.mark.parametrize(("seats", "share"), SHARES.items())
def test_every_seat_gets_the_same_number(seats: int, share: tuple[int, int]) -> None:
    state = dealt(seats)
    assert state.counts == (share[0],) * seats
    assert len(state.pile) == share[1]


@pytest.mark.rule("SLM-4", "SLM-22")
@pytest.mark.parametrize(("seats", "share"), SHARES_WITHOUT_MUNCHERS.items())
def test_every_seat_gets_the_same_number_without_munchers(seats: int, share: tuple[int, int]) -> None:
    state = dealt(seats, munchers=False)
    assert state.counts == (share[0],) * seats
    assert len(state.pile) == share[1]


@pytest.mark.rule("SLM-4")
@pytest.mark.parametrize("seats", [1, 7])
def test_no_other_number_of_seats(seats: int) -> None:
    with pytest.raises(BadOptions, match=f"Slamwich is for 2 to 6 seats with these options, not {seats}"):
        GAME.check(seats, GAME.options())


@pytest.mark.rule("SLM-4")
def test_cards_are_dealt_one_by_one_from_the_dealers_left_and_the_last_lie_in_the_middle() -> None:
    state = dealt(4, seed=3)
    rng = Rng(Seed.from_number(3))
    assert state.dealer == rng.below(4)
    cards = rng.shuffle(deck(munchers=True))
    assert state.pile == cards[52:]
    for place in range(4):
        in_dealt_order = cards[place:52:4]
        assert state.stacks[(state.dealer + 1 + place) % 4] == in_dealt_order[::-1]


@pytest.mark.rule("SLM-4")
def test_every_seat_may_be_the_dealer() -> None:
    assert {dealt(6, seed).dealer for seed in range(60)} == {0, 1, 2, 3, 4, 5}


@pytest.mark.rule("SLM-6")
def test_the_seat_left_of_the_dealer_begins() -> None:
    for seed in range(10):
        state = dealt(3, seed)
        assert GAME.awaited(state) == {(state.dealer + 1) % 3: Occasion("turn", 1)}


@pytest.mark.rule("SLM-6", "RACE-2")
def test_by_reaction_the_table_turns_the_first_card_of_the_seat_left_of_the_dealer() -> None:
    state, told = GAME.setup(4, GAME.options(REACTION), 1000, Rng(Seed.from_number(1)))
    first = (state.dealer + 1) % 4
    assert told == (public(Dealt(state.dealer, 13, 3)), public(CardTurned(1, first)))
    assert [len(stack) for stack in state.stacks] == [12 if seat == first else 13 for seat in range(4)]
    assert GAME.awaited(state) == dict.fromkeys(range(4), Occasion("race", 1))


@pytest.mark.rule("SLM-5")
def test_starting_cards_open_no_race_but_are_neighbours() -> None:
    sheet = Sheet(position("F G", "H B", pile="F 1 c"))
    assert (sheet.state.race, sheet.challenge) == (None, None)
    sheet.turn().slap(1, 100).close()
    assert sheet.stacks == ["G", "B"]
    assert sheet.pile == "H F 1 c F"


@pytest.mark.rule("SLM-5", "SLM-9")
def test_a_turned_card_combines_with_a_starting_card() -> None:
    sheet = Sheet(position("F G", "H B", pile="F c")).turn().slap(1, 100).close()
    assert sheet.stacks == ["G", "H B F c F"]
