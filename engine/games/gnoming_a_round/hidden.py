"""Where every card is, and what a viewer can't know of that (GNO-28, ALL-1, ALL-2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from engine.core.rng import Rng
from engine.games.gnoming_a_round.cards import HAZARD, name_of
from engine.games.gnoming_a_round.state import (
    SLOTS,
    HazardAnswer,
    Phase,
    State,
    hand_is_hidden,
    is_hand_fresh,
)


def census(state: State) -> Mapping[str, Sequence[str]]:
    """Every card of the round by zone."""
    zones: dict[str, Sequence[int]] = {
        "draw_pile": state.pile,
        "left": state.left_pile,
        "right": state.right_pile,
        "hand": () if state.hand is None else (state.hand,),
        "hazards": (HAZARD,) * state.hazards_gone,
        "withdrawn": (*state.withdrawn_open, *state.withdrawn_hidden, *(taken.card for taken in state.taken_along)),
    }
    zones.update({f"layout:{seat}": cards for seat, cards in enumerate(state.layouts)})
    return {zone: tuple(name_of(card) for card in cards) for zone, cards in zones.items()}


def shuffle_hidden(state: State, viewer: int | None, rng: Rng) -> State:
    """Lay the cards that `viewer` can't know differently, and let the others have chosen differently.

    The reshuffle makes a pile of cards that all have seen (GNO-24): from then on they are mixed among themselves only,
    and the others lie where cards of the first pile went.
    """
    old, new = _hidden_cards(state, viewer)
    if state.reshuffled_in is None:
        mixed = rng.shuffle((*old, *new))
        old, new = list(mixed[: len(old)]), list(mixed[len(old) :])
    else:
        old, new = list(rng.shuffle(old)), list(rng.shuffle(new))
    return _other_choices(_lay(state, viewer, old, new), viewer, rng)


def _hidden_cards(state: State, viewer: int | None) -> tuple[list[int], list[int]]:
    """The cards hidden from the viewer: those of the first draw pile, and those of the draw pile as it is now."""
    old = [
        card
        for seat, cards in enumerate(state.layouts)
        for slot, card in enumerate(cards)
        if _is_down(state, seat, slot)
    ]
    old += state.withdrawn_hidden
    new = list(state.pile)
    for taken in state.taken_along:
        if taken.seat != viewer:
            (new if taken.fresh else old).append(taken.card)
    if state.hand is not None and hand_is_hidden(state, viewer):
        (new if is_hand_fresh(state) else old).append(state.hand)
    return old, new


def _lay(state: State, viewer: int | None, old: list[int], new: list[int]) -> State:
    """Lay hidden cards out in the places from which `_hidden_cards` took as many, in the same order."""
    first, fresh = iter(old), iter(new)
    layouts = tuple(
        tuple(next(first) if _is_down(state, seat, slot) else card for slot, card in enumerate(cards))
        for seat, cards in enumerate(state.layouts)
    )
    withdrawn = tuple(next(first) for _ in state.withdrawn_hidden)
    pile = tuple(next(fresh) for _ in state.pile)
    taken_along = tuple(
        taken if taken.seat == viewer else replace(taken, card=next(fresh if taken.fresh else first))
        for taken in state.taken_along
    )
    hand = state.hand
    if hand_is_hidden(state, viewer):
        hand = next(fresh if is_hand_fresh(state) else first)
    return replace(state, layouts=layouts, withdrawn_hidden=withdrawn, pile=pile, taken_along=taken_along, hand=hand)


def _is_down(state: State, seat: int, slot: int) -> bool:
    return not state.up[seat] >> slot & 1


def _other_choices(state: State, viewer: int | None, rng: Rng) -> State:
    """Let the others have given other sealed answers (GNO-5, GNO-11)."""
    if state.phase is Phase.SETUP:
        chosen = [slots if slots is None or seat == viewer else _pair(rng) for seat, slots in enumerate(state.chosen)]
        return replace(state, chosen=tuple(chosen))
    call = state.hazard
    if call is None:
        return state
    answers = tuple(given if given.seat == viewer else _answer(state, given.seat, rng) for given in call.answers)
    return replace(state, hazard=replace(call, answers=answers))


def _pair(rng: Rng) -> tuple[int, int]:
    first, second = sorted(rng.shuffle(range(SLOTS))[:2])
    return first, second


def _answer(state: State, seat: int, rng: Rng) -> HazardAnswer:
    slots = [None, *(slot for slot in range(SLOTS) if _is_down(state, seat, slot))]
    return HazardAnswer(seat, slots[rng.below(len(slots))])
