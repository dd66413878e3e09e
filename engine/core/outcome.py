"""How a match stands, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct


class Standing(Struct, frozen=True):
    """Places (from 1; equal seats share one, the next is then left out) and scores, by seat."""

    places: tuple[int, ...]
    scores: tuple[int, ...]


class Outcome(Struct, frozen=True):
    """How a match ended: the game's own word for why, and the final standing by seat."""

    reason: str
    places: tuple[int, ...]
    scores: tuple[int, ...]


def places_of(keys: Sequence[Any], left: Sequence[int]) -> tuple[int, ...]:
    """Places by seat, the highest key first (ALL-4).

    `left` is 0 for a seat that stayed, else the step at which it left (from 1). Leavers come below all who stayed, the
    earlier the lower, those of one step share a place.
    """
    ranked = [(1, key) if step == 0 else (0, step) for key, step in zip(keys, left, strict=True)]
    return tuple(1 + sum(other > mine for other in ranked) for mine in ranked)
