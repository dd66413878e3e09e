"""What seats may ask for, and what happens."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from engine.core.events import Event
from engine.core.moves import Move

Count = Annotated[int, Meta(ge=0, le=40)]
Name = Annotated[str, Meta(max_length=20)]
Level = Annotated[int, Meta(ge=1, le=3)]


class Gems(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Numbers of gems by colour; what is left out is none."""

    white: Count = 0
    blue: Count = 0
    green: Count = 0
    red: Count = 0
    black: Count = 0


class Tokens(Gems, frozen=True, forbid_unknown_fields=True, gc=False):
    """Numbers of tokens by colour, gold included; what is left out is none."""

    gold: Count = 0


class Take(Move, frozen=True, gc=False):
    """Take gems from the bank: three of different kinds, or two of one kind of which there are four or more.

    `returning`, if given, is exactly what is over ten afterwards; left out, it is asked for when there is any.
    """

    gems: Gems
    returning: Tokens | None = None


class Reserve(Move, frozen=True, gc=False):
    """Reserve the face-up `card`, or the top card of the deck of a `level`, and get one gold if there is any.

    `returning`, if given, is exactly what is over ten afterwards; left out, it is asked for when there is any.
    """

    card: Name | None = None
    level: Level | None = None
    returning: Tokens | None = None


class Buy(Move, frozen=True, gc=False):
    """Buy a card from the grid or from the own reserve; `payment` left out pays the least gold."""

    card: Name
    payment: Tokens | None = None


class ReturnTokens(Move, frozen=True, gc=False):
    """Give back exactly the tokens over ten."""

    tokens: Tokens


class ChooseNoble(Move, frozen=True, gc=False):
    """Choose one of the several nobles that would come."""

    noble: Name


class Pass(Move, frozen=True, gc=False):
    """Do nothing: only for a seat that can do nothing else."""


SplendorMove: TypeAlias = Take | Reserve | Buy | ReturnTokens | ChooseNoble | Pass


class TableLaid(Event, frozen=True, gc=False):
    """The match begins: `first` was drawn, the grid and the nobles lie face up, the bank is filled."""

    first: int
    bank: Tokens
    grid: tuple[str, ...]
    nobles: tuple[str, ...]


class GemsTaken(Event, frozen=True, gc=False):
    """A seat took gems from the bank."""

    seat: int
    gems: Gems


class CardReserved(Event, frozen=True, gc=False):
    """A seat reserved a face-up card from a place of the grid, with one gold or none."""

    seat: int
    card: str
    level: int
    place: int
    gold: int


class TopReserved(Event, frozen=True, gc=False):
    """A seat reserved the top card of a deck, unseen by the others, with one gold or none."""

    seat: int
    level: int
    gold: int


class TopSeen(Event, frozen=True, gc=False):
    """For its owner only: which card it reserved from the top of a deck."""

    card: str


class CardBought(Event, frozen=True, gc=False):
    """A seat bought a card: from a `place` of the grid, or from a `slot` of its reserve (the other one is null)."""

    seat: int
    card: str
    level: int
    payment: Tokens
    place: int | None
    slot: int | None


class PlaceFilled(Event, frozen=True, gc=False):
    """The next card of the deck lies in this place of the grid; null when the deck is empty and the place stays so."""

    level: int
    place: int
    card: str | None


class TokensReturned(Event, frozen=True, gc=False):
    """A seat gave back what it held over ten."""

    seat: int
    tokens: Tokens


class NobleCame(Event, frozen=True, gc=False):
    """A noble came to a seat."""

    seat: int
    noble: str


class Passed(Event, frozen=True, gc=False):
    """A seat could do nothing and passed."""

    seat: int


class LastRound(Event, frozen=True, gc=False):
    """This round is the last one: `reason` is the one with which the match will end."""

    reason: str


class SeatLeft(Event, frozen=True, gc=False):
    """A seat left: `tokens` went back to the bank, its cards and nobles out of play."""

    seat: int
    tokens: Tokens


class MatchEnded(Event, frozen=True, gc=False):
    """The match is over."""

    reason: str


SplendorEvent: TypeAlias = (
    TableLaid
    | GemsTaken
    | CardReserved
    | TopReserved
    | TopSeen
    | CardBought
    | PlaceFilled
    | TokensReturned
    | NobleCame
    | Passed
    | LastRound
    | SeatLeft
    | MatchEnded
)
