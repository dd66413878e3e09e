"""The table as one viewer may know it, built up from nothing (SPL-18, ALL-2)."""

from __future__ import annotations

from msgspec import Struct

from engine.games.splendor.catalogue import CARDS, NOBLES
from engine.games.splendor.legal import willing
from engine.games.splendor.moves import Gems, Tokens
from engine.games.splendor.state import PLACES, Hand, Held, Options, Phase, State
from engine.games.splendor.tokens import excess
from engine.games.splendor.turns import standing


class ReservedView(Struct, frozen=True):
    """A reserved card: `card` is null for all but its owner when it came unseen from a deck (`is_secret`)."""

    level: int
    is_secret: bool
    card: str | None


class LevelView(Struct, frozen=True):
    """One level of the table: four places, null where the place stays empty, and the number of cards in the deck."""

    level: int
    places: tuple[str | None, ...]
    deck: int


class SeatView(Struct, frozen=True):
    """What one seat has, and its place as things stand. A seat that left has nothing."""

    seat: int
    has_left: bool
    tokens: Tokens
    bonuses: Gems
    prestige: int
    place: int
    bought: tuple[str, ...]
    reserved: tuple[ReservedView, ...]
    nobles: tuple[str, ...]


class BoxView(Struct, frozen=True):
    """What is out of play: nobles, open cards, and by level (1 to 3) the number of cards that nobody may see."""

    nobles: tuple[str, ...]
    cards: tuple[str, ...]
    secret_cards: tuple[int, int, int]


class SplendorView(Struct, frozen=True):
    """The whole table.

    `turn_of` is the seat in turn, null when the match is over, and `phase` what it decides: its action, which
    `to_return` tokens it gives back, or which of `willing_nobles` comes. `last_round` is the reason for which this
    round is the last one, null while it isn't.
    """

    options: Options
    viewer: int | None
    first: int
    round: int
    turn: int
    turn_of: int | None
    phase: Phase
    to_return: int
    willing_nobles: tuple[str, ...]
    last_round: str | None
    bank: Tokens
    levels: tuple[LevelView, ...]
    nobles: tuple[str, ...]
    seats: tuple[SeatView, ...]
    box: BoxView


def view(state: State, viewer: int | None) -> SplendorView:
    """What this viewer (a seat, or None for a spectator) may know."""
    board = state.board
    hand = state.hands[state.seat]
    places = standing(state).places
    return SplendorView(
        options=state.options,
        viewer=viewer,
        first=state.first,
        round=state.round,
        turn=state.turn,
        turn_of=state.seat if state.outcome is None else None,
        phase=state.phase,
        to_return=excess(hand.tokens) if state.phase is Phase.RETURN else 0,
        willing_nobles=_nobles(willing(board, hand)) if state.phase is Phase.NOBLE else (),
        last_round=state.ending,
        bank=Tokens(*board.bank),
        levels=tuple(_level(state, level) for level in range(3)),
        nobles=_nobles(board.nobles),
        seats=tuple(
            _seat(hand, seat, places[seat], has_left=state.left[seat] > 0, is_own=seat == viewer)
            for seat, hand in enumerate(state.hands)
        ),
        box=_box(state),
    )


def _level(state: State, level: int) -> LevelView:
    row = state.board.grid[level * PLACES : (level + 1) * PLACES]
    places = tuple(None if card is None else CARDS[card].name for card in row)
    return LevelView(level + 1, places, len(state.board.decks[level]))


def _seat(hand: Hand, seat: int, place: int, *, has_left: bool, is_own: bool) -> SeatView:
    return SeatView(
        seat=seat,
        has_left=has_left,
        tokens=Tokens(*hand.tokens),
        bonuses=Gems(*hand.bonuses),
        prestige=hand.prestige,
        place=place,
        bought=_cards(hand.bought),
        reserved=tuple(_reserved(held, is_own=is_own) for held in hand.reserved),
        nobles=_nobles(hand.nobles),
    )


def _reserved(held: Held, *, is_own: bool) -> ReservedView:
    card = CARDS[held.card]
    return ReservedView(card.level, held.is_secret, card.name if is_own or not held.is_secret else None)


def _box(state: State) -> BoxView:
    levels = [CARDS[card].level for card in state.box.secret_cards]
    secret_cards = levels.count(1), levels.count(2), levels.count(3)
    # Sorted: the order in which nobles were shuffled must tell nothing.
    return BoxView(_nobles(sorted(state.box.nobles)), _cards(state.box.cards), secret_cards)


def _cards(cards: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(CARDS[card].name for card in cards)


def _nobles(nobles: list[int] | tuple[int, ...]) -> tuple[str, ...]:
    return tuple(NOBLES[noble].name for noble in nobles)
