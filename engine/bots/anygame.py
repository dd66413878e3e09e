"""The bot that can play every game: it knows the contract and no rule."""

from __future__ import annotations

from typing import Generic, TypeVar

from engine.bots.contract import Level, Reaction, Sight
from engine.bots.reactions import reaction_ms
from engine.core.rng import Rng

S = TypeVar("S")
M = TypeVar("M")
V = TypeVar("V")


class AnyMove(Generic[V, M, S]):
    """Makes any legal move: first its kind by lot, then which."""

    def __init__(self, level: Level = Level.EASY) -> None:
        self._level = level

    def choose(self, sight: Sight[V, M, S], rng: Rng) -> M:
        """Any of the moves."""
        kinds = list(dict.fromkeys(type(move) for move in sight.moves))
        kind = kinds[rng.below(len(kinds))]
        moves = [move for move in sight.moves if type(move) is kind]
        return moves[rng.below(len(moves))]

    def react(self, sight: Sight[V, M, S], rng: Rng) -> Reaction[M]:
        """Any of the answers, after a time like a person's."""
        after_ms = reaction_ms(self._level, rng)
        return Reaction(self.choose(sight, rng), after_ms)
