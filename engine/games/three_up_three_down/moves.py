"""What seats do, and what happens."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from engine.core.events import Event
from engine.core.moves import Move
from engine.games.three_up_three_down.cards import CardName
from engine.games.three_up_three_down.state import Fate, Reason


class ChooseUp(Move, frozen=True):
    """Lay these three of the six cards dealt face up on the DOWN cards; their order doesn't matter."""

    cards: tuple[CardName, CardName, CardName]


class Discard(Move, frozen=True):
    """Play `count` equal cards from the hand, or from UP once the hand is empty and the draw pile used up."""

    card: CardName
    count: Annotated[int, Meta(ge=1, le=84)] = 1


class PickUp(Move, frozen=True):
    """Take the whole discard pile into the hand, which a seat must when it can play nothing."""


class Draw(Move, frozen=True):
    """Draw back up to three cards before the extra discard."""


class SkipDraw(Move, frozen=True):
    """Make the extra discard without drawing before it."""


class TurnDown(Move, frozen=True):
    """Turn the DOWN card at this place (0 to 2) and play it, or pick up the discard pile when it can't be played."""

    slot: Annotated[int, Meta(ge=0, le=2)]


AnyMove = ChooseUp | Discard | PickUp | Draw | SkipDraw | TurnDown


class Dealt(Event, frozen=True):
    """Everybody has three DOWN cards and six more to choose UP cards from."""

    dealer: int
    draw_pile: int


class HandDealt(Event, frozen=True):
    """The six cards from which the seat chooses its UP cards."""

    cards: tuple[CardName, ...]


class UpChosen(Event, frozen=True):
    """A seat has chosen its UP cards; nobody else sees them yet."""

    seat: int


class OwnUpChosen(Event, frozen=True):
    """The UP cards that the seat itself has chosen."""

    cards: tuple[CardName, ...]


class UpRevealed(Event, frozen=True):
    """All have chosen: the UP cards, by seat; none for a seat that left."""

    cards: tuple[tuple[CardName, ...], ...]


class TurnBegan(Event, frozen=True):
    """It is this seat's turn."""

    seat: int
    turn: int


class Discarded(Event, frozen=True):
    """Equal cards were laid on the discard pile."""

    seat: int
    source: Literal["hand", "up"]
    card: CardName
    count: int


class DownTurned(Event, frozen=True):
    """A DOWN card was turned and played, or went to the hand, or back to its place face down."""

    seat: int
    slot: int
    card: CardName
    fate: Fate


class PileCleared(Event, frozen=True):
    """The discard pile went out of the game, by three equal numbers or by a Clear."""

    cause: Literal["equal_numbers", "clear_card"]
    count: int


class MoreDiscards(Event, frozen=True):
    """The seat still owes this many extra discards."""

    seat: int
    due: int


class Drew(Event, frozen=True):
    """A seat drew cards; this many are left in the draw pile."""

    seat: int
    count: int
    draw_pile: int


class OwnDrawn(Event, frozen=True):
    """The cards that the seat itself drew."""

    cards: tuple[CardName, ...]


class DrawSkipped(Event, frozen=True):
    """A seat went on to its extra discard without drawing."""

    seat: int


class PickedUp(Event, frozen=True):
    """A seat that couldn't play took the discard pile into its hand."""

    seat: int
    cards: tuple[CardName, ...]


class ExtrasLost(Event, frozen=True):
    """This many extra discards can't be made any more."""

    seat: int
    count: int


class SeatLeft(Event, frozen=True):
    """A seat left; its cards are out of the game."""

    seat: int
    cards: int


class TimeUp(Event, frozen=True):
    """The time limit has passed: the match ends with this turn."""


class MatchEnded(Event, frozen=True):
    """The match is over; places by seat."""

    reason: Reason
    places: tuple[int, ...]


AnyEvent = (
    Dealt
    | HandDealt
    | UpChosen
    | OwnUpChosen
    | UpRevealed
    | TurnBegan
    | Discarded
    | DownTurned
    | PileCleared
    | MoreDiscards
    | Drew
    | OwnDrawn
    | DrawSkipped
    | PickedUp
    | ExtrasLost
    | SeatLeft
    | TimeUp
    | MatchEnded
)
