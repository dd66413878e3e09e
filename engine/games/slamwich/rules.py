"""Slamwich: the rule book that ties its parts together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from engine.core import race as races
from engine.core.errors import Refusal, illegal, not_your_turn
from engine.core.events import Told, private, public
from engine.core.game import Game, Occasion, Timer
from engine.core.outcome import Outcome, Standing
from engine.core.race import CardSeen, Race, RaceMode
from engine.core.rng import Rng
from engine.games.slamwich.cards import MUNCHER_COPIES, MUNCHERS, NAMES, deck
from engine.games.slamwich.closing import close_race, end_between_races, leave_between_races
from engine.games.slamwich.desk import Step
from engine.games.slamwich.hidden import shuffled
from engine.games.slamwich.moves import (
    Claim,
    Dealt,
    Look,
    Pass,
    SlamwichEvent,
    SlamwichMove,
    Slap,
    TimeUp,
    Turn,
)
from engine.games.slamwich.state import Options, State
from engine.games.slamwich.turning import turn_card
from engine.games.slamwich.view import View, view_of

TIME_LIMIT = "time_limit"

_TURN: tuple[SlamwichMove, ...] = (Turn(),)
_BEFORE_LOOK: tuple[SlamwichMove, ...] = (Look(), Pass())
_ANSWERS: tuple[SlamwichMove, ...] = (Slap(), Slap(shout=True), Pass())

_LONGEST_CHALLENGES = sum(number * copies for number, copies in MUNCHER_COPIES.items())
"""How many cards may be turned after the last ordinary turn, every Muncher taking over from the one before."""


class Slamwich(Game[State, SlamwichMove, SlamwichEvent, Options, View]):
    """Be the last with cards: slap Double Deckers, Slamwiches and Thieves first (SLM-1 to SLM-36)."""

    key = "slamwich"
    title = "Slamwich"
    ruleset = 1
    options_type = Options
    state_type = State
    move_type = SlamwichMove
    event_type = SlamwichEvent
    view_type = View
    presets = {"standard": Options()}  # noqa: RUF012 - the contract declares it as a class variable
    card_names = frozenset(NAMES)
    reasons = ("last_in", "others_left", "all_left", TIME_LIMIT, "turn_limit")

    def seat_range(self, options: Options) -> range:
        """Two to six seats."""
        return range(2, 7)

    def longest(self, seats: int, options: Options) -> int:
        """For each card a turn, an answer a seat and the window; or a look and an answer a seat. And the time limit."""
        by_card = seats + 2 if options.race.mode is RaceMode.ARRIVAL else 2 * seats
        return (options.last_turn + _LONGEST_CHALLENGES) * by_card + 1

    def setup(self, seats: int, options: Options, at: int, rng: Rng) -> Step:
        """Draw a dealer and deal the same number to every seat; what is left over starts the pile (SLM-4 to SLM-6).

        The cards are dealt one by one from the dealer's left, each on top of the seat's stack.
        """
        dealer = rng.below(seats)
        cards = rng.shuffle(deck(munchers=options.munchers))
        dealt, left_over = len(cards) - len(cards) % seats, len(cards) % seats
        state = State(
            options=options,
            dealer=dealer,
            stacks=tuple([cards[(seat - dealer - 1) % seats : dealt : seats][::-1] for seat in range(seats)]),
            pile=cards[dealt:],
            exits=(0,) * seats,
            turn=(dealer + 1) % seats,
            deadline=None if options.time_limit_s is None else at + options.time_limit_s * 1000,
        )
        told = public(Dealt(dealer, dealt // seats, left_over))
        if options.race.mode is RaceMode.ARRIVAL:
            return state, (told,)
        state, turned = turn_card(state, at)
        return state, (told, *turned)

    def awaited(self, state: State) -> dict[int, Occasion]:
        """The seat that is to turn (`turn`), or by reaction those that haven't looked (`race`)."""
        if state.reason is not None:
            return {}
        if state.race is None:
            return {state.turn: Occasion("turn", state.turned + 1)}
        return races.awaited(state.race)

    def reacting(self, state: State) -> dict[int, Occasion]:
        """The seats that may answer by arrival (`race`), or by reaction those whose stopwatch runs (`look`)."""
        return {} if state.race is None else races.reacting(state.race)

    def legal_moves(self, state: State, seat: int) -> Sequence[SlamwichMove]:
        """The same in every race, whether or not anything can be claimed (RACE-5)."""
        race = state.race
        if race is None:
            return _TURN if state.reason is None and seat == state.turn else ()
        if not races.may_answer(race, seat):
            return ()
        return _BEFORE_LOOK if races.must_look(race, seat) else _ANSWERS

    def refuse(self, state: State, seat: int, move: SlamwichMove) -> Refusal | None:
        """Why not (SLM-6, SLM-31, RACE-1, RACE-2)."""
        if state.reason is not None:
            return not_your_turn("the match is over")
        race = state.race
        if race is None:
            return _refuse_between_races(state, seat, move)
        if seat not in race.seats:
            return not_your_turn("SLM-31: a seat that is out has no turn and no slap")
        if not races.may_answer(race, seat):
            return not_your_turn(f"each seat answers race {race.number} once, and you have answered or left")
        return _refuse_in_race(race, seat, move)

    def play(self, state: State, seat: int, move: SlamwichMove, at: int, rng: Rng) -> Step:
        """Turn, look or answer; the last answer closes the race. No ordinary turn begins when time is up (SLM-33)."""
        race = state.race
        if race is None:
            late = state.challenge is None and state.deadline is not None and at >= state.deadline
            return end_between_races(state, at) if late else turn_card(state, at)
        if isinstance(move, Look):
            seen = CardSeen(race.number, NAMES[state.pile[-1]])
            return replace(state, race=races.look(race, seat, at)), (private(seen, seat),)
        return _answered(state, races.answer(race, seat, at, _claim_of(move)), seat, at)

    def timers(self, state: State) -> tuple[Timer, ...]:
        """The race's own, and the time limit (SLM-33)."""
        race_timers = () if state.race is None else races.timers(state.race)
        return (*race_timers, *_time_limit(state))

    def known_timers(self, state: State, viewer: int | None) -> tuple[Timer, ...]:
        """The window or one's own look, and the time limit (RACE-5)."""
        race_timers = () if state.race is None else races.known_timers(state.race, viewer)
        return (*race_timers, *_time_limit(state))

    def expire(self, state: State, key: str, at: int, rng: Rng) -> Step:
        """The race closes, a seat that looked has passed, or the time is up (RACE-1, RACE-2, SLM-33)."""
        if key == TIME_LIMIT:
            return _time_up(state, at) if _time_limit(state) else (state, ())
        after = None if state.race is None else races.expire(state.race, key)
        if after is None:
            return state, ()
        race, closes = after
        if key == races.TIMER:
            return close_race(state, race, at)
        seat = race.answers[-1].seat
        return _going_on(state, race, races.taken(race, seat), at, closes=closes)

    def default_move(self, state: State, seat: int) -> SlamwichMove:
        """Turn when it is the seat's turn, pass in a race (ALL-6)."""
        return Turn() if state.race is None else Pass()

    def leave(self, state: State, seats: tuple[int, ...], at: int, rng: Rng) -> Step:
        """Settle the leavers' challenge, then lay their stacks under the pile (SLM-35), if in a race at its close."""
        leavers = [seat for seat in sorted(set(seats)) if state.exits[seat] == 0]
        if state.reason is not None or not leavers:
            return state, ()
        if state.race is None:
            return leave_between_races(state, leavers, at)
        race, closes = races.leave(state.race, leavers, at)
        if closes:
            return close_race(state, race, at)
        return replace(state, race=race), ()

    def standing(self, state: State) -> Standing:
        """Most cards in the stack first; seats that are out below (SLM-32, SLM-33)."""
        return Standing(state.places, state.counts)

    def outcome(self, state: State) -> Outcome | None:
        """How the match ended (SLM-32 to SLM-34, ALL-4)."""
        return None if state.reason is None else Outcome(state.reason, state.places, state.counts)

    def view(self, state: State, viewer: int | None) -> View:
        """The pile's top three and all counts, without the card that this viewer hasn't looked at (SLM-36, RACE-2)."""
        return view_of(state, viewer)

    def is_sealed(self, state: State) -> bool:
        """Whether somebody has looked or answered by reaction (RACE-2)."""
        return races.is_sealed(state.race)

    def stamped_at_commit(self, move: SlamwichMove) -> bool:
        """A look is stamped when its answer goes out (RACE-2)."""
        return isinstance(move, Look)

    def census(self, state: State) -> Mapping[str, Sequence[str]]:
        """The deck: each seat's stack, the pile, and Munchers that aren't played with (ALL-1, SLM-1)."""
        zones = {f"stack {seat}": stack for seat, stack in enumerate(state.stacks)}
        zones |= {"pile": state.pile, "left_out": () if state.options.munchers else MUNCHERS}
        return {zone: tuple([NAMES[card] for card in cards]) for zone, cards in zones.items()}

    def shuffle_hidden(self, state: State, viewer: int | None, rng: Rng) -> State:
        """Other cards wherever this viewer sees none, other answers where it knows none (ALL-2)."""
        return shuffled(state, viewer, rng)


