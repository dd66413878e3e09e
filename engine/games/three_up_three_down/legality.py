"""Which moves a seat may make, and why not the others."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from engine.core.errors import Refusal, illegal, not_your_turn
from engine.games.three_up_three_down.cards import CLEAR, CLEAR_PLUS_1, KINDS, NAMES, NOTHING
from engine.games.three_up_three_down.moves import (
    AnyMove,
    ChooseUp,
    Discard,
    Draw,
    PickUp,
    SkipDraw,
    TurnDown,
)
from engine.games.three_up_three_down.state import PLACES, State, down_slots, top_of, zone_of

_PICK_UP: tuple[AnyMove, ...] = (PickUp(),)
_DRAW: tuple[AnyMove, ...] = (Draw(), SkipDraw())
_TURN = tuple(TurnDown(slot) for slot in range(PLACES))


def legal_moves(state: State, seat: int) -> tuple[AnyMove, ...]:
    """Every move this seat may make; UP choices sorted, as their order doesn't matter."""
    if state.reason or not 0 <= seat < len(state.left) or state.left[seat]:
        return ()
    if not state.turn:
        return () if state.choices[seat] else _choices(state.hands[seat])
    if seat != state.seat:
        return ()
    if state.may_draw:
        return _DRAW
    zone = state.hands[seat] or state.ups[seat]
    if zone:
        return _discards(zone, top_of(state)) or _PICK_UP
    return tuple([_TURN[slot] for slot in down_slots(state, seat)])


def default_move(state: State, seat: int) -> AnyMove:
    """What a silent seat is taken to do (TUD-4, ALL-6): the lowest single card, or a draw, is listed first."""
    if not state.turn:
        return _choose(state.hands[seat][-PLACES:])
    return legal_moves(state, seat)[0]


def refuse(state: State, seat: int, move: AnyMove) -> Refusal | None:
    """Why this move can't be made now, or None."""
    if state.reason:
        return not_your_turn("the match is over")
    if not 0 <= seat < len(state.left):
        return not_your_turn(f"there is no seat {seat}; seats are 0 to {len(state.left) - 1}")
    if state.left[seat]:
        return not_your_turn(f"seat {seat} has left the match")
    if not state.turn:
        return _refuse_choice(state, seat, move)
    if seat != state.seat:
        return not_your_turn(f"it is the turn of seat {state.seat}")
    if isinstance(move, ChooseUp):
        return illegal("TUD-3", "UP cards are chosen once, before the first turn")
    if state.may_draw or isinstance(move, Draw | SkipDraw):
        return _refuse_draw(state, move)
    if isinstance(move, Discard):
        return _refuse_discard(state, seat, move)
    return _refuse_pick_up(state, seat) if isinstance(move, PickUp) else _refuse_turn_down(state, seat, move.slot)


def _refuse_choice(state: State, seat: int, move: AnyMove) -> Refusal | None:
    if state.choices[seat]:
        return not_your_turn("your UP cards are chosen; the others are still choosing")
    if not isinstance(move, ChooseUp):
        return illegal("TUD-3", "first choose three of your six cards as UP cards")
    if len(move.cards) != PLACES:
        return illegal("TUD-3", f"choose three of your six cards, not {len(move.cards)}")
    rest = list(state.hands[seat])
    for card in move.cards:
        kind = KINDS.get(card, 0)
        if kind not in rest:
            return illegal("TUD-3", f"you don't have so many of {card}; choose three of your six cards")
        rest.remove(kind)
    return None


def _refuse_draw(state: State, move: AnyMove) -> Refusal | None:
    if not state.may_draw:
        return illegal("TUD-16", "a draw is chosen only right after a Clear +1 or +2, with one or two cards in hand")
    if not isinstance(move, Draw | SkipDraw):
        return illegal("TUD-16", "first say whether you draw before the extra discard: draw or skip_draw")
    return None


