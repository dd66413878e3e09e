"""Chance that anybody can recompute: a counter-based stream on SHA-256.

Draw number n (from 0) is the first eight bytes, big-endian, of SHA-256(seed || n as eight bytes, big-endian).
`below(k)` takes draws until one is under the largest multiple of k that fits in 64 bits, and returns it modulo k.
`shuffle` is Fisher-Yates from the last place to the second. docs/fair-deals.md has test vectors.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")

_SPAN = 1 << 64
SEED_BYTES = 32


class Seed:
    """The 32 secret bytes from which all chance of one match follows; never printed."""

    __slots__ = ("_bytes",)

    def __init__(self, data: bytes) -> None:
        if len(data) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(data)}")
        self._bytes = bytes(data)

    def __repr__(self) -> str:
        return "Seed(…)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Seed) and self._bytes == other._bytes

    def __hash__(self) -> int:
        return hash(self._bytes)

    def reveal(self) -> bytes:
        """The bytes themselves, for storage and for the export of a match that is over."""
        return self._bytes

    @classmethod
    def from_number(cls, number: int) -> Seed:
        """A seed for tests and sandboxes: `number` (from 0), big-endian."""
        return cls(number.to_bytes(SEED_BYTES, "big"))


class Rng:
    """The stream of one match, at the place `drawn`: how many draws were taken before."""

    __slots__ = ("_seed", "drawn")

    def __init__(self, seed: Seed, drawn: int = 0) -> None:
        self._seed = seed.reveal()
        self.drawn = drawn

    def _draw(self) -> int:
        digest = sha256(self._seed + self.drawn.to_bytes(8, "big")).digest()
        self.drawn += 1
        return int.from_bytes(digest[:8], "big")

    def below(self, limit: int) -> int:
        """A number from 0 to `limit` - 1, each equally likely."""
        if limit < 1:
            raise ValueError(f"below() needs a limit of at least 1, not {limit}")
        bound = _SPAN - _SPAN % limit
        value = self._draw()
        while value >= bound:
            value = self._draw()
        return value % limit

    def shuffle(self, items: Iterable[T]) -> tuple[T, ...]:
        """The items in a random order, each order equally likely."""
        shuffled = list(items)
        for last in range(len(shuffled) - 1, 0, -1):
            chosen = self.below(last + 1)
            shuffled[last], shuffled[chosen] = shuffled[chosen], shuffled[last]
        return tuple(shuffled)
