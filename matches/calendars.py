"""Nights, weekends and vacations as arithmetic on the calendar: the only place that knows time zones.

What comes out are windows in UTC milliseconds, which the engine treats as data. A night that begins at 22:00 and ends
at 06:00 lasts seven hours when the clocks go forward in it and nine when they go back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo, available_timezones

from matches.timing import millis, moment

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
SHORTEST_NIGHT_MIN = 60
LONGEST_NIGHT_MIN = 600
NOTICE_OF_A_CHANGE_MS = 12 * HOUR_MS
"""A night that was changed counts from so much later on, than now and than the night before: nobody sleeps for ever."""
NOTICE_OF_A_VACATION_MS = HOUR_MS
ALLOWANCE_MS = 30 * DAY_MS
"""Vacation a player may take in one year."""
SATURDAY = 5


class Span(NamedTuple):
    """From `begins` on, until `ends`; UTC milliseconds."""

    begins: int
    ends: int


class Night(NamedTuple):
    """When somebody sleeps, by the clock on the wall."""

    zone: str
    begins: time
    ends: time


@lru_cache(maxsize=1)
def zones() -> frozenset[str]:
    """The names that are known, such as `Europe/Berlin`."""
    return frozenset(available_timezones())


def night_minutes(night: Night) -> int:
    """How long a night is by the clock on the wall."""
    begins, ends = (at.hour * 60 + at.minute for at in (night.begins, night.ends))
    return (ends - begins) % (24 * 60)


def next_night(night: Night, after: int) -> Span:
    """The first night that ends behind `after`."""
    zone = ZoneInfo(night.zone)
    is_over_midnight = night.ends <= night.begins
    nights = (
        Span(_instant(day, night.begins, zone), _instant(day + timedelta(days=is_over_midnight), night.ends, zone))
        for day in _days(after, zone, back=2)
    )
    return next(span for span in nights if span.ends > after and span.ends > span.begins)


def next_weekend(zone_name: str, after: int) -> Span:
    """The first Saturday and Sunday in this zone that end behind `after`."""
    zone = ZoneInfo(zone_name)
    weekends = (
        Span(_instant(day, time(), zone), _instant(day + timedelta(days=2), time(), zone))
        for day in _days(after, zone, back=7)
        if day.weekday() == SATURDAY
    )
    return next(span for span in weekends if span.ends > after)


def from_now(span: Span, earliest: int) -> Span:
    """What of it lies behind `earliest`."""
    return Span(max(span.begins, earliest), span.ends)


def used_in(year: int, spans: Iterable[Span]) -> int:
    """How many milliseconds of these lie in a year (UTC)."""
    first, last = (millis(datetime(n, 1, 1, tzinfo=UTC)) for n in (year, year + 1))
    return sum(max(0, min(span.ends, last) - max(span.begins, first)) for span in spans)


def years_of(span: Span) -> range:
    """The years (UTC) that it touches."""
    return range(moment(span.begins).year, moment(span.ends - 1).year + 1)


def _days(after: int, zone: ZoneInfo, back: int) -> Iterator[date]:
    """Days in the zone, from some before `after` on."""
    day = moment(after).astimezone(zone).date() - timedelta(days=back)
    while True:
        yield day
        day += timedelta(days=1)


def _instant(day: date, at: time, zone: ZoneInfo) -> int:
    """When the wall clock shows this. Of an hour that comes twice the first; one left out as if it were there."""
    return millis(datetime.combine(day, at, tzinfo=zone).astimezone(UTC))
