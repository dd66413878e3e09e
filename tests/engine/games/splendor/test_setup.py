"""How the table is laid."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from engine.core.errors import BadOptions
from engine.core.events import Told
from engine.core.game import Occasion
from engine.games.splendor import GAME, catalogue
from engine.games.splendor.catalogue import CARDS, NOBLES
from engine.games.splendor.moves import LastRound, TableLaid, Tokens
from engine.games.splendor.state import Gold, Options
from tests.engine.games.splendor.builders import census, names, rng


@pytest.mark.rule("SPL-1")
def test_the_box_holds_ninety_cards_and_ten_nobles_of_three_prestige() -> None:
    assert Counter(card.level for card in CARDS) == {1: 40, 2: 30, 3: 20}
    assert Counter(card.bonus for card in CARDS) == {0: 18, 1: 18, 2: 18, 3: 18, 4: 18}
    assert [noble.points for noble in NOBLES] == [3] * 10
    assert len({card.name for card in CARDS}) == 90


@pytest.mark.rule("SPL-1")
def test_the_catalogue_gives_every_card_and_noble_as_plain_data() -> None:
    found = GAME.catalogue()
    assert len(found["cards"]) == 90
    assert found["cards"][89] == {
        "name": "L3-black-04",
        "level": 3,
        "bonus": "black",
        "points": 5,
        "cost": {"white": 0, "blue": 0, "green": 0, "red": 7, "black": 3},
    }
    assert len(found["nobles"]) == 10
    assert found["nobles"][5] == {
        "name": "noble-06",
        "points": 3,
        "asks": {"white": 4, "blue": 4, "green": 0, "red": 0, "black": 0},
    }
    assert {card["name"] for card in found["cards"]} | {n["name"] for n in found["nobles"]} == GAME.card_names


@pytest.mark.rule("SPL-1")
def test_a_damaged_table_of_cards_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    dearer = replace(CARDS[89], cost=(0, 0, 0, 7, 4))
    monkeypatch.setattr(catalogue, "CARDS", (*CARDS[:89], dearer))
    with pytest.raises(ValueError, match=r"damaged: cost a level are \[165, 205, 216\], not \[165, 205, 215\]"):
        catalogue._check_totals()


@pytest.mark.rule("SPL-1")
def test_forty_tokens_are_five_gold_and_seven_of_each_gem() -> None:
    state, _ = GAME.setup(4, Options(), 0, rng())
    assert state.board.bank == (7, 7, 7, 7, 7, 5)
    assert sum(state.board.bank) == 40


@pytest.mark.rule("SPL-2")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_four_cards_of_each_level_lie_open_beside_the_decks(seats: int) -> None:
    state, _ = GAME.setup(seats, Options(), 0, rng())
    assert [len(deck) for deck in state.board.decks] == [36, 26, 16]
    levels = [CARDS[card].level for card in state.board.grid if card is not None]
    assert levels == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]
    for level, deck in enumerate(state.board.decks, start=1):
        assert {CARDS[card].level for card in deck} == {level}
    assert len({*state.board.grid, *state.board.decks[0], *state.board.decks[1], *state.board.decks[2]}) == 90


@pytest.mark.rule("SPL-2")
def test_decks_are_shuffled_anew_for_each_seed() -> None:
    orders = {names(GAME.setup(2, Options(), 0, rng(seed))[0].board.decks[0])[0] for seed in range(12)}
    assert len(orders) > 3


@pytest.mark.rule("SPL-2")
@pytest.mark.parametrize("seats", [1, 5])
def test_only_two_to_four_seats_may_play(seats: int) -> None:
    with pytest.raises(BadOptions, match=f"2 to 4 seats with these options, not {seats}"):
        GAME.check(seats, Options())


@pytest.mark.rule("SPL-3", "SPL-4")
@pytest.mark.parametrize(("seats", "nobles"), [(2, 3), (3, 4), (4, 5)])
def test_one_noble_more_than_seats_comes_and_the_others_are_out(seats: int, nobles: int) -> None:
    state, _ = GAME.setup(seats, Options(), 0, rng())
    assert len(state.board.nobles) == nobles
    assert len(state.box.nobles) == 10 - nobles
    assert sorted(state.board.nobles + state.box.nobles) == list(range(10))


@pytest.mark.rule("SPL-4")
@pytest.mark.parametrize(
    ("preset", "seats", "bank"),
    [
        ("standard", 2, (4, 4, 4, 4, 4, 0)),
        ("standard", 3, (5, 5, 5, 5, 5, 0)),
        ("standard", 4, (7, 7, 7, 7, 7, 5)),
        ("publisher", 2, (4, 4, 4, 4, 4, 5)),
        ("publisher", 3, (5, 5, 5, 5, 5, 5)),
        ("publisher", 4, (7, 7, 7, 7, 7, 5)),
    ],
)
def test_tokens_follow_the_seats_and_gold_the_preset(preset: str, seats: int, bank: tuple[int, ...]) -> None:
    state, _ = GAME.setup(seats, GAME.options(preset=preset), 0, rng())
    assert state.board.bank == bank


@pytest.mark.rule("SPL-4")
def test_the_presets_differ_in_gold_only() -> None:
    assert GAME.presets["standard"] == Options(gold=Gold.FOUR_SEATS, turn_limit=200, time_limit_s=None)
    assert GAME.presets["publisher"] == Options(gold=Gold.ALWAYS, turn_limit=200, time_limit_s=None)


@pytest.mark.rule("SPL-5")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_any_seat_may_be_drawn_first_and_it_begins(seats: int) -> None:
    states = [GAME.setup(seats, Options(), 0, rng(seed))[0] for seed in range(40)]
    assert {state.first for state in states} == set(range(seats))
    for state in states:
        assert GAME.awaited(state) == {state.first: Occasion("turn", 1)}


@pytest.mark.rule("SPL-2", "SPL-3", "SPL-5")
def test_the_table_is_told_to_everybody() -> None:
    state, told = GAME.setup(2, Options(), 0, rng())
    grid = tuple(CARDS[card].name for card in state.board.grid if card is not None)
    nobles = tuple(NOBLES[noble].name for noble in state.board.nobles)
    assert told == (Told(TableLaid(state.first, Tokens(4, 4, 4, 4, 4, 0), grid, nobles)),)


@pytest.mark.rule("SPL-19")
def test_a_match_of_one_round_says_so_at_once() -> None:
    state, told = GAME.setup(2, Options(turn_limit=1), 0, rng())
    assert told[1:] == (Told(LastRound("turn_limit")),)
    assert state.ending == "turn_limit"


def test_a_match_begins_with_turn_and_round_one() -> None:
    state, _ = GAME.setup(2, Options(), 1234, rng())
    assert (state.turn, state.round, state.passes, state.began) == (1, 1, 0, 1234)
    assert (GAME.key, GAME.title, GAME.ruleset) == ("splendor", "Splendor", 1)


def test_nothing_is_held_at_first_and_nothing_is_lost() -> None:
    state, _ = GAME.setup(3, Options(), 0, rng())
    assert [hand.tokens for hand in state.hands] == [(0, 0, 0, 0, 0, 0)] * 3
    assert len(census(state)) == 90 + 10 + 25
