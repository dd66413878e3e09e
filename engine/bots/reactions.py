"""How long people take to react: the same whether they claim or pass, so that a time tells nothing (RACE-5)."""

from __future__ import annotations

from itertools import pairwise

from engine.bots.contract import Level
from engine.core.rng import Rng

MEDIAN_MS = {Level.EASY: 900, Level.NORMAL: 600, Level.HARD: 400}
QUICKEST_MS = 200

_STEPS = 1000
_PERCENT = ((0, 55), (50, 70), (250, 86), (500, 100), (750, 119), (900, 145), (980, 185), (1000, 260))
"""How many in a thousand answers come within so many per cent of the median: few are much quicker, some much slower."""


def reaction_ms(level: Level, rng: Rng) -> int:
    """A time in milliseconds, never below `QUICKEST_MS`."""
    return max(QUICKEST_MS, MEDIAN_MS[level] * _percent(rng.below(_STEPS * 100)) // 10_000)


def _percent(drawn: int) -> int:
    """Hundredths of a per cent of the median, on straight lines between the steps; `drawn` is below 100,000."""
    for (low, slow), (high, slower) in pairwise(_PERCENT):
        if drawn < high * 100:
            return slow * 100 + (slower - slow) * (drawn - low * 100) // (high - low)
    raise ValueError(f"{drawn} isn't below {_STEPS * 100}")
