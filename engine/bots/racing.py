"""Bots of the games that are decided by who is first: how much they notice, and how much they get wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from msgspec import Struct

from engine.bots.contract import Level, Reaction, Sight
from engine.bots.reactions import reaction_ms
from engine.core.rng import Rng

S = TypeVar("S")
M = TypeVar("M")
V = TypeVar("V")

_ALL = 1000


class Skill(Struct, frozen=True):
    """How a level sees, in a thousand: the chances it `notices`, the empty cards on which it `blunders` into a claim,
    and the right claims that it `muddles`.
    """

    notices: int
    blunders: int
    muddles: int


SKILLS = {
    Level.EASY: Skill(notices=800, blunders=25, muddles=150),
    Level.NORMAL: Skill(notices=930, blunders=8, muddles=40),
    Level.HARD: Skill(notices=985, blunders=2, muddles=5),
}


class Claims(Struct, Generic[M], frozen=True):
    """What a game's bot makes of a card: the best `right` claim if there is one, and what may be called by mistake."""

    right: M | None
    wrong: tuple[M, ...]


class Racer(Generic[V, M, S]):
    """Turns and looks whenever it may, and answers a race at the level's speed and with its faults.

    The time is drawn without a look at the card, so that it is the same for a claim and a pass.
    """

    def __init__(
        self, level: Level, *, forced: tuple[type[M], ...], passing: M, claims: Callable[[Sight[V, M, S]], Claims[M]]
    ) -> None:
        self._level = level
        self._skill = SKILLS[level]
        self._forced = forced
        self._passing = passing
        self._claims = claims

    def choose(self, sight: Sight[V, M, S], rng: Rng) -> M:
        """The next card, or the look at it."""
        for move in sight.moves:
            if isinstance(move, self._forced):
                return move
        return self.react(sight, rng).move

    def react(self, sight: Sight[V, M, S], rng: Rng) -> Reaction[M]:
        """A claim or a pass."""
        after_ms = reaction_ms(self._level, rng)
        return Reaction(self._answer(self._claims(sight), rng), after_ms)

    def _answer(self, claims: Claims[M], rng: Rng) -> M:
        luck, skill = rng.below(_ALL), self._skill
        if claims.right is None:
            return _any(claims.wrong, rng) if claims.wrong and luck < skill.blunders else self._passing
        if luck >= skill.notices:
            return self._passing
        return _any(claims.wrong or (claims.right,), rng) if rng.below(_ALL) < skill.muddles else claims.right


def _any(moves: tuple[M, ...], rng: Rng) -> M:
    return moves[rng.below(len(moves))]
