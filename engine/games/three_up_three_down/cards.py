"""The kinds of cards and the decks (TUD-1). Colour never matters in play: a card is its kind."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Literal

NOTHING = 0
"""No card: an empty DOWN place, and the top of an empty discard pile. Kinds 1 to 10 are the numbers."""
CLEAR = 11
CLEAR_PLUS_1 = 12
CLEAR_PLUS_2 = 13

CardName = Literal["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "clear", "clear_plus_1", "clear_plus_2"]
_NAMES: tuple[CardName, ...] = (
    *("1", "2", "3", "4", "5", "6", "7", "8", "9", "10"),
    *("clear", "clear_plus_1", "clear_plus_2"),
)
NAMES: dict[int, CardName] = dict(enumerate(_NAMES, start=1))
KINDS: dict[str, int] = {name: kind for kind, name in NAMES.items()}


class Deck(StrEnum):
    """Which colours are in play: all three, green and one more, or green alone."""

    ALL = "84"
    TWO_COLOURS = "60"
    GREEN = "36"


_COPIES = {Deck.ALL: (7, 7, 6, 1), Deck.TWO_COLOURS: (5, 5, 4, 1), Deck.GREEN: (3, 3, 2, 1)}
MOST_SEATS = {Deck.ALL: 6, Deck.TWO_COLOURS: 5, Deck.GREEN: 3}


def cards_of(deck: Deck) -> tuple[int, ...]:
    """Every card of a deck, in order (TUD-1)."""
    numbers, clears, plus_1, plus_2 = _COPIES[deck]
    return (
        *(number for number in range(1, CLEAR) for _ in range(numbers)),
        *(CLEAR,) * clears,
        *(CLEAR_PLUS_1,) * plus_1,
        *(CLEAR_PLUS_2,) * plus_2,
    )


def extras_in(deck: Deck) -> int:
    """How many extra discards the Clears of a deck give at the most: each is out of the game once it is played."""
    _, _, plus_1, plus_2 = _COPIES[deck]
    return plus_1 + 2 * plus_2


def names(kinds: Iterable[int]) -> tuple[CardName, ...]:
    """The names of some cards."""
    return tuple([NAMES[kind] for kind in kinds])
