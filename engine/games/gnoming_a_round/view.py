"""What a viewer may know of a match, built up from nothing (GNO-28)."""

from __future__ import annotations

from msgspec import Struct

from engine.games.gnoming_a_round.cards import FACE_DOWN, name_of
from engine.games.gnoming_a_round.hazards import has_answered
from engine.games.gnoming_a_round.legal import is_awaited
from engine.games.gnoming_a_round.scoring import LINES, standing, tally
from engine.games.gnoming_a_round.state import (
    ALL_UP,
    ROUNDS,
    SLOTS,
    Ending,
    Phase,
    Result,
    Source,
    State,
    hand_is_hidden,
)


class SeatView(Struct, frozen=True):
    """One seat: its layout (None is a face-down card; empty once it has left) and its points.

    `showing` is what the open cards are worth as they lie, `rounds` the scored rounds, None where it wasn't in.
    """

    cards: tuple[str | None, ...]
    showing: int
    rounds: tuple[int | None, ...]
    total: int
    place: int
    is_awaited: bool
    has_last_turn: bool
    has_left: bool


class HandView(Struct, frozen=True):
    """The card that the seat in turn holds: drawn from `source`, or replaced (no source); None if it is hidden."""

    seat: int
    card: str | None
    source: Source | None


class SetupView(Struct, frozen=True):
    """Who has chosen its first two cards, and the viewer's own choice."""

    chosen: tuple[int, ...]
    own_slots: tuple[int, int] | None


class HazardView(Struct, frozen=True):
    """A Hazard to be answered: by whom, who has, and the viewer's own answer (no slot if it declined)."""

    seats: tuple[int, ...]
    answered: tuple[int, ...]
    own_answered: bool
    own_slot: int | None


class ScoredSeat(Struct, frozen=True):
    """A layout as it was scored, empty if the seat wasn't in.

    `lines` are the slots of each row or column of equal cards, `wild` is the slot of the Mulligan that is one of them,
    and `score` has any bonus or penalty in it.
    """

    cards: tuple[str, ...]
    lines: tuple[tuple[int, int, int], ...]
    wild: int | None
    score: int | None


class RoundView(Struct, frozen=True):
    """A scored round: why it ended, and who went out first with what bonus (negative) or penalty."""

    round: int
    ending: Ending
    seats: tuple[ScoredSeat, ...]
    out_first: int | None
    bonus: int


class View(Struct, frozen=True):
    """The table as one viewer (a seat, or None for a spectator) may know it.

    `turn` is the seat in turn, during set-up the one that will begin, None when the match is over. Discard piles have
    their top last. `bounce_slots` are those to which the card in hand may bounce. `ends_after_turn` says why the round
    ends after this turn, None if it goes on. `withdrawn` counts cards that leavers took out of the round.
    """

    viewer: int | None
    phase: Phase
    round: int
    rounds: int
    turn: int | None
    turns: int
    turn_limit: int
    seats: tuple[SeatView, ...]
    draw_pile: int
    left_pile: tuple[str, ...]
    right_pile: tuple[str, ...]
    hand: HandView | None
    bounce_slots: tuple[int, ...]
    setup: SetupView | None
    hazard: HazardView | None
    hazards_gone: int
    withdrawn: int
    has_reshuffled: bool
    out_first: int | None
    ends_after_turn: Ending | None
    results: tuple[RoundView, ...]
    reason: str | None


def view_of(state: State, viewer: int | None) -> View:
    """Build what this viewer may know."""
    return View(
        viewer=viewer,
        phase=state.phase,
        round=state.number,
        rounds=ROUNDS,
        turn=None if state.phase is Phase.OVER else state.turn,
        turns=state.turns,
        turn_limit=state.options.turn_limit,
        seats=_seats(state),
        draw_pile=len(state.pile),
        left_pile=tuple(name_of(card) for card in state.left_pile),
        right_pile=tuple(name_of(card) for card in state.right_pile),
        hand=_hand(state, viewer),
        bounce_slots=_bounce_slots(state),
        setup=_setup(state, viewer),
        hazard=_hazard(state, viewer),
        hazards_gone=state.hazards_gone,
        withdrawn=len(state.withdrawn_open) + len(state.withdrawn_hidden) + len(state.taken_along),
        has_reshuffled=state.reshuffled_in is not None,
        out_first=state.out_first,
        ends_after_turn=_ends_after_turn(state),
        results=tuple(_round(number, result) for number, result in enumerate(state.results, 1)),
        reason=state.reason,
    )


def _ends_after_turn(state: State) -> Ending | None:
    if state.phase is Phase.OVER:
        return None
    if state.out_first is not None and state.last_turns in {(), (state.turn,)}:
        return Ending.LAST_TURNS
    return state.cut or (Ending.TURN_LIMIT if state.turns >= state.options.turn_limit else None)


def _seats(state: State) -> tuple[SeatView, ...]:
    places = standing(state)
    return tuple(
        SeatView(
            cards=_open_cards(cards, state.up[seat]),
            showing=_showing(cards, state.up[seat]),
            rounds=tuple(result.scores[seat] for result in state.results),
            total=places.scores[seat],
            place=places.places[seat],
            is_awaited=is_awaited(state, seat),
            has_last_turn=seat in state.last_turns,
            has_left=state.left[seat] > 0,
        )
        for seat, cards in enumerate(state.layouts)
    )


def _open_cards(cards: tuple[int, ...], up: int) -> tuple[str | None, ...]:
    return tuple(name_of(card) if up >> slot & 1 else None for slot, card in enumerate(cards))


def _showing(cards: tuple[int, ...], up: int) -> int:
    return tally([card if up >> slot & 1 else FACE_DOWN for slot, card in enumerate(cards)]).points if cards else 0


def _hand(state: State, viewer: int | None) -> HandView | None:
    if state.hand is None:
        return None
    return HandView(state.turn, None if hand_is_hidden(state, viewer) else name_of(state.hand), state.source)


def _bounce_slots(state: State) -> tuple[int, ...]:
    open_to = ~state.used & ALL_UP if state.may_bounce else 0
    return tuple(slot for slot in range(SLOTS) if open_to >> slot & 1)


def _setup(state: State, viewer: int | None) -> SetupView | None:
    if state.phase is not Phase.SETUP:
        return None
    chosen = tuple(seat for seat, slots in enumerate(state.chosen) if slots is not None)
    return SetupView(chosen, None if viewer is None else state.chosen[viewer])


def _hazard(state: State, viewer: int | None) -> HazardView | None:
    call = state.hazard
    if call is None:
        return None
    own = next((answer for answer in call.answers if answer.seat == viewer), None)
    answered = tuple(seat for seat in call.seats if has_answered(call, seat))
    return HazardView(call.seats, answered, own is not None, own.slot if own else None)


def _round(number: int, result: Result) -> RoundView:
    seats = zip(result.layouts, result.scores, strict=True)
    scored = tuple(_scored_seat(cards, score) for cards, score in seats)
    return RoundView(number, result.ending, scored, result.out_first, result.bonus)


def _scored_seat(cards: tuple[int, ...], score: int | None) -> ScoredSeat:
    if not cards:
        return ScoredSeat((), (), None, None)
    counted = tally(cards)
    lines = tuple(LINES[index] for index in counted.lines)
    return ScoredSeat(tuple(name_of(card) for card in cards), lines, counted.wild, score)
