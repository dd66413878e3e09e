"""What one viewer may know of the table, built up from nothing (TUD-32)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engine.games.three_up_three_down.cards import NAMES, NOTHING, CardName, names
from engine.games.three_up_three_down.flow import standing
from engine.games.three_up_three_down.state import Fate, Reason, State, Zone, cards_left, zone_of

Asked = Literal["choose_up", "discard", "draw", "turn_down"]


class DownPlace(Struct, frozen=True):
    """A DOWN card that still lies; `card` is named only when all have seen it turned and put back (TUD-26)."""

    slot: int
    card: CardName | None


class TurnedView(Struct, frozen=True):
    """The DOWN card that the last move turned for all to see, and where it went."""

    seat: int
    slot: int
    card: CardName
    fate: Fate


class SeatView(Struct, frozen=True):
    """One seat as everybody sees it.

    `zone` is where it plays from; `cards_left` counts hand, UP and DOWN, `place` is where that puts it now. A seat that
    left has nothing on the table, and the cards it left with as `cards_left`.
    """

    seat: int
    has_left: bool
    has_chosen: bool
    hand: int
    up: tuple[CardName, ...]
    down: tuple[DownPlace, ...]
    zone: Zone
    cards_left: int
    place: int


class View(Struct, frozen=True):
    """The table as one viewer sees it.

    `turn` is 0 while UP cards are chosen; `seat` is in turn after that, None before and when all is over.
    `ends_with_turn`: this turn is the last one. `asked` is what the match waits for; whether a `discard` can be made or
    the pile must be picked up, only the seat itself knows, from its legal moves. `discards_due` counts the discards
    owed in this turn, extras included. `discard_pile` and `cleared` list open cards, the last one on top; `top` must be
    equalled or exceeded. `gone` counts the cards of seats that left. `hand` is the viewer's own, `choice` the UP cards
    it has chosen while others still choose.
    """

    dealer: int
    turn: int
    turn_limit: int
    ends_with_turn: bool
    seat: int | None
    asked: Asked | None
    discards_due: int
    draw_pile: int
    discard_pile: tuple[CardName, ...]
    top: CardName | None
    cleared: tuple[CardName, ...]
    gone: int
    turned: TurnedView | None
    seats: tuple[SeatView, ...]
    hand: tuple[CardName, ...]
    choice: tuple[CardName, ...]
    reason: Reason


def view_of(state: State, viewer: int | None) -> View:
    """The table for a seat, or for a spectator when `viewer` is None."""
    is_playing = bool(state.turn) and not state.reason
    own = viewer if viewer is not None and not state.left[viewer] else None
    return View(
        dealer=state.dealer,
        turn=state.turn,
        turn_limit=state.options.turn_limit,
        ends_with_turn=is_playing and (state.time_up or state.turn >= state.options.turn_limit),
        seat=state.seat if is_playing else None,
        asked=_asked(state),
        discards_due=state.due,
        draw_pile=len(state.draw),
        discard_pile=names(state.discard),
        top=NAMES[state.discard[-1]] if state.discard else None,
        cleared=names(state.cleared),
        gone=sum(cards_left(state, seat) for seat, step in enumerate(state.left) if step),
        turned=_turned(state),
        seats=_seats(state),
        hand=() if own is None else names(state.hands[own]),
        choice=() if own is None else names(state.choices[own]),
        reason=state.reason,
    )


def _asked(state: State) -> Asked | None:
    if state.reason:
        return None
    if not state.turn:
        return "choose_up"
    if state.may_draw:
        return "draw"
    return "turn_down" if zone_of(state, state.seat) == "down" else "discard"


def _turned(state: State) -> TurnedView | None:
    turned = state.turned
    if turned is None:
        return None
    return TurnedView(turned.seat, turned.slot, NAMES[turned.card], turned.fate)


def _seats(state: State) -> tuple[SeatView, ...]:
    places = standing(state).places
    return tuple([_seat(state, seat, place) for seat, place in enumerate(places)])


def _seat(state: State, seat: int, place: int) -> SeatView:
    has_left = state.left[seat] > 0
    return SeatView(
        seat=seat,
        has_left=has_left,
        has_chosen=not has_left and (state.turn > 0 or bool(state.choices[seat])),
        hand=0 if has_left else len(state.hands[seat]),
        up=() if has_left else names(state.ups[seat]),
        down=() if has_left else _down(state, seat),
        zone=zone_of(state, seat),
        cards_left=cards_left(state, seat),
        place=place,
    )


def _down(state: State, seat: int) -> tuple[DownPlace, ...]:
    known = state.known[seat]
    return tuple(
        [
            DownPlace(slot, NAMES[card] if known >> slot & 1 else None)
            for slot, card in enumerate(state.downs[seat])
            if card != NOTHING
        ]
    )
