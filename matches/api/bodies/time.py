"""Time: clocks, offers, nights and vacations."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from engine.core.table import Offer, OfferKind, Window
from engine.core.viewing import ClockView, TimerView
from matches.api.bodies.common import Body, Millis

DAY_S = 86_400
WallTime = Annotated[str, Meta(pattern=r"^([01]\d|2[0-3]):[0-5]\d$", description="By the clock on the wall: `22:30`.")]


class MatchTime(Struct, frozen=True):
    """Every clock of a match that runs, to count down from without asking again.

    A clock holds `left_ms` at `since` and runs down from there; it stands while `since` is null, for the reasons in its
    `stops`. The whole match stands while `stops` isn't empty. `windows` are the times in which clocks stand or will.
    """

    now: Millis
    awaited: tuple[int, ...]
    clocks: tuple[ClockView, ...]
    timers: tuple[TimerView, ...]
    stops: tuple[str, ...]
    windows: tuple[Window, ...]
    offer: Offer | None


class MakeOffer(Body, frozen=True):
    """Something that everybody in has to agree to within `open_s` seconds; a pause says how long it lasts."""

    kind: OfferKind
    pause_s: Annotated[int, Meta(ge=60, le=14 * DAY_S)] | None = None
    open_s: Annotated[int, Meta(ge=1, le=3 * DAY_S)] = DAY_S


class AnswerOffer(Body, frozen=True):
    """Whether you agree to the open offer; who has made it takes it back by not agreeing."""

    agrees: bool


class NightBody(Body, frozen=True):
    """When you sleep: one to ten hours in which your clocks stand, in matches by correspondence."""

    begins: WallTime
    ends: WallTime


class SetCalendar(Body, frozen=True):
    """Your time zone, a name such as `Europe/Berlin`, and your night; null for none."""

    zone: Annotated[str, Meta(min_length=1, max_length=64)]
    night: NightBody | None


class Away(Body, frozen=True):
    """A vacation: from an hour from now on at the earliest, a day at least."""

    begins: Annotated[int, Meta(ge=0, le=2**53, description="UTC, milliseconds since 1970.")]
    ends: Annotated[int, Meta(ge=0, le=2**53, description="UTC, milliseconds since 1970.")]


class VacationBody(Struct, frozen=True):
    """A vacation that you have announced or taken."""

    id: int
    begins: Millis
    ends: Millis


class CalendarBody(Struct, frozen=True):
    """Your nights and vacations. A night that you change counts from `counts_from` on.

    `vacation_left_ms` may still be taken in `year`.
    """

    zone: str
    night: NightBody | None
    counts_from: Millis
    vacations: tuple[VacationBody, ...]
    year: int
    vacation_left_ms: int
