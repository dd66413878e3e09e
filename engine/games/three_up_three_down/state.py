"""What a match of 3UP 3DOWN is made of."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from msgspec import Meta, Struct

from engine.games.three_up_three_down.cards import NOTHING, Deck

Zone = Literal["hand", "up", "down"]
Reason = Literal["", "out", "turn_limit", "time_limit", "last_seat", "all_left"]
Fate = Literal["played", "hand", "back"]

HAND = 3
"""A seat draws back up to this many cards (TUD-12)."""
PLACES = 3
"""DOWN cards of a seat, and UP cards on them (TUD-2, TUD-3)."""
DEALT = 6


class FailedDown(StrEnum):
    """What becomes of a DOWN card that can't be played (TUD-26)."""

    HAND = "hand"
    STAYS = "stays"


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What may differ from match to match: the deck (TUD-1), DOWN cards that fail (TUD-26), the limits (TUD-31)."""

    deck: Deck = Deck.ALL
    failed_down: FailedDown = FailedDown.HAND
    turn_limit: Annotated[int, Meta(ge=1, le=10_000)] = 600
    time_limit_s: Annotated[int, Meta(ge=60, le=31_536_000)] | None = None


class Turned(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The DOWN card that the last move turned, for all to see, and where it went."""

    seat: int
    slot: int
    card: int
    fate: Fate


class State(Struct, frozen=True, forbid_unknown_fields=True):
    """One moment of a match; cards are kinds, seats in tuples by number.

    `began` is match time in milliseconds. `turn` is 0 while UP cards are chosen, then counts turns from 1; `seat` is in
    turn. `due` discards are still owed in this turn, the first one included; `may_draw` waits for the seat's word on a
    draw before its extra discard (TUD-16). The last cards of `draw` and `discard` lie on top. Hands and UP cards are
    sorted; `downs` are places, `known` the bits of those seen and put back (TUD-26). `choices` are UP cards chosen and
    still hidden. `left` is 0, or the step at which a seat left, from 1; what it had stays in its tuples and is out of
    the game (TUD-33).
    """

    options: Options
    began: int
    dealer: int
    turn: int
    seat: int
    due: int
    may_draw: bool
    draw: tuple[int, ...]
    discard: tuple[int, ...]
    cleared: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    ups: tuple[tuple[int, ...], ...]
    downs: tuple[tuple[int, ...], ...]
    known: tuple[int, ...]
    choices: tuple[tuple[int, ...], ...]
    left: tuple[int, ...]
    time_up: bool = False
    turned: Turned | None = None
    reason: Reason = ""


def top_of(state: State) -> int:
    """The card that the next one must equal or exceed; anything goes on NOTHING (TUD-8)."""
    return state.discard[-1] if state.discard else NOTHING


def zone_of(state: State, seat: int) -> Zone:
    """Where this seat plays from: the hand, then UP, then DOWN (TUD-23, TUD-27)."""
    if state.hands[seat]:
        return "hand"
    return "up" if state.ups[seat] else "down"


def cards_left(state: State, seat: int) -> int:
    """Cards in hand, UP and DOWN (TUD-30); of a seat that left, those it left with."""
    return len(state.hands[seat]) + len(state.ups[seat]) + PLACES - state.downs[seat].count(NOTHING)


def staying(state: State) -> list[int]:
    """The seats still in the match."""
    return [seat for seat, step in enumerate(state.left) if not step]


def down_slots(state: State, seat: int) -> list[int]:
    """The DOWN places of which this seat may turn one (TUD-26).

    A card known to fail is left alone while anything else can be tried: nobody picks up of its own will (TUD-10).
    """
    top, known, places = top_of(state), state.known[seat], state.downs[seat]
    lying = [slot for slot in range(PLACES) if places[slot]]
    return [slot for slot in lying if not known >> slot & 1 or places[slot] >= top] or lying
