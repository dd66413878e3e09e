"""What each viewer may know of a match of Snap (SNP-27), built up from nothing."""

from __future__ import annotations

from msgspec import Struct

from engine.core import race as races
from engine.core.cards import name_of
from engine.core.race import Answered, RaceView
from engine.games.snap.moves import Claim
from engine.games.snap.state import State


class SeatView(Struct, frozen=True):
    """One seat's piles. `top` lies on top of the face-up pile, under a turned card that the viewer hasn't seen yet if
    `hidden_card`; `face_up` counts that one too.
    """

    seat: int
    is_in: bool
    face_down: int
    face_up: int
    top: str | None
    hidden_card: bool


class LastRaceView(Struct, frozen=True):
    """The race that closed last. `card` is None for whoever wasn't in it; `best` were first with a right call."""

    number: int
    turner: int
    card: str | None
    answers: tuple[Answered[Claim], ...]
    best: tuple[int, ...]
    wrong: tuple[int, ...]


class View(Struct, frozen=True):
    """The table as one viewer sees it.

    `turn` is the seat that turns the next card, or turned that of the open race; None once the match is over. `card` is
    the turned card if the viewer may know it. `claims` are all that may be called, rightly or not. `turned` cards are
    turned so far; after `turn_limit` the match ends.
    """

    dealer: int
    seats: tuple[SeatView, ...]
    pot: int
    pot_top: str | None
    turn: int | None
    turned: int
    turn_limit: int
    claims: tuple[Claim, ...]
    race: RaceView | None
    card: str | None
    last: LastRaceView | None


def unseen_by(state: State, viewer: int | None) -> int | None:
    """The seat whose turned card this viewer may not know yet (RACE-2); None when there is none."""
    if state.race is None or races.has_seen(state.race, viewer):
        return None
    return state.race.turner


def view_of(state: State, viewer: int | None) -> View:
    """Everything this viewer (a seat, or None for a spectator) may know."""
    race, unseen = state.race, unseen_by(state, viewer)
    return View(
        dealer=state.dealer,
        seats=tuple([_seat_view(state, seat, hidden_card=seat == unseen) for seat in range(len(state.exits))]),
        pot=len(state.pot),
        pot_top=name_of(state.pot[-1]) if state.pot else None,
        turn=state.turn if state.reason is None else None,
        turned=state.turned,
        turn_limit=state.options.last_turn,
        claims=state.options.claims,
        race=None if race is None else races.view(race, viewer),
        card=None if race is None or unseen is not None else name_of(state.face_up[race.turner][-1]),
        last=_last_view(state, viewer),
    )


def _seat_view(state: State, seat: int, *, hidden_card: bool) -> SeatView:
    face_up = state.face_up[seat]
    shown = face_up[:-1] if hidden_card else face_up
    return SeatView(
        seat=seat,
        is_in=state.exits[seat] == 0,
        face_down=len(state.face_down[seat]),
        face_up=len(face_up),
        top=name_of(shown[-1]) if shown else None,
        hidden_card=hidden_card,
    )


def _last_view(state: State, viewer: int | None) -> LastRaceView | None:
    last = state.last
    if last is None:
        return None
    card = name_of(last.card) if viewer in last.seats else None
    return LastRaceView(last.number, last.turner, card, last.answers, last.best, last.wrong)
