"""The whole of a running match as one value, and the entries of its log.

`engine.core.referee` is what changes a table; nothing else does.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Generic, TypeVar

from msgspec import Struct

from engine.core.clock import Clock, Policy, TimeControl, Unlimited
from engine.core.errors import Refusal
from engine.core.events import Told
from engine.core.game import Occasion
from engine.core.outcome import Outcome

FORMAT = 2
"""How matches are begun now; in those of format 1, `on_timeout: bot` makes default moves and there are no bots."""
BOTS_SINCE = 2

S = TypeVar("S")
M = TypeVar("M")
E = TypeVar("E")
O = TypeVar("O")  # noqa: E741


class Cause(StrEnum):
    """Why an entry is in the log."""

    OPEN = "open"
    MOVE = "move"
    TIMER = "timer"
    FLAG = "flag"
    LEAVE = "leave"
    STOP = "stop"
    START = "start"
    SCHEDULE = "schedule"
    OFFER = "offer"
    ANSWER = "answer"
    LAPSE = "lapse"
    GRANT = "grant"
    TAKE_OVER = "take_over"
    RETURN = "return"
    ABANDON = "abandon"
    VOID = "void"


class EndedAs(StrEnum):
    """How a match that is over came to its end: by the rules, by silence, or by an operator's correction."""

    FINISHED = "finished"
    ABANDONED = "abandoned"
    VOID = "void"


class Window(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Clocks stand from `begins` to `ends` (UTC) for a reason; for these seats, or the whole match when there are none.

    `begins` None: it has begun. `ends` None: it ends by an entry of its own.
    """

    reason: str
    begins: int | None = None
    ends: int | None = None
    seats: tuple[int, ...] = ()


class OfferKind(StrEnum):
    """What may be agreed on: to stand for a while, to go on before that is over, to end the match for nobody."""

    PAUSE = "pause"
    RESUME = "resume"
    ABORT = "abort"


class Offer(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something that `seat` has offered and everybody in has to agree to before `ends` (UTC).

    `number` counts the offers of this match, from 1; `pause_ms` is how long a pause shall last; `agreed` are the seats
    that consent.
    """

    kind: OfferKind
    number: int
    seat: int
    ends: int
    pause_ms: int | None = None
    agreed: tuple[int, ...] = ()


class Grant(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What an operator gives back to `seat`: milliseconds on its clock, and the strikes against it if it `forgives`."""

    seat: int
    ms: int = 0
    forgives: bool = False


class Decision(Struct, frozen=True, forbid_unknown_fields=True):
    """Something asked of a seat. `serial` counts the decisions this seat was offered in this match, from 1."""

    serial: int
    occasion: Occasion


class SeatState(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the table keeps of one seat.

    `asked` is how many decisions it was offered; `strikes` how many turns in a row it let pass, `struck` the last of
    these. `bot` is the level of the bot that plays it; a seat that is `lent` has a player who may come back any time.
    """

    clock: Clock
    decision: Decision | None = None
    asked: int = 0
    strikes: int = 0
    struck: Occasion | None = None
    has_left: bool = False
    bot: str | None = None
    lent: bool = False


class Plan(Struct, Generic[M], frozen=True, forbid_unknown_fields=True):
    """How a bot will answer its decision `serial` of a race, at the match time `due`; secret until then."""

    seat: int
    serial: int
    move: M
    due: int


class Sealed(Struct, frozen=True, forbid_unknown_fields=True):
    """From entry `number` on, nobody may see what happens until the race closes; others see `seats` as they were."""

    number: int
    seats: tuple[SeatState, ...]


class Ending(Struct, frozen=True, forbid_unknown_fields=True):
    """The match is over; there is an outcome only when the rules ended it."""

    status: EndedAs
    outcome: Outcome | None = None


class Opening(Struct, Generic[O], frozen=True, forbid_unknown_fields=True):
    """Everything that a match begins with, save its seed. `at` is UTC in milliseconds.

    `bots` says for each seat which level of bot plays it, None where a player does; empty where players play them all.
    """

    game: str
    ruleset: int
    seats: int
    options: O
    at: int
    control: TimeControl = Unlimited()
    policy: Policy = Policy()
    format: int = FORMAT
    bots: tuple[str | None, ...] = ()


class Table(Struct, Generic[S, M], frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A match as one value.

    `at` is the UTC time of the last entry and `number` its number; `drawn` how much chance was used. While `stops`
    isn't empty the whole match stands, since `halted`; `lost` is for how long it stood before, so that match time is
    UTC less `lost`. `stood` is when it last did, from and to. No move received from `closed` on is taken: a stop that
    waits for a race begins later than it was asked for. `moves` counts those that players made themselves,
    `offered` what they offered. `plans` are what bots have been drawn to do in races.
    """

    game: str
    ruleset: int
    state: S
    number: int
    at: int
    drawn: int
    seats: tuple[SeatState, ...]
    control: TimeControl = Unlimited()
    policy: Policy = Policy()
    stops: tuple[str, ...] = ()
    halted: int | None = None
    closed: int | None = None
    lost: int = 0
    stood: tuple[int, int] | None = None
    windows: tuple[Window, ...] = ()
    sealed: Sealed | None = None
    ending: Ending | None = None
    offer: Offer | None = None
    moves: int = 0
    offered: int = 0
    plans: tuple[Plan[M], ...] = ()
    format: int = 1

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.ending is not None

    @property
    def horizon(self) -> int:
        """The last entry that others may see."""
        return self.number if self.sealed is None else self.sealed.number - 1

    def match_time(self, utc: int) -> int:
        """Match time at this UTC time; it stands while the match is stopped."""
        utc = utc if self.halted is None else min(utc, self.halted)
        if self.stood is not None and utc < self.stood[1]:
            # A request from before the last stop that is taken after it.
            return min(utc, self.stood[0]) - self._lost_before()
        return utc - self.lost

    def utc(self, match_time: int) -> int:
        """The UTC time at which match time gets there if nothing stops the match, or got there before its last stop."""
        if self.stood is not None and match_time <= self.stood[1] - self.lost:
            return match_time + self._lost_before()
        return match_time + self.lost

    def _lost_before(self) -> int:
        """For how long the match had stood before its last stop."""
        return self.lost if self.stood is None else self.lost - (self.stood[1] - self.stood[0])


class Entry(Struct, Generic[M, E], frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A line of the log: what was asked for or came due, and what happened.

    `at` never goes back; `received` is when the request came in, or when the timer or clock was due. `key` names the
    timer, the stop reason or the reason for leaving; `seats` are those that left or were stopped. `offer` is what was
    offered; `agrees` is how `seat` answered the offer that was open; `grant` is what an operator gave back. `bot` is
    the level that took `seat` over; `plans` are what was drawn for bots, for nobody to see while the match runs.
    """

    number: int
    at: int
    received: int
    cause: Cause
    seat: int | None = None
    serial: int | None = None
    move: M | None = None
    key: str | None = None
    seats: tuple[int, ...] = ()
    window: Window | None = None
    offer: Offer | None = None
    agrees: bool | None = None
    grant: Grant | None = None
    bot: str | None = None
    plans: tuple[Plan[M], ...] = ()
    events: tuple[Told[E], ...] = ()


class Step(Struct, Generic[S, M, E], frozen=True):
    """What came of asking the referee: the table now, the new entries, and a refusal if the request wasn't granted.

    Entries may come with a refusal: what was due before the request has happened all the same.
    """

    table: Table[S, M]
    entries: tuple[Entry[M, E], ...] = ()
    refusal: Refusal | None = None
