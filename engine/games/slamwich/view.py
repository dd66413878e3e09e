"""What each viewer may know of a match of Slamwich (SLM-36), built up from nothing."""

from __future__ import annotations

from msgspec import Struct

from engine.core import race as races
from engine.core.race import Answered, RaceView
from engine.games.slamwich.cards import NAMES
from engine.games.slamwich.moves import Claim
from engine.games.slamwich.state import Challenge, State

TOPS = 3
"""How many cards of the pile lie open to all: those that can make a combination (SLM-13, SLM-36)."""


class SeatView(Struct, frozen=True):
    """One seat and how many cards it has in its stack."""

    seat: int
    is_in: bool
    cards: int


class PenaltyView(Struct, frozen=True):
    """A Slip Slap: whether a card was paid, and which if the viewer was in that race."""

    seat: int
    paid: bool
    card: str | None


class LastRaceView(Struct, frozen=True):
    """The race that closed last. `card` is None for whoever wasn't in it; `taker` took the pile."""

    number: int
    turner: int
    card: str | None
    answers: tuple[Answered[Claim], ...]
    taker: int | None
    penalties: tuple[PenaltyView, ...]


class View(Struct, frozen=True):
    """The table as one viewer sees it.

    `pile` counts its cards; `top` are up to three of them, the newest first, and None for a card that was turned and
    that this viewer hasn't seen yet. `turn` is the seat that turns the next card, or turned that of the open race;
    None once the match is over. `card` is the card of the open race if the viewer may know it. `challenge` is the one
    in force before that card, whose effect comes with the close. `turned` cards are turned so far; after `turn_limit`,
    and when `time_is_up`, only what is open is settled.
    """

    dealer: int
    seats: tuple[SeatView, ...]
    pile: int
    top: tuple[str | None, ...]
    turn: int | None
    turned: int
    turn_limit: int
    time_is_up: bool
    challenge: Challenge | None
    race: RaceView | None
    card: str | None
    last: LastRaceView | None


def hides_card(state: State, viewer: int | None) -> bool:
    """Whether the newest card is one that this viewer may not know yet (RACE-2)."""
    return state.race is not None and not races.has_seen(state.race, viewer)


def view_of(state: State, viewer: int | None) -> View:
    """Everything this viewer (a seat, or None for a spectator) may know."""
    top: list[str | None] = [NAMES[card] for card in state.pile[: -TOPS - 1 : -1]]
    if hides_card(state, viewer):
        top[0] = None
    return View(
        dealer=state.dealer,
        seats=tuple([SeatView(seat, step == 0, len(state.stacks[seat])) for seat, step in enumerate(state.exits)]),
        pile=len(state.pile),
        top=tuple(top),
        turn=state.turn if state.reason is None else None,
        turned=state.turned,
        turn_limit=state.options.last_turn,
        time_is_up=state.time_is_up,
        challenge=state.challenge,
        race=None if state.race is None else races.view(state.race, viewer),
        card=None if state.race is None else top[0],
        last=_last_view(state, viewer),
    )


def _last_view(state: State, viewer: int | None) -> LastRaceView | None:
    last = state.last
    if last is None:
        return None

    def name(card: int | None) -> str | None:
        return NAMES[card] if card is not None and viewer in last.seats else None

    penalties = [PenaltyView(paid.seat, paid.card is not None, name(paid.card)) for paid in last.penalties]
    return LastRaceView(last.number, last.turner, name(last.card), last.answers, last.taker, tuple(penalties))
