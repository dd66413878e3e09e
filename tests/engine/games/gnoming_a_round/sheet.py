"""Positions written like score sheets: `5` lies face up, `(5)` face down, `M` and `H` are Mulligan and Hazard."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from engine.core.errors import Refusal
from engine.core.events import Told
from engine.core.rng import Rng, Seed
from engine.games.gnoming_a_round import GAME
from engine.games.gnoming_a_round.cards import HAZARD, MULLIGAN
from engine.games.gnoming_a_round.moves import AnyEvent, AnyMove, RoundScored
from engine.games.gnoming_a_round.state import Phase, State

T = TypeVar("T")

SHORT = {"M": MULLIGAN, "H": HAZARD}
LONG = {number: word for word, number in SHORT.items()}

DOWN = "(1) (2) (3) / (4) (6) (7) / (8) (9) (10)"
"""Nothing turned up; no two cards are equal; 50 points."""

TWO_UP = "1 2 (3) / (4) (6) (7) / (8) (9) (10)"
"""As after set-up."""

ALMOST = "1 2 3 / 4 6 7 / 8 9 (10)"
"""One card is still face down."""


class After(Struct, frozen=True):
    """What a move led to."""

    state: State
    told: tuple[Told[AnyEvent], ...]

    def events(self, viewer: int | None = None) -> list[AnyEvent]:
        """What this viewer was told, a spectator by default."""
        return [told.event for told in self.told if told.reaches(viewer)]

    def only(self, kind: type[T], viewer: int | None = None) -> T:
        """The one event of this kind that the viewer was told."""
        (event,) = (event for event in self.events(viewer) if isinstance(event, kind))
        return event

    def scored(self) -> RoundScored:
        """The one round that was scored."""
        return self.only(RoundScored)


class Stacked(Rng):
    """Chance whose shuffles are prepared: each takes the next order, given by its top cards (the last is on top)."""

    def __init__(self, *tops: str) -> None:
        super().__init__(Seed.from_number(0))
        self._tops = [numbers(top) for top in tops]

    def shuffle(self, items: Iterable[Any]) -> tuple[Any, ...]:
        rest = list(items)
        top = self._tops.pop(0)
        for card in top:
            rest.remove(card)
        return (*rest, *top)


def numbers(words: str) -> tuple[int, ...]:
    return tuple(SHORT[word] if word in SHORT else int(word) for word in words.replace("/", " ").split())


def words(cards: Iterable[int]) -> str:
    return " ".join(LONG.get(card, str(card)) for card in cards)


def cards_and_mask(written: str) -> tuple[tuple[int, ...], int]:
    slots = written.replace("/", " ").split()
    cards = numbers(" ".join(slot.strip("()") for slot in slots))
    return cards, sum(1 << number for number, slot in enumerate(slots) if not slot.startswith("("))


def position(
    *layouts: str,
    draw: str = "7 7 7 7 7",
    left: str = "1",
    right: str = "2",
    hand: str = "",
    chosen: tuple[tuple[int, int] | None, ...] | None = None,
    gone: tuple[int, ...] = (),
    options: dict[str, Any] | None = None,
    preset: str = "standard",
    **changes: Any,
) -> State:
    """A position in the first round, seat 0 in turn; an empty layout is that of a leaver. Piles have their top last."""
    laid = [cards_and_mask(layout) for layout in layouts]
    held = numbers(hand)
    state = State(
        options=GAME.options(options or {}, preset),
        seats=len(layouts),
        began=0,
        left=gone or tuple(0 if layout else 1 for layout in layouts),
        number=1,
        phase=Phase.PLAY if held else Phase.DRAW,
        turns=5,
        turn_number=5,
        layouts=tuple(cards for cards, _ in laid),
        up=tuple(mask for _, mask in laid),
        pile=numbers(draw),
        left_pile=numbers(left),
        right_pile=numbers(right),
        chosen=chosen or (None,) * len(layouts),
        hand=held[0] if held else None,
    )
    return replace(state, **changes)


def layout(state: State, seat: int) -> str:
    """The layout of a seat, written as `position` takes it."""
    up = state.up[seat]
    slots = [word if up >> slot & 1 else f"({word})" for slot, word in enumerate(words(state.layouts[seat]).split())]
    return " / ".join(" ".join(slots[row : row + 3]) for row in range(0, len(slots), 3))


def seen(state: State, viewer: int | None) -> Any:
    """The view, whose optional parts a test knows to be there."""
    return GAME.view(state, viewer)


def all_cards(state: State) -> list[str]:
    """Every card by name, in order of names."""
    return sorted(card for zone in GAME.census(state).values() for card in zone)


def make(state: State, move: AnyMove, seat: int | None = None, *, at: int = 1000, rng: Rng | None = None) -> After:
    """Make a legal move, of the seat in turn if no other is named."""
    who = state.turn if seat is None else seat
    assert GAME.refuse(state, who, move) is None
    assert move in GAME.legal_moves(state, who)
    return After(*GAME.play(state, who, move, at, rng or Rng(Seed.from_number(1))))


def make_all(state: State, *moves: AnyMove) -> After:
    """Moves of the seats in turn one after another; what the last led to."""
    after = After(state, ())
    for move in moves:
        after = make(after.state, move)
    return after


def leave(state: State, *seats: int, rng: Rng | None = None) -> After:
    return After(*GAME.leave(state, seats, 1000, rng or Rng(Seed.from_number(1))))


def refusal(state: State, move: AnyMove, seat: int | None = None) -> Refusal:
    """The refusal of a move, which isn't listed and changes nothing."""
    who = state.turn if seat is None else seat
    before = msgspec.json.encode(state)
    refused = GAME.refuse(state, who, move)
    assert refused is not None
    assert move not in GAME.legal_moves(state, who)
    assert msgspec.json.encode(state) == before
    return refused


def code_and_rule(state: State, move: AnyMove, seat: int | None = None) -> tuple[str, str | None]:
    refused = refusal(state, move, seat)
    return refused.code.value, refused.rule
