"""Whatever is played, a match ends within its bound, loses no card, and survives being stored."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from engine.games.three_up_three_down import GAME
from engine.games.three_up_three_down.moves import AnyMove
from engine.games.three_up_three_down.state import Options, State
from tests.engine.games.three_up_three_down.sheet import census, rng

TABLES = [
    (seats, deck, failed_down)
    for deck, most in (("84", 6), ("60", 5), ("36", 3))
    for seats in range(2, most + 1)
    for failed_down in ("hand", "stays")
]


def check(state: State) -> None:
    """Every listed move is taken, nobody but the awaited has any, and the state survives JSON."""
    awaited = GAME.awaited(state)
    for seat in range(len(state.left)):
        moves = GAME.legal_moves(state, seat)
        assert bool(moves) == (seat in awaited)
        assert all(GAME.refuse(state, seat, move) is None for move in moves)
    assert all(GAME.default_move(state, seat) in GAME.legal_moves(state, seat) for seat in awaited)
    assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state


@pytest.mark.rule("ALL-1", "ALL-3", "TUD-31")
@pytest.mark.parametrize(("seats", "deck", "failed_down"), TABLES)
def test_random_play_ends_within_the_bound(seats: int, deck: str, failed_down: str) -> None:
    options = GAME.options({"deck": deck, "failed_down": failed_down, "turn_limit": 200})
    for number in range(2):
        chance = Random(number)
        state, _ = GAME.setup(seats, options, 0, rng(number))
        cards, moves = census(state), 0
        while GAME.outcome(state) is None:
            check(state)
            seat = chance.choice(list(GAME.awaited(state)))
            state, _ = GAME.play(state, seat, chance.choice(GAME.legal_moves(state, seat)), moves, rng())
            moves += 1
            assert census(state) == cards
        assert moves <= GAME.longest(seats, options)
        assert state.reason in GAME.reasons


@pytest.mark.rule("ALL-3", "TUD-31")
def test_the_bound_counts_choices_turns_extras_and_the_time_limit() -> None:
    # 84 cards hold six Clear +1 and one Clear +2: eight extra discards, each with a draw at the most.
    assert GAME.longest(6, GAME.options()) == 6 + 600 + 8 + 8 + 1
    assert GAME.longest(3, GAME.options({"deck": "36", "turn_limit": 10})) == 3 + 10 + 4 + 4 + 1


@pytest.mark.rule("ALL-6")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_default_moves_alone_bring_a_match_to_its_end(seats: int) -> None:
    state, _ = GAME.setup(seats, GAME.options(), 0, rng())
    while GAME.outcome(state) is None:
        seat = min(GAME.awaited(state))
        state, _ = GAME.play(state, seat, GAME.default_move(state, seat), 0, rng())

    assert state.reason in {"out", "turn_limit"}


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"choose_up","cards":["1","clear","10"]}',
        '{"type":"discard","card":"clear_plus_1","count":2}',
        '{"type":"pick_up"}',
        '{"type":"draw"}',
        '{"type":"skip_draw"}',
        '{"type":"turn_down","slot":2}',
    ],
)
def test_moves_travel_as_json(text: str) -> None:
    move: AnyMove = msgspec.json.decode(text, type=AnyMove)

    assert msgspec.json.encode(move).decode() == text


def test_options_travel_as_json() -> None:
    options = GAME.options({"deck": "36", "time_limit_s": 600})

    assert msgspec.json.decode(msgspec.json.encode(options), type=Options) == options
