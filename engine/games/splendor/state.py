"""A match of Splendor as a value: what lies on the table, what each seat has, and how far the match is.

Cards and nobles are numbers of the catalogue here, and names everywhere outside.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from engine.core.outcome import Outcome
from engine.games.splendor.catalogue import Five

Counts: TypeAlias = tuple[int, int, int, int, int, int]
"""A number for each gem in gem order, then gold."""

MOST_TOKENS = 10
MOST_RESERVED = 3
PLACES = 4
"""The places of one level in the grid; the grid is three times as long, lowest level first."""

PRESTIGE = "prestige"
ALL_PASSED = "all_passed"
TURN_LIMIT = "turn_limit"
TIME_LIMIT = "time_limit"
LAST_SEAT = "last_seat"
ALL_LEFT = "all_left"


class Gold(StrEnum):
    """Whether gold is in games for two and three (SPL-4)."""

    FOUR_SEATS = "four_seats"
    ALWAYS = "always"


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of a match.

    `gold` says in which games there is gold. `turn_limit` counts rounds, `time_limit_s` seconds; when one of them is
    reached the round is finished and the standing decides.
    """

    gold: Gold = Gold.FOUR_SEATS
    turn_limit: Annotated[int, Meta(ge=1, le=1000)] = 200
    time_limit_s: Annotated[int, Meta(ge=1, le=604_800)] | None = None


class Phase(StrEnum):
    """What the seat in turn decides: its action, which tokens to give back, or which noble comes."""

    ACTION = "action"
    RETURN = "return"
    NOBLE = "noble"


class Held(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A reserved card; `is_secret` when only its owner knows it (SPL-18)."""

    card: int
    is_secret: bool


class Hand(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """What one seat has. `bonuses` and `prestige` are those of its bought cards and nobles."""

    tokens: Counts = (0, 0, 0, 0, 0, 0)
    bonuses: Five = (0, 0, 0, 0, 0)
    prestige: int = 0
    bought: tuple[int, ...] = ()
    reserved: tuple[Held, ...] = ()
    nobles: tuple[int, ...] = ()


class Board(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """What lies between the seats: a deck's top card is its last, an empty place of the grid is None."""

    bank: Counts
    grid: tuple[int | None, ...]
    decks: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
    nobles: tuple[int, ...]


class Box(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """What is out of play: what seats that left had, and the nobles that never lay open."""

    nobles: tuple[int, ...]
    cards: tuple[int, ...] = ()
    secret_cards: tuple[int, ...] = ()


class State(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A whole match.

    `began` is match time. `turn` and `round` count from 1. `left` is 0 for a seat that stays, else the step at which it
    left (from 1). `passes` are those made in a row. `ending` is the reason for which this round is the last one.
    """

    options: Options
    began: int
    first: int
    seat: int
    turn: int
    round: int
    phase: Phase
    passes: int
    ending: str | None
    board: Board
    hands: tuple[Hand, ...]
    left: tuple[int, ...]
    box: Box
    outcome: Outcome | None = None
