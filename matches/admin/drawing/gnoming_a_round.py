"""Gnoming A Round: a draw pile between two discard piles, and a layout of nine before each seat."""

from __future__ import annotations

from typing import Any

from matches.admin.drawing.scene import BACK, EMPTY, Card, Scene, SeatScene, Zone, many, pile, words


def draw(state: dict[str, Any], names: tuple[str, ...]) -> Scene:
    """The scene."""
    middle = [
        _discards("Left pile", state["left_pile"]),
        pile("Draw pile", state["draw_pile"]),
        _discards("Right pile", state["right_pile"]),
    ]
    hand = state["hand"]
    if hand is not None:
        card = BACK if hand["card"] is None else golf_card(hand["card"])
        middle.append(Zone(f"In the hand of {names[hand['seat']]}", (card,), words(hand["source"] or "replaced")))
    facts = [
        ("Round", f"{state['round']} of {state['rounds']}"),
        ("Turn", f"{state['turns']} of at most {state['turn_limit']}"),
        ("Phase", words(state["phase"])),
    ]
    if state["hazard"] is not None:
        open_to = [names[seat] for seat in state["hazard"]["seats"] if seat not in state["hazard"]["answered"]]
        facts.append(("Hazard", f"waits for {', '.join(open_to) or 'nobody'}"))
    if state["out_first"] is not None:
        facts.append(("Went out first", names[state["out_first"]]))
    if state["ends_after_turn"]:
        facts.append(("Ends after this turn", words(state["ends_after_turn"])))
    for result in state["results"]:
        scores = ", ".join(f"{names[seat]} {_score(held)}" for seat, held in enumerate(result["seats"]))
        facts.append((f"Round {result['round']}", f"{scores} ({words(result['ending'])})"))
    seats = tuple(_seat(state, number, seat, names[number]) for number, seat in enumerate(state["seats"]))
    return Scene(tuple(middle), seats, tuple(facts))


def golf_card(name: str) -> Card:
    """A number, good ones green, or one of the two special cards."""
    if name in {"hazard", "mulligan"}:
        return Card(name, "red" if name == "hazard" else "violet")
    return Card(name.replace("-", "−"), "green" if name.startswith("-") else "blue")


def _score(held: dict[str, Any]) -> str:
    return "–" if held["score"] is None else str(held["score"])


def _discards(title: str, cards: list[str]) -> Zone:
    return pile(title, len(cards), golf_card(cards[-1]) if cards else EMPTY)


def _seat(state: dict[str, Any], number: int, seat: dict[str, Any], name: str) -> SeatScene:
    layout = tuple(BACK if card is None else golf_card(card) for card in seat["cards"])
    said = [f"shows {many(seat['showing'], 'point')}", f"{seat['total']} in all", f"place {seat['place']}"]
    if seat["has_last_turn"]:
        said.append("has a last turn")
    zones = (Zone("Layout", layout, kind="grid"),) if layout else ()
    return SeatScene(number, name, zones, tuple(said), is_in_turn=state["turn"] == number, is_gone=seat["has_left"])
