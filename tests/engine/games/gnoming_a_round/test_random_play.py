"""Whole matches at random: they end, no card gets lost, and a stored state is the state."""

from __future__ import annotations

import random

import msgspec
import pytest

from engine.core.outcome import Outcome
from engine.core.rng import Rng, Seed
from engine.games.gnoming_a_round import GAME
from engine.games.gnoming_a_round.cards import DECK, name_of
from engine.games.gnoming_a_round.state import Phase, State
from tests.engine.games.gnoming_a_round.sheet import all_cards

ALL_CARDS = sorted(name_of(card) for card in DECK)


def step(state: State, chance: random.Random, rng: Rng) -> State:
    seat = chance.choice(list(GAME.awaited(state)))
    move = chance.choice(GAME.legal_moves(state, seat))
    assert GAME.refuse(state, seat, move) is None
    return GAME.play(state, seat, move, 1000, rng)[0]


def check(state: State) -> None:
    assert all_cards(state) == ALL_CARDS
    assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state


@pytest.mark.rule("ALL-1", "ALL-3")
@pytest.mark.parametrize("preset", ["standard", "publisher"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6, 7])
def test_a_match_ends_and_keeps_its_cards(seats: int, preset: str) -> None:
    options = GAME.options({"two_seats": True, "turn_limit": 60}, preset)
    chance, rng = random.Random(seats), Rng(Seed.from_number(seats))
    state, _ = GAME.setup(seats, options, 0, rng)
    moves = 0
    while (outcome := GAME.outcome(state)) is None:
        check(state)
        state = step(state, chance, rng)
        moves += 1

    assert moves <= GAME.longest(seats, options)
    check(state)
    assert (outcome.reason, len(state.results)) == ("rounds", 3)


@pytest.mark.rule("ALL-1", "ALL-4", "GNO-29")
@pytest.mark.parametrize("number", range(30))
def test_seats_leave_at_any_moment_and_the_match_goes_on(number: int) -> None:
    chance, rng = random.Random(number), Rng(Seed.from_number(number))
    state, _ = GAME.setup(7, GAME.options(), 0, rng)
    while GAME.outcome(state) is None:
        if chance.random() < 0.03:
            leavers = tuple(chance.sample(range(7), chance.choice([1, 1, 1, 2, 3])))
            state = GAME.leave(state, leavers, 1000, rng)[0]
        else:
            state = step(state, chance, rng)
        check(state)
        assert (state.phase is Phase.OVER) is not bool(GAME.awaited(state))

    outcome = GAME.outcome(state)
    assert isinstance(outcome, Outcome)
    assert outcome.reason in GAME.reasons


@pytest.mark.rule("ALL-3")
def test_a_match_of_nothing_but_draws_and_discards_ends() -> None:
    options, rng = GAME.options(), Rng(Seed.from_number(9))
    state, _ = GAME.setup(3, options, 0, rng)
    moves = 0
    while GAME.outcome(state) is None:
        seat = next(iter(GAME.awaited(state)))
        state = GAME.play(state, seat, GAME.default_move(state, seat), 1000, rng)[0]
        check(state)
        moves += 1

    assert moves <= GAME.longest(3, options)
    assert [result.ending.value for result in state.results] == ["turn_limit"] * 3
