"""Positions of Snap written down like a score sheet, and one move after the other."""

from __future__ import annotations

from typing import Any

from engine.core import race as races
from engine.core.cards import NAMES, name_of
from engine.core.errors import Refusal
from engine.core.events import Told
from engine.core.rng import Rng, Seed
from engine.games.snap import GAME
from engine.games.snap.moves import Call, Claim, Look, Pass, SnapEvent, SnapMove, Turn
from engine.games.snap.state import State

REACTION: dict[str, Any] = {"race": {"mode": "reaction"}}


def cards(names: str) -> tuple[int, ...]:
    """`cards("QS TH")`: the queen of spades, then the ten of hearts."""
    return tuple(NAMES.index(name) for name in names.split())


def names(pile: tuple[int, ...]) -> str:
    return " ".join(name_of(card) for card in pile)


def position(*piles: str, pot: str = "", turn: int = 0, exits: tuple[int, ...] = (), **options: Any) -> State:
    """A position between two races; each seat's piles are `"face-down cards | face-up cards"`.

    A face-down pile is written in the order in which it is turned, a face-up pile and the pot with their top last.
    """
    halves = [pile.split("|") for pile in piles]
    return State(
        options=GAME.options(options),
        dealer=0,
        face_down=tuple(cards(down) for down, _ in halves),
        face_up=tuple(cards(up) for _, up in halves),
        exits=exits or (0,) * len(piles),
        turn=turn,
        pot=cards(pot),
    )


class Sheet:
    """A match that is played on from a position; every move is checked to be legal and listed."""

    def __init__(self, state: State, seed: int = 1) -> None:
        self.state = state
        self.rng = Rng(Seed.from_number(seed))
        self.told: tuple[Told[SnapEvent], ...] = ()

    def turn(self, at: int = 0) -> Sheet:
        """Turn the next card; by reaction, as the table does when a race closes."""
        return self.move(self.state.turn, Turn(), at)

    def call(self, seat: int, at: int, claim: str = "snap") -> Sheet:
        return self.move(seat, Call(Claim(claim)), at)

    def look(self, seat: int, at: int) -> Sheet:
        return self.move(seat, Look(), at)

    def skip(self, *seats: int, at: int = 10) -> Sheet:
        """These seats pass."""
        for seat in seats:
            self.move(seat, Pass(), at)
        return self

    def react(self, seat: int, time: int, claim: str = "snap", *, at: int = 1_000_000) -> Sheet:
        """Look, and call so many milliseconds later."""
        return self.look(seat, at).call(seat, at + time, claim)

    def move(self, seat: int, move: SnapMove, at: int) -> Sheet:
        assert self.refusal(seat, move) is None
        assert move in GAME.legal_moves(self.state, seat)
        self.state, self.told = GAME.play(self.state, seat, move, at, self.rng)
        return self

    def close(self) -> Sheet:
        """The race closes by its own timer (`arrival`)."""
        assert self.state.race is not None
        due = races.closes_at(self.state.race)
        self.state, self.told = GAME.expire(self.state, races.TIMER, due, self.rng)
        return self

    def expire(self, key: str, at: int) -> Sheet:
        self.state, self.told = GAME.expire(self.state, key, at, self.rng)
        return self

    def leave(self, *seats: int, at: int = 0) -> Sheet:
        self.state, self.told = GAME.leave(self.state, seats, at, self.rng)
        return self

    def refusal(self, seat: int, move: SnapMove) -> Refusal | None:
        before = self.state
        refusal = GAME.refuse(before, seat, move)
        assert self.state is before
        return refusal

    @property
    def piles(self) -> list[str]:
        """As `position` takes them."""
        both = zip(self.state.face_down, self.state.face_up, strict=True)
        return [f"{names(down)} | {names(up)}".strip() for down, up in both]

    @property
    def pot(self) -> str:
        return names(self.state.pot)

    @property
    def events(self) -> list[SnapEvent]:
        """What the last move told, whoever may know it."""
        return [told.event for told in self.told]

    def heard(self, viewer: int | None) -> list[SnapEvent]:
        """What the last move told this viewer."""
        return [told.event for told in self.told if told.reaches(viewer)]
