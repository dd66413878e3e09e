"""3UP 3DOWN: draw and discard pile in the middle; UP, DOWN and the hand before each seat."""

from __future__ import annotations

from typing import Any

from matches.admin.drawing.scene import BACK, EMPTY, Card, Scene, SeatScene, Zone, pile, row, words


def draw(state: dict[str, Any], names: tuple[str, ...]) -> Scene:
    """The scene."""
    middle = [
        pile("Draw pile", state["draw_pile"]),
        row("Discard pile", [number_card(card) for card in state["discard_pile"]]) if state["top"] else _empty(),
    ]
    if state["cleared"]:
        middle.append(pile("Cleared", len(state["cleared"]), number_card(state["cleared"][-1])))
    if state["hand"] or state["choice"]:
        middle.append(row("Own hand", [number_card(card) for card in state["hand"]]))
    if state["choice"]:
        middle.append(row("Own choice of UP cards", [number_card(card) for card in state["choice"]]))
    turn = f"{state['turn']} of at most {state['turn_limit']}" if state["turn"] else "UP cards are chosen"
    facts = [("Turn", turn)]
    if state["asked"]:
        facts.append(("Asked for", words(state["asked"])))
    if state["turned"] is not None:
        turned = state["turned"]
        facts.append(("Turned last", f"{words(turned['card'])} of {names[turned['seat']]}: {words(turned['fate'])}"))
    if state["gone"]:
        facts.append(("Cards of seats that left", str(state["gone"])))
    return Scene(tuple(middle), tuple(_seat(state, seat, names[seat["seat"]]) for seat in state["seats"]), tuple(facts))


def number_card(name: str) -> Card:
    """A number, or a card that clears the pile."""
    if name.isdigit():
        return Card(name, "blue")
    return Card("clear", "violet", name.removeprefix("clear").replace("_plus_", "+"))


def _empty() -> Zone:
    return Zone("Discard pile", (EMPTY,), "empty")


def _seat(state: dict[str, Any], seat: dict[str, Any], name: str) -> SeatScene:
    down = [BACK if place["card"] is None else number_card(place["card"]) for place in seat["down"]]
    zones = (
        row("Up", [number_card(card) for card in seat["up"]]),
        row("Down", down),
        row("Hand", [BACK] * seat["hand"], str(seat["hand"])),
    )
    said = [f"plays from {seat['zone']}", f"{seat['cards_left']} left"]
    if state["dealer"] == seat["seat"]:
        said.append("dealer")
    if not state["turn"]:
        said.append("has chosen" if seat["has_chosen"] else "chooses")
    shown = tuple(zone for zone in zones if zone.cards)
    return SeatScene(
        seat["seat"],
        name,
        shown,
        tuple(said),
        is_in_turn=state["seat"] == seat["seat"],
        is_gone=seat["has_left"],
    )
