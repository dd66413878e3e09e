"""Snap: the rule book that ties its parts together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace

from engine.core import race as races
from engine.core.cards import NAMES, PACK, name_of
from engine.core.errors import BadOptions, Refusal, illegal, not_your_turn
from engine.core.events import Told, private, public
from engine.core.game import Game, Occasion, Timer
from engine.core.outcome import Outcome, Standing
from engine.core.race import CardSeen, Race, RaceMode
from engine.core.rng import Rng
from engine.core.seating import next_in
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
from engine.games.snap.piles import Piles
from engine.games.snap.racing import Step, close_race, ending, finish, turn_card
from engine.games.snap.state import Options, State
from engine.games.snap.view import View, view_of

TIME_LIMIT = "time_limit"

_TURN: tuple[SnapMove, ...] = (Turn(),)
_BEFORE_LOOK: tuple[SnapMove, ...] = (Look(), Pass())
_ANSWERS: tuple[SnapMove, ...] = (Call(Claim.SNAP), Call(Claim.SNAP_POT), Pass())
_INDEX_CARD_ANSWERS: tuple[SnapMove, ...] = (Call(Claim.HAND), Pass())


class Snap(Game[State, SnapMove, SnapEvent, Options, View]):
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

    def seat_range(self, options: Options) -> range:
        """Two to twelve seats (SNP-1)."""
        return range(2, 13)

    def check(self, seats: int, options: Options) -> None:
        """As every game, and no ties with the index card (SNP-24)."""
        super().check(seats, options)
        if options.index_card and options.race.tie_ms:
            raise BadOptions(f"index_card knows no ties: race.tie_ms is 0 or left out, not {options.race.tie_ms}")

    def longest(self, seats: int, options: Options) -> int:
        """For each card a turn, an answer a seat and the window; or a look and an answer a seat. And the time limit."""
        by_card = seats + 2 if options.race.mode is RaceMode.ARRIVAL else 2 * seats
        return options.last_turn * by_card + 1

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

    def legal_moves(self, state: State, seat: int) -> Sequence[SnapMove]:
        """The same in every race, whether or not anything can be claimed (RACE-5)."""
        race = state.race
        if race is None:
            return _TURN if state.reason is None and seat == state.turn else ()
        if not races.may_answer(race, seat):
            return ()
        if races.must_look(race, seat):
            return _BEFORE_LOOK
        return _INDEX_CARD_ANSWERS if state.options.index_card else _ANSWERS

    def refuse(self, state: State, seat: int, move: SnapMove) -> Refusal | None:
        """Why not (SNP-4, SNP-16, SNP-24, RACE-1, RACE-2)."""
        if state.reason is not None:
            return not_your_turn("the match is over")
        race = state.race
        if race is None:
            return _refuse_between_races(state, seat, move)
        if seat not in race.seats:
            return not_your_turn("SNP-16: a seat that is out has no turn and no call")
        if not races.may_answer(race, seat):
            return not_your_turn(f"each seat answers race {race.number} once, and you have answered or left")
        return _refuse_in_race(state, race, seat, move)

    def play(self, state: State, seat: int, move: SnapMove, at: int, rng: Rng) -> Step:
        """Turn, look or answer; the last answer closes the race. From the deadline on no turn begins (SNP-25)."""
        race = state.race
        if race is None:
            late = state.deadline is not None and at >= state.deadline
            return finish(state, TIME_LIMIT) if late else turn_card(state, at)
        if isinstance(move, Look):
            card = name_of(state.face_up[race.turner][-1])
            return replace(state, race=races.look(race, seat, at)), (private(CardSeen(race.number, card), seat),)
        claim = move.claim.value if isinstance(move, Call) else None
        return _answered(state, races.answer(race, seat, at, claim), seat, at, rng)

    def timers(self, state: State) -> tuple[Timer, ...]:
        """The race's own, and the time limit (SNP-25)."""
        race_timers = () if state.race is None else races.timers(state.race)
        return (*race_timers, *_time_limit(state))

    def known_timers(self, state: State, viewer: int | None) -> tuple[Timer, ...]:
        """The window or one's own look, and the time limit (RACE-5)."""
        race_timers = () if state.race is None else races.known_timers(state.race, viewer)
        return (*race_timers, *_time_limit(state))

    def expire(self, state: State, key: str, at: int, rng: Rng) -> Step:
        """The race closes, a seat that looked has passed, or the time is up (RACE-1, RACE-2, SNP-25)."""
        if key == TIME_LIMIT:
            return _time_up(state) if _time_limit(state) else (state, ())
        after = None if state.race is None else races.expire(state.race, key)
        if after is None:
            return state, ()
        race, closes = after
        if key == races.TIMER:
            return close_race(state, race, at, rng)
        seat = race.answers[-1].seat
        return _going_on(state, race, races.taken(race, seat), at, rng, closes=closes)

    def default_move(self, state: State, seat: int) -> SnapMove:
        """Turn when it is the seat's turn, pass in a race (ALL-6)."""
        return Turn() if state.race is None else Pass()

    def leave(self, state: State, seats: tuple[int, ...], at: int, rng: Rng) -> Step:
        """Deal the leavers' piles to the others (SNP-26); in a race they leave at its close (RACE-6)."""
        leavers = [seat for seat in sorted(set(seats)) if state.exits[seat] == 0]
        if state.reason is not None or not leavers:
            return state, ()
        if state.race is None:
            return _left_between_races(state, leavers)
        race, closes = races.leave(state.race, leavers, at)
        if closes:
            return close_race(state, race, at, rng)
        return replace(state, race=race), ()

    def standing(self, state: State) -> Standing:
        """Most cards in both piles first; seats that are out below (SNP-23)."""
        return Standing(state.places, state.counts)

    def outcome(self, state: State) -> Outcome | None:
        """How the match ended (SNP-22, SNP-23, SNP-25, ALL-4)."""
        return None if state.reason is None else Outcome(state.reason, state.places, state.counts)

    def view(self, state: State, viewer: int | None) -> View:
        """Tops and counts, without the card that this viewer hasn't looked at (SNP-27, RACE-2)."""
        return view_of(state, viewer)

    def is_sealed(self, state: State) -> bool:
        """Whether somebody has looked or answered by reaction (RACE-2)."""
        return races.is_sealed(state.race)

    def stamped_at_commit(self, move: SnapMove) -> bool:
        """A look is stamped when its answer goes out (RACE-2)."""
        return isinstance(move, Look)

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