def _claim_of(move: SlamwichMove) -> str | None:
    """What this answer claims; None for a pass (SLM-12)."""
    if not isinstance(move, Slap):
        return None
    return Claim.SLAP_AND_SHOUT.value if move.shout else Claim.SLAP.value


def _refuse_between_races(state: State, seat: int, move: SlamwichMove) -> Refusal | None:
    if seat != state.turn:
        return not_your_turn(f"SLM-6: seat {state.turn} turns the next card")
    if not isinstance(move, Turn):
        return illegal("RACE-1", "no race is open; turn the next card first")
    return None


def _refuse_in_race(race: Race, seat: int, move: SlamwichMove) -> Refusal | None:
    """Why a seat that still owes this race its answer may not do this."""
    if isinstance(move, Turn):
        return races.refuse_turn(race, "slap")
    if isinstance(move, Look):
        return races.refuse_look(race, seat, "slap")
    return races.refuse_claim(race, seat, "slap") if isinstance(move, Slap) else None


def _answered(state: State, race: Race, seat: int, at: int) -> Step:
    return _going_on(state, race, races.taken(race, seat), at, closes=races.is_complete(race))


def _going_on(state: State, race: Race, told: Told[SlamwichEvent], at: int, *, closes: bool) -> Step:
    if not closes:
        return replace(state, race=race), (told,)
    closed, more = close_race(state, race, at)
    return closed, (told, *more)


def _time_limit(state: State) -> tuple[Timer, ...]:
    if state.deadline is None or state.time_is_up or state.reason is not None:
        return ()
    return (Timer(TIME_LIMIT, state.deadline),)


def _time_up(state: State, at: int) -> Step:
    """A running race or challenge is settled first, else the match ends at once (SLM-33)."""
    if state.race is None and state.challenge is None:
        return end_between_races(state, at)
    return replace(state, time_is_up=True), (public(TimeUp()),)
