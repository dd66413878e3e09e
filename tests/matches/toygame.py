"""Heap, a game for tests of what lies around games: take one to three of a heap in turn; the last one wins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from engine import registry
from engine.core.errors import Refusal, illegal, not_your_turn
from engine.core.events import Event, Told, private, public
from engine.core.game import Game, Occasion, Timer
from engine.core.moves import Move
from engine.core.outcome import Outcome, Standing
from engine.core.rng import Rng


class HeapOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """`time_limit_s` ends the match with nobody the winner."""

    heap: int = 10
    time_limit_s: int | None = None


class Take(Move, frozen=True):
    """Take so many."""

    count: int


class Wait(Move, frozen=True):
    """Stay on turn; its time is that of its answer."""


class Taken(Event, frozen=True):
    """What was taken, and what is left."""

    seat: int
    count: int
    left: int


class Whispered(Event, frozen=True):
    """Told to one seat alone."""

    number: int


class Over(Event, frozen=True):
    """The end."""

    reason: str


HeapMove = Take | Wait
HeapEvent = Taken | Whispered | Over


class HeapState(Struct, frozen=True, forbid_unknown_fields=True):
    """`gone` are the seats that left, in that order."""

    heap: int
    seats: int
    turn: int
    turns: int
    limit: int | None
    gone: tuple[int, ...] = ()
    winner: int | None = None
    reason: str | None = None


class HeapView(Struct, frozen=True):
    """All of it is open."""

    heap: int
    turn: int


Told_ = tuple[Told[HeapEvent], ...]


class Heap(Game[HeapState, HeapMove, HeapEvent, HeapOptions, HeapView]):
    """The rule book."""

    key = "heap"
    title = "Heap"
    ruleset = 1
    options_type = HeapOptions
    state_type = HeapState
    move_type = HeapMove
    event_type = HeapEvent
    view_type = HeapView
    presets: ClassVar[Mapping[str, HeapOptions]] = {"standard": HeapOptions(), "short": HeapOptions(heap=2)}
    card_names = frozenset()
    reasons = ("last_taken", "time_limit", "others_left")

    def seat_range(self, options: HeapOptions) -> range:
        return range(2, 5)

    def longest(self, seats: int, options: HeapOptions) -> int:
        return options.heap + 1

    def setup(self, seats: int, options: HeapOptions, at: int, rng: Rng) -> tuple[HeapState, Told_]:
        limit = None if options.time_limit_s is None else at + options.time_limit_s * 1000
        told = tuple(private(Whispered(rng.below(1_000_000)), seat) for seat in range(seats))
        return HeapState(options.heap, seats, 0, 0, limit), told

    def awaited(self, state: HeapState) -> dict[int, Occasion]:
        return {} if state.reason else {state.turn: Occasion("turn", state.turns + 1)}

    def legal_moves(self, state: HeapState, seat: int) -> Sequence[HeapMove]:
        if state.reason or seat != state.turn:
            return ()
        return (*(Take(count) for count in range(1, min(3, state.heap) + 1)), Wait())

    def refuse(self, state: HeapState, seat: int, move: HeapMove) -> Refusal | None:
        if seat != state.turn:
            return not_your_turn(f"it is the turn of seat {state.turn}")
        if move not in self.legal_moves(state, seat):
            return illegal("HEAP-1", f"take one to three of {state.heap}")
        return None

    def play(self, state: HeapState, seat: int, move: HeapMove, at: int, rng: Rng) -> tuple[HeapState, Told_]:
        if isinstance(move, Wait):
            return replace(state, turns=state.turns + 1), ()
        left = state.heap - move.count
        after = replace(state, heap=left, turn=_next(state), turns=state.turns + 1)
        told = public(Taken(seat, move.count, left))
        if left:
            return after, (told,)
        return replace(after, winner=seat, reason="last_taken"), (told, public(Over("last_taken")))

    def timers(self, state: HeapState) -> tuple[Timer, ...]:
        return () if state.reason or state.limit is None else (Timer("time_limit", state.limit),)

    def expire(self, state: HeapState, key: str, at: int, rng: Rng) -> tuple[HeapState, Told_]:
        return (state, ()) if state.reason else (replace(state, reason=key), (public(Over(key)),))

    def default_move(self, state: HeapState, seat: int) -> HeapMove:
        return Take(1)

    def leave(self, state: HeapState, seats: tuple[int, ...], at: int, rng: Rng) -> tuple[HeapState, Told_]:
        after = replace(state, gone=(*state.gone, *seats))
        rest = [seat for seat in range(state.seats) if seat not in after.gone]
        if len(rest) < 2:
            return replace(after, winner=rest[0] if rest else None, reason="others_left"), (
                public(Over("others_left")),
            )
        turn = _next(after) if state.turn in after.gone else state.turn
        return replace(after, turn=turn, turns=after.turns + (turn != state.turn)), ()

    def standing(self, state: HeapState) -> Standing:
        scores = tuple(int(seat == state.winner) for seat in range(state.seats))
        return Standing(tuple(1 if score == max(scores) else 2 for score in scores), scores)

    def outcome(self, state: HeapState) -> Outcome | None:
        standing = self.standing(state)
        return None if state.reason is None else Outcome(state.reason, standing.places, standing.scores)

    def view(self, state: HeapState, viewer: int | None) -> HeapView:
        return HeapView(state.heap, state.turn)

    def stamped_at_commit(self, move: HeapMove) -> bool:
        return isinstance(move, Wait)

    def census(self, state: HeapState) -> Mapping[str, Sequence[Any]]:
        return {}

    def shuffle_hidden(self, state: HeapState, viewer: int | None, rng: Rng) -> HeapState:
        return state


def _next(state: HeapState) -> int:
    turn = (state.turn + 1) % state.seats
    while turn in state.gone:
        turn = (turn + 1) % state.seats
    return turn


@contextmanager
def installed() -> Iterator[None]:
    """Inside the block Heap is one of the games."""
    game = Heap()
    registry._rulebooks()[game.key, game.ruleset] = game
    registry.games.cache_clear()
    yield
    del registry._rulebooks()[game.key, game.ruleset]
    registry.games.cache_clear()
