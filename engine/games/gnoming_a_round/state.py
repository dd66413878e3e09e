"""Options, and everything there is to know of a match."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct

from engine.core.seating import next_in

SLOTS = 9
ALL_UP = (1 << SLOTS) - 1
ROUNDS = 3

Seconds = Annotated[int, Meta(ge=1, le=31_536_000)]
Slot = Annotated[int, Meta(ge=0, le=SLOTS - 1)]


class BounceChain(StrEnum):
    """After which replaced cards bouncing may go on (GNO-16)."""

    ANY = "any"
    FACE_DOWN = "face_down"


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What can be agreed before a match. Limits in seconds, or in turns a round."""

    two_seats: bool = False
    bounce_chain: BounceChain = BounceChain.ANY
    taken_must_be_played: bool = False
    turn_limit: Annotated[int, Meta(ge=1, le=1000)] = 150
    round_limit_s: Seconds | None = None
    time_limit_s: Seconds | None = None


class Phase(StrEnum):
    """What the match waits for."""

    SETUP = "setup"
    DRAW = "draw"
    PLAY = "play"
    REPLACED = "replaced"
    HAZARD = "hazard"
    OVER = "over"


class Pile(StrEnum):
    """One of the two discard piles."""

    LEFT = "left"
    RIGHT = "right"


class Source(StrEnum):
    """Where a card may be drawn: the draw pile, or one of the two discard piles."""

    PILE = "pile"
    LEFT = "left"
    RIGHT = "right"


class Ending(StrEnum):
    """Why a round ends: after the last turns, or cut short (GNO-24, GNO-27, GNO-30)."""

    LAST_TURNS = "last_turns"
    PILE = "pile"
    TURN_LIMIT = "turn_limit"
    ROUND_LIMIT = "round_limit"
    TIME_LIMIT = "time_limit"


class HazardAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """A sealed answer to a Hazard: a slot to turn up, or None to decline."""

    seat: int
    slot: int | None


class HazardCall(Struct, frozen=True, forbid_unknown_fields=True):
    """A Hazard has left play and these seats are asked (GNO-11).

    `latest` is the match time of the latest answer so far: answers may be taken in another order than they came in.
    """

    number: int
    seats: tuple[int, ...]
    answers: tuple[HazardAnswer, ...] = ()
    latest: int = 0


class TakenAlong(Struct, frozen=True, forbid_unknown_fields=True):
    """A drawn card that a leaver held and nobody else has seen.

    `fresh` if it came from the draw pile made by the reshuffle, whose cards everybody knows.
    """

    seat: int
    card: int
    fresh: bool


class Result(Struct, frozen=True, forbid_unknown_fields=True):
    """A scored round. Seats that weren't in have an empty layout and no score; `bonus` is what `out_first` got."""

    layouts: tuple[tuple[int, ...], ...]
    scores: tuple[int | None, ...]
    ending: Ending
    out_first: int | None
    bonus: int


class State(Struct, frozen=True, forbid_unknown_fields=True):
    """A match at one moment. Piles have their top last; `up` are bit masks of the slots that lie face up.

    `turn` is the seat in turn, during set-up the one that will begin. `turns` are those begun this round, `turn_number`
    in the match. `hand` is the drawn card (with `source`) or the replaced one (without). `used` are the slots that were
    replaced this turn. `cut` says why the round ends after this turn, `last_round` that no other follows.
    """

    options: Options
    seats: int
    began: int
    left: tuple[int, ...]
    number: int = 0
    round_began: int = 0
    phase: Phase = Phase.SETUP
    turn: int = 0
    turns: int = 0
    turn_number: int = 0
    layouts: tuple[tuple[int, ...], ...] = ()
    up: tuple[int, ...] = ()
    pile: tuple[int, ...] = ()
    left_pile: tuple[int, ...] = ()
    right_pile: tuple[int, ...] = ()
    chosen: tuple[tuple[int, int] | None, ...] = ()
    hand: int | None = None
    source: Source | None = None
    used: int = 0
    may_bounce: bool = False
    hazard: HazardCall | None = None
    hazard_number: int = 0
    hazards_gone: int = 0
    withdrawn_open: tuple[int, ...] = ()
    withdrawn_hidden: tuple[int, ...] = ()
    taken_along: tuple[TakenAlong, ...] = ()
    reshuffled_in: int | None = None
    out_first: int | None = None
    last_turns: tuple[int, ...] = ()
    cut: Ending | None = None
    last_round: bool = False
    results: tuple[Result, ...] = ()
    reason: str | None = None


def seats_in(state: State) -> tuple[int, ...]:
    """The seats that haven't left, in seat order."""
    return tuple(seat for seat, step in enumerate(state.left) if not step)


def next_seat(state: State, start: int) -> int:
    """The next seat left of `start` that is still in."""
    return next_in(start, [not step for step in state.left])


def is_hand_fresh(state: State) -> bool:
    """Whether a card drawn now came from the pile that the reshuffle made, not from the first one (GNO-24)."""
    return state.reshuffled_in is not None and state.reshuffled_in < state.turns


def hand_is_hidden(state: State, viewer: int | None) -> bool:
    """Whether the card in hand is a drawn one that this viewer hasn't seen (GNO-7)."""
    return state.source is Source.PILE and viewer != state.turn


def forced_pile(state: State) -> Pile | None:
    """The discard pile that must be filled because it alone is empty (GNO-10)."""
    if bool(state.left_pile) is bool(state.right_pile):
        return None
    return Pile.RIGHT if state.left_pile else Pile.LEFT
