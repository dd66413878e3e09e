"""From the deal to the first turn, from turn to turn, and to the end."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.events import Told, private, public
from engine.core.outcome import Standing, places_of
from engine.core.rng import Rng
from engine.core.seating import clockwise, next_in
from engine.games.three_up_three_down.cards import KINDS, cards_of, names
from engine.games.three_up_three_down.moves import (
    AnyEvent,
    ChooseUp,
    Dealt,
    HandDealt,
    MatchEnded,
    OwnUpChosen,
    SeatLeft,
    TimeUp,
    TurnBegan,
    UpChosen,
    UpRevealed,
)
from engine.games.three_up_three_down.state import (
    DEALT,
    PLACES,
    Options,
    Reason,
    State,
    cards_left,
    staying,
)

Happened = tuple[State, tuple[Told[AnyEvent], ...]]


def deal(seats: int, options: Options, at: int, rng: Rng) -> Happened:
    """Three cards face down and six to choose from for each seat (TUD-2, TUD-3, TUD-5, TUD-6)."""
    dealer = rng.below(seats)
    pile = list(rng.shuffle(cards_of(options.deck)))
    downs: list[tuple[int, ...]] = [()] * seats
    hands: list[tuple[int, ...]] = [()] * seats
    for seat in clockwise(dealer, seats):
        downs[seat] = tuple(pile.pop() for _ in range(PLACES))
    for seat in clockwise(dealer, seats):
        hands[seat] = tuple(sorted(pile.pop() for _ in range(DEALT)))
    state = State(
        options=options,
        began=at,
        dealer=dealer,
        turn=0,
        seat=next_in(dealer, [True] * seats),
        due=0,
        may_draw=False,
        draw=tuple(pile),
        discard=(),
        cleared=(),
        hands=tuple(hands),
        ups=((),) * seats,
        downs=tuple(downs),
        known=(0,) * seats,
        choices=((),) * seats,
        left=(0,) * seats,
    )
    own = [private(HandDealt(names(hands[seat])), seat) for seat in range(seats)]
    return state, (public(Dealt(dealer, len(pile))), *own)


def choose(state: State, seat: int, move: ChooseUp) -> Happened:
    """A seat chooses its UP cards, hidden until all have (TUD-3, TUD-4)."""
    choice = tuple(sorted(KINDS[card] for card in move.cards))
    state = replace(state, choices=_with(state.choices, seat, choice))
    told = (public(UpChosen(seat)), private(OwnUpChosen(names(choice)), seat))
    state, more = _reveal(state)
    return state, (*told, *more)


def leave(state: State, seats: tuple[int, ...]) -> Happened:
    """These seats leave at the same moment; all their cards go out of the game (TUD-33, ALL-4)."""
    going = [seat for seat in staying(state) if seat in seats]
    if state.reason or not going:
        return state, ()
    step = 1 + max(state.left)
    left = tuple(step if seat in going else before for seat, before in enumerate(state.left))
    choices = tuple(() if seat in going else choice for seat, choice in enumerate(state.choices))
    told = tuple(public(SeatLeft(seat, cards_left(state, seat))) for seat in going)
    state, more = _go_on_without(replace(state, left=left, choices=choices, turned=None), going)
    return state, (*told, *more)


def end(state: State, reason: Reason) -> Happened:
    """The match is over."""
    state = replace(state, reason=reason, due=0, may_draw=False)
    return state, (public(MatchEnded(reason, standing(state).places)),)


def next_turn(state: State) -> Happened:
    """The turn is over: the next seat's begins, unless a limit is reached (TUD-6, TUD-31)."""
    if state.time_up:
        return end(state, "time_limit")
    if state.turn >= state.options.turn_limit:
        return end(state, "turn_limit")
    seat = next_in(state.seat, [not step for step in state.left])
    state = replace(state, turn=state.turn + 1, seat=seat, due=1, may_draw=False)
    return state, (public(TurnBegan(seat, state.turn)),)


def time_limit(state: State) -> Happened:
    """The time is up: the current turn is finished (TUD-31); while UP cards are chosen there is none to finish."""
    if not state.turn:
        return end(state, "time_limit")
    return replace(state, time_up=True), (public(TimeUp()),)


def standing(state: State) -> Standing:
    """Fewest cards left first; the score is the cards left (TUD-30)."""
    counts = tuple(cards_left(state, seat) for seat in range(len(state.left)))
    return Standing(places_of([-count for count in counts], state.left), counts)


def _go_on_without(state: State, gone: list[int]) -> Happened:
    stayed = staying(state)
    if len(stayed) < 2:
        return end(state, "last_seat" if stayed else "all_left")
    if not state.turn:
        return _reveal(state)
    return next_turn(state) if state.seat in gone else (state, ())


def _reveal(state: State) -> Happened:
    """Once all have chosen, UP is turned up and the seat left of the dealer begins (TUD-4, TUD-6)."""
    stayed = staying(state)
    if not all(state.choices[seat] for seat in stayed):
        return state, ()
    hands = tuple(_without(hand, choice) for hand, choice in zip(state.hands, state.choices, strict=True))
    state = replace(state, seat=state.dealer, hands=hands, ups=state.choices, choices=((),) * len(hands))
    told = public(UpRevealed(tuple(names(up) for up in state.ups)))
    state, more = next_turn(state)
    return state, (told, *more)


def _without(hand: tuple[int, ...], choice: tuple[int, ...]) -> tuple[int, ...]:
    rest = list(hand)
    for card in choice:
        rest.remove(card)
    return tuple(rest)


def _with(by_seat: tuple[tuple[int, ...], ...], seat: int, value: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return (*by_seat[:seat], value, *by_seat[seat + 1 :])
