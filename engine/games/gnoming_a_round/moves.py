"""What seats may do, and what is told of it."""

from __future__ import annotations

from engine.core.events import Event, Told
from engine.core.moves import Move
from engine.games.gnoming_a_round.state import Ending, Pile, Slot, Source, State


class TurnUp(Move, frozen=True):
    """Choose two different cards of the own layout to be turned up at set-up, shown when all seats have chosen."""

    slots: tuple[Slot, Slot]


class Draw(Move, frozen=True):
    """Draw the top card of the draw pile, or take that of a discard pile."""

    source: Source


class Place(Move, frozen=True):
    """Put the drawn card in this slot of the own layout; the card that lay there is replaced."""

    slot: Slot


class Discard(Move, frozen=True):
    """Discard the card in hand on this pile; a Hazard leaves play, so it names none."""

    pile: Pile | None = None


class Bounce(Move, frozen=True):
    """Let the replaced card, which matches an open one of the layout, replace the card in this slot."""

    slot: Slot


class TurnUpOne(Move, frozen=True):
    """Answer a Hazard: turn up the face-down card in this slot of the own layout."""

    slot: Slot


class Decline(Move, frozen=True):
    """Answer a Hazard: turn up nothing."""


AnyMove = TurnUp | Draw | Place | Discard | Bounce | TurnUpOne | Decline


class RoundBegan(Event, frozen=True):
    """A round was dealt, nine cards face down to each of `seats`; `left` and `right` start the discard piles."""

    round: int
    starter: int
    seats: tuple[int, ...]
    left: str
    right: str
    draw_pile: int


class SlotsChosen(Event, frozen=True):
    """A seat has chosen its first two cards; which ones is shown when all have."""

    seat: int


class OwnSlotsChosen(Event, frozen=True):
    """To the seat alone: the two slots that it has chosen."""

    seat: int
    slots: tuple[int, int]


class CardsTurnedUp(Event, frozen=True):
    """Cards of a layout were turned up where they lay."""

    seat: int
    slots: tuple[int, ...]
    cards: tuple[str, ...]


class TurnBegan(Event, frozen=True):
    """A seat is in turn; turns are counted over the whole match."""

    seat: int
    number: int


class CardDrawn(Event, frozen=True):
    """The seat in turn drew a card; one from a discard pile is seen by all, one from the draw pile is not named."""

    seat: int
    source: Source
    card: str | None = None


class DrawnCardSeen(Event, frozen=True):
    """To the drawer alone: the card from the draw pile."""

    seat: int
    card: str


class PileReshuffled(Event, frozen=True):
    """The last card was drawn: the discards under the two top cards are the new draw pile, of so many cards."""

    draw_pile: int


class PileRanOut(Event, frozen=True):
    """The last card was drawn and there is no new draw pile: the round ends after this turn."""


class CardPlaced(Event, frozen=True):
    """The card in hand was put in a slot, and the one that lay there is now in hand, for all to see."""

    seat: int
    slot: int
    card: str
    replaced: str
    was_face_down: bool


class CardBounced(Event, frozen=True):
    """The replaced card was put in another slot, and the one that lay there is now in hand, for all to see."""

    seat: int
    slot: int
    card: str
    replaced: str
    was_face_down: bool


class CardDiscarded(Event, frozen=True):
    """The card in hand went on a discard pile."""

    seat: int
    card: str
    pile: Pile


class HazardDiscarded(Event, frozen=True):
    """A Hazard left play for the round; the seats in `asked` may turn up a card."""

    seat: int
    asked: tuple[int, ...]


class HazardAnswered(Event, frozen=True):
    """A seat has answered the Hazard; how is shown when all have."""

    seat: int


class OwnHazardAnswer(Event, frozen=True):
    """To the seat alone: the slot that it will turn up, or None if it declined."""

    seat: int
    slot: int | None


class HazardResolved(Event, frozen=True):
    """All have answered the Hazard: these turned up a card, these declined."""

    turned_up: tuple[int, ...]
    declined: tuple[int, ...]


class WentOut(Event, frozen=True):
    """A seat was the first to have all cards face up; those in `last_turns` have one more turn, if the round lasts."""

    seat: int
    last_turns: tuple[int, ...]


class LimitReached(Event, frozen=True):
    """A time limit is up: the current turn is finished, then the round is scored."""

    limit: Ending


class RoundScored(Event, frozen=True):
    """A round was scored, all cards face up; `bonus` is what the seat that went out first got, part of its score."""

    round: int
    ending: Ending
    layouts: tuple[tuple[str, ...], ...]
    scores: tuple[int | None, ...]
    totals: tuple[int, ...]
    out_first: int | None
    bonus: int


class SeatsLeft(Event, frozen=True):
    """Seats left the match; their layouts, and a card held, are out of the round."""

    seats: tuple[int, ...]


class MatchEnded(Event, frozen=True):
    """The match is over: places and totals by seat."""

    reason: str
    places: tuple[int, ...]
    scores: tuple[int, ...]


AnyEvent = (
    RoundBegan
    | SlotsChosen
    | OwnSlotsChosen
    | CardsTurnedUp
    | TurnBegan
    | CardDrawn
    | DrawnCardSeen
    | PileReshuffled
    | PileRanOut
    | CardPlaced
    | CardBounced
    | CardDiscarded
    | HazardDiscarded
    | HazardAnswered
    | OwnHazardAnswer
    | HazardResolved
    | WentOut
    | LimitReached
    | RoundScored
    | SeatsLeft
    | MatchEnded
)

Telling = tuple[Told[AnyEvent], ...]
Step = tuple[State, Telling]
