"""A match of Slamwich as one value."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from engine.core.outcome import places_of
from engine.core.race import Answered, Race, RaceMode, RaceRules
from engine.games.slamwich.moves import Claim

TURN_LIMIT = {RaceMode.ARRIVAL: 3000, RaceMode.REACTION: 300}
TIE_MS = 0
"""The earliest time wins (SLM-17)."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """How this match is played.

    `turn_limit` None is 3000 turned cards in `arrival` and 300 in `reaction` (SLM-34). Without `munchers` they are left
    out of the deck (SLM-22). With `free_shout` a needless shout costs nothing (SLM-12).
    """

    race: RaceRules = RaceRules()
    munchers: bool = True
    free_shout: bool = False
    time_limit_s: Annotated[int, Meta(ge=30, le=31_536_000)] | None = None
    turn_limit: Annotated[int, Meta(ge=1, le=100_000)] | None = None

    @property
    def last_turn(self) -> int:
        """After how many turned cards the standing decides (SLM-34)."""
        return TURN_LIMIT[self.race.mode] if self.turn_limit is None else self.turn_limit


class Challenge(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """`muncher` takes the pile unless `responder` stops it; `shown` of its `number` cards are turned (SLM-22)."""

    muncher: int
    responder: int
    number: int
    shown: int = 0


class Penalty(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The card that a seat paid for a Slip Slap, face up; None when it had none (SLM-18, SLM-20)."""

    seat: int
    card: int | None


class ClosedRace(Struct, frozen=True, forbid_unknown_fields=True):
    """The race that closed last: its card, who was in it, and what became of it.

    `taker` is the seat that took the pile, by a slap or by its Muncher. `penalties` are in the order of their times.
    """

    number: int
    turner: int
    card: int
    seats: tuple[int, ...]
    answers: tuple[Answered[Claim], ...]
    taker: int | None
    penalties: tuple[Penalty, ...]


class State(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything on the table; stacks and exits by seat.

    `stacks` lie in the order in which they will be turned, the `pile` in the order in which it was laid, the top last:
    a taken pile is appended as it is (SLM-11). `turn` is the seat that turns next or whose card the open `race` is
    about, `turned` the number of cards turned so far and of the last race. `challenge` is the one in force before the
    newest card, whose effect comes with the close. `exits` is 0 for a seat still in, else the step at which it went out
    or left, from 1. `deadline` (match time, ms) ends the match when nothing is left to settle, and `time_is_up` says
    that it has passed.
    """

    options: Options
    dealer: int
    stacks: tuple[tuple[int, ...], ...]
    pile: tuple[int, ...]
    exits: tuple[int, ...]
    turn: int
    turned: int = 0
    race: Race | None = None
    challenge: Challenge | None = None
    last: ClosedRace | None = None
    deadline: int | None = None
    time_is_up: bool = False
    reason: str | None = None

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats still in."""
        return tuple(seat for seat, step in enumerate(self.exits) if step == 0)

    @property
    def counts(self) -> tuple[int, ...]:
        """How many cards each seat has in its stack."""
        return tuple(len(stack) for stack in self.stacks)

    @property
    def places(self) -> tuple[int, ...]:
        """Places as they are now: most cards first, then the latest to go out or leave (SLM-32, SLM-33)."""
        return places_of(self.counts, self.exits)
