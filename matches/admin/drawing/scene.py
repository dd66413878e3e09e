"""What a picture of a table is made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

MOST_SHOWN = 24
"""Of a long row of cards so many are drawn, the last ones; the rest is counted."""


class Card(NamedTuple):
    """One card: what stands large on it, what small, and its colour; `tone` back is one that lies face down."""

    text: str
    tone: str = "plain"
    small: str = ""


class Chip(NamedTuple):
    """A coloured count, such as tokens."""

    text: str
    tone: str


class Zone(NamedTuple):
    """A place for cards. `kind` is `row`, `grid` (three in a row) or `chips`; `note` stands beside the title."""

    title: str
    cards: tuple[Card, ...] = ()
    note: str = ""
    kind: str = "row"
    chips: tuple[Chip, ...] = ()
    more: int = 0


class SeatScene(NamedTuple):
    """What lies before a seat, and words about it."""

    number: int
    name: str
    zones: tuple[Zone, ...]
    words: tuple[str, ...] = ()
    is_in_turn: bool = False
    is_gone: bool = False


class Scene(NamedTuple):
    """The whole picture: the middle of the table, the seats around it, and facts in words."""

    middle: tuple[Zone, ...]
    seats: tuple[SeatScene, ...]
    facts: tuple[tuple[str, str], ...]


BACK = Card("", "back")
EMPTY = Card("", "empty")


def row(title: str, cards: Iterable[Card], note: str = "", kind: str = "row") -> Zone:
    """A row of cards, of a long one the end."""
    drawn = tuple(cards)
    return Zone(title, drawn[-MOST_SHOWN:], note, kind, more=max(0, len(drawn) - MOST_SHOWN))


def pile(title: str, count: int, top: Card = BACK) -> Zone:
    """A pile, of which the top is seen, and the number of its cards."""
    return Zone(title, (top if count else EMPTY,), many(count))


def many(count: int, thing: str = "card") -> str:
    """`1 card`, `2 cards`."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def words(value: Any) -> str:
    """A name of the interface in plain words."""
    return str(value).replace("_", " ")


def race_facts(state: dict[str, Any], names: tuple[str, ...]) -> list[tuple[str, str]]:
    """The open race, and how the last one ended."""
    facts = []
    race, last = state["race"], state["last"]
    if race is not None:
        answered = ", ".join(names[seat] for seat in race["answered"]) or "nobody yet"
        facts.append((f"Race {race['number']}", f"open; answered: {answered}"))
    if last is not None:
        answers = "; ".join(_answer(answer, names) for answer in last["answers"]) or "no answers"
        facts.append((f"Race {last['number']}", answers))
    return facts


def _answer(answer: dict[str, Any], names: tuple[str, ...]) -> str:
    claim = words(answer["claim"]) if answer["claim"] is not None else "pass"
    taken = f" after {answer['time_ms'] / 1000:.2f} s" if answer["time_ms"] is not None else ""
    return f"{names[answer['seat']]}: {claim}{taken}"
