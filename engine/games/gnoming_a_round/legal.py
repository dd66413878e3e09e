"""Which moves are legal, why others are not, and what a silent seat does."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from engine.core.errors import Refusal, illegal, not_your_turn
from engine.games.gnoming_a_round.cards import HAZARD, is_positive, name_of
from engine.games.gnoming_a_round.hazards import has_answered
from engine.games.gnoming_a_round.moves import AnyMove, Bounce, Decline, Discard, Draw, Place, TurnUp, TurnUpOne
from engine.games.gnoming_a_round.state import (
    ALL_UP,
    SLOTS,
    Phase,
    Pile,
    Source,
    State,
    forced_pile,
)
from engine.games.gnoming_a_round.turns import matches

Moves = tuple[AnyMove, ...]

_CHOICES: Moves = tuple(TurnUp(slots) for slots in combinations(range(SLOTS), 2))
_PLACES: Moves = tuple(Place(slot) for slot in range(SLOTS))
_DISCARDS: dict[Pile | None, Moves] = {
    None: (Discard(Pile.LEFT), Discard(Pile.RIGHT)),
    Pile.LEFT: (Discard(Pile.LEFT),),
    Pile.RIGHT: (Discard(Pile.RIGHT),),
}
_DISCARD_HAZARD: Moves = (Discard(),)
_DRAW: Moves = (Draw(Source.PILE),)
_TAKE_LEFT: Moves = (Draw(Source.LEFT),)
_TAKE_RIGHT: Moves = (Draw(Source.RIGHT),)
_DECLINE: Moves = (Decline(),)


def _by_mask(move: type[Bounce | TurnUpOne]) -> tuple[Moves, ...]:
    """For every mask of slots, this move to each slot that isn't in it."""
    each = tuple(move(slot) for slot in range(SLOTS))
    return tuple(tuple(each[slot] for slot in range(SLOTS) if not mask >> slot & 1) for mask in range(ALL_UP + 1))


_BOUNCES = _by_mask(Bounce)
_TURN_UPS = _by_mask(TurnUpOne)


def is_awaited(state: State, seat: int) -> bool:
    """Whether this seat has something to decide now."""
    phase = state.phase
    if phase is Phase.SETUP:
        return 0 <= seat < state.seats and not state.left[seat] and state.chosen[seat] is None
    if phase is Phase.HAZARD:
        call = state.hazard
        return call is not None and seat in call.seats and not has_answered(call, seat)
    return phase is not Phase.OVER and seat == state.turn


def legal_moves(state: State, seat: int) -> Moves:
    """All moves of a seat; the two slots of `turn_up` are listed in ascending order only."""
    if not is_awaited(state, seat):
        return ()
    phase = state.phase
    if phase is Phase.DRAW:
        return _DRAW + (_TAKE_LEFT if state.left_pile else ()) + (_TAKE_RIGHT if state.right_pile else ())
    if phase is Phase.PLAY:
        return _PLACES + _discards(state)
    if phase is Phase.REPLACED:
        return (_BOUNCES[state.used] if state.may_bounce else ()) + _discards(state)
    if phase is Phase.HAZARD:
        return _TURN_UPS[state.up[seat]] + _DECLINE
    return _CHOICES


def _discards(state: State) -> Moves:
    if must_play(state):
        return ()
    return _DISCARD_HAZARD if state.hand == HAZARD else _DISCARDS[forced_pile(state)]


def must_play(state: State) -> bool:
    """Whether the drawn card may not be discarded because it was taken from a discard pile (GNO-9)."""
    return state.options.taken_must_be_played and (state.source is Source.LEFT or state.source is Source.RIGHT)


def default_move(state: State, seat: int) -> AnyMove:
    """Turn up the first two cards, draw from the draw pile, discard on the first pile allowed, decline (ALL-6)."""
    if state.phase is Phase.SETUP:
        return _CHOICES[0]
    if state.phase is Phase.DRAW:
        return _DRAW[0]
    if state.phase is Phase.HAZARD:
        return _DECLINE[0]
    if must_play(state):
        return _PLACES[_first_up(state.up[seat])]
    return _discards(state)[0]


def _first_up(mask: int) -> int:
    """The lowest slot in a mask that isn't empty: two cards at least lie face up in every turn (GNO-5)."""
    return (mask & -mask).bit_length() - 1


def refuse(state: State, seat: int, move: AnyMove) -> Refusal | None:
    """Why this move can't be made now, or None; never raises."""
    if not is_awaited(state, seat):
        return not_your_turn(_who_decides(state))
    return _REFUSALS[state.phase](state, seat, move)


