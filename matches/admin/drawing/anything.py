"""A table of any game, by what its view holds: counts are facts, lists of names are cards, seats are seats."""

from __future__ import annotations

from typing import Any

from matches.admin.drawing.scene import BACK, Card, Scene, SeatScene, Zone, row, words


def draw(state: Any, names: tuple[str, ...]) -> Scene:
    """The scene; a game that says more of itself has a module of its own."""
    fields = state if isinstance(state, dict) else {"state": state}
    seats = fields.get("seats")
    rows = seats if isinstance(seats, list | tuple) and len(seats) == len(names) else [{}] * len(names)
    middle = _zones({key: value for key, value in fields.items() if key != "seats"})
    around = tuple(
        SeatScene(number, names[number], _zones(held), tuple(f"{key}: {value}" for key, value in _facts(held)))
        for number, held in enumerate(rows)
        if isinstance(held, dict)
    )
    return Scene(middle, around, tuple(_facts({key: value for key, value in fields.items() if key != "seats"})))


def _zones(fields: dict[str, Any]) -> tuple[Zone, ...]:
    return tuple(
        row(words(key).capitalize(), [BACK if card is None else Card(words(card)) for card in value])
        for key, value in fields.items()
        if isinstance(value, list | tuple) and value and all(card is None or isinstance(card, str) for card in value)
    )


def _facts(fields: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        (words(key).capitalize(), words(value))
        for key, value in fields.items()
        if value is not None and not isinstance(value, list | tuple | dict)
    ]
