"""Splendor: nobles, three rows of cards and the bank in the middle; tokens and cards before each seat."""

from __future__ import annotations

from typing import Any

from matches.admin.drawing.scene import BACK, EMPTY, Card, Chip, Scene, SeatScene, Zone, many, row, words


def draw(state: dict[str, Any], names: tuple[str, ...]) -> Scene:
    """The scene."""
    levels = [
        row(f"Level {level['level']}", [_place(card) for card in level["places"]], f"{level['deck']} in the deck")
        for level in reversed(state["levels"])
    ]
    nobles = row("Nobles", [noble(name) for name in state["nobles"]])
    bank = Zone("Bank", kind="chips", chips=chips(state["bank"]))
    facts = [("Round", str(state["round"])), ("Turn", str(state["turn"])), ("Decides", words(state["phase"]))]
    if state["last_round"]:
        facts.append(("Last round", words(state["last_round"])))
    if state["to_return"]:
        facts.append(("To return", many(state["to_return"], "token")))
    seats = tuple(_seat(state, seat, names[seat["seat"]]) for seat in state["seats"])
    return Scene((nobles, *levels, bank), seats, tuple(facts))


def development(name: str) -> Card:
    """A card by its name: `L1-green-08`."""
    level, colour, number = name.split("-")
    return Card(number, f"gem-{colour}", f"{level} {colour}")


def noble(name: str) -> Card:
    """A noble by its name: `noble-08`."""
    return Card(name.rpartition("-")[2], "violet", "noble")


def chips(tokens: dict[str, int]) -> tuple[Chip, ...]:
    """Tokens or bonuses, those that there are."""
    return tuple(Chip(str(count), f"gem-{colour}") for colour, count in tokens.items() if count)


def _place(name: str | None) -> Card:
    return EMPTY if name is None else development(name)


def _seat(state: dict[str, Any], seat: dict[str, Any], name: str) -> SeatScene:
    reserved = [BACK if held["card"] is None else development(held["card"]) for held in seat["reserved"]]
    zones = (
        Zone("Tokens", kind="chips", chips=chips(seat["tokens"]), note="" if chips(seat["tokens"]) else "none"),
        Zone("Bonuses", kind="chips", chips=chips(seat["bonuses"]), note="" if chips(seat["bonuses"]) else "none"),
        row("Bought", [development(card) for card in seat["bought"]]),
        row("Reserved", reserved),
        row("Nobles", [noble(one) for one in seat["nobles"]]),
    )
    return SeatScene(
        seat["seat"],
        name,
        tuple(zone for zone in zones if zone.cards or zone.kind == "chips"),
        (f"{seat['prestige']} prestige", f"place {seat['place']}"),
        is_in_turn=state["turn_of"] == seat["seat"],
        is_gone=seat["has_left"],
    )
