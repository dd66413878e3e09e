"""Matches of random legal moves end in time with all 52 cards (ALL-1, ALL-3)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.cards import NAMES
from engine.games.snap import GAME
from engine.games.snap.state import State
from tests.engine.games.snap.play import moments
from tests.engine.games.snap.sheet import REACTION

KINDS: tuple[dict[str, Any], ...] = (
    {"turn_limit": 300},
    {"index_card": True, "turn_limit": 100},
    {"turn_limit": 25},
    {"time_limit_s": 30, "turn_limit": 200},
    {**REACTION, "turn_limit": 60},
    {**REACTION, "index_card": True, "turn_limit": 60, "time_limit_s": 30},
)


@pytest.mark.rule("ALL-1", "ALL-3", "SNP-1", "SNP-25")
@pytest.mark.parametrize("kind", range(len(KINDS)))
@pytest.mark.parametrize("seats", range(2, 13))
def test_a_match_ends_with_all_cards(seats: int, kind: int) -> None:
    longest = GAME.longest(seats, GAME.options(KINDS[kind]))
    leave_once_in = 60 if (seats + kind) % 2 else 0
    played = 0
    for state, _ in moments(seats, KINDS[kind], seed=100 * kind + seats, leave_once_in=leave_once_in):
        assert sorted(card for zone in GAME.census(state).values() for card in zone) == sorted(NAMES)
        _check(state, seats)
        played += 1
    assert GAME.outcome(state) is not None
    if not leave_once_in:
        assert played - 1 <= longest


@pytest.mark.rule("ALL-3")
def test_the_bound_counts_every_answer_and_the_wait() -> None:
    assert GAME.longest(4, GAME.options({"turn_limit": 10})) == 10 * (1 + 4 + 1) + 1
    assert GAME.longest(4, GAME.options({**REACTION, "turn_limit": 10})) == 10 * (4 + 4) + 1


def _check(state: State, seats: int) -> None:
    assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state
    outcome = GAME.outcome(state)
    if outcome is None:
        assert len(state.seats) >= 2
        assert all(state.counts[seat] > 0 for seat in state.seats if state.race is None)
        for seat in GAME.awaited(state):
            assert GAME.refuse(state, seat, GAME.default_move(state, seat)) is None
    else:
        assert outcome.reason in GAME.reasons
        assert len(outcome.places) == len(outcome.scores) == seats
        assert min(outcome.places) == 1
