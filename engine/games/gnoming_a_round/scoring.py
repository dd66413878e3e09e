"""What a layout is worth, and how a match stands."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from engine.core.outcome import Standing, places_of
from engine.games.gnoming_a_round.cards import MULLIGAN, is_positive, points_of
from engine.games.gnoming_a_round.state import Result, State

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8))
"""The slots of the three rows and the three columns."""

OUT_BONUS = 5


class Tally(Struct, frozen=True):
    """A counted layout: its points, the indexes of its lines in `LINES`, and the slot of the Mulligan that is wild."""

    points: int
    lines: tuple[int, ...]
    wild: int | None


def tally(cards: Sequence[int]) -> Tally:
    """Count nine cards with the Mulligan that helps most as the wild one (GNO-13, GNO-14)."""
    mulligans = [slot for slot, card in enumerate(cards) if card == MULLIGAN]
    return min((_count(cards, wild) for wild in (None, *mulligans)), key=lambda counted: counted.points)


def _count(cards: Sequence[int], wild: int | None) -> Tally:
    """Count with the Mulligan in slot `wild` as the only one that completes lines (GNO-19 to GNO-22)."""
    values = [_line_value(cards, line, wild) for line in LINES]
    lined = {slot for line, value in zip(LINES, values, strict=True) if value for slot in line}
    loose = sum(points_of(card) for slot, card in enumerate(cards) if slot not in lined)
    lines = tuple(index for index, value in enumerate(values) if value)
    return Tally(loose - sum(values), lines, wild)


def _line_value(cards: Sequence[int], line: tuple[int, int, int], wild: int | None) -> int:
    """The value of a row or column of equal positive cards, 0 if it is none; the wild Mulligan equals the others."""
    real = {cards[slot] for slot in line if slot != wild}
    value = real.pop()
    return value if not real and is_positive(value) else 0


def out_bonus(scores: Sequence[int | None], seat: int) -> int:
    """What the seat that went out first adds: -5 with the lowest score or a tie for it, else 5 (GNO-23)."""
    own = scores[seat]
    others = [score for score in scores if score is not None]
    return -OUT_BONUS if own == min(others) else OUT_BONUS


def totals(seats: int, results: Sequence[Result]) -> tuple[int, ...]:
    """Each seat's points over the scored rounds."""
    return tuple(sum(result.scores[seat] or 0 for result in results) for seat in range(seats))


def standing(state: State) -> Standing:
    """The lowest total leads, then the lowest score in the round scored last (GNO-25)."""
    points = totals(state.seats, state.results)
    last = state.results[-1].scores if state.results else points
    keys = [(-total, -(score or 0)) for total, score in zip(points, last, strict=True)]
    return Standing(places_of(keys, state.left), points)
