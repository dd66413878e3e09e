"""Positions of Slamwich written down like a score sheet, and one move after the other.

Cards are single signs: a letter for a food, 1, 2 and 3 for Munchers, and the ant, cat and dog as a, c and d.
"""

from __future__ import annotations

from typing import Any

from engine.core import race as races
from engine.core.errors import Refusal
from engine.core.events import Told
from engine.core.rng import Rng, Seed
from engine.games.slamwich import GAME
from engine.games.slamwich.moves import Look, Pass, SlamwichEvent, SlamwichMove, Slap, Turn
from engine.games.slamwich.state import Challenge, State

REACTION: dict[str, Any] = {"race": {"mode": "reaction"}}
SIGNS = "KBCTFGHEMPJ123acd"


def cards(signs: str) -> tuple[int, ...]:
    """`cards("F 2 c")`: a fish, a Muncher with a 2, the cat."""
    return tuple(SIGNS.index(sign) for sign in signs.split())


def signs(pile: tuple[int, ...]) -> str:
    return " ".join(SIGNS[card] for card in pile)


def position(
    *stacks: str,
    pile: str = "",
    turn: int = 0,
    exits: tuple[int, ...] = (),
    challenge: tuple[int, int, int, int] | None = None,
    turned: int = 0,
    **options: Any,
) -> State:
    """A position between two races.

    Stacks are written in the order in which they are turned, the pile with its top last, a challenge as Muncher seat,
    responder, number and cards shown.
    """
    return State(
        options=GAME.options(options),
        dealer=0,
        stacks=tuple(cards(stack) for stack in stacks),
        pile=cards(pile),
        exits=exits or (0,) * len(stacks),
        turn=turn,
        turned=turned,
        challenge=Challenge(*challenge) if challenge else None,
    )


class Sheet:
    """A match that is played on from a position; every move is checked to be legal and listed."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.rng = Rng(Seed.from_number(1))
        self.told: tuple[Told[SlamwichEvent], ...] = ()

    def turn(self, at: int = 0) -> Sheet:
        """Turn the next card; by reaction, as the table does when a race closes."""
        return self.move(self.state.turn, Turn(), at)

    def slap(self, seat: int, at: int) -> Sheet:
        return self.move(seat, Slap(), at)

    def shout(self, seat: int, at: int) -> Sheet:
        """Slap and "Stop Thief!"."""
        return self.move(seat, Slap(shout=True), at)

    def look(self, seat: int, at: int) -> Sheet:
        return self.move(seat, Look(), at)

    def skip(self, *seats: int, at: int = 10) -> Sheet:
        """These seats pass."""
        for seat in seats:
            self.move(seat, Pass(), at)
        return self

    def react(self, seat: int, time: int, *, shout: bool = False, at: int = 1_000_000) -> Sheet:
        """Look, and slap so many milliseconds later."""
        return self.look(seat, at).move(seat, Slap(shout=shout), at + time)

    def unclaimed(self) -> Sheet:
        """Turn the next card, which nobody slaps."""
        return self.turn().close()

    def move(self, seat: int, move: SlamwichMove, at: int) -> Sheet:
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

    def refusal(self, seat: int, move: SlamwichMove) -> Refusal | None:
        before = self.state
        refusal = GAME.refuse(before, seat, move)
        assert self.state is before
        return refusal

    @property
    def stacks(self) -> list[str]:
        """As `position` takes them."""
        return [signs(stack) for stack in self.state.stacks]

    @property
    def pile(self) -> str:
        return signs(self.state.pile)

    @property
    def next(self) -> int:
        """The seat that turns the next card."""
        assert self.state.reason is None
        return self.state.turn

    @property
    def challenge(self) -> tuple[int, int, int, int] | None:
        """As `position` takes it."""
        found = self.state.challenge
        return None if found is None else (found.muncher, found.responder, found.number, found.shown)

    @property
    def ending(self) -> tuple[str, tuple[int, ...]]:
        """Why the match ended, and the places."""
        outcome = GAME.outcome(self.state)
        assert outcome is not None
        return outcome.reason, outcome.places

    @property
    def events(self) -> list[SlamwichEvent]:
        """What the last move told, whoever may know it."""
        return [told.event for told in self.told]

    def heard(self, viewer: int | None) -> list[SlamwichEvent]:
        """What the last move told this viewer."""
        return [told.event for told in self.told if told.reaches(viewer)]