def _refuse_discard(state: State, seat: int, move: Discard) -> Refusal | None:
    kind, count = KINDS.get(move.card, 0), move.count
    zone = state.hands[seat] or state.ups[seat]
    if not zone:
        return illegal("TUD-26", "hand and UP are empty: turn one of your DOWN cards")
    if not 0 < count <= zone.count(kind):
        return _refuse_count(state, seat, move)
    if count > 1 and kind > CLEAR:
        return illegal("TUD-19", "Clear +1 and Clear +2 are played one at a time")
    if kind < top_of(state):
        return illegal("TUD-8", f"a {move.card} can't go on a {NAMES[top_of(state)]}: play an equal or higher card")
    return None


def _refuse_count(state: State, seat: int, move: Discard) -> Refusal:
    kind, hand = KINDS.get(move.card, 0), state.hands[seat]
    if move.count < 1:
        return illegal("TUD-7", f"a discard is one card or several equal ones, not {move.count}")
    if not hand:
        return illegal("TUD-24", f"you have {state.ups[seat].count(kind)} of {move.card} lying UP, not {move.count}")
    if move.count <= state.ups[seat].count(kind):
        return illegal("TUD-23", "UP cards are played only once the hand is empty: play from your hand")
    if move.count <= hand.count(kind) + state.ups[seat].count(kind):
        return illegal("TUD-24", "hand and UP never mix in one play: play from your hand")
    return illegal("TUD-7", f"you have {hand.count(kind)} of {move.card} in hand, not {move.count}")


def _refuse_pick_up(state: State, seat: int) -> Refusal | None:
    zone = state.hands[seat] or state.ups[seat]
    if not zone:
        return illegal("TUD-26", "hand and UP are empty: turn one of your DOWN cards")
    if zone[-1] >= top_of(state):
        return illegal("TUD-10", f"a seat that can play must: your {NAMES[zone[-1]]} can be played")
    return None


def _refuse_turn_down(state: State, seat: int, slot: int) -> Refusal | None:
    zone = zone_of(state, seat)
    if zone == "hand":
        return illegal("TUD-23", "DOWN cards are turned only once the hand and UP are empty: play from your hand")
    if zone == "up":
        return illegal("TUD-23", "all UP cards go before any DOWN card: play from UP")
    allowed = down_slots(state, seat)
    if slot in allowed:
        return None
    return _refuse_slot(state, seat, slot, allowed)


def _refuse_slot(state: State, seat: int, slot: int, allowed: list[int]) -> Refusal:
    places = ", ".join(map(str, allowed))
    if not 0 <= slot < PLACES or state.downs[seat][slot] == NOTHING:
        return illegal("TUD-26", f"no DOWN card lies at {slot}: turn one at {places}")
    if all(state.known[seat] >> other & 1 for other in allowed):
        return illegal("TUD-10", f"a seat that can play must: the card at {slot} can't be played, turn one at {places}")
    return illegal("TUD-26", f"the card at {slot} is known and can't be played: turn one at {places}")


@lru_cache(maxsize=4096)
def _discards(zone: tuple[int, ...], top: int) -> tuple[AnyMove, ...]:
    """Every play from these sorted cards: one or several equal ones (TUD-7, TUD-8, TUD-19)."""
    moves: list[AnyMove] = []
    for kind in dict.fromkeys(zone):
        if kind >= top:
            most = 1 if kind >= CLEAR_PLUS_1 else zone.count(kind)
            moves += [Discard(NAMES[kind], count) for count in range(1, most + 1)]
    return tuple(moves)


@lru_cache(maxsize=256)
def _choices(hand: tuple[int, ...]) -> tuple[AnyMove, ...]:
    return tuple([_choose(kinds) for kinds in dict.fromkeys(combinations(hand, PLACES))])


def _choose(kinds: tuple[int, ...]) -> ChooseUp:
    first, second, third = kinds
    return ChooseUp((NAMES[first], NAMES[second], NAMES[third]))
