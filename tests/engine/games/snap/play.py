"""Random matches of Snap: legal moves, waits that run out, seats that leave."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from engine.core.events import Told
from engine.core.rng import Rng, Seed
from engine.games.snap import GAME
from engine.games.snap.moves import SnapEvent
from engine.games.snap.state import State

Moment = tuple[State, tuple[Told[SnapEvent], ...]]


def moments(seats: int, values: dict[str, Any], seed: int, *, leave_once_in: int = 0) -> Iterator[Moment]:
    """Every state of one match with what was told of it. Now and then a wait runs out, or a seat leaves."""
    options = GAME.options(values)
    GAME.check(seats, options)
    rng, chance = Rng(Seed.from_number(seed)), random.Random(seed)
    now = 0
    state, told = GAME.setup(seats, options, now, rng)
    yield state, told
    while GAME.outcome(state) is None:
        now += chance.randrange(60)
        if leave_once_in and chance.randrange(leave_once_in) == 0:
            state, told = GAME.leave(state, (chance.randrange(seats),), now, rng)
        else:
            state, told, now = _step(state, now, rng, chance)
        yield state, told


def _step(state: State, now: int, rng: Rng, chance: random.Random) -> tuple[State, tuple[Told[SnapEvent], ...], int]:
    """The next wait runs out if it is due or once in ten times, else some seat makes some legal move."""
    waits = sorted(GAME.timers(state), key=lambda timer: timer.due)
    deciding = sorted({**GAME.awaited(state), **GAME.reacting(state)})
    assert waits or deciding
    if waits and (waits[0].due <= now or not deciding or chance.randrange(10) == 0):
        now = max(now, waits[0].due)
        return *GAME.expire(state, waits[0].key, waits[0].due, rng), now
    seat = chance.choice(deciding)
    move = chance.choice(GAME.legal_moves(state, seat))
    assert GAME.refuse(state, seat, move) is None
    return *GAME.play(state, seat, move, now, rng), now
