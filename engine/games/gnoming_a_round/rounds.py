"""Dealing, the end of a turn, of a round and of the match."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.events import Told, private, public
from engine.core.rng import Rng
from engine.core.seating import clockwise
from engine.games.gnoming_a_round.cards import DECK, HAZARD, name_of
from engine.games.gnoming_a_round.moves import (
    AnyEvent,
    CardsTurnedUp,
    MatchEnded,
    OwnSlotsChosen,
    RoundBegan,
    RoundScored,
    SlotsChosen,
    Step,
    Telling,
    TurnBegan,
    WentOut,
)
from engine.games.gnoming_a_round.scoring import out_bonus, standing, tally, totals
from engine.games.gnoming_a_round.state import (
    ALL_UP,
    ROUNDS,
    SLOTS,
    Ending,
    Phase,
    Result,
    State,
    next_seat,
    seats_in,
)


def deal(state: State, at: int, rng: Rng) -> Step:
    """Deal the next round, with all cards shuffled anew (GNO-3, GNO-4, GNO-6, GNO-26)."""
    cards = rng.shuffle(DECK)
    layouts = []
    for step in state.left:
        layouts.append(() if step else cards[:SLOTS])
        cards = cards if step else cards[SLOTS:]
    cards, left = _start_discards(cards, rng)
    cards, right = _start_discards(cards, rng)
    begins = state.number % state.seats
    starter = next_seat(state, begins) if state.left[begins] else begins
    state = State(
        options=state.options,
        seats=state.seats,
        began=state.began,
        left=state.left,
        number=state.number + 1,
        round_began=at,
        turn=starter,
        turn_number=state.turn_number,
        layouts=tuple(layouts),
        up=(0,) * state.seats,
        pile=cards,
        left_pile=(left,),
        right_pile=(right,),
        chosen=(None,) * state.seats,
        hazard_number=state.hazard_number,
        results=state.results,
    )
    began = RoundBegan(state.number, starter, seats_in(state), name_of(left), name_of(right), len(cards))
    return state, (public(began),)


def _start_discards(cards: tuple[int, ...], rng: Rng) -> tuple[tuple[int, ...], int]:
    """Turn over the top card; a Hazard is shuffled back and another turned, of which nothing is told (GNO-4)."""
    while cards[-1] == HAZARD:
        cards = rng.shuffle(cards)
    return cards[:-1], cards[-1]


def choose_slots(state: State, seat: int, slots: tuple[int, int]) -> Step:
    """A seat chooses its first two cards, sealed until all have chosen (GNO-5)."""
    first, second = sorted(slots)
    chosen = (*state.chosen[:seat], (first, second), *state.chosen[seat + 1 :])
    told: Telling = (public(SlotsChosen(seat)), private(OwnSlotsChosen(seat, (first, second)), seat))
    state, more = open_if_chosen(replace(state, chosen=chosen))
    return state, (*told, *more)


def open_if_chosen(state: State) -> Step:
    """When all seats have chosen, show their cards and begin the first turn (GNO-5)."""
    choices = [(seat, slots) for seat, slots in enumerate(state.chosen) if slots is not None]
    if len(choices) < len(seats_in(state)):
        return state, ()
    up = list(state.up)
    told: Telling = ()
    for seat, slots in choices:
        up[seat] = 1 << slots[0] | 1 << slots[1]
        told = (*told, turned_up(state, seat, slots))
    state, more = begin_turn(replace(state, up=tuple(up), chosen=(None,) * state.seats), state.turn)
    return state, (*told, *more)


def begin_turn(state: State, seat: int) -> Step:
    """The seat is in turn and draws first (GNO-7)."""
    number = state.turn_number + 1
    state = replace(state, phase=Phase.DRAW, turn=seat, turns=state.turns + 1, turn_number=number)
    return state, (public(TurnBegan(seat, number)),)


def end_turn(state: State, at: int, rng: Rng) -> Step:
    """The turn is over: test whether the seat went out, and whether the round ends (GNO-18, GNO-24, GNO-27, GNO-30)."""
    state, told = _note_going_out(state)
    if state.cut is not None or state.turns >= state.options.turn_limit or last_turns_played(state):
        state, more = end_round(state, at, rng)
    else:
        state, more = begin_turn(state, next_seat(state, state.turn))
    return state, (*told, *more)


def _note_going_out(state: State) -> Step:
    """The first seat with all cards face up goes out; after that each turn is a last one (GNO-18)."""
    seat = state.turn
    if state.out_first is not None:
        return replace(state, last_turns=tuple(other for other in state.last_turns if other != seat)), ()
    if state.up[seat] != ALL_UP:
        return state, ()
    others = tuple(other for other in clockwise(seat, state.seats) if other != seat and not state.left[other])
    return replace(state, out_first=seat, last_turns=others), (public(WentOut(seat, others)),)


def last_turns_played(state: State) -> bool:
    """Whether a seat went out and every other seat has had its last turn."""
    return state.out_first is not None and not state.last_turns


def end_round(state: State, at: int, rng: Rng) -> Step:
    """Turn everything up and score it; then deal the next round or end the match (GNO-18 to GNO-25)."""
    inside = seats_in(state)
    revealed = tuple(
        turned_up(state, seat, tuple(slot for slot in range(SLOTS) if not state.up[seat] >> slot & 1))
        for seat in inside
        if state.up[seat] != ALL_UP
    )
    result = _score(state)
    state = replace(state, up=(ALL_UP,) * state.seats, results=(*state.results, result))
    told: Telling = (*revealed, public(_scored(state, result)))
    if len(state.results) == ROUNDS or state.last_round:
        state, more = finish(state, "time_limit" if state.last_round else "rounds")
    else:
        state, more = deal(state, at, rng)
    return state, (*told, *more)


def _score(state: State) -> Result:
    """The scores of the round, with the bonus of the seat that went out first, if it is still in (GNO-23, GNO-29)."""
    scores = [tally(cards).points if cards else None for cards in state.layouts]
    complete = last_turns_played(state)
    bonus = 0
    seat = state.out_first
    if seat is not None and complete and not state.left[seat]:
        bonus = out_bonus(scores, seat)
        scores[seat] = (scores[seat] or 0) + bonus
    ending = Ending.LAST_TURNS if complete else state.cut or Ending.TURN_LIMIT
    return Result(state.layouts, tuple(scores), ending, seat, bonus)


def _scored(state: State, result: Result) -> RoundScored:
    return RoundScored(
        round=state.number,
        ending=result.ending,
        layouts=tuple(tuple(name_of(card) for card in cards) for cards in result.layouts),
        scores=result.scores,
        totals=totals(state.seats, state.results),
        out_first=result.out_first,
        bonus=result.bonus,
    )


def finish(state: State, reason: str) -> Step:
    """The match is over, and nothing is open any more (GNO-25)."""
    state = replace(state, phase=Phase.OVER, reason=reason, hazard=None, may_bounce=False, last_turns=())
    final = standing(state)
    return state, (public(MatchEnded(reason, final.places, final.scores)),)


def turned_up(state: State, seat: int, slots: tuple[int, ...]) -> Told[AnyEvent]:
    """Tell everybody what lies in these slots."""
    cards = state.layouts[seat]
    return public(CardsTurnedUp(seat, slots, tuple(name_of(cards[slot]) for slot in slots)))
