"""A Hazard leaves play, and the others may turn up a card (GNO-11)."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.events import private, public
from engine.core.rng import Rng
from engine.core.seating import clockwise
from engine.games.gnoming_a_round.moves import (
    HazardAnswered,
    HazardDiscarded,
    HazardResolved,
    OwnHazardAnswer,
    Step,
    Telling,
)
from engine.games.gnoming_a_round.rounds import end_turn, turned_up
from engine.games.gnoming_a_round.state import SLOTS, HazardAnswer, HazardCall, Phase, State


def discard_hazard(state: State, at: int, rng: Rng) -> Step:
    """The Hazard in hand leaves play; every other seat with two face-down cards or more is asked (GNO-11)."""
    asked = tuple(
        seat for seat in clockwise(state.turn, state.seats) if seat != state.turn and _may_turn_up(state, seat)
    )
    told: Telling = (public(HazardDiscarded(state.turn, asked)),)
    state = replace(
        state,
        phase=Phase.HAZARD,
        hand=None,
        source=None,
        used=0,
        hazards_gone=state.hazards_gone + 1,
        hazard_number=state.hazard_number + 1,
        hazard=HazardCall(state.hazard_number + 1, asked),
    )
    state, more = resolve_if_answered(state, at, rng)
    return state, (*told, *more)


def _may_turn_up(state: State, seat: int) -> bool:
    return not state.left[seat] and SLOTS - state.up[seat].bit_count() >= 2


def has_answered(call: HazardCall, seat: int) -> bool:
    """Whether this seat's answer lies sealed."""
    return any(answer.seat == seat for answer in call.answers)


def answer(state: State, seat: int, slot: int | None, at: int, rng: Rng) -> Step:
    """Take a sealed answer: a slot to turn up, or None to decline (GNO-11)."""
    call = state.hazard
    assert call is not None  # noqa: S101 - only legal while a Hazard is to be answered
    answers = (*call.answers, HazardAnswer(seat, slot))
    state = replace(state, hazard=replace(call, answers=answers, latest=max(call.latest, at)))
    told: Telling = (public(HazardAnswered(seat)), private(OwnHazardAnswer(seat, slot), seat))
    state, more = resolve_if_answered(state, at, rng)
    return state, (*told, *more)


def resolve_if_answered(state: State, at: int, rng: Rng) -> Step:
    """When all have answered, show the answers together; with that the turn is over (GNO-11)."""
    call = state.hazard
    assert call is not None  # noqa: S101 - only asked while a Hazard is to be answered
    if len(call.answers) < len(call.seats):
        return state, ()
    up = list(state.up)
    slots = {answer.seat: answer.slot for answer in call.answers}
    shown: Telling = ()
    for seat in call.seats:
        slot = slots[seat]
        if slot is not None:
            up[seat] |= 1 << slot
            shown = (*shown, turned_up(state, seat, (slot,)))
    if call.seats:
        turned = tuple(seat for seat in call.seats if slots[seat] is not None)
        declined = tuple(seat for seat in call.seats if slots[seat] is None)
        shown = (public(HazardResolved(turned, declined)), *shown)
    state, more = end_turn(replace(state, up=tuple(up), hazard=None), max(call.latest, at), rng)
    return state, (*shown, *more)
