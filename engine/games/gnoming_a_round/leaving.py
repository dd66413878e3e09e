"""Seats that leave, at whatever moment (GNO-29, ALL-4)."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.events import public
from engine.core.rng import Rng
from engine.games.gnoming_a_round.hazards import resolve_if_answered
from engine.games.gnoming_a_round.moves import SeatsLeft, Step, Telling
from engine.games.gnoming_a_round.rounds import end_turn, finish, open_if_chosen
from engine.games.gnoming_a_round.state import (
    SLOTS,
    HazardCall,
    Phase,
    Source,
    State,
    TakenAlong,
    is_hand_fresh,
    next_seat,
    seats_in,
)


def leave(state: State, seats: tuple[int, ...], at: int, rng: Rng) -> Step:
    """These seats leave together; the round goes on without their cards."""
    leavers = tuple(seat for seat in seats_in(state) if seat in seats)
    if not leavers or state.phase is Phase.OVER:
        return state, ()
    told: Telling = (public(SeatsLeft(leavers)),)
    state = _without(_withdraw_hand(state, leavers), leavers)
    state, more = _go_on(state, leavers, at, rng)
    return state, (*told, *more)


def _withdraw_hand(state: State, leavers: tuple[int, ...]) -> State:
    """A card held by a leaver goes out of the round, unseen if it was drawn unseen."""
    card = state.hand
    if card is None or state.turn not in leavers:
        return state
    state = replace(state, hand=None, used=0, may_bounce=False)
    if state.source is Source.PILE:
        taken = TakenAlong(state.turn, card, is_hand_fresh(state))
        return replace(state, source=None, taken_along=(*state.taken_along, taken))
    return replace(state, source=None, withdrawn_open=(*state.withdrawn_open, card))


def _without(state: State, leavers: tuple[int, ...]) -> State:
    """Take the leavers' layouts, choices and answers off the table."""
    open_cards, hidden = [*state.withdrawn_open], [*state.withdrawn_hidden]
    for seat in leavers:
        for slot in range(SLOTS):
            (open_cards if state.up[seat] >> slot & 1 else hidden).append(state.layouts[seat][slot])
    step = max(state.left) + 1
    stays = [seat not in leavers for seat in range(state.seats)]
    return replace(
        state,
        left=tuple(old if stays[seat] else step for seat, old in enumerate(state.left)),
        layouts=tuple(cards if stays[seat] else () for seat, cards in enumerate(state.layouts)),
        up=tuple(mask if stays[seat] else 0 for seat, mask in enumerate(state.up)),
        chosen=tuple(slots if stays[seat] else None for seat, slots in enumerate(state.chosen)),
        last_turns=tuple(seat for seat in state.last_turns if stays[seat]),
        hazard=_without_answers(state.hazard, leavers),
        withdrawn_open=tuple(open_cards),
        withdrawn_hidden=tuple(hidden),
    )


def _without_answers(call: HazardCall | None, leavers: tuple[int, ...]) -> HazardCall | None:
    """A seat that leaves has declined, whatever it had answered (GNO-11)."""
    if call is None:
        return None
    return replace(
        call,
        seats=tuple(seat for seat in call.seats if seat not in leavers),
        answers=tuple(answer for answer in call.answers if answer.seat not in leavers),
    )


def _go_on(state: State, leavers: tuple[int, ...], at: int, rng: Rng) -> Step:
    """What the match waited for may have gone with the leavers."""
    inside = seats_in(state)
    if len(inside) < 2:
        return finish(state, "last_seat" if inside else "all_left")
    if state.phase is Phase.SETUP:
        starter = state.turn if state.turn in inside else next_seat(state, state.turn)
        return open_if_chosen(replace(state, turn=starter))
    if state.phase is Phase.HAZARD:
        return resolve_if_answered(state, at, rng)
    return end_turn(state, at, rng) if state.turn in leavers else (state, ())