def _refuse_between_races(state: State, seat: int, move: SnapMove) -> Refusal | None:
    if seat != state.turn:
        return not_your_turn(f"SNP-4: seat {state.turn} turns the next card")
    if not isinstance(move, Turn):
        return illegal("RACE-1", "no race is open; turn the next card first")
    return None


def _refuse_in_race(state: State, race: Race, seat: int, move: SnapMove) -> Refusal | None:
    """Why a seat that still owes this race its answer may not do this."""
    if isinstance(move, Turn):
        return races.refuse_turn(race, "call")
    if isinstance(move, Look):
        return races.refuse_look(race, seat, "call")
    if isinstance(move, Call):
        return races.refuse_claim(race, seat, "call") or _refuse_unknown(state, move)
    return None


def _refuse_unknown(state: State, move: Call) -> Refusal | None:
    """With the index card there is one claim, the hand; without it there are the two others (SNP-24)."""
    claims = state.options.claims
    if move.claim in claims:
        return None
    return illegal("SNP-24", f"what may be called here is {' or '.join(claims)}, not {move.claim}")


def _answered(state: State, race: Race, seat: int, at: int, rng: Rng) -> Step:
    return _going_on(state, race, races.taken(race, seat), at, rng, closes=races.is_complete(race))


def _going_on(state: State, race: Race, told: Told[SnapEvent], at: int, rng: Rng, *, closes: bool) -> Step:
    if not closes:
        return replace(state, race=race), (told,)
    closed, more = close_race(state, race, at, rng)
    return closed, (told, *more)


def _time_limit(state: State) -> tuple[Timer, ...]:
    if state.deadline is None or state.time_is_up or state.reason is not None:
        return ()
    return (Timer(TIME_LIMIT, state.deadline),)


def _time_up(state: State) -> Step:
    """Between races the match ends at once, a running race is the last one (SNP-25)."""
    if state.race is None:
        return finish(state, TIME_LIMIT)
    return replace(state, time_is_up=True), (public(TimeUp()),)


def _left_between_races(state: State, leavers: list[int]) -> Step:
    piles = Piles(state)
    piles.exit([leavers])
    inside = piles.inside
    after = replace(
        state,
        face_down=tuple(piles.face_down),
        face_up=tuple(piles.face_up),
        exits=tuple(piles.exits),
        turn=state.turn if inside[state.turn] or not any(inside) else next_in(state.turn, inside),
    )
    reason = ending(sum(inside), left=True, broke=False)
    if reason is None:
        return after, tuple(piles.told)
    ended, told = finish(after, reason)
    return ended, (*piles.told, *told)
