"""What lies where nobody may look, and other ways in which it could lie (ALL-1, ALL-2, TUD-32)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from engine.core.rng import Rng
from engine.games.three_up_three_down.cards import NOTHING, CardName, names
from engine.games.three_up_three_down.state import PLACES, State


def census(state: State) -> dict[str, tuple[CardName, ...]]:
    """Every card by zone; cards cleared and cards of seats that left are out of the game (TUD-18, TUD-33)."""
    zones: dict[str, tuple[CardName, ...]] = {
        "draw": names(state.draw),
        "discard": names(state.discard),
        "cleared": names(state.cleared),
    }
    for seat, step in enumerate(state.left):
        out = "gone:" if step else ""
        zones[f"{out}hand:{seat}"] = names(state.hands[seat])
        zones[f"{out}up:{seat}"] = names(state.ups[seat])
        zones[f"{out}down:{seat}"] = names(filter(None, state.downs[seat]))
    return zones


def shuffle_hidden(state: State, viewer: int | None, rng: Rng) -> State:
    """The same table for this viewer, with the draw pile, the hands of others and unseen DOWN cards lying differently.

    A card that all have just seen going from DOWN to a hand stays there; cards picked up earlier are the players' to
    remember, and count as hidden.
    """
    pool = iter(rng.shuffle(_hidden(state, viewer)))
    draw = tuple(next(pool) for _ in state.draw)
    hands = tuple(
        hand if seat == viewer else _dealt_again(hand, _shown(state, seat), pool)
        for seat, hand in enumerate(state.hands)
    )
    downs = tuple(
        tuple(next(pool) if _is_unseen(state, seat, slot) else down[slot] for slot in range(PLACES))
        for seat, down in enumerate(state.downs)
    )
    choices = tuple(
        tuple(sorted(rng.shuffle(hands[seat])[: len(choice)])) if seat != viewer else choice
        for seat, choice in enumerate(state.choices)
    )
    return replace(state, draw=draw, hands=hands, downs=downs, choices=choices)


def _hidden(state: State, viewer: int | None) -> list[int]:
    cards = list(state.draw)
    for seat, hand in enumerate(state.hands):
        if seat != viewer:
            cards += hand
            for card in _shown(state, seat):
                cards.remove(card)
        cards += [state.downs[seat][slot] for slot in range(PLACES) if _is_unseen(state, seat, slot)]
    return cards


def _dealt_again(hand: tuple[int, ...], shown: tuple[int, ...], pool: Iterator[int]) -> tuple[int, ...]:
    return tuple(sorted((*shown, *(next(pool) for _ in hand[len(shown) :]))))


def _shown(state: State, seat: int) -> tuple[int, ...]:
    """The card of this hand that all have just seen coming from DOWN."""
    turned = state.turned
    return (turned.card,) if turned and turned.seat == seat and turned.fate == "hand" else ()


def _is_unseen(state: State, seat: int, slot: int) -> bool:
    return state.downs[seat][slot] != NOTHING and not state.known[seat] >> slot & 1
