"""The standard pack of 52, as numbers in states and as names in views and events."""

from __future__ import annotations

RANKS = "A23456789TJQK"
SUITS = "CDHS"
PACK = tuple(range(52))
NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)


def rank_of(card: int) -> int:
    """The rank of a card of the pack, 0 (ace) to 12 (king)."""
    return card >> 2


def name_of(card: int) -> str:
    """Two letters, rank then suit: `QS` is the queen of spades, `TH` the ten of hearts."""
    return NAMES[card]
