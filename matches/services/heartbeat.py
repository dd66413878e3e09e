"""The heartbeat: web processes say that they are alive, and a silence of all of them is an outage.

Who can't play must not lose on time. So time passes only up to the last heartbeat (`matches.locking`), and when the
heart beats again after a gap, the gap is written down in the same transaction. From then on every match that ran in it
gets it back before anything else happens to it, whoever comes first: a request, a worker, in whatever order.

Workers have no heartbeat: when they are late nobody is kept from playing.
"""

from __future__ import annotations

import threading
import time

import structlog
from django.db import DatabaseError, connection, transaction

from matches.timing import BEAT_S, GAP_MS

LOST_S = 5.0
"""A process whose heartbeat hasn't come through for so long can't serve."""

log = structlog.get_logger()

_CLOCK = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
_FRESH_MS = int(BEAT_S * 800)
"""So soon after a heartbeat, of whichever process, no other is needed."""

# It may be lost with the database's own crash, which then looks a moment longer than it was.
_BEAT = f"""
UPDATE matches_heartbeat SET beaten_at = {_CLOCK}
WHERE beaten_at BETWEEN {_CLOCK} - %(gap)s AND {_CLOCK} - %(fresh)s
    AND set_config('synchronous_commit', 'off', true) <> ''
"""  # noqa: S608 - nothing in it comes from outside
_LOCK = f"SELECT beaten_at, {_CLOCK} FROM matches_heartbeat FOR UPDATE"  # noqa: S608
_FIRST = f"INSERT INTO matches_heartbeat (id, beaten_at) VALUES (1, {_CLOCK}) ON CONFLICT DO NOTHING"  # noqa: S608
_DOWN = "INSERT INTO matches_outage (begins, ends) VALUES (%s, %s)"
_AGAIN = "UPDATE matches_heartbeat SET beaten_at = %s"


class _Pulse:
    """When this process last got through to the database, in seconds of its monotonic clock; None where it needn't."""

    felt_at: float | None = None


def is_lost() -> bool:
    """Whether this process's heartbeat doesn't come through: whoever asks it is better told so at once.

    In a network that is silent each statement waits for long, and requests that wait for a thread would wait for all.
    """
    return _Pulse.felt_at is not None and time.monotonic() - _Pulse.felt_at > LOST_S


def beat() -> None:
    """Say that this process can be reached."""
    with connection.cursor() as cursor:
        cursor.execute(_BEAT, {"gap": GAP_MS, "fresh": _FRESH_MS})
        if not cursor.rowcount:
            _look_closer()
    if _Pulse.felt_at is not None:
        _Pulse.felt_at = time.monotonic()


def keep_beating() -> threading.Thread:
    """Beat once now, and from now on in a thread of its own until the process ends."""
    _Pulse.felt_at = time.monotonic()
    _try()
    thread = threading.Thread(target=_beat_on, name="heartbeat", daemon=True)
    thread.start()
    return thread


def _look_closer() -> None:
    """Somebody else has just beaten, or it is the first time, or there was an outage."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_LOCK)
        row = cursor.fetchone()
        if row is None:
            cursor.execute(_FIRST)
            return
        beaten_at, now = row
        if now - beaten_at > GAP_MS:
            cursor.execute(_DOWN, [beaten_at, now])
            cursor.execute(_AGAIN, [now])
            log.warning("nobody could play; the time is given back", seconds=round((now - beaten_at) / 1000))


def _beat_on() -> None:
    stopped = threading.Event()
    while not stopped.wait(BEAT_S):
        _try()


def _try() -> None:
    """A database that is down is an outage as well, if it is for long."""
    try:
        beat()
    except DatabaseError as error:
        log.warning("no heartbeat", error=str(error))
    finally:
        connection.close()
