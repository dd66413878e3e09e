"""Random legal matches: they end, lose nothing and survive storage."""

from __future__ import annotations

import random
from collections import Counter

import msgspec
import pytest

from engine.games.splendor import GAME
from engine.games.splendor.state import State
from tests.engine.games.splendor.builders import census, rng


def random_match(seats: int, preset: str, seed: int) -> list[State]:
    """Every position of a match in which each seat plays anything legal."""
    chance = random.Random(seed)
    state, _ = GAME.setup(seats, GAME.options(preset=preset), 0, rng(seed))
    states = [state]
    while state.outcome is None:
        (seat,) = GAME.awaited(state)
        moves = GAME.legal_moves(state, seat)
        assert GAME.default_move(state, seat) in moves
        assert all(GAME.refuse(state, seat, move) is None for move in moves)
        state, _ = GAME.play(state, seat, chance.choice(moves), 0, rng())
        states.append(state)
    return states


@pytest.mark.rule("SPL-12", "SPL-16")
@pytest.mark.parametrize("preset", ["standard", "publisher"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_matches_end_in_time_and_lose_nothing(seats: int, preset: str) -> None:
    for seed in range(12):
        states = random_match(seats, preset, seed)
        assert len(states) - 1 <= GAME.longest(seats, states[0].options)
        box = census(states[0])
        for state in states[::5]:
            assert census(state) == box
            assert all(sum(hand.tokens) <= 13 for hand in state.hands)
        assert states[-1].outcome is not None
        assert states[-1].outcome.reason in {"prestige", "all_passed"}


def test_states_moves_events_and_views_survive_json() -> None:
    for state in random_match(4, "publisher", 5):
        assert msgspec.json.decode(msgspec.json.encode(state), type=GAME.state_type) == state
        view = GAME.view(state, 1)
        assert msgspec.json.decode(msgspec.json.encode(view), type=GAME.view_type) == view
        for move in GAME.legal_moves(state, state.seat):
            assert msgspec.json.decode(msgspec.json.encode(move), type=GAME.move_type) == move


@pytest.mark.rule("SPL-18")
def test_shuffling_what_is_hidden_never_changes_a_view() -> None:
    for number, state in enumerate(random_match(3, "publisher", 6)):
        viewer = (None, 0, 1, 2)[number % 4]
        other = GAME.shuffle_hidden(state, viewer, rng(number))
        assert GAME.view(other, viewer) == GAME.view(state, viewer)
        assert census(other) == census(state)


def test_silent_seats_play_a_match_to_its_end() -> None:
    endings: Counter[str] = Counter()
    for seats in (2, 3, 4):
        for preset in ("standard", "publisher"):
            state, _ = GAME.setup(seats, GAME.options(preset=preset), 0, rng(seats))
            for _ in range(GAME.longest(seats, state.options)):
                if state.outcome is not None:
                    break
                move = GAME.default_move(state, state.seat)
                assert GAME.refuse(state, state.seat, move) is None
                state, _ = GAME.play(state, state.seat, move, 0, rng())
            assert state.outcome is not None
            endings[state.outcome.reason] += 1
    assert set(endings) <= set(GAME.reasons)


def test_any_seats_may_leave_at_any_moment() -> None:
    chance = random.Random(4)
    for seats in (2, 3, 4):
        for state in random_match(seats, "publisher", seats)[:-1]:
            leavers = tuple(chance.sample(range(seats), chance.randint(1, seats)))
            after, _ = GAME.leave(state, leavers, 0, rng())
            assert census(after) == census(state)
            assert not set(GAME.awaited(after)) & set(leavers)
