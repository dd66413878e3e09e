"""What a layout is worth to a bot: points as they will be scored, so the lower the better.

Cards that lie face down are never read: `open_cards` puts `FACE_DOWN` in their place.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TypeAlias

from engine.games.gnoming_a_round.cards import DECK, FACE_DOWN, MULLIGAN, is_positive, points_of
from engine.games.gnoming_a_round.scoring import LINES, tally
from engine.games.gnoming_a_round.state import SLOTS, State

Cards: TypeAlias = tuple[int, ...]

UNSEEN = sum(points_of(card) for card in DECK) / len(DECK)
"""What a card that nobody has seen adds on average."""
_MULLIGAN_AHEAD = 3.0


def open_cards(state: State, seat: int) -> Cards:
    """The layout of a seat as everybody sees it."""
    up = state.up[seat]
    return tuple(card if up >> slot & 1 else FACE_DOWN for slot, card in enumerate(state.layouts[seat]))


@lru_cache(maxsize=20_000)
def worth(cards: Cards, promise: float) -> float:
    """Points to expect: what lies open is counted, what doesn't is average.

    `promise` is the likelihood that a line of which two cards lie will be completed (from 0 to 1).
    """
    counted = tally(cards)
    points = counted.points + UNSEEN * cards.count(FACE_DOWN)
    if promise:
        points -= promise * sum(_to_gain(cards, line) for line in LINES)
        if counted.wild is None and MULLIGAN in cards:
            points -= promise * _MULLIGAN_AHEAD
    return points


def _to_gain(cards: Cards, line: tuple[int, int, int]) -> float:
    """What completing this line would take off; nothing unless two of its cards are equal and the third isn't."""
    a, b, c = cards[line[0]], cards[line[1]], cards[line[2]]
    if a == b != c and is_positive(a):
        return 3 * a + _points(c)
    if a == c != b and is_positive(a):
        return 3 * a + _points(b)
    if b == c != a and is_positive(b):
        return 3 * b + _points(a)
    return 0


def _points(card: int) -> float:
    return UNSEEN if card == FACE_DOWN else points_of(card)


def with_card(cards: Cards, slot: int, card: int) -> Cards:
    """The layout with this card in a slot."""
    return (*cards[:slot], card, *cards[slot + 1 :])


def best_place(cards: Cards, card: int, promise: float) -> tuple[float, int]:
    """How many points the card takes off in the slot where it helps most (less than 0: it harms), and that slot."""
    now = worth(cards, promise)
    return max((now - worth(with_card(cards, slot, card), promise), -slot) for slot in range(SLOTS))


def unseen(state: State, seat: int) -> Counter[int]:
    """How many of each card this seat hasn't seen in this round, as far as they lie about."""
    left = Counter(DECK)
    left.subtract(state.left_pile)
    left.subtract(state.right_pile)
    for other in range(state.seats):
        left.subtract(card for card in open_cards(state, other) if card != FACE_DOWN)
    return +left
