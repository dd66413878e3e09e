"""Whatever is played: no card gets lost, and it ends (ALL-1, ALL-3)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest

from engine.core.rng import Rng, Seed
from engine.games.slamwich import GAME
from engine.games.slamwich.moves import Pass, SlamwichMove
from engine.games.slamwich.state import State
from tests.engine.games.slamwich.sheet import REACTION


def census(state: State) -> Counter[str]:
    zones: Mapping[str, Sequence[str]] = GAME.census(state)
    return Counter(card for zone in zones.values() for card in zone)


def chosen(chance: random.Random, moves: Sequence[SlamwichMove], slaps: float) -> SlamwichMove:
    """A move at random, passing often enough that a match isn't over at once."""
    return chance.choice(moves) if len(moves) == 1 or chance.random() < slaps else Pass()


def check(state: State, deck: Counter[str]) -> None:
    """What holds at every moment."""
    assert census(state) == deck
    assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state
    if state.reason is None:
        assert GAME.awaited(state) or GAME.timers(state)
        empty = {seat for seat in state.seats if not state.stacks[seat]}
        allowed = {state.challenge.muncher} if state.challenge else set()
        turner = {state.race.turner} if state.race else set()
        assert empty <= allowed | turner
        assert state.exits[state.turn] == 0


def play_out(seats: int, seed: int, *, leaving: float = 0.0, slaps: float = 0.5, **options: Any) -> tuple[State, int]:
    chance, rng = random.Random(seed), Rng(Seed.from_number(seed))
    state, _ = GAME.setup(seats, GAME.options(options), 0, rng)
    deck, at, steps = census(state), 0, 0
    while state.reason is None:
        at += chance.choice((0, 1, 100))
        due = [timer for timer in GAME.timers(state) if timer.due <= at]
        seats_now = [*GAME.awaited(state), *GAME.reacting(state)]
        if chance.random() < leaving:
            leavers = tuple(chance.sample(range(seats), chance.choice((1, 1, 2))))
            state, _ = GAME.leave(state, leavers, at, rng)
        elif due:
            steps += 1
            state, _ = GAME.expire(state, due[0].key, due[0].due, rng)
        else:
            steps += 1
            seat = chance.choice(seats_now)
            move = chosen(chance, GAME.legal_moves(state, seat), slaps)
            assert GAME.refuse(state, seat, move) is None
            state, _ = GAME.play(state, seat, move, at, rng)
        check(state, deck)
    assert steps <= GAME.longest(seats, state.options)
    places = GAME.outcome(state)
    assert places is not None
    assert min(places.places) == 1
    return state, steps


@pytest.mark.rule("ALL-1", "ALL-3", "SLM-32")
@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("options", [{}, REACTION, {"munchers": False}])
def test_random_play_ends_with_every_card_in_place(seats: int, options: dict[str, Any]) -> None:
    reasons = {play_out(seats, seed, **options)[0].reason for seed in range(3)}
    assert reasons <= {"last_in", "turn_limit"}


@pytest.mark.rule("ALL-3", "SLM-34")
@pytest.mark.parametrize("options", [{}, REACTION])
def test_where_nobody_ever_slaps_rightly_munchers_and_the_limit_end_it(options: dict[str, Any]) -> None:
    for seats in range(2, 7):
        play_out(seats, seats, slaps=0.0, turn_limit=60, **options)


@pytest.mark.rule("ALL-3", "ALL-4", "SLM-35")
@pytest.mark.parametrize("options", [{}, REACTION])
def test_seats_may_leave_at_any_moment(options: dict[str, Any]) -> None:
    reasons = [play_out(2 + seed % 5, seed, leaving=0.02, **options)[0].reason for seed in range(60)]
    assert {"others_left", "last_in"} <= set(reasons)
