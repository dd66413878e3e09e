"""Looking ahead by playing on: the same imagined deals for every move that is worth a try, fewer and fewer moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec import Struct

from engine.bots.contract import Clock
from engine.core.rng import Rng, Seed

S = TypeVar("S")
M = TypeVar("M")

_SEEDS = 1 << 62


class Budget(Struct, frozen=True):
    """What one decision may cost: `deals` are imagined at the most, and none is begun after `limit_ms`."""

    deals: int
    limit_ms: int = 700


class Search(Struct, frozen=True):
    """Budget and clock of one decision; without a clock only the number of deals ends it."""

    budget: Budget
    clock: Clock | None

    def best(
        self,
        moves: Sequence[M],
        imagine: Callable[[Rng], S],
        play_on: Callable[[S, M, Rng], float],
        rng: Rng,
    ) -> M:
        """The move with the best average of `play_on` over imagined deals; of equal ones the first.

        Every move meets the same deals with the same chance to come, so that luck doesn't choose between them. When a
        quarter of the deals is played only the better half goes on, and so forth.
        """
        end = None if self.clock is None else self.clock() + self.budget.limit_ms
        sums = dict.fromkeys(range(len(moves)), 0.0)
        halving = max(1, self.budget.deals // 4)
        for deal in range(1, self.budget.deals + 1):
            if len(sums) < 2 or (end is not None and self.clock is not None and self.clock() >= end):
                break
            state, seed = imagine(rng), Seed.from_number(rng.below(_SEEDS))
            for place in sums:
                sums[place] += play_on(state, moves[place], Rng(seed))
            if deal % halving == 0:
                sums = _better_half(sums)
        return moves[max(sums, key=lambda place: (sums[place], -place))]


def _better_half(sums: dict[int, float]) -> dict[int, float]:
    kept = sorted(sums, key=lambda place: (-sums[place], place))[: (len(sums) + 1) // 2]
    return {place: sums[place] for place in sorted(kept)}
