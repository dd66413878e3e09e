"""Slamwich: the rule book that ties its parts together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from engine.core.events import public
from engine.core.race import Race, RaceMode
from engine.core.race_game import TIME_LIMIT, RaceGame, moves_of_a_card
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

_CLAIMS: tuple[SlamwichMove, ...] = (Slap(), Slap(shout=True))

_LONGEST_CHALLENGES = sum(number * copies for number, copies in MUNCHER_COPIES.items())
"""How many cards may be turned after the last ordinary turn, every Muncher taking over from the one before."""


class Slamwich(RaceGame[State, SlamwichMove, SlamwichEvent, Options, View]):
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
    turn_move, look_move, pass_move = Turn(), Look(), Pass()
    claiming = "slap"
    turn_rule, out_rule = "SLM-6", "SLM-31"

    def seat_range(self, options: Options) -> range:
        """Two to six seats."""
        return range(2, 7)

    def longest(self, seats: int, options: Options) -> int:
        """What each card takes at most, and the time limit."""
        return (options.last_turn + _LONGEST_CHALLENGES) * moves_of_a_card(options.race.mode, seats) + 1

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

    def claims(self, state: State) -> Sequence[SlamwichMove]:
        """A slap, with and without the shout (RACE-5, SLM-12)."""
        return _CLAIMS

    def claim_of(self, move: SlamwichMove) -> str | None:
        """What this answer claims (SLM-12)."""
        if not isinstance(move, Slap):
            return None
        return Claim.SLAP_AND_SHOUT.value if move.shout else Claim.SLAP.value

    def card_of(self, state: State, race: Race) -> str:
        """The top card of the pile."""
        return NAMES[state.pile[-1]]

    def turn_card(self, state: State, at: int) -> Step:
        """No ordinary turn begins when time is up (SLM-33)."""
        late = state.challenge is None and state.deadline is not None and at >= state.deadline
        return end_between_races(state, at) if late else turn_card(state, at)

    def close_race(self, state: State, race: Race, at: int, rng: Rng) -> Step:
        """The pile is taken, penalties paid, a challenge goes on, seats go out (SLM-8 to SLM-31, RACE-6)."""
        return close_race(state, race, at)

    def leave_between_races(self, state: State, leavers: Sequence[int], at: int) -> Step:
        """Settle the leavers' challenge, then lay their stacks under the pile (SLM-35)."""
        return leave_between_races(state, list(leavers), at)

    def time_up(self, state: State, at: int) -> Step:
        """A running race or challenge is settled first, else the match ends at once (SLM-33)."""
        if state.race is None and state.challenge is None:
            return end_between_races(state, at)
        return replace(state, time_is_up=True), (public(TimeUp()),)

    def view(self, state: State, viewer: int | None) -> View:
        """The pile's top three and all counts, without the card that this viewer hasn't looked at (SLM-36, RACE-2)."""
        return view_of(state, viewer)

    def census(self, state: State) -> Mapping[str, Sequence[str]]:
        """The deck: each seat's stack, the pile, and Munchers that aren't played with (ALL-1, SLM-1)."""
        zones = {f"stack {seat}": stack for seat, stack in enumerate(state.stacks)}
        zones |= {"pile": state.pile, "left_out": () if state.options.munchers else MUNCHERS}
        return {zone: tuple([NAMES[card] for card in cards]) for zone, cards in zones.items()}

    def shuffle_hidden(self, state: State, viewer: int | None, rng: Rng) -> State:
        """Other cards wherever this viewer sees none, other answers where it knows none (ALL-2)."""
        return shuffled(state, viewer, rng)
