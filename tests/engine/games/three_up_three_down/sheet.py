"""Positions written like score sheets: cards are words, `.` is an empty DOWN place, the last card lies on top."""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec import Struct

from engine.core.errors import Refusal
from engine.core.events import Told
from engine.core.rng import Rng, Seed
from engine.games.three_up_three_down import GAME
from engine.games.three_up_three_down.cards import KINDS, NAMES
from engine.games.three_up_three_down.moves import AnyEvent, AnyMove
from engine.games.three_up_three_down.state import State

SHORT = {"c": "clear", "c+1": "clear_plus_1", "c+2": "clear_plus_2"}
WORDS = {name: word for word, name in SHORT.items()}


class Cards(Struct, frozen=True):
    """What a seat has; `known` are DOWN places whose card all have seen."""

    hand: str = ""
    up: str = ""
    down: str = ". . ."
    known: tuple[int, ...] = ()


class After(Struct, frozen=True):
    """What a move led to."""

    state: State
    told: tuple[Told[AnyEvent], ...]

    def events(self, viewer: int | None = None) -> list[AnyEvent]:
        """What this viewer was told, a spectator by default."""
        return [told.event for told in self.told if told.reaches(viewer)]


def kinds(words: str) -> tuple[int, ...]:
    return tuple(0 if word == "." else KINDS[SHORT.get(word, word)] for word in words.split())


def words(cards: tuple[int, ...]) -> str:
    return " ".join("." if not card else WORDS.get(NAMES[card], NAMES[card]) for card in cards)


def position(
    *seats: Cards,
    seat: int = 0,
    discard: str = "",
    draw: str = "",
    due: int = 1,
    may_draw: bool = False,
    turn: int = 7,
    left: tuple[int, ...] | None = None,
    **options: Any,
) -> State:
    """A match in mid-play; seat 0 is in turn with its first discard unless told otherwise."""
    return State(
        options=GAME.options(options),
        began=0,
        dealer=len(seats) - 1,
        turn=turn,
        seat=seat,
        due=due,
        may_draw=may_draw,
        draw=kinds(draw),
        discard=kinds(discard),
        cleared=(),
        hands=tuple(tuple(sorted(kinds(cards.hand))) for cards in seats),
        ups=tuple(tuple(sorted(kinds(cards.up))) for cards in seats),
        downs=tuple(kinds(cards.down) for cards in seats),
        known=tuple(sum(1 << slot for slot in cards.known) for cards in seats),
        choices=((),) * len(seats),
        left=left or (0,) * len(seats),
    )


def choosing(*hands: str, dealer: int | None = None, **options: Any) -> State:
    """A match in which UP cards are being chosen from these hands."""
    table = position(*(Cards(hand, "", "1 2 3") for hand in hands), draw="9 8 7", due=0, turn=0, **options)
    return table if dealer is None else with_dealer(table, dealer)


def with_dealer(state: State, dealer: int) -> State:
    values = {name: getattr(state, name) for name in state.__struct_fields__}
    return State(**{**values, "dealer": dealer})


def others(count: int = 1) -> list[Cards]:
    """Seats that only wait: nine cards each."""
    return [Cards("5 5 6", "8 8 9", "2 3 4")] * count


def make(state: State, *moves: AnyMove, seat: int | None = None) -> After:
    """Make legal moves one after another, of the seat in turn unless told otherwise; no card gets lost (ALL-1)."""
    told: tuple[Told[AnyEvent], ...] = ()
    for move in moves:
        mover = state.seat if seat is None else seat
        assert GAME.refuse(state, mover, move) is None
        before = census(state)
        state, told = GAME.play(state, mover, move, 0, rng())
        assert census(state) == before
    return After(state, told)


def refused(state: State, move: AnyMove, seat: int | None = None) -> Refusal:
    """The refusal of a move, which is not listed either; asking changes nothing."""
    mover = state.seat if seat is None else seat
    before = repr(state)
    refusal = GAME.refuse(state, mover, move)
    assert refusal is not None
    assert move not in GAME.legal_moves(state, mover)
    assert repr(state) == before
    return refusal


def code_and_rule(state: State, move: AnyMove, seat: int | None = None) -> tuple[str, str | None]:
    refusal = refused(state, move, seat)
    return refusal.code.value, refusal.rule


def hand(state: State, seat: int = 0) -> str:
    return words(state.hands[seat])


def up(state: State, seat: int = 0) -> str:
    return words(state.ups[seat])


def down(state: State, seat: int = 0) -> str:
    return words(state.downs[seat])


def census(state: State) -> Counter[str]:
    return Counter(card for zone in GAME.census(state).values() for card in zone)


def rng(number: int = 1) -> Rng:
    return Rng(Seed.from_number(number))
