"""`python -m bench.engine`: random legal play of every game on one core, beside python-chess in the same run.

A move counts listing the legal moves, asking the rules about the chosen one, and playing it. The figures of different
machines can't be compared; the ratio to python-chess on the same one can.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random
from statistics import median
from typing import Any

import chess
import msgspec

from engine import registry
from engine.core.codec import codec_for, encode
from engine.core.referee import Referee
from engine.core.rng import Rng, Seed
from engine.core.table import Opening, Table

RUNS = 5
SECONDS = 1.0
SEATS = 4
ROUNDS = 200


@dataclass(frozen=True)
class Largest:
    """The largest snapshot that a game has met, in bytes, and what reading and writing it takes in microseconds."""

    size: int
    microseconds: float


def play_chess(random: Random) -> int:
    """One game by random legal moves; how many there were."""
    board = chess.Board()
    moves = 0
    while not board.is_game_over() and moves < 300:
        move = random.choice(list(board.legal_moves))
        assert board.is_legal(move)
        board.push(move)
        moves += 1
    return moves


def play_match(game: registry.AnyGame, random: Random) -> int:
    """One match by random legal moves and timers, from the deal to the end; how many moves there were."""
    options = game.options()
    seed = Seed.from_number(random.getrandbits(64))
    rng = Rng(seed)
    state, _ = game.setup(SEATS, options, 0, rng)
    at = moves = 0
    while game.outcome(state) is None and moves < 3000:
        at += 1
        seats = [*game.awaited(state), *game.reacting(state)]
        if not seats:
            timer = min(game.timers(state), key=lambda timer: timer.due)
            at = max(at, timer.due)
            state, _ = game.expire(state, timer.key, timer.due, rng)
            continue
        seat = random.choice(seats)
        move = random.choice(game.legal_moves(state, seat))
        assert game.refuse(state, seat, move) is None
        state, _ = game.play(state, seat, move, at, rng)
        moves += 1
    return moves


def per_second(play: Callable[[Random], int], seconds: float) -> float:
    """Moves a second, the median of a few runs."""
    rates = []
    for run in range(RUNS):
        random = Random(run)
        begun, moves = time.perf_counter(), 0
        while time.perf_counter() - begun < seconds:
            moves += play(random)
        rates.append(moves / (time.perf_counter() - begun))
    return median(rates)


def largest_snapshot(game: registry.AnyGame) -> Largest:
    """Reading and writing the largest snapshot of a few matches."""
    biggest = max((snapshots(game, number) for number in range(3)), key=len)
    codec = codec_for(game)
    times = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        for _ in range(ROUNDS):
            encode(codec.table(biggest))
        times.append((time.perf_counter() - begun) / ROUNDS * 1e6)
    return Largest(len(biggest), median(times))


def snapshots(game: registry.AnyGame, number: int) -> bytes:
    """The largest snapshot of one match with the most seats, played at random for a while."""
    seats = game.seat_range(game.options())[-1]
    random = Random(number)
    seed = Seed.from_number(number)
    referee = Referee(game, seed)
    table: Table[Any, Any] = referee.open(Opening(game.key, game.ruleset, seats, game.options(), 0)).table
    largest = encode(table)
    now = 0
    for _ in range(400):
        if table.is_over:
            break
        now += 50
        asked = [(seat, at.decision.serial) for seat, at in enumerate(table.seats) if at.decision is not None]
        if not asked:
            now += 5000
            table = referee.settle(table, now).table
            continue
        seat, serial = random.choice(asked)
        move = random.choice(game.legal_moves(table.state, seat))
        table = referee.submit(table, seat=seat, serial=serial, move=move, received=now, now=now).table
        largest = max(largest, encode(table), key=len)
    return largest


def main(arguments: list[str]) -> int:
    """Print a table, or JSON."""
    parser = argparse.ArgumentParser(prog="engine", description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="a run (default %(default)s); five are made")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    chosen = parser.parse_args(arguments)
    yardstick = per_second(play_chess, chosen.seconds)
    figures: dict[str, dict[str, float]] = {}
    for key, game in sorted(registry.games().items()):
        rate = per_second(partial(play_match, game), chosen.seconds)
        largest = largest_snapshot(game)
        figures[key] = {
            "moves_per_second": round(rate),
            "times_python_chess": round(rate / yardstick, 2),
            "snapshot_bytes": largest.size,
            "snapshot_read_and_write_us": round(largest.microseconds, 1),
        }
    if chosen.json:
        print(msgspec.json.encode({"python_chess_moves_per_second": round(yardstick), "games": figures}).decode())
        return 0
    print(f"{'python-chess':22}{yardstick:>10,.0f} moves/s")
    for key, row in figures.items():
        print(
            f"{key:22}{row['moves_per_second']:>10,.0f} moves/s {row['times_python_chess']:>6.2f} ×"
            f"{row['snapshot_bytes']:>8,} bytes, read and written in {row['snapshot_read_and_write_us']:.0f} µs"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
