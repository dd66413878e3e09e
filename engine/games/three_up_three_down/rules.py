"""3UP 3DOWN as the service plays it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from engine.core.errors import Refusal
from engine.core.game import Game, Occasion, Timer
from engine.core.outcome import Outcome, Standing
from engine.core.rng import Rng
from engine.games.three_up_three_down import flow, legality, secrets
from engine.games.three_up_three_down.cards import KINDS, MOST_SEATS, extras_in
from engine.games.three_up_three_down.flow import Happened
from engine.games.three_up_three_down.moves import (
    AnyEvent,
    AnyMove,
    ChooseUp,
    Discard,
    Draw,
    PickUp,
    SkipDraw,
    TurnDown,
)
from engine.games.three_up_three_down.state import Options, State, staying
from engine.games.three_up_three_down.turn import Turn
from engine.games.three_up_three_down.view import View, view_of

TIME_LIMIT = "time_limit"


class ThreeUpThreeDown(Game[State, AnyMove, AnyEvent, Options, View]):
    """Get rid of the hand, the three cards UP and the three cards DOWN; docs/rules/three_up_three_down.md."""

    key = "three_up_three_down"
    title = "3UP 3DOWN"
    ruleset = 1
    options_type = Options
    state_type = State
    move_type = AnyMove
    event_type = AnyEvent
    view_type = View
    presets: ClassVar[Mapping[str, Options]] = {"standard": Options()}
    card_names = frozenset(KINDS)
    reasons = ("out", "turn_limit", "time_limit", "last_seat", "all_left")

    def seat_range(self, options: Options) -> range:
        """Two seats up to as many as the deck is for (TUD-1, TUD-2)."""
        return range(2, MOST_SEATS[options.deck] + 1)

    def longest(self, seats: int, options: Options) -> int:
        """A choice a seat, a move a turn, an extra and a draw for every extra in the deck, and the time limit."""
        return seats + options.turn_limit + 2 * extras_in(options.deck) + 1

    def setup(self, seats: int, options: Options, at: int, rng: Rng) -> Happened:
        """TUD-1 to TUD-6."""
        return flow.deal(seats, options, at, rng)

    def awaited(self, state: State) -> dict[int, Occasion]:
        """All that still choose UP cards, then the seat in turn; all of a turn is one occasion."""
        if state.reason:
            return {}
        if not state.turn:
            return {seat: Occasion("setup", 0) for seat in staying(state) if not state.choices[seat]}
        return {state.seat: Occasion("turn", state.turn)}

    def legal_moves(self, state: State, seat: int) -> Sequence[AnyMove]:
        """All of them; the order of three UP cards doesn't matter, and each choice is listed once, sorted."""
        return legality.legal_moves(state, seat)

    def refuse(self, state: State, seat: int, move: AnyMove) -> Refusal | None:
        """TUD-3, TUD-7 to TUD-10, TUD-16, TUD-19, TUD-23 to TUD-26."""
        return legality.refuse(state, seat, move)

    def play(self, state: State, seat: int, move: AnyMove, at: int, rng: Rng) -> Happened:
        """TUD-3 and TUD-7 to TUD-29; chance has no part in it."""
        match move:
            case ChooseUp():
                return flow.choose(state, seat, move)
            case Discard():
                return Turn(state).discard_cards(KINDS[move.card], move.count)
            case PickUp():
                return Turn(state).pick_up()
            case Draw():
                return Turn(state).draw_first()
            case SkipDraw():
                return Turn(state).skip_draw()
            case TurnDown():
                return Turn(state).turn_down(move.slot)

    def timers(self, state: State) -> tuple[Timer, ...]:
        """The time limit (TUD-31)."""
        limit = state.options.time_limit_s
        if limit is None or state.time_up or state.reason:
            return ()
        return (Timer(TIME_LIMIT, state.began + limit * 1000),)

    def expire(self, state: State, key: str, at: int, rng: Rng) -> Happened:
        """The time is up (TUD-31)."""
        if not any(timer.key == key for timer in self.timers(state)):
            return state, ()
        return flow.time_limit(state)

    def default_move(self, state: State, seat: int) -> AnyMove:
        """The three highest as UP cards; then the lowest playable card, singly, and a draw where one is offered."""
        return legality.default_move(state, seat)

    def leave(self, state: State, seats: tuple[int, ...], at: int, rng: Rng) -> Happened:
        """TUD-33."""
        return flow.leave(state, seats)

    def standing(self, state: State) -> Standing:
        """Fewest cards left first (TUD-30)."""
        return flow.standing(state)

    def outcome(self, state: State) -> Outcome | None:
        """Somebody is out of cards, a limit is reached, or nobody is left to play with (TUD-29 to TUD-31, ALL-4)."""
        if not state.reason:
            return None
        final = flow.standing(state)
        return Outcome(state.reason, final.places, final.scores)

    def view(self, state: State, viewer: int | None) -> View:
        """TUD-32."""
        return view_of(state, viewer)

    def census(self, state: State) -> Mapping[str, Sequence[Any]]:
        """Every card by zone."""
        return secrets.census(state)

    def shuffle_hidden(self, state: State, viewer: int | None, rng: Rng) -> State:
        """Hands of others, unseen DOWN cards and the draw pile lie differently."""
        return secrets.shuffle_hidden(state, viewer, rng)
