"""What a seat may do in Snap, and what is told of it."""

from __future__ import annotations

from enum import StrEnum

from engine.core.events import Event
from engine.core.moves import Move
from engine.core.race import Answered, AnswerTaken, CardSeen


class Claim(StrEnum):
    """What is called: "Snap!", "Snap Pot!", or the hand on the index card (SNP-7, SNP-12, SNP-24)."""

    SNAP = "snap"
    SNAP_POT = "snap_pot"
    HAND = "hand"


class Turn(Move, frozen=True):
    """Turn the top card of your face-down pile onto your face-up pile (SNP-5)."""


class Look(Move, frozen=True):
    """Look at the card that was turned; your stopwatch starts with the answer (RACE-2)."""


class Call(Move, frozen=True):
    """Answer the race with a claim; it is judged when the race closes (RACE-4)."""

    claim: Claim


class Pass(Move, frozen=True):
    """Answer the race without a claim."""


SnapMove = Turn | Look | Call | Pass


class Dealt(Event, frozen=True):
    """The pack was dealt; `cards` is how many each seat got, by seat (SNP-2)."""

    dealer: int
    cards: tuple[int, ...]


class CardTurned(Event, frozen=True):
    """A seat's next card was turned onto its face-up pile, which opens the race with this number.

    With `pile_turned_over` its face-up pile first became its face-down pile (SNP-6).
    """

    race: int
    seat: int
    pile_turned_over: bool


class RaceClosed(Event, frozen=True):
    """The race is over: all answers, the quickest first."""

    race: int
    answers: tuple[Answered[Claim], ...]


class PilesWon(Event, frozen=True):
    """The caller puts what it has won under its face-down pile: the pot if `with_pot`, then the piles of `piles`."""

    seat: int
    piles: tuple[int, ...]
    with_pot: bool
    cards: int


class PilesPotted(Event, frozen=True):
    """The callers were simultaneous: the piles of `piles` go onto the Snap Pot in this order (SNP-11)."""

    callers: tuple[int, ...]
    piles: tuple[int, ...]
    cards: int


class PenaltyPaid(Event, frozen=True):
    """A wrong caller's card goes unseen under the face-down pile of `to` (SNP-17 to SNP-19)."""

    seat: int
    to: int
    from_face_up: bool


class SeatsOut(Event, frozen=True):
    """These seats have no card left and are out (SNP-16)."""

    seats: tuple[int, ...]


class SeatLeft(Event, frozen=True):
    """A seat left the match; `dealt` is how many of its cards each seat got, by seat (SNP-26)."""

    seat: int
    dealt: tuple[int, ...]


class TimeUp(Event, frozen=True):
    """The time limit is reached: the running race is the last one (SNP-25)."""


class GameEnded(Event, frozen=True):
    """The match is over; `places` by seat."""

    reason: str
    places: tuple[int, ...]


SnapEvent = (
    Dealt
    | CardTurned
    | CardSeen
    | AnswerTaken
    | RaceClosed
    | PilesWon
    | PilesPotted
    | PenaltyPaid
    | SeatsOut
    | SeatLeft
    | TimeUp
    | GameEnded
)
