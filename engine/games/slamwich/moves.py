"""What a seat may do in Slamwich, and what is told of it."""

from __future__ import annotations

from enum import StrEnum

from engine.core.events import Event
from engine.core.moves import Move
from engine.core.race import Answered, AnswerTaken, CardSeen


class Claim(StrEnum):
    """What is claimed: a bare slap, or a slap and "Stop Thief!" (SLM-12)."""

    SLAP = "slap"
    SLAP_AND_SHOUT = "slap_and_shout"


class Taking(StrEnum):
    """How a pile is taken: by the first right slap (SLM-11), or by a Muncher that wasn't stopped (SLM-25)."""

    SLAP = "slap"
    MUNCHER = "muncher"


class Turn(Move, frozen=True):
    """Turn the top card of your stack onto the pile (SLM-7)."""


class Look(Move, frozen=True):
    """Look at the card that was turned; your stopwatch starts with the answer (RACE-2)."""


class Slap(Move, frozen=True):
    """Slap the pile, with `shout` also calling "Stop Thief!"; it is judged when the race closes (SLM-12, RACE-4)."""

    shout: bool = False


class Pass(Move, frozen=True):
    """Answer the race without a claim."""


SlamwichMove = Turn | Look | Slap | Pass


class Dealt(Event, frozen=True):
    """The deck was dealt: `cards` to every seat, `left_over` face up in the middle as the pile (SLM-4)."""

    dealer: int
    cards: int
    left_over: int


class CardTurned(Event, frozen=True):
    """A seat's top card was turned onto the pile, which opens the race with this number."""

    race: int
    seat: int


class RaceClosed(Event, frozen=True):
    """The race is over: all answers, the quickest first."""

    race: int
    answers: tuple[Answered[Claim], ...]


class PileTaken(Event, frozen=True):
    """The seat puts the pile, of so many cards, under its stack (SLM-11, SLM-25)."""

    seat: int
    cards: int
    by: Taking


class SlipSlap(Event, frozen=True):
    """A wrong slap: the seat's top card goes to the bottom of the pile, unless it has none to pay (SLM-18, SLM-20)."""

    seat: int
    paid: bool


class CardKept(Event, frozen=True):
    """Nobody would be left: the last penalty goes back to the seat that paid it, which wins (SLM-32)."""

    seat: int


class ChallengeBegun(Event, frozen=True):
    """`muncher` steals the pile unless `responder` turns a stopper within `number` cards (SLM-22, SLM-26)."""

    muncher: int
    responder: int
    number: int


class MuncherStopped(Event, frozen=True):
    """The challenge is over and the pile stays (SLM-28, SLM-20, SLM-35)."""

    muncher: int


class SeatsOut(Event, frozen=True):
    """These seats have no card left and are out, the first to go out first (SLM-31)."""

    seats: tuple[int, ...]


class SeatLeft(Event, frozen=True):
    """A seat left the match; its cards went to the bottom of the pile (SLM-35)."""

    seat: int
    cards: int


class TurnPassed(Event, frozen=True):
    """It is for this seat to turn its top card (`arrival`)."""

    seat: int


class TimeUp(Event, frozen=True):
    """The time limit is reached: only a running race or challenge is still settled (SLM-33)."""


class GameEnded(Event, frozen=True):
    """The match is over; `places` by seat."""

    reason: str
    places: tuple[int, ...]


SlamwichEvent = (
    Dealt
    | CardTurned
    | CardSeen
    | AnswerTaken
    | RaceClosed
    | PileTaken
    | SlipSlap
    | CardKept
    | ChallengeBegun
    | MuncherStopped
    | SeatsOut
    | SeatLeft
    | TurnPassed
    | TimeUp
    | GameEnded
)
