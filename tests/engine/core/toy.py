"""A tiny game with everything that a game may have: turns, hidden cards, interruptions, a race, limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.core.errors import Refusal, illegal, not_your_turn
from engine.core.events import Event, Told, private, public
from engine.core.game import RACE, Game, Occasion, Timer
from engine.core.moves import Move
from engine.core.outcome import Outcome, Standing, places_of
from engine.core.rng import Rng

CARDS = tuple(f"c{value}" for value in range(12))


class Draw(Move, frozen=True):
    """Take the top card of the deck; the turn is over."""


class Play(Move, frozen=True):
    """Lay a card for its points; c0, c4 and c8 let the same seat go on."""

    card: str


class Ask(Move, frozen=True):
    """Ask every other seat, once a turn."""


class Say(Move, frozen=True):
    """Answer the one who asked."""

    yes: bool


class Call(Move, frozen=True):
    """Open a bidding of a second, once a turn; the highest bid is worth five points, equal ones nothing."""


class Bid(Move, frozen=True):
    """Answer a call."""

    amount: int


class Skip(Move, frozen=True):
    """Do nothing, for a seat that has nothing to lay or to draw."""


class Dealt(Event, frozen=True):
    """The cards in a hand."""

    cards: tuple[str, ...]


class Drawn(Event, frozen=True):
    """A seat drew a card; its owner learns which."""

    seat: int
    card: str | None = None


class Laid(Event, frozen=True):
    """A card was laid."""

    seat: int
    card: str


class Asked(Event, frozen=True):
    """All others are asked."""

    seat: int


class Said(Event, frozen=True):
    """A seat answered."""

    seat: int


class Called(Event, frozen=True):
    """A bidding is open."""

    seat: int


class Sold(Event, frozen=True):
    """A bidding is over."""

    bids: tuple[int | None, ...]


class Gone(Event, frozen=True):
    """Seats left."""

    seats: tuple[int, ...]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """Ends at `target` points; `is_sealed` hides who has bid; `time_limit_s` ends the game with the turn."""

    target: int = 20
    is_sealed: bool = False
    time_limit_s: int | None = None


class State(Struct, frozen=True, forbid_unknown_fields=True):
    """A position."""

    options: Options
    began: int
    deck: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...]
    laid: tuple[str, ...]
    out: tuple[str, ...]
    scores: tuple[int, ...]
    left: tuple[int, ...]
    turn: int = 0
    turns: int = 1
    has_asked: bool = False
    has_called: bool = False
    pending: tuple[int, ...] = ()
    said: tuple[bool | None, ...] = ()
    called_at: int | None = None
    bids: tuple[int | None, ...] = ()
    is_time_up: bool = False
    reason: str | None = None


class View(Struct, frozen=True):
    """What a viewer may know."""

    turn: int
    hand: tuple[str, ...]
    counts: tuple[int, ...]
    deck: int
    laid: tuple[str, ...]
    bid: int | None
    has_bid: tuple[bool, ...]
    scores: tuple[int, ...]


MoveType = Draw | Play | Ask | Say | Call | Bid | Skip
EventType = Dealt | Drawn | Laid | Asked | Said | Called | Sold | Gone
Result = tuple[State, tuple[Told[EventType], ...]]


class Toy(Game[State, MoveType, EventType, Options, View]):
    """The game."""

    key = "toy"
    title = "Toy"
    ruleset = 1
    options_type = Options
    state_type = State
    move_type = MoveType
    event_type = EventType
    view_type = View
    presets = {"standard": Options(), "sealed": Options(is_sealed=True)}  # noqa: RUF012
    card_names = frozenset(CARDS)
    reasons = ("target", "time", "turns", "last")

    def seat_range(self, options: Options) -> range:
        return range(2, 5)

    def longest(self, seats: int, options: Options) -> int:
        return 40 * (3 + 2 * seats)

    def setup(self, seats: int, options: Options, at: int, rng: Rng) -> Result:
        cards = rng.shuffle(CARDS)
        hands = tuple(cards[2 * seat : 2 * seat + 2] for seat in range(seats))
        state = State(options, at, cards[2 * seats :], hands, (), (), (0,) * seats, (0,) * seats)
        return state, tuple(private(Dealt(hand), seat) for seat, hand in enumerate(hands))

    def awaited(self, state: State) -> dict[int, Occasion]:
        if state.reason or state.called_at is not None:
            return {}
        if state.pending:
            return {seat: Occasion("ask", state.turns) for seat in state.pending}
        return {state.turn: Occasion("turn", state.turns)}

    def reacting(self, state: State) -> dict[int, Occasion]:
        if state.called_at is None:
            return {}
        return {seat: Occasion(RACE, state.turns) for seat in self._bidders(state)}

    def legal_moves(self, state: State, seat: int) -> Sequence[MoveType]:
        if seat in self.reacting(state):
            return [Bid(amount) for amount in range(4)]
        if seat not in self.awaited(state):
            return []
        if state.pending:
            return [Say(yes=True), Say(yes=False)]
        moves: list[MoveType] = [Play(card) for card in state.hands[seat]]
        if state.deck:
            moves.append(Draw())
        if not moves:
            return [Skip()]
        return moves + [Ask()] * (not state.has_asked) + [Call()] * (not state.has_called)

    def refuse(self, state: State, seat: int, move: MoveType) -> Refusal | None:
        legal = self.legal_moves(state, seat)
        if not legal:
            return not_your_turn("this seat has nothing to decide now")
        if move in legal or (isinstance(move, Bid) and isinstance(legal[0], Bid) and 0 <= move.amount <= 9):
            return None
        return illegal("TOY-1", "a move that is listed")

    def play(self, state: State, seat: int, move: MoveType, at: int, rng: Rng) -> Result:
        match move:
            case Draw():
                return self._draw(state, seat)
            case Play(card=card):
                return self._lay(state, seat, card)
            case Ask():
                others = tuple(other for other in range(len(state.hands)) if other != seat and not state.left[other])
                asked = replace(state, has_asked=True, pending=others, said=(None,) * len(state.hands))
                return asked, (public(Asked(seat)),)
            case Say(yes=yes):
                said = tuple(yes if n == seat else old for n, old in enumerate(state.said))
                pending = tuple(other for other in state.pending if other != seat)
                return replace(state, pending=pending, said=said if pending else ()), (public(Said(seat)),)
            case Call():
                called = replace(state, has_called=True, called_at=at, bids=(None,) * len(state.hands))
                return called, (public(Called(seat)),)
            case Bid(amount=amount):
                bids = tuple(amount if n == seat else old for n, old in enumerate(state.bids))
                return self._sell_when_complete(replace(state, bids=bids))
            case Skip():
                return self._next(state), ()

    def timers(self, state: State) -> tuple[Timer, ...]:
        if state.reason:
            return ()
        found = []
        if state.called_at is not None:
            found.append(Timer("bids", state.called_at + 1000, self._bidders(state)))
        if state.options.time_limit_s is not None and not state.is_time_up:
            found.append(Timer("limit", state.began + state.options.time_limit_s * 1000))
        return tuple(found)

    def expire(self, state: State, key: str, at: int, rng: Rng) -> Result:
        if not any(timer.key == key for timer in self.timers(state)):
            return state, ()
        return self._sell(state) if key == "bids" else (replace(state, is_time_up=True), ())

    def default_move(self, state: State, seat: int) -> MoveType:
        legal = self.legal_moves(state, seat)
        return next((move for move in (Draw(), Skip(), Say(yes=False)) if move in legal), legal[0])

    def leave(self, state: State, seats: tuple[int, ...], at: int, rng: Rng) -> Result:
        if state.reason:
            return state, ()
        step = max(state.left) + 1
        leaving = [seat for seat in seats if not state.left[seat]]
        left = tuple(step if seat in leaving else old for seat, old in enumerate(state.left))
        out = state.out + tuple(card for seat in leaving for card in state.hands[seat])
        hands = tuple(() if seat in leaving else hand for seat, hand in enumerate(state.hands))
        pending = tuple(seat for seat in state.pending if seat not in leaving)
        state = replace(state, left=left, out=out, hands=hands, pending=pending)
        told: tuple[Told[EventType], ...] = (public(Gone(seats)),)
        if left.count(0) <= 1:
            return replace(state, reason="last"), told
        if state.turn in leaving:
            # Its bidding and its question go with it.
            return self._next(state), told
        if state.called_at is not None:
            after, more = self._sell_when_complete(state)
            return after, told + more
        return state, told

    def standing(self, state: State) -> Standing:
        return Standing(places_of(state.scores, state.left), state.scores)

    def outcome(self, state: State) -> Outcome | None:
        if state.reason is None:
            return None
        return Outcome(state.reason, places_of(state.scores, state.left), state.scores)

    def view(self, state: State, viewer: int | None) -> View:
        may_see = not state.options.is_sealed
        return View(
            state.turn,
            () if viewer is None else state.hands[viewer],
            tuple(len(hand) for hand in state.hands),
            len(state.deck),
            state.laid,
            state.bids[viewer] if state.bids and viewer is not None else None,
            tuple(bid is not None and (may_see or seat == viewer) for seat, bid in enumerate(state.bids)),
            state.scores,
        )

    def is_sealed(self, state: State) -> bool:
        return state.options.is_sealed and any(bid is not None for bid in state.bids)

    def census(self, state: State) -> dict[str, tuple[Any, ...]]:
        hands = {f"hand {seat}": hand for seat, hand in enumerate(state.hands)}
        return {"deck": state.deck, "laid": state.laid, "out": state.out, **hands}

    def shuffle_hidden(self, state: State, viewer: int | None, rng: Rng) -> State:
        others = [seat for seat in range(len(state.hands)) if seat != viewer]
        cards = list(rng.shuffle(state.deck + state.out + tuple(c for seat in others for c in state.hands[seat])))

        def take(count: int) -> tuple[str, ...]:
            return tuple(cards.pop() for _ in range(count))

        hands = tuple(hand if seat == viewer else take(len(hand)) for seat, hand in enumerate(state.hands))
        bids = tuple(bid if seat == viewer or bid is None else rng.below(10) for seat, bid in enumerate(state.bids))
        return replace(state, hands=hands, deck=take(len(state.deck)), out=take(len(state.out)), bids=bids)

    def _bidders(self, state: State) -> tuple[int, ...]:
        return tuple(n for n, bid in enumerate(state.bids) if bid is None and not state.left[n])

    def _draw(self, state: State, seat: int) -> Result:
        card, *deck = state.deck
        hands = tuple((*hand, card) if n == seat else hand for n, hand in enumerate(state.hands))
        told = (public(Drawn(seat)), private(Drawn(seat, card), seat))
        return self._next(replace(state, deck=tuple(deck), hands=hands)), told

    def _lay(self, state: State, seat: int, card: str) -> Result:
        value = int(card[1:])
        hands = tuple(tuple(c for c in hand if c != card) for hand in state.hands)
        scores = tuple(score + value * (n == seat) for n, score in enumerate(state.scores))
        state = replace(state, hands=hands, scores=scores, laid=(*state.laid, card))
        told = (public(Laid(seat, card)),)
        if scores[seat] >= state.options.target:
            return replace(state, reason="target"), told
        return (state if value % 4 == 0 else self._next(state)), told

    def _next(self, state: State) -> State:
        if state.is_time_up or state.turns == 40:
            return replace(state, reason="time" if state.is_time_up else "turns", pending=(), called_at=None, bids=())
        seats = len(state.hands)
        turn = next(n % seats for n in range(state.turn + 1, state.turn + seats + 1) if not state.left[n % seats])
        return replace(
            state,
            turn=turn,
            turns=state.turns + 1,
            has_asked=False,
            has_called=False,
            pending=(),
            said=(),
            called_at=None,
            bids=(),
        )

    def _sell_when_complete(self, state: State) -> Result:
        return (state, ()) if self._bidders(state) else self._sell(state)

    def _sell(self, state: State) -> Result:
        best = max((bid for bid in state.bids if bid is not None), default=None)
        winners = [n for n, bid in enumerate(state.bids) if bid == best and best is not None]
        scores = tuple(score + 5 * (winners == [n]) for n, score in enumerate(state.scores))
        sold = replace(state, scores=scores, called_at=None, bids=())
        told = (public(Sold(state.bids)),)
        if max(scores) >= state.options.target:
            return replace(sold, reason="target"), told
        return sold, told


TOY = Toy()
