"""The rule book of Gnoming A Round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace

from engine.core.errors import Refusal
from engine.core.events import public
from engine.core.game import Game, Occasion, Timer
from engine.core.outcome import Outcome, Standing
from engine.core.rng import Rng
from engine.games.gnoming_a_round import hidden, leaving, legal, scoring
from engine.games.gnoming_a_round.cards import NAMES
from engine.games.gnoming_a_round.hazards import answer, has_answered
from engine.games.gnoming_a_round.moves import (
    AnyEvent,
    AnyMove,
    Bounce,
    Discard,
    Draw,
    LimitReached,
    Place,
    Step,
    TurnUp,
    TurnUpOne,
)
from engine.games.gnoming_a_round.rounds import choose_slots, deal, end_round
from engine.games.gnoming_a_round.state import ROUNDS, SLOTS, BounceChain, Ending, Options, Phase, State, seats_in
from engine.games.gnoming_a_round.turns import bounce, discard, draw, place
from engine.games.gnoming_a_round.view import View, view_of

_PUBLISHER = Options(two_seats=True, bounce_chain=BounceChain.FACE_DOWN, taken_must_be_played=True)


class GnomingARound(Game[State, AnyMove, AnyEvent, Options, View]):
    """A trading version of the card game Golf on a layout of three by three, over three rounds."""

    key: ClassVar[str] = "gnoming_a_round"
    title: ClassVar[str] = "Gnoming A Round"
    ruleset: ClassVar[int] = 1
    options_type = Options
    state_type = State
    move_type = AnyMove
    event_type = AnyEvent
    view_type = View
    presets: ClassVar[Mapping[str, Options]] = {"standard": Options(), "publisher": _PUBLISHER}
    card_names: ClassVar[frozenset[str]] = frozenset(NAMES)
    reasons: ClassVar[tuple[str, ...]] = ("rounds", "time_limit", "last_seat", "all_left")

    def seat_range(self, options: Options) -> range:
        """3 to 7 seats, with the option `two_seats` from 2 (GNO-2)."""
        return range(2 if options.two_seats else 3, 8)

    def longest(self, seats: int, options: Options) -> int:
        """Each turn draws, plays, bounces to eight slots and discards; three Hazards a round ask all the others."""
        turns = options.turn_limit * (SLOTS + 2)
        hazards = 3 * (seats - 1)
        return ROUNDS * (seats + turns + hazards + 1) + 1

    def setup(self, seats: int, options: Options, at: int, rng: Rng) -> Step:
        """Deal the first round."""
        return deal(State(options, seats, at, left=(0,) * seats), at, rng)

    def awaited(self, state: State) -> dict[int, Occasion]:
        """All that still choose at set-up, all that still answer a Hazard, else the seat in turn."""
        if state.phase is Phase.OVER:
            return {}
        if state.phase is Phase.SETUP:
            return {seat: Occasion("setup", state.number) for seat in seats_in(state) if state.chosen[seat] is None}
        call = state.hazard
        if call is not None:
            return {seat: Occasion("hazard", call.number) for seat in call.seats if not has_answered(call, seat)}
        return {state.turn: Occasion("turn", state.turn_number)}

    def legal_moves(self, state: State, seat: int) -> Sequence[AnyMove]:
        """Every move of this seat; the slots of `turn_up` in ascending order only."""
        return legal.legal_moves(state, seat)

    def refuse(self, state: State, seat: int, move: AnyMove) -> Refusal | None:
        """Why this move can't be made, or None."""
        return legal.refuse(state, seat, move)

    def play(self, state: State, seat: int, move: AnyMove, at: int, rng: Rng) -> Step:
        """Make a legal move."""
        match move:
            case Draw():
                return draw(state, move.source, rng)
            case Place():
                return place(state, move.slot, at, rng)
            case Discard():
                return discard(state, move.pile, at, rng)
            case Bounce():
                return bounce(state, move.slot, at, rng)
            case TurnUp():
                return choose_slots(state, seat, move.slots)
            case _:
                return answer(state, seat, move.slot if isinstance(move, TurnUpOne) else None, at, rng)

    def timers(self, state: State) -> tuple[Timer, ...]:
        """The limits of the match and of the round, while they can change anything (GNO-27)."""
        if state.phase is Phase.OVER:
            return ()
        running = []
        if state.options.time_limit_s is not None and not state.last_round:
            running.append(Timer(Ending.TIME_LIMIT.value, state.began + 1000 * state.options.time_limit_s))
        if state.options.round_limit_s is not None and state.cut is None:
            running.append(Timer(Ending.ROUND_LIMIT.value, state.round_began + 1000 * state.options.round_limit_s))
        return tuple(running)

    def expire(self, state: State, key: str, at: int, rng: Rng) -> Step:
        """The round ends after the current turn, at once during set-up, the match too at the time limit (GNO-27)."""
        if all(timer.key != key for timer in self.timers(state)):
            return state, ()
        limit = Ending(key)
        state = replace(state, cut=state.cut or limit, last_round=limit is Ending.TIME_LIMIT)
        told = (public(LimitReached(limit)),)
        if state.phase is not Phase.SETUP:
            return state, told
        state, more = end_round(state, at, rng)
        return state, (*told, *more)

    def default_move(self, state: State, seat: int) -> AnyMove:
        """The most passive legal move (ALL-6)."""
        return legal.default_move(state, seat)

    def leave(self, state: State, seats: tuple[int, ...], at: int, rng: Rng) -> Step:
        """These seats leave together; layouts and a card held go out of the round (GNO-29)."""
        return leaving.leave(state, seats, at, rng)

    def standing(self, state: State) -> Standing:
        """Places by the scored rounds (GNO-25)."""
        return scoring.standing(state)

    def outcome(self, state: State) -> Outcome | None:
        """How the match ended, None while it runs."""
        if state.reason is None:
            return None
        final = scoring.standing(state)
        return Outcome(state.reason, final.places, final.scores)

    def view(self, state: State, viewer: int | None) -> View:
        """What this viewer may know."""
        return view_of(state, viewer)

    def census(self, state: State) -> Mapping[str, Sequence[str]]:
        """Every card of the round by zone."""
        return hidden.census(state)

    def shuffle_hidden(self, state: State, viewer: int | None, rng: Rng) -> State:
        """Lay what this viewer can't know differently."""
        return hidden.shuffle_hidden(state, viewer, rng)
