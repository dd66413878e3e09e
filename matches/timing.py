"""The service's time, which is the database's: every process measures how far its own clock is off.

Whether a move was in time is decided by comparing two readings, one of a web process and one of the database; so all of
them have to go by the same clock.
"""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.db import connection

FRESH_S = 30.0
"""For how many seconds a measurement is good."""
SAMPLES = 3
BEAT_S = 0.25
"""How often, in seconds, a web process says that it is alive."""
GAP_MS = 10_000
"""Nobody has said so for longer than this: that was an outage."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


class Measurement(NamedTuple):
    """The database's time less this process's monotonic clock, and how wrong that may be; all in nanoseconds."""

    offset: int
    uncertainty: int
    taken: int


class _Clock:
    """One a process; threads share it, and one of them at a time measures."""

    def __init__(self) -> None:
        self._measuring = threading.Lock()
        self._latest: Measurement | None = None

    def measurement(self) -> Measurement:
        latest = self._latest
        if latest is not None and time.monotonic_ns() - latest.taken < FRESH_S * 1e9:
            return latest
        # While one thread measures, the others go by the old value; only the very first has nothing to go by.
        if not self._measuring.acquire(blocking=latest is None):
            return latest or self.measurement()
        try:
            self._latest = _measure()
        finally:
            self._measuring.release()
        return self._latest

    def forget(self) -> None:
        self._latest = None


def _measure() -> Measurement:
    """The best of a few round trips: the database's time is that of their middle, give or take half of them."""
    connection.ensure_connection()
    return min((_round_trip() for _ in range(SAMPLES)), key=lambda measured: measured.uncertainty)


def _round_trip() -> Measurement:
    with connection.cursor() as cursor:
        begun = time.monotonic_ns()
        cursor.execute("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint")
        (microseconds,) = cursor.fetchone()
        ended = time.monotonic_ns()
    return Measurement(microseconds * 1000 - (begun + ended) // 2, (ended - begun) // 2, ended)


_clock = _Clock()


def now_ms() -> int:
    """The service's time: UTC in milliseconds. Asks the database only when the last measurement is old."""
    return ms_of(time.monotonic_ns())


def ms_of(reading: int) -> int:
    """The service's time at a reading of this process's `time.monotonic_ns`."""
    return (reading + _clock.measurement().offset) // 1_000_000


def uncertainty_ms() -> float:
    """By how many milliseconds `now_ms` may be wrong."""
    return _clock.measurement().uncertainty / 1e6


def behind_ms() -> int:
    """By how many milliseconds the match that is overdue longest is; 0 when none is."""
    now = now_ms()
    with connection.cursor() as cursor:
        cursor.execute("SELECT min(due_at) FROM matches_position WHERE due_at <= %s AND retry_at IS NULL", [now])
        (oldest,) = cursor.fetchone()
    return 0 if oldest is None else now - int(oldest)


def measure_again() -> None:
    """Let the next reading ask the database."""
    _clock.forget()


def moment(ms: int) -> datetime:
    """UTC milliseconds as what a timestamp column holds."""
    return _EPOCH + ms * _MILLISECOND


def millis(moment: datetime) -> int:
    """A timestamp as UTC milliseconds, exactly when `moment` made it."""
    return (moment - _EPOCH) // _MILLISECOND
