"""The 110 cards, as numbers in states and as names in views and events (GNO-1)."""

from __future__ import annotations

MULLIGAN = 0
HAZARD = 11
FACE_DOWN = 12
"""Not a card: what lies in a slot as far as scoring the open cards goes."""

_COPIES = {
    -4: 4,
    -3: 5,
    -2: 6,
    -1: 7,
    1: 8,
    2: 8,
    3: 8,
    4: 8,
    5: 9,
    6: 9,
    7: 8,
    8: 8,
    9: 8,
    10: 8,
    HAZARD: 3,
    MULLIGAN: 3,
}

DECK = tuple(card for card, copies in _COPIES.items() for _ in range(copies))
_LOWEST = -4
NAMES = tuple({MULLIGAN: "mulligan", HAZARD: "hazard"}.get(card, str(card)) for card in range(_LOWEST, HAZARD + 1))


def name_of(card: int) -> str:
    """A number as it is printed (`-4` to `10`), `hazard` or `mulligan`."""
    return NAMES[card - _LOWEST]


def is_positive(card: int) -> bool:
    """Whether a card can make lines and bounce: 1 to 10."""
    return MULLIGAN < card < HAZARD


def points_of(card: int) -> int:
    """What a card in no line adds to the score (GNO-20 to GNO-22)."""
    if card == HAZARD:
        return 10
    return 0 if card == FACE_DOWN else card
