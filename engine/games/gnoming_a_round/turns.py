"""What the seat in turn does: draw, play, bounce, discard."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.events import private, public
from engine.core.rng import Rng
from engine.games.gnoming_a_round.cards import HAZARD, is_positive, name_of
from engine.games.gnoming_a_round.hazards import discard_hazard
from engine.games.gnoming_a_round.moves import (
    CardBounced,
    CardDiscarded,
    CardDrawn,
    CardPlaced,
    DrawnCardSeen,
    PileRanOut,
    PileReshuffled,
    Step,
    Telling,
)
from engine.games.gnoming_a_round.rounds import end_turn
from engine.games.gnoming_a_round.state import (
    ALL_UP,
    SLOTS,
    BounceChain,
    Ending,
    Phase,
    Pile,
    Source,
    State,
    forced_pile,
)


def draw(state: State, source: Source, rng: Rng) -> Step:
    """The seat in turn draws (GNO-7)."""
    return _draw_hidden(state, rng) if source is Source.PILE else _take(state, source)


def _take(state: State, source: Source) -> Step:
    """Take the top card of a discard pile, for all to see."""
    left, right = state.left_pile, state.right_pile
    if source is Source.LEFT:
        card, left = left[-1], left[:-1]
    else:
        card, right = right[-1], right[:-1]
    state = replace(state, phase=Phase.PLAY, hand=card, source=source, left_pile=left, right_pile=right)
    return state, (public(CardDrawn(state.turn, source, name_of(card))),)


def _draw_hidden(state: State, rng: Rng) -> Step:
    """Draw from the draw pile, for the drawer's eyes only."""
    card, pile, seat = state.pile[-1], state.pile[:-1], state.turn
    state = replace(state, phase=Phase.PLAY, hand=card, source=Source.PILE, pile=pile)
    told: Telling = (public(CardDrawn(seat, Source.PILE)), private(DrawnCardSeen(seat, name_of(card)), seat))
    if pile:
        return state, told
    state, more = _renew_pile(state, rng)
    return state, (*told, *more)


def _renew_pile(state: State, rng: Rng) -> Step:
    """The last card was drawn: shuffle the discards under the two tops, once a round (GNO-24)."""
    under = state.left_pile[:-1] + state.right_pile[:-1]
    if not under or state.reshuffled_in is not None:
        return replace(state, cut=state.cut or Ending.PILE), (public(PileRanOut()),)
    state = replace(
        state,
        pile=rng.shuffle(under),
        left_pile=state.left_pile[-1:],
        right_pile=state.right_pile[-1:],
        reshuffled_in=state.turns,
    )
    return state, (public(PileReshuffled(len(under))),)


def place(state: State, slot: int, at: int, rng: Rng) -> Step:
    """Replace a card of the layout by the drawn one; only a face-down one may bounce (GNO-8, GNO-15)."""
    was_down = not state.up[state.turn] >> slot & 1
    return _put(state, slot, CardPlaced, at, rng, may_match=was_down)


def bounce(state: State, slot: int, at: int, rng: Rng) -> Step:
    """The replaced card replaces another one, which may bounce in its turn (GNO-16)."""
    was_down = not state.up[state.turn] >> slot & 1
    may_match = was_down or state.options.bounce_chain is BounceChain.ANY
    return _put(state, slot, CardBounced, at, rng, may_match=may_match)


def _put(state: State, slot: int, event: type[CardPlaced | CardBounced], at: int, rng: Rng, *, may_match: bool) -> Step:
    """Put the card in hand face up in a slot and take the one that lay there in hand.

    It is discarded at once if the seat has no choice about it: a Hazard, or one that can't bounce and must go on the
    empty pile (GNO-10).
    """
    seat, card = state.turn, state.hand
    assert card is not None  # noqa: S101 - cards are put from the hand
    layout, up = state.layouts[seat], state.up[seat]
    replaced = layout[slot]
    layout = (*layout[:slot], card, *layout[slot + 1 :])
    told: Telling = (public(event(seat, slot, name_of(card), name_of(replaced), not up >> slot & 1)),)
    up |= 1 << slot
    used = state.used | 1 << slot
    may_bounce = may_match and used != ALL_UP and matches(replaced, layout, up)
    state = replace(
        state,
        phase=Phase.REPLACED,
        layouts=(*state.layouts[:seat], layout, *state.layouts[seat + 1 :]),
        up=(*state.up[:seat], up, *state.up[seat + 1 :]),
        hand=replaced,
        source=None,
        used=used,
        may_bounce=may_bounce,
    )
    pile = None if replaced == HAZARD else forced_pile(state)
    if may_bounce or (pile is None and replaced != HAZARD):
        return state, told
    state, more = discard(state, pile, at, rng)
    return state, (*told, *more)


def matches(card: int, layout: tuple[int, ...], up: int) -> bool:
    """Whether a replaced card is positive and equals a face-up one of the layout it came from (GNO-15, GNO-17)."""
    if not is_positive(card):
        return False
    return any(layout[slot] == card and up >> slot & 1 for slot in range(SLOTS))


def discard(state: State, pile: Pile | None, at: int, rng: Rng) -> Step:
    """Discard the card in hand, on no pile if it is a Hazard, which ends the turn (GNO-9, GNO-10, GNO-11)."""
    if pile is None:
        return discard_hazard(state, at, rng)
    card = state.hand
    assert card is not None  # noqa: S101 - cards are discarded from the hand
    left, right = state.left_pile, state.right_pile
    if pile is Pile.LEFT:
        left = (*left, card)
    else:
        right = (*right, card)
    told: Telling = (public(CardDiscarded(state.turn, name_of(card), pile)),)
    state = replace(state, left_pile=left, right_pile=right, hand=None, source=None, used=0, may_bounce=False)
    state, more = end_turn(state, at, rng)
    return state, (*told, *more)
