"""The contract between a game and everything else: pure functions of values.

A state is a frozen struct; nothing here reads a clock, draws from any other chance than the `Rng` it is handed, or
changes a value it was given. Times are milliseconds of *match time*: UTC less all the time for which the whole match
was stopped. Seats count from 0.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
from msgspec import Struct

from engine.core.errors import BadOptions, Refusal
from engine.core.events import Told
from engine.core.outcome import Outcome, Standing
from engine.core.rng import Rng

S = TypeVar("S")
M = TypeVar("M")
E = TypeVar("E")
O = TypeVar("O")  # noqa: E741
V = TypeVar("V")


RACE = "race"
"""The kind of an occasion that may be let pass without its counting as a turn missed (ALL-6)."""
LOOK = "look"
"""The kind of an occasion in which a seat's own stopwatch runs (RACE-2)."""


class Occasion(Struct, frozen=True):
    """What a seat is asked for: one turn, one interruption, one race, one look.

    All decisions with an equal occasion share one clock and earn one increment. `kind` is a word for clients (`turn`,
    `race`, `hazard`); `number` tells occasions of a kind apart and never comes again for the same seat.
    """

    kind: str
    number: int


class Timer(Struct, frozen=True):
    """A wait that the rules define: it fires at `due`.

    `seats` are those whose open decisions it ends: a move of theirs received at `due` or later is late. A timer that
    ends no decision (a time limit) has none.
    """

    key: str
    due: int
    seats: tuple[int, ...] = ()


class Game(ABC, Generic[S, M, E, O, V]):
    """A rule book. State S, move M, event E, options O, view V; M and E are unions of tagged structs.

    Cards appear in views and events by name (a string of `card_names`), never as numbers.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    ruleset: ClassVar[int]
    options_type: ClassVar[Any]
    state_type: ClassVar[Any]
    move_type: ClassVar[Any]
    event_type: ClassVar[Any]
    view_type: ClassVar[Any]
    presets: ClassVar[Mapping[str, Any]]
    card_names: ClassVar[frozenset[str]]
    reasons: ClassVar[tuple[str, ...]]
    """Every reason with which an outcome of this game may come."""

    @abstractmethod
    def seat_range(self, options: O) -> range:
        """The seat counts that these options allow."""

    @abstractmethod
    def longest(self, seats: int, options: O) -> int:
        """A bound on the moves and timers of one match, whatever is played (ALL-3)."""

    @abstractmethod
    def setup(self, seats: int, options: O, at: int, rng: Rng) -> tuple[S, tuple[Told[E], ...]]:
        """Deal: the first state and what is told of it. `at` is when the match begins."""

    @abstractmethod
    def awaited(self, state: S) -> dict[int, Occasion]:
        """The seats the match waits for, and what for; their clocks run. Empty while only a timer runs."""

    def reacting(self, state: S) -> dict[int, Occasion]:
        """The seats that may answer although the match doesn't wait for them: no clock of theirs runs."""
        return {}

    @abstractmethod
    def legal_moves(self, state: S, seat: int) -> Sequence[M]:
        """Every move that `seat` may make now, reactions included; empty for a seat with nothing to decide.

        Where listing every combination would be absurd, the canonical ones; `refuse` is the authority.
        """

    @abstractmethod
    def refuse(self, state: S, seat: int, move: M) -> Refusal | None:
        """Why `play` would not take this move, or None when it would."""

    @abstractmethod
    def play(self, state: S, seat: int, move: M, at: int, rng: Rng) -> tuple[S, tuple[Told[E], ...]]:
        """Make a move that `refuse` has nothing against; `at` is when it was received."""

    @abstractmethod
    def timers(self, state: S) -> tuple[Timer, ...]:
        """The waits that run now; none once the game is over."""

    def known_timers(self, state: S, viewer: int | None) -> tuple[Timer, ...]:
        """What this viewer may know of the waits; by default those that end no decision."""
        return tuple(timer for timer in self.timers(state) if not timer.seats)

    @abstractmethod
    def expire(self, state: S, key: str, at: int, rng: Rng) -> tuple[S, tuple[Told[E], ...]]:
        """The timer `key` fires at its due `at`. A timer that isn't there any more changes nothing."""

    @abstractmethod
    def default_move(self, state: S, seat: int) -> M:
        """What a silent seat is taken to do (ALL-6); legal. Only for a seat that is awaited."""

    @abstractmethod
    def leave(self, state: S, seats: tuple[int, ...], at: int, rng: Rng) -> tuple[S, tuple[Told[E], ...]]:
        """These seats leave at the same moment, by the game's own rule (ALL-4)."""

    @abstractmethod
    def standing(self, state: S) -> Standing:
        """Places and scores as they are now, from what is public."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """None while the match runs, else how it ended."""

    @abstractmethod
    def view(self, state: S, viewer: int | None) -> V:
        """What this viewer (a seat, or None for a spectator) may know, built up from nothing (ALL-2)."""

    def is_sealed(self, state: S) -> bool:
        """Whether looks or answers lie on the table that nobody but their seat may know of (RACE-2)."""
        return False

    def stamped_at_commit(self, move: M) -> bool:
        """Whether the time of this move is that of its answer, not that of its request: a look (RACE-2)."""
        return False

    @abstractmethod
    def census(self, state: S) -> Mapping[str, Sequence[Any]]:
        """Everything that can't get lost, by zone, those out of play included; cards by name (ALL-1)."""

    @abstractmethod
    def shuffle_hidden(self, state: S, viewer: int | None, rng: Rng) -> S:
        """Another state that this viewer can't tell from `state`: what is hidden from it lies differently (ALL-2)."""

    def check(self, seats: int, options: O) -> None:
        """Raise BadOptions when a match can't be opened with this seat count and these options."""
        allowed = self.seat_range(options)
        if seats not in allowed:
            raise BadOptions(f"{self.title} is for {allowed[0]} to {allowed[-1]} seats with these options, not {seats}")

    def options(self, values: Mapping[str, Any] | None = None, preset: str = "standard") -> O:
        """A preset with some of its values changed. Raises BadOptions that names the faulty one."""
        if preset not in self.presets:
            raise BadOptions(f"{self.title} has no preset {preset!r}; it has {', '.join(sorted(self.presets))}")
        merged = {**msgspec.to_builtins(self.presets[preset]), **(values or {})}
        try:
            options: O = msgspec.convert(merged, self.options_type)
        except msgspec.ValidationError as error:
            raise BadOptions(f"options of {self.title}: {error}") from None
        return options
