"""Asks a worker to settle a match when something is due soon.

It only makes things more punctual: whatever is due is found by `settle_due` every second anyway. So a broker that is
down costs a move next to nothing: it is left alone for a while.
"""

from __future__ import annotations

import time
from functools import partial
from typing import Any
from uuid import UUID

import structlog
from celery import current_app
from django.db import transaction
from kombu import Connection
from kombu.exceptions import KombuError
from kombu.pools import producers

SOON_MS = 10_000
QUIET_S = 5.0
PATIENCE_S = 0.5
TASK = "matches.settle_match"
SWEEP = "matches.settle_due"
DELIVER = "matches.send_deliveries"

log = structlog.get_logger()


class _Broker:
    """When it was last found to be down, in seconds of the monotonic clock."""

    quiet_until = 0.0


def wake_soon(*, match_id: UUID, due_at: int | None, now: int) -> None:
    """After the commit, have the match settled at `due_at` (UTC milliseconds) if that is within 10 s."""
    if due_at is not None and due_at - now <= SOON_MS:
        transaction.on_commit(partial(settle_later, match_id=match_id, delay_ms=max(0, due_at - now)), robust=True)


def settle_later(*, match_id: UUID, delay_ms: int) -> None:
    """Have a match settled, unless the broker is down."""
    _send(TASK, args=[str(match_id)], countdown=delay_ms / 1000)


def sweep_on() -> None:
    """Have another worker go on with the sweep; if none is free within a second, the beat's next one does."""
    _send(SWEEP, expires=1)


def deliveries_on(*, channel: str) -> None:
    """Have what is due by this channel sent at once; if no worker is free the beat's next one does it."""
    _send(DELIVER, args=[channel], expires=2)


def _send(task: str, **options: Any) -> None:
    if time.monotonic() < _Broker.quiet_until:
        return
    try:
        with producers[_connection()].acquire(block=True, timeout=PATIENCE_S) as producer:
            current_app.send_task(
                task,
                **options,
                # Once more, for the connection may be one from before a restart of the broker.
                retry_policy={"max_retries": 1, "interval_start": 0, "interval_step": 0},
                ignore_result=True,
                producer=producer,
            )
    except (KombuError, OSError) as error:
        _Broker.quiet_until = time.monotonic() + QUIET_S
        log.warning("broker is down; matches are settled by the beat alone", error=str(error))


def _connection() -> Connection:
    """A connection that gives up soon, where Celery's own would try for seconds; only the pool's are opened."""
    options = {
        **current_app.conf.broker_transport_options,
        "max_retries": 1,
        "interval_start": 0,
        "socket_connect_timeout": PATIENCE_S,
        "socket_timeout": PATIENCE_S,
    }
    return current_app.connection_for_write(connect_timeout=PATIENCE_S, transport_options=options)
