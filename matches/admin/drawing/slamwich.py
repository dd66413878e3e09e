"""Slamwich: the sandwich in the middle, newest slice first, and a stack before each seat."""

from __future__ import annotations

from typing import Any

from matches.admin.drawing.scene import BACK, Card, Scene, SeatScene, many, pile, race_facts, row, words


def draw(state: dict[str, Any], names: tuple[str, ...]) -> Scene:
    """The scene."""
    layers = [BACK if card is None else slice_of(card) for card in reversed(state["top"])]
    middle = (row("Sandwich, the newest slice on the right", layers, many(state["pile"])),)
    facts = [("Slices turned", f"{state['turned']} of at most {state['turn_limit']}")]
    challenge = state["challenge"]
    if challenge is not None:
        facts.append(("Challenge", ", ".join(f"{words(key)} {value}" for key, value in challenge.items())))
    seats = tuple(
        SeatScene(
            seat["seat"],
            names[seat["seat"]],
            (pile("Stack", seat["cards"]),),
            ("dealer",) if state["dealer"] == seat["seat"] else (),
            is_in_turn=state["turn"] == seat["seat"],
            is_gone=not seat["is_in"],
        )
        for seat in state["seats"]
    )
    return Scene(middle, seats, (*facts, *race_facts(state, names)))


def slice_of(name: str) -> Card:
    """A slice of food, a thief or a muncher."""
    kind, _, rest = name.partition("_")
    if kind in {"thief", "muncher"}:
        return Card(rest, "red" if kind == "thief" else "violet", kind)
    return Card(words(name), "amber")
