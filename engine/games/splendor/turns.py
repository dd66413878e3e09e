"""How a turn ends, and a match: returns, nobles, the test for fifteen points, whose turn comes, who leaves."""

from __future__ import annotations

from typing import TypeAlias, TypeVar

from msgspec.structs import replace

from engine.core.events import Told, public
from engine.core.outcome import Outcome, Standing, places_of
from engine.games.splendor.actions import Tale, give_back
from engine.games.splendor.catalogue import NOBLES
from engine.games.splendor.legal import willing
from engine.games.splendor.moves import LastRound, MatchEnded, NobleCame, SeatLeft, SplendorEvent, Tokens
from engine.games.splendor.state import (
    ALL_LEFT,
    ALL_PASSED,
    LAST_SEAT,
    MOST_TOKENS,
    PRESTIGE,
    TURN_LIMIT,
    Board,
    Box,
    Hand,
    Phase,
    State,
)
from engine.games.splendor.tokens import plus

T = TypeVar("T")

ENOUGH_PRESTIGE = 15

Step: TypeAlias = tuple[State, tuple[Told[SplendorEvent], ...]]
"""A state and what was told on the way to it."""


def after_action(state: State, board: Board, hand: Hand, tale: Tale, returning: Tokens | None) -> Step:
    """SPL-13: give back what is over ten, now or as a decision of its own; then the turn ends."""
    if sum(hand.tokens) > MOST_TOKENS:
        if returning is None:
            return _waiting(state, Phase.RETURN, board, hand, tale, passes=0)
        board, hand, event = give_back(board, hand, state.seat, returning)
        tale.append(event)
    return end_turn(state, board, hand, tale, passes=0)


def end_turn(state: State, board: Board, hand: Hand, tale: Tale, passes: int) -> Step:
    """SPL-14: the noble that would come comes; of several the seat chooses one; then the turn is over."""
    nobles = willing(board, hand)
    if len(nobles) > 1:
        return _waiting(state, Phase.NOBLE, board, hand, tale, passes)
    if nobles:
        return welcome(state, board, hand, tale, nobles[0], passes)
    return _turn_over(state, board, hand, tale, passes)


def welcome(state: State, board: Board, hand: Hand, tale: Tale, noble: int, passes: int) -> Step:
    """SPL-14: a noble comes to the hand and isn't replaced; the turn is over."""
    board = replace(board, nobles=tuple(other for other in board.nobles if other != noble))
    hand = replace(hand, prestige=hand.prestige + NOBLES[noble].points, nobles=(*hand.nobles, noble))
    tale.append(public(NobleCame(state.seat, NOBLES[noble].name)))
    return _turn_over(state, board, hand, tale, passes)


def _waiting(state: State, phase: Phase, board: Board, hand: Hand, tale: Tale, passes: int) -> Step:
    """The seat in turn has one more decision to make."""
    hands = _with(state.hands, state.seat, hand)
    return replace(state, phase=phase, passes=passes, board=board, hands=hands), tuple(tale)


def _turn_over(state: State, board: Board, hand: Hand, tale: Tale, passes: int) -> Step:
    """SPL-16: the test for fifteen points comes last in a turn; then the next seat plays, or nobody (SPL-12)."""
    ending = state.ending
    if hand.prestige >= ENOUGH_PRESTIGE and ending != PRESTIGE:
        ending = PRESTIGE
        tale.append(public(LastRound(ending)))
    hands = _with(state.hands, state.seat, hand)
    return _next_turn(replace(state, passes=passes, ending=ending, board=board, hands=hands), tale)


def _next_turn(state: State, tale: Tale) -> Step:
    """The next seat still in plays; past the first seat's place a round is over (SPL-12, SPL-16, SPL-19)."""
    seat, is_new_round = _next_seat(state)
    if is_new_round and state.ending is not None:
        return _ended(state, state.ending, tale)
    if state.passes == state.left.count(0):
        return _ended(state, ALL_PASSED, tale)
    ending = state.ending
    round_ = state.round + is_new_round
    if is_new_round and round_ == state.options.turn_limit:
        ending = TURN_LIMIT
        tale.append(public(LastRound(ending)))
    turn = state.turn + 1
    return replace(state, seat=seat, turn=turn, round=round_, phase=Phase.ACTION, ending=ending), tuple(tale)


def _next_seat(state: State) -> tuple[int, bool]:
    """The next seat still in, and whether the first seat's place was reached on the way, left or not (SPL-16)."""
    left = state.left
    seat = state.seat
    is_new_round = False
    while True:
        seat = (seat + 1) % len(left)
        is_new_round = is_new_round or seat == state.first
        if not left[seat]:
            return seat, is_new_round


def _ended(state: State, reason: str, tale: Tale) -> Step:
    """The match is over, and the standing decides (SPL-17)."""
    final = standing(state)
    tale.append(public(MatchEnded(reason)))
    outcome = Outcome(reason, final.places, final.scores)
    return replace(state, phase=Phase.ACTION, outcome=outcome), tuple(tale)


def standing(state: State) -> Standing:
    """SPL-16, SPL-17: the most prestige, then the fewest bought cards; who left comes below (SPL-20, ALL-4)."""
    keys = [(hand.prestige, -len(hand.bought)) for hand in state.hands]
    return Standing(places_of(keys, state.left), tuple(hand.prestige for hand in state.hands))


def leave(state: State, seats: tuple[int, ...]) -> Step:
    """SPL-20, ALL-4: these seats leave at one moment; whoever is left alone has won."""
    leavers = [seat for seat, step in enumerate(state.left) if not step and seat in seats]
    if state.outcome is not None or not leavers:
        return state, ()
    step = max(state.left) + 1
    tale: Tale = []
    for seat in leavers:
        tale.append(public(SeatLeft(seat, Tokens(*state.hands[seat].tokens))))
        state = _cleared(state, seat, step)
    staying = state.left.count(0)
    if staying < 2:
        return _ended(state, LAST_SEAT if staying else ALL_LEFT, tale)
    return _next_turn(state, tale) if state.left[state.seat] else (state, tuple(tale))


def _cleared(state: State, seat: int, step: int) -> State:
    """A seat's tokens go to the bank, the rest to the box; a new position, so passes in a row begin anew (SPL-12)."""
    hand, board, box = state.hands[seat], state.board, state.box
    seen = tuple(held.card for held in hand.reserved if not held.is_secret)
    secret = tuple(held.card for held in hand.reserved if held.is_secret)
    return replace(
        state,
        passes=0,
        board=replace(board, bank=plus(board.bank, hand.tokens)),
        hands=_with(state.hands, seat, Hand()),
        left=_with(state.left, seat, step),
        box=Box(box.nobles + hand.nobles, box.cards + hand.bought + seen, box.secret_cards + secret),
    )


def _with(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])
