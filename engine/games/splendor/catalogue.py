"""The 90 development cards and 10 nobles (SPL-1), read from the tables beside this module and checked by totals."""

from __future__ import annotations

import csv
from collections import Counter
from importlib.resources import files
from typing import TypeAlias

from msgspec import Struct

Five: TypeAlias = tuple[int, int, int, int, int]
"""A number for each gem, in gem order."""

GEMS = ("white", "blue", "green", "red", "black")
LEVELS = (1, 2, 3)
MOST_HELD = 7 + 18 + 5
"""The tokens and bonuses of one gem that a seat can have at most, gold counted in."""


class Card(Struct, frozen=True, gc=False):
    """A development card. `bonus` is a place in GEMS, `cost` counts gems in gem order."""

    name: str
    level: int
    bonus: int
    points: int
    cost: Five


class Noble(Struct, frozen=True, gc=False):
    """A noble with the bonuses it asks for, in gem order."""

    name: str
    points: int
    asks: Five


def _rows(name: str) -> list[dict[str, str]]:
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def _five(row: dict[str, str]) -> Five:
    white, blue, green, red, black = (int(row[gem]) for gem in GEMS)
    return white, blue, green, red, black


def _cards() -> tuple[Card, ...]:
    found: list[Card] = []
    numbers: Counter[tuple[str, str]] = Counter()
    for row in _rows("cards.csv"):
        kind = row["level"], row["bonus"]
        numbers[kind] += 1
        name = f"L{kind[0]}-{kind[1]}-{numbers[kind]:02}"
        found.append(Card(name, int(kind[0]), GEMS.index(kind[1]), int(row["points"]), _five(row)))
    return tuple(found)


def _nobles() -> tuple[Noble, ...]:
    rows = enumerate(_rows("nobles.csv"), start=1)
    return tuple(Noble(f"noble-{number:02}", int(row["points"]), _five(row)) for number, row in rows)


CARDS = _cards()
NOBLES = _nobles()
CARD_BY_NAME = {card.name: number for number, card in enumerate(CARDS)}
NOBLE_BY_NAME = {noble.name: number for number, noble in enumerate(NOBLES)}
LEVEL_CARDS = tuple(tuple(n for n, card in enumerate(CARDS) if card.level == level) for level in LEVELS)
FEWEST_ASKED = min(sum(noble.asks) for noble in NOBLES)
"""With fewer bonuses than this no noble comes, whatever they are."""


def _check_totals() -> None:
    totals = {
        "cards a level": ([len(cards) for cards in LEVEL_CARDS], [40, 30, 20]),
        "cards a bonus": ([sum(card.bonus == gem for card in CARDS) for gem in range(5)], [18] * 5),
        "points a level": ([sum(CARDS[n].points for n in cards) for cards in LEVEL_CARDS], [5, 55, 80]),
        "cost a level": ([sum(sum(CARDS[n].cost) for n in cards) for cards in LEVEL_CARDS], [165, 205, 215]),
        "cost a gem": ([sum(card.cost[gem] for card in CARDS) for gem in range(5)], [117] * 5),
        "nobles": ([len(NOBLES), sum(noble.points for noble in NOBLES)], [10, 30]),
        "bonuses asked for": ([sum(noble.asks[gem] for noble in NOBLES) for gem in range(5)], [17] * 5),
    }
    for what, (found, right) in totals.items():
        if found != right:
            raise ValueError(f"the tables of Splendor are damaged: {what} are {found}, not {right}")


_check_totals()


def _within(gem: int) -> tuple[int, ...]:
    """For each number of this gem, the cards (a bit each) that ask for no more of it."""
    return tuple(sum(1 << n for n, card in enumerate(CARDS) if card.cost[gem] <= held) for held in range(MOST_HELD + 1))


ASKED = tuple(tuple((gem, number) for gem, number in enumerate(card.cost) if number) for card in CARDS)
"""For each card the gems that it asks for, each with its number."""

WITHIN = tuple(_within(gem) for gem in range(5))
