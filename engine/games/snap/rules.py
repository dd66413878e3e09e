"""Snap: the rule book that ties its parts together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace

from engine.core.cards import NAMES, PACK, name_of
from engine.core.errors import BadOptions, Refusal, illegal
from engine.core.events import public
from engine.core.race import Race, RaceMode
from engine.core.race_game import TIME_LIMIT, RaceGame, moves_of_a_card
from engine.core.rng import Rng
from engine.games.snap.hidden import shuffled
from engine.games.snap.moves import (
    Call,
    Claim,
    Dealt,
    Look,
    Pass,
    SnapEvent,
    SnapMove,
    TimeUp,
    Turn,
)
from engine.games.snap.racing import Step, close_race, finish, leave_between_races, turn_card
from engine.games.snap.state import Options, State
from engine.games.snap.view import View, view_of

_CLAIMS: tuple[SnapMove, ...] = (Call(Claim.SNAP), Call(Claim.SNAP_POT))
_INDEX_CARD_CLAIMS: tuple[SnapMove, ...] = (Call(Claim.HAND),)


class Snap(RaceGame[State, SnapMove, SnapEvent, Options, View]):
    """Win all the cards by calling first when two tops match (SNP-1 to SNP-27)."""

    key = "snap"
    title = "Snap"
    ruleset = 1
    options_type = Options
    state_type = State
    move_type = SnapMove
    event_type = SnapEvent
    view_type = View
    presets: ClassVar[Mapping[str, Options]] = {"standard": Options()}
    card_names = frozenset(NAMES)
    reasons = ("all_cards", "no_cards", "others_left", "all_left", TIME_LIMIT, "turn_limit")
    turn_move, look_move, pass_move = Turn(), Look(), Pass()
    claiming = "call"
    turn_rule, out_rule = "SNP-4", "SNP-16"

    def seat_range(self, options: Options) -> range:
        """Two to twelve seats (SNP-1)."""
        return range(2, 13)

    def check(self, seats: int, options: Options) -> None:
        """As every game, and no ties with the index card (SNP-24)."""
        super().check(seats, options)
        if options.index_card and options.race.tie_ms:
            raise BadOptions(f"index_card knows no ties: race.tie_ms is 0 or left out, not {options.race.tie_ms}")

    def longest(self, seats: int, options: Options) -> int:
        """What each card takes at most, and the time limit."""
        return options.last_turn * moves_of_a_card(options.race.mode, seats) + 1

    def setup(self, seats: int, options: Options, at: int, rng: Rng) -> Step:
        """Draw a dealer and deal all cards, the odd ones from its left (SNP-2 to SNP-4)."""
        dealer = rng.below(seats)
        pack = rng.shuffle(PACK)
        places = [(seat - dealer - 1) % seats for seat in range(seats)]
        state = State(
            options=options,
            dealer=dealer,
            face_down=tuple([pack[place::seats] for place in places]),
            face_up=((),) * seats,
            exits=(0,) * seats,
            turn=(dealer + 1) % seats,
            deadline=None if options.time_limit_s is None else at + options.time_limit_s * 1000,
        )
        dealt = public(Dealt(dealer, state.counts))
        if options.race.mode is RaceMode.ARRIVAL:
            return state, (dealt,)
        state, told = turn_card(state, at)
        return state, (dealt, *told)

    def claims(self, state: State) -> Sequence[SnapMove]:
        """Both calls, or the hand on the index card (RACE-5, SNP-24)."""
        return _INDEX_CARD_CLAIMS if state.options.index_card else _CLAIMS

    def claim_of(self, move: SnapMove) -> str | None:
        """What is called."""
        return move.claim.value if isinstance(move, Call) else None

    def card_of(self, state: State, race: Race) -> str:
        """The top card of the turner's face-up pile."""
        return name_of(state.face_up[race.turner][-1])

    def refuse_claim(self, state: State, move: SnapMove) -> Refusal | None:
        """With the index card there is one claim, the hand; without it there are the two others (SNP-24)."""
        claims = state.options.claims
        if self.claim_of(move) in claims:
            return None
        return illegal("SNP-24", f"what may be called here is {' or '.join(claims)}, not {self.claim_of(move)}")

    def turn_card(self, state: State, at: int) -> Step:
        """From the deadline on no turn begins (SNP-25)."""
        late = state.deadline is not None and at >= state.deadline
        return finish(state, TIME_LIMIT) if late else turn_card(state, at)

    def close_race(self, state: State, race: Race, at: int, rng: Rng) -> Step:
        """Piles and pot are won, penalties paid, seats go out (SNP-7 to SNP-24, RACE-6)."""
        return close_race(state, race, at, rng)

    def leave_between_races(self, state: State, leavers: Sequence[int], at: int) -> Step:
        """Deal the leavers' piles to the others (SNP-26)."""
        return leave_between_races(state, leavers)

    def time_up(self, state: State, at: int) -> Step:
        """Between races the match ends at once, a running race is the last one (SNP-25)."""
        if state.race is None:
            return finish(state, TIME_LIMIT)
        return replace(state, time_is_up=True), (public(TimeUp()),)

    def view(self, state: State, viewer: int | None) -> View:
        """Tops and counts, without the card that this viewer hasn't looked at (SNP-27, RACE-2)."""
        return view_of(state, viewer)

    def census(self, state: State) -> Mapping[str, Sequence[str]]:
        """The pack: each seat's two piles and the pot (ALL-1)."""
        zones = {"pot": state.pot}
        for seat, (down, up) in enumerate(zip(state.face_down, state.face_up, strict=True)):
            zones[f"face_down {seat}"] = down
            zones[f"face_up {seat}"] = up
        return {zone: tuple([name_of(card) for card in pile]) for zone, pile in zones.items()}

    def shuffle_hidden(self, state: State, viewer: int | None, rng: Rng) -> State:
        """Other cards wherever this viewer sees none, other answers where it knows none (ALL-2)."""
        return shuffled(state, viewer, rng)
