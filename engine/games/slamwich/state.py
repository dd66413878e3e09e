"""A match of Slamwich as one value."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from engine.core.outcome import places_of
from engine.core.race import Answered, RaceMode, RaceRules
from engine.core.race_game import RaceState
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


class State(RaceState, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything on the table; stacks by seat.

    `stacks` lie in the order in which they will be turned, the `pile` in the order in which it was laid, the top last:
    a taken pile is appended as it is (SLM-11). `challenge` is the one in force before the newest card, whose effect
    comes with the close. The match ends at `deadline` when nothing is left to settle.
    """

    options: Options
    stacks: tuple[tuple[int, ...], ...]
    pile: tuple[int, ...]
    challenge: Challenge | None = None
    last: ClosedRace | None = None

    @property
    def counts(self) -> tuple[int, ...]:
        """How many cards each seat has in its stack."""
        return tuple(len(stack) for stack in self.stacks)

    @property
    def places(self) -> tuple[int, ...]:
        """Places as they are now: most cards first, then the latest to go out or leave (SLM-32, SLM-33)."""
        return places_of(self.counts, self.exits)
