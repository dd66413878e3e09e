"""Positions in which bots are asked, from random play with leavers, stops and silence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.bots import Sight, sight_of
from engine.core.rng import Rng, Seed
from tests.engine.cases import all_cases, short
from tests.engine.driver import Case, Playing, Temper

CASES = all_cases()


def stream(number: int) -> Rng:
    """A stream of chance of its own."""
    return Rng(Seed.from_number(number))


def sight_in(case: Case, state: Any, seat: int, number: int) -> Sight[Any, Any, Any]:
    """What a seat may know of a state."""
    return sight_of(case.game, state, seat, seats=case.seats, options=case.options, rng=stream(number))


def asked(case: Case, number: int, *, every: int, most: int) -> Iterator[tuple[Any, int]]:
    """States of one stormy match with a seat that is asked something in each."""
    playing = Playing(short(case), number, Temper.STORMY)
    found = 0
    while found < most:
        playing.act()
        if playing.is_over:
            return
        seats = playing.open_seats()
        if seats and len(playing.log) % every == 0:
            found += 1
            yield playing.table.state, seats[len(playing.log) % len(seats)]


def is_race(case: Case, state: Any, seat: int) -> bool:
    """Whether the seat is to answer a race whose card it sees."""
    return seat in case.game.reacting(state)
