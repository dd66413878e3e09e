"""Time passing: what is due is fired, by as many workers as there are, whenever one of them looks.

Running twice, late or never changes nothing but punctuality:
whatever fires late is logged at the time at which it was due.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from uuid import UUID

import structlog
from django.db import InterfaceError, OperationalError, transaction

from engine.core.errors import NewerFormat, UnknownGame
from matches.errors import ServiceError
from matches.locking import Locked, lock_due, lock_owed, lock_position, write_failure, write_position
from matches.models import Position
from matches.services.wake import sweep_on, wake_soon
from matches.timing import BEAT_S

MOST_ENTRIES = 100
"""What the engine settles at most in one go."""

log = structlog.get_logger()


class SettlingFailed(Exception):
    """Something is due, and the engine can't fire it."""


def settle_due(*, seconds: float = 0.8, now: int | None = None) -> int:
    """Settle one due match after another, until none is left or the time is up; gives the number of entries.

    The one that has been due longest comes first; those to which an outage is to be given back come last.

    `now` (UTC milliseconds) takes the place of the database's clock.
    """

    def lock(skip: list[UUID]) -> Locked | None:
        return lock_due(skip=skip, now=now) or lock_owed(skip=skip, now=now)

    return one_by_one(lock, _fire, seconds=seconds)


def sweep(*, seconds: float = 0.8) -> int:
    """Settle what is due for so many seconds; when that isn't enough another worker goes on as well."""
    end = time.monotonic() + seconds
    entries = settle_due(seconds=seconds)
    if time.monotonic() >= end:
        sweep_on()
    return entries


def one_by_one(lock: Callable[[list[UUID]], Locked | None], work: Callable[[Locked], int], *, seconds: float) -> int:
    """Lock a match, do some work on it, commit, until none is left or the time is up; gives the number of entries.

    `lock` is handed the matches that have had their turn.
    """
    end = time.monotonic() + seconds
    skip: list[UUID] = []
    entries = 0
    while True:
        locked, settled = _one(partial(lock, skip), work)
        if locked is None:
            return entries
        if settled is None or settled >= MOST_ENTRIES:
            # It has had its turn: the others come first.
            skip.append(locked.match_id)
        entries += settled or 0
        if time.monotonic() >= end:
            return entries


def match_settle(*, match_id: UUID, now: int | None = None) -> int:
    """Settle one match; gives the number of entries. A match that is busy or stuck is left to `settle_due`."""
    try:
        return _one(lambda: lock_position(match_id=match_id, now=now), _fire_if_well)[1] or 0
    except ServiceError:
        return 0


def match_settle_again(*, match_id: UUID) -> tuple[int, str | None]:
    """Settle one match even if that has failed; gives the number of entries, and why it fails again.

    Raises ServiceError when the match is busy or hasn't begun.
    """
    locked, entries = _one(lambda: lock_position(match_id=match_id), _fire)
    if locked is None:
        raise ServiceError("match_not_running", "only a match that has begun can be settled")
    if entries is not None:
        return entries, None
    error = Position.objects.filter(match=match_id).values_list("last_error", flat=True).first()
    return 0, error or "it was written by a newer version of the service"


def _one(lock: Callable[[], Locked | None], work: Callable[[Locked], int]) -> tuple[Locked | None, int | None]:
    """What was locked, and the number of entries; None for a match that is to be left alone by this process.

    Whatever is wrong with one match must not keep the others waiting.
    """
    locked = None
    try:
        with transaction.atomic(durable=True):
            locked = lock()
            return locked, None if locked is None else work(locked)
    except (OperationalError, InterfaceError, ServiceError):
        # It is the database that is out of order, not the match; or somebody else is at it.
        raise
    except (NewerFormat, UnknownGame) as error:
        log.debug("left to a newer process", match=_name(locked), reason=str(error))
    except Exception as error:
        if locked is None:
            raise
        log.exception("match is stuck", match=_name(locked))
        write_failure(match_id=locked.match_id, now=locked.now, error=f"{type(error).__name__}: {error}")
    return locked, None


def _name(locked: Locked | None) -> str | None:
    return None if locked is None else str(locked.match_id)


def _fire_if_well(locked: Locked) -> int:
    if locked.retry_at is not None:
        return 0
    if locked.due_at is not None and locked.alive_until < locked.due_at <= locked.now:
        # The next heartbeat decides.
        wake_soon(match_id=locked.match_id, due_at=locked.now + int(BEAT_S * 1000), now=locked.now)
    return _fire(locked)


def _fire(locked: Locked) -> int:
    referee, table = locked.referee(), locked.table()
    step = referee.settle(table, locked.alive_until)
    if not step.entries and not locked.outages:
        if locked.due_at is not None and locked.due_at <= locked.alive_until:
            raise SettlingFailed(f"due at {locked.due_at}, but nothing is to be fired at {locked.alive_until}")
        return 0
    due_at = write_position(locked, referee, table, step)
    wake_soon(match_id=locked.match_id, due_at=due_at, now=locked.now)
    return len(step.entries)
