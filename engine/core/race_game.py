"""What games of races have in common: a card is turned, then all seats in race for it, until the match ends."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from engine.core import race as races
from engine.core.errors import Refusal, illegal, not_your_turn
from engine.core.events import Told, private
from engine.core.game import Game, Occasion, Timer
from engine.core.outcome import Outcome, Standing
from engine.core.race import CardSeen, Race, RaceMode
from engine.core.rng import Rng

TIME_LIMIT = "time_limit"


class RaceState(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every state of such a game has.

    `turn` is the seat that turns the next card, or turned that of the open `race`; `turned` counts the cards turned so
    far and is the number of the last race. `exits` is 0 for a seat still in, else the step at which it went out or
    left, from 1. `deadline` (match time, ms) is that of the time limit; `time_is_up` says that it has passed.
    """

    dealer: int
    exits: tuple[int, ...]
    turn: int
    turned: int = 0
    race: Race | None = None
    deadline: int | None = None
    time_is_up: bool = False
    reason: str | None = None

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats still in."""
        return tuple(seat for seat, step in enumerate(self.exits) if step == 0)

    @property
    def counts(self) -> tuple[int, ...]:
        """How many cards each seat has."""
        raise NotImplementedError

    @property
    def places(self) -> tuple[int, ...]:
        """Places as they are now."""
        raise NotImplementedError


R = TypeVar("R", bound=RaceState)
M = TypeVar("M")
E = TypeVar("E")
O = TypeVar("O")  # noqa: E741
V = TypeVar("V")


class RaceGame(Game[R, M, E, O, V]):
    """A game says what turning a card does, what may be claimed, and what comes of the claims when a race closes."""

    turn_move: ClassVar[Any]
    look_move: ClassVar[Any]
    pass_move: ClassVar[Any]
    claiming: ClassVar[str]
    """The verb for making a claim."""
    turn_rule: ClassVar[str]
    """The rule that says whose turn it is."""
    out_rule: ClassVar[str]
    """The rule that says that a seat that is out does nothing."""

    @abstractmethod
    def claims(self, state: R) -> Sequence[M]:
        """All claims that may be made of a card, rightly or not (RACE-5)."""

    @abstractmethod
    def claim_of(self, move: M) -> str | None:
        """What this answer claims; None for a pass."""

    @abstractmethod
    def card_of(self, state: R, race: Race) -> str:
        """The name of the card that was turned for this race."""

    @abstractmethod
    def turn_card(self, state: R, at: int) -> tuple[R, tuple[Told[E], ...]]:
        """The seat whose turn it is turns its next card, or the match ends because the time is up."""

    @abstractmethod
    def close_race(self, state: R, race: Race, at: int, rng: Rng) -> tuple[R, tuple[Told[E], ...]]:
        """Judge the race and do all that follows (RACE-6)."""

    @abstractmethod
    def leave_between_races(self, state: R, leavers: Sequence[int], at: int) -> tuple[R, tuple[Told[E], ...]]:
        """These seats, all of them in, leave while no race is open."""

    @abstractmethod
    def time_up(self, state: R, at: int) -> tuple[R, tuple[Told[E], ...]]:
        """The time limit is reached, in a race or between two."""

    def awaited(self, state: R) -> dict[int, Occasion]:
        """The seat that is to turn (`turn`), or by reaction those that haven't looked (`race`)."""
        if state.reason is not None:
            return {}
        if state.race is None:
            return {state.turn: Occasion("turn", state.turned + 1)}
        return races.awaited(state.race)

    def reacting(self, state: R) -> dict[int, Occasion]:
        """The seats that may answer by arrival (`race`), or by reaction those whose stopwatch runs (`look`)."""
        return {} if state.race is None else races.reacting(state.race)

    def legal_moves(self, state: R, seat: int) -> Sequence[M]:
        """The same in every race, whether or not anything can be claimed (RACE-5)."""
        race = state.race
        if race is None:
            return (self.turn_move,) if state.reason is None and seat == state.turn else ()
        if not races.may_answer(race, seat):
            return ()
        if races.must_look(race, seat):
            return (self.look_move, self.pass_move)
        return (*self.claims(state), self.pass_move)

    def refuse(self, state: R, seat: int, move: M) -> Refusal | None:
        """Why not (RACE-1, RACE-2, and the game's own rules)."""
        if state.reason is not None:
            return not_your_turn("the match is over")
        race = state.race
        if race is None:
            return self._refuse_between_races(state, seat, move)
        if seat not in race.seats:
            return not_your_turn(f"{self.out_rule}: a seat that is out has no turn and no {self.claiming}")
        if not races.may_answer(race, seat):
            return not_your_turn(f"each seat answers race {race.number} once, and you have answered or left")
        if move == self.turn_move:
            return races.refuse_turn(race, self.claiming)
        if move == self.look_move:
            return races.refuse_look(race, seat, self.claiming)
        if move == self.pass_move:
            return None
        return races.refuse_claim(race, seat, self.claiming) or self.refuse_claim(state, move)

    def refuse_claim(self, state: R, move: M) -> Refusal | None:
        """Why this can't be claimed with these options."""
        return None

    def play(self, state: R, seat: int, move: M, at: int, rng: Rng) -> tuple[R, tuple[Told[E], ...]]:
        """Turn, look or answer; the last answer closes the race."""
        race = state.race
        if race is None:
            return self.turn_card(state, at)
        if move == self.look_move:
            seen: Any = private(CardSeen(race.number, self.card_of(state, race)), seat)
            return replace(state, race=races.look(race, seat, at)), (seen,)
        race = races.answer(race, seat, at, self.claim_of(move))
        return self._answered(state, race, seat, at, rng, closes=races.is_complete(race))

    def timers(self, state: R) -> tuple[Timer, ...]:
        """The race's own, and the time limit."""
        race_timers = () if state.race is None else races.timers(state.race)
        return (*race_timers, *_time_limit(state))

    def known_timers(self, state: R, viewer: int | None) -> tuple[Timer, ...]:
        """The window or one's own look, and the time limit (RACE-5)."""
        race_timers = () if state.race is None else races.known_timers(state.race, viewer)
        return (*race_timers, *_time_limit(state))

    def expire(self, state: R, key: str, at: int, rng: Rng) -> tuple[R, tuple[Told[E], ...]]:
        """The race closes, a seat that looked has passed, or the time is up (RACE-1, RACE-2)."""
        if key == TIME_LIMIT:
            return self.time_up(state, at) if _time_limit(state) else (state, ())
        after = None if state.race is None else races.expire(state.race, key)
        if after is None:
            return state, ()
        race, closes = after
        if key == races.TIMER:
            return self.close_race(state, race, at, rng)
        return self._answered(state, race, race.answers[-1].seat, at, rng, closes=closes)

    def default_move(self, state: R, seat: int) -> M:
        """Turn when it is the seat's turn, pass in a race (ALL-6)."""
        move: M = self.turn_move if state.race is None else self.pass_move
        return move

    def leave(self, state: R, seats: tuple[int, ...], at: int, rng: Rng) -> tuple[R, tuple[Told[E], ...]]:
        """Between races by the game's own rule, in a race at its close (RACE-6)."""
        leavers = [seat for seat in sorted(set(seats)) if state.exits[seat] == 0]
        if state.reason is not None or not leavers:
            return state, ()
        if state.race is None:
            return self.leave_between_races(state, leavers, at)
        race, closes = races.leave(state.race, leavers, at)
        if closes:
            return self.close_race(state, race, at, rng)
        return replace(state, race=race), ()

    def standing(self, state: R) -> Standing:
        """Most cards first; seats that are out below."""
        return Standing(state.places, state.counts)

    def outcome(self, state: R) -> Outcome | None:
        """How the match ended (ALL-4)."""
        return None if state.reason is None else Outcome(state.reason, state.places, state.counts)

    def is_sealed(self, state: R) -> bool:
        """Whether somebody has looked or answered by reaction (RACE-2)."""
        return races.is_sealed(state.race)

    def stamped_at_commit(self, move: M) -> bool:
        """A look is stamped when its answer goes out (RACE-2)."""
        return bool(move == self.look_move)

    def _refuse_between_races(self, state: R, seat: int, move: M) -> Refusal | None:
        if seat != state.turn:
            return not_your_turn(f"{self.turn_rule}: seat {state.turn} turns the next card")
        if move != self.turn_move:
            return illegal("RACE-1", "no race is open; turn the next card first")
        return None

    def _answered(
        self, state: R, race: Race, seat: int, at: int, rng: Rng, *, closes: bool
    ) -> tuple[R, tuple[Told[E], ...]]:
        taken: Any = races.taken(race, seat)
        if not closes:
            return replace(state, race=race), (taken,)
        closed, more = self.close_race(state, race, at, rng)
        return closed, (taken, *more)


def moves_of_a_card(mode: RaceMode, seats: int) -> int:
    """How many moves and timers one card takes at most: a turn, an answer a seat and the window; or look and answer."""
    return seats + 2 if mode is RaceMode.ARRIVAL else 2 * seats


def _time_limit(state: RaceState) -> tuple[Timer, ...]:
    if state.deadline is None or state.time_is_up or state.reason is not None:
        return ()
    return (Timer(TIME_LIMIT, state.deadline),)