def _who_decides(state: State) -> str:
    if state.phase is Phase.OVER:
        return "the match is over"
    if state.phase is Phase.SETUP:
        return "wait until every seat has chosen the two cards it turns up"
    if state.phase is Phase.HAZARD:
        return "wait until all seats that are asked have answered the Hazard"
    return f"wait for seat {state.turn}, which is in turn"


def _refuse_setup(_state: State, _seat: int, move: AnyMove) -> Refusal | None:
    if not isinstance(move, TurnUp):
        return illegal("GNO-5", "first choose two cards of your layout with turn_up")
    first, second = move.slots
    if first != second and 0 <= first < SLOTS and 0 <= second < SLOTS:
        return None
    return illegal("GNO-5", "turn up two different slots from 0 to 8")


def _refuse_draw(state: State, _seat: int, move: AnyMove) -> Refusal | None:
    if not isinstance(move, Draw):
        return illegal("GNO-7", "first draw a card, from the draw pile or a discard pile")
    if (move.source is Source.LEFT and not state.left_pile) or (move.source is Source.RIGHT and not state.right_pile):
        return illegal("GNO-10", f"the {move.source} discard pile is empty, draw from another pile")
    return None


def _refuse_play(state: State, _seat: int, move: AnyMove) -> Refusal | None:
    if isinstance(move, Place):
        return None if 0 <= move.slot < SLOTS else illegal("GNO-8", "place the card in a slot from 0 to 8")
    if must_play(state):
        return illegal("GNO-9", "a card taken from a discard pile must be placed in your layout")
    if not isinstance(move, Discard):
        return illegal("GNO-8", "place the drawn card in your layout or discard it")
    return _refuse_pile(state, move)


def _refuse_replaced(state: State, _seat: int, move: AnyMove) -> Refusal | None:
    if isinstance(move, Bounce):
        return _refuse_bounce(state, move.slot)
    if isinstance(move, Place):
        return illegal("GNO-15", "the slot of your play is binding, discard the replaced card or bounce it if it may")
    if not isinstance(move, Discard):
        return illegal("GNO-8", "the card is placed, now discard the replaced card or let it bounce if it may")
    return _refuse_pile(state, move)


def _refuse_pile(state: State, move: Discard) -> Refusal | None:
    if state.hand == HAZARD:
        return (
            None if move.pile is None else illegal("GNO-11", "a Hazard leaves play, discard it without naming a pile")
        )
    forced = forced_pile(state)
    if forced is not None and move.pile is not forced:
        return illegal("GNO-10", f"the {forced} discard pile is empty, so the discard must go there")
    return None if move.pile else illegal("GNO-10", "name the pile on which you discard, left or right")


def _refuse_bounce(state: State, slot: int) -> Refusal | None:
    if not state.may_bounce:
        return _why_no_bounce(state)
    if not 0 <= slot < SLOTS:
        return illegal("GNO-16", "bounce to a slot from 0 to 8")
    if state.used >> slot & 1:
        return illegal("GNO-16", f"the card in slot {slot} was replaced this turn, bounce to another slot or discard")
    return None


def _why_no_bounce(state: State) -> Refusal:
    card, seat = state.hand, state.turn
    if card is None or not is_positive(card):
        return illegal("GNO-17", "negative cards, Mulligans and Hazards never bounce, discard it")
    if state.used == ALL_UP:
        return illegal("GNO-16", "every card of your layout was replaced this turn, discard the last one")
    if not matches(card, state.layouts[seat], state.up[seat]):
        return illegal("GNO-15", f"no other face-up card of your layout is a {name_of(card)}, discard it")
    if state.used.bit_count() > 1:
        return illegal("GNO-16", "in this match bouncing goes on over face-down cards only, discard the face-up one")
    return illegal("GNO-15", "only a card that lay face down may bounce from the slot of your play, discard it")


def _refuse_hazard(state: State, seat: int, move: AnyMove) -> Refusal | None:
    if isinstance(move, Decline):
        return None
    if not isinstance(move, TurnUpOne):
        return illegal("GNO-11", "answer the Hazard with turn_up_one or decline")
    if 0 <= move.slot < SLOTS and not state.up[seat] >> move.slot & 1:
        return None
    return illegal("GNO-11", "turn up a face-down card of your layout, slots from 0 to 8, or decline")


_REFUSALS: dict[Phase, Callable[[State, int, AnyMove], Refusal | None]] = {
    Phase.SETUP: _refuse_setup,
    Phase.DRAW: _refuse_draw,
    Phase.PLAY: _refuse_play,
    Phase.REPLACED: _refuse_replaced,
    Phase.HAZARD: _refuse_hazard,
}
