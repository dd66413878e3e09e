"""Bots of the games without races: one function from what the seat sees to its move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from engine.bots.contract import Level, Reaction, Sight
from engine.bots.reactions import reaction_ms
from engine.core.rng import Rng

S = TypeVar("S")
M = TypeVar("M")
V = TypeVar("V")


class Turnwise(Generic[V, M, S]):
    """Chooses by `choice`; a move that there is no choice about is made without thinking."""

    def __init__(self, choice: Callable[[Sight[V, M, S], Rng], M]) -> None:
        self._choice = choice

    def choose(self, sight: Sight[V, M, S], rng: Rng) -> M:
        """The only move, or the chosen one."""
        return sight.moves[0] if len(sight.moves) == 1 else self._choice(sight, rng)

    def react(self, sight: Sight[V, M, S], rng: Rng) -> Reaction[M]:
        """There are no races in these games; an answer all the same, after a person's time."""
        after_ms = reaction_ms(Level.NORMAL, rng)
        return Reaction(self.choose(sight, rng), after_ms)
