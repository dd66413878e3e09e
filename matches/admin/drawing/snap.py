"""Snap: a face-down and a face-up pile before each seat, and the pot between them."""

from __future__ import annotations

from typing import Any

from matches.admin.drawing.scene import BACK, EMPTY, Card, Scene, SeatScene, Zone, pile, race_facts

SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def draw(state: dict[str, Any], names: tuple[str, ...]) -> Scene:
    """The scene."""
    top = state["pot_top"]
    middle: list[Zone] = [pile("Pot", state["pot"], EMPTY if top is None else playing_card(top))]
    if state["race"] is not None:
        middle.append(Zone("Turned", (BACK if state["card"] is None else playing_card(state["card"]),)))
    facts = [("Cards turned", f"{state['turned']} of at most {state['turn_limit']}"), *race_facts(state, names)]
    seats = [_seat(state, seat, names[seat["seat"]]) for seat in state["seats"]]
    return Scene(tuple(middle), tuple(seats), tuple(facts))


def playing_card(name: str) -> Card:
    """A card of a deck of 52: `TH` is the ten of hearts."""
    rank, suit = name[:-1].replace("T", "10"), name[-1]
    return Card(rank, "red" if suit in "DH" else "black", SUITS[suit])


def _seat(state: dict[str, Any], seat: dict[str, Any], name: str) -> SeatScene:
    top = EMPTY if seat["top"] is None else playing_card(seat["top"])
    zones = pile("Face down", seat["face_down"]), pile("Face up", seat["face_up"], BACK if seat["hidden_card"] else top)
    said = ("dealer",) if state["dealer"] == seat["seat"] else ()
    return SeatScene(
        seat["seat"], name, zones, said, is_in_turn=state["turn"] == seat["seat"], is_gone=not seat["is_in"]
    )
