"""Splendor: collect gems, buy cards whose bonuses pay for better cards, and be the first to shine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from engine.core.errors import Refusal
from engine.core.events import Told, public
from engine.core.game import Game, Occasion, Timer
from engine.core.outcome import Outcome, Standing
from engine.core.rng import Rng
from engine.games.splendor import actions, defaults, hidden, legal, refusals, turns, view
from engine.games.splendor.catalogue import CARDS, GEMS, LEVEL_CARDS, NOBLE_BY_NAME, NOBLES
from engine.games.splendor.moves import (
    Buy,
    ChooseNoble,
    LastRound,
    Passed,
    Reserve,
    ReturnTokens,
    SplendorEvent,
    SplendorMove,
    TableLaid,
    Take,
    Tokens,
)
from engine.games.splendor.state import (
    ALL_LEFT,
    ALL_PASSED,
    LAST_SEAT,
    PLACES,
    PRESTIGE,
    TIME_LIMIT,
    TURN_LIMIT,
    Board,
    Box,
    Counts,
    Gold,
    Hand,
    Options,
    Phase,
    State,
)

GEMS_BY_SEATS = {2: 4, 3: 5, 4: 7}
GOLD = 5
MOVES_A_TURN = 3
"""An action, a return, a noble."""


class Splendor(Game[State, SplendorMove, SplendorEvent, Options, view.SplendorView]):
    """Take gems, reserve and buy cards, receive nobles; fifteen prestige end the match."""

    key = "splendor"
    title = "Splendor"
    ruleset = 1
    options_type = Options
    state_type = State
    move_type = SplendorMove
    event_type = SplendorEvent
    view_type = view.SplendorView
    presets: ClassVar[Mapping[str, Options]] = {"standard": Options(), "publisher": Options(gold=Gold.ALWAYS)}
    card_names = frozenset(card.name for card in CARDS) | frozenset(noble.name for noble in NOBLES)
    reasons = (PRESTIGE, ALL_PASSED, TURN_LIMIT, TIME_LIMIT, LAST_SEAT, ALL_LEFT)

    def catalogue(self) -> dict[str, Any]:
        """All cards and nobles as plain data, costs and what nobles ask for by gem (SPL-1)."""
        cards = [
            {
                "name": card.name,
                "level": card.level,
                "bonus": GEMS[card.bonus],
                "points": card.points,
                "cost": dict(zip(GEMS, card.cost, strict=True)),
            }
            for card in CARDS
        ]
        nobles = [
            {"name": noble.name, "points": noble.points, "asks": dict(zip(GEMS, noble.asks, strict=True))}
            for noble in NOBLES
        ]
        return {"cards": cards, "nobles": nobles}

    def seat_range(self, options: Options) -> range:
        """SPL-2."""
        return range(2, 5)

    def longest(self, seats: int, options: Options) -> int:
        """Every turn of every round, and the time limit (SPL-19)."""
        return options.turn_limit * seats * MOVES_A_TURN + 1

    def setup(self, seats: int, options: Options, at: int, rng: Rng) -> tuple[State, tuple[Told[SplendorEvent], ...]]:
        """SPL-1 to SPL-5."""
        low, middle, high = (rng.shuffle(cards) for cards in LEVEL_CARDS)
        nobles = rng.shuffle(range(len(NOBLES)))
        first = rng.below(seats)
        grid = tuple(card for deck in (low, middle, high) for card in deck[: -PLACES - 1 : -1])
        decks = low[:-PLACES], middle[:-PLACES], high[:-PLACES]
        board = Board(_bank(seats, options), grid, decks, nobles[: seats + 1])
        ending = TURN_LIMIT if options.turn_limit == 1 else None
        state = State(
            options=options,
            began=at,
            first=first,
            seat=first,
            turn=1,
            round=1,
            phase=Phase.ACTION,
            passes=0,
            ending=ending,
            board=board,
            hands=(Hand(),) * seats,
            left=(0,) * seats,
            box=Box(nobles[seats + 1 :]),
        )
        laid = TableLaid(
            first,
            Tokens(*board.bank),
            tuple(CARDS[card].name for card in grid),
            tuple(NOBLES[noble].name for noble in board.nobles),
        )
        return state, (public(laid),) if ending is None else (public(laid), public(LastRound(ending)))

    def awaited(self, state: State) -> dict[int, Occasion]:
        """The seat in turn: its returns and its noble belong to the same turn."""
        return {state.seat: Occasion("turn", state.turn)} if state.outcome is None else {}

    def legal_moves(self, state: State, seat: int) -> Sequence[SplendorMove]:
        """The moves without their free fields: `payment` of `buy`, `returning` of `take` and `reserve`."""
        return legal.legal_moves(state, seat)

    def refuse(self, state: State, seat: int, move: SplendorMove) -> Refusal | None:
        """Why not, with the rule."""
        return refusals.refuse(state, seat, move)

    def play(
        self, state: State, seat: int, move: SplendorMove, at: int, rng: Rng
    ) -> tuple[State, tuple[Told[SplendorEvent], ...]]:
        """One action (SPL-6 to SPL-12), or a decision at the end of the turn (SPL-13, SPL-14)."""
        board, hand = state.board, state.hands[seat]
        if isinstance(move, Take):
            return turns.after_action(state, *actions.take(board, hand, seat, move), move.returning)
        if isinstance(move, Reserve):
            return turns.after_action(state, *actions.reserve(board, hand, seat, move), move.returning)
        if isinstance(move, Buy):
            return turns.end_turn(state, *actions.buy(board, hand, seat, move), passes=0)
        if isinstance(move, ReturnTokens):
            board, hand, event = actions.give_back(board, hand, seat, move.tokens)
            return turns.end_turn(state, board, hand, [event], passes=0)
        if isinstance(move, ChooseNoble):
            return turns.welcome(state, board, hand, [], NOBLE_BY_NAME[move.noble], state.passes)
        return turns.end_turn(state, board, hand, [public(Passed(seat))], state.passes + 1)

    def timers(self, state: State) -> tuple[Timer, ...]:
        """SPL-19: the time limit, while it isn't the last round anyway."""
        limit = state.options.time_limit_s
        if limit is None or state.ending is not None or state.outcome is not None:
            return ()
        return (Timer(TIME_LIMIT, state.began + limit * 1000),)

    def expire(self, state: State, key: str, at: int, rng: Rng) -> tuple[State, tuple[Told[SplendorEvent], ...]]:
        """SPL-19: the round is finished, then the standing decides."""
        if all(timer.key != key for timer in self.timers(state)):
            return state, ()
        return replace(state, ending=TIME_LIMIT), (public(LastRound(TIME_LIMIT)),)

    def default_move(self, state: State, seat: int) -> SplendorMove:
        """A take if there is any, else a purchase, else a reservation, else a pass (ALL-6)."""
        return defaults.default_move(state)

    def leave(
        self, state: State, seats: tuple[int, ...], at: int, rng: Rng
    ) -> tuple[State, tuple[Told[SplendorEvent], ...]]:
        """SPL-20."""
        return turns.leave(state, seats)

    def standing(self, state: State) -> Standing:
        """SPL-16, SPL-17."""
        return turns.standing(state)

    def outcome(self, state: State) -> Outcome | None:
        """How the match ended."""
        return state.outcome

    def view(self, state: State, viewer: int | None) -> view.SplendorView:
        """SPL-18."""
        return view.view(state, viewer)

    def census(self, state: State) -> Mapping[str, Sequence[Any]]:
        """ALL-1."""
        return hidden.census(state)

    def shuffle_hidden(self, state: State, viewer: int | None, rng: Rng) -> State:
        """ALL-2."""
        return hidden.shuffle_hidden(state, viewer, rng)


def _bank(seats: int, options: Options) -> Counts:
    """SPL-4."""
    gems = GEMS_BY_SEATS[seats]
    return gems, gems, gems, gems, gems, GOLD if seats == 4 or options.gold is Gold.ALWAYS else 0
