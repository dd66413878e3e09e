"""Sends tasks to workers in a way that never holds a request up: a broker that is down is left alone for a while.

Whatever is sent only makes things more punctual; what got lost is found by the beat.
"""

from __future__ import annotations

import time
from typing import Any

import structlog
from celery import current_app
from kombu import Connection
from kombu.exceptions import KombuError
from kombu.pools import producers

QUIET_S = 5.0
PATIENCE_S = 0.5

log = structlog.get_logger()


class _Broker:
    """When it was last found to be down, in seconds of the monotonic clock."""

    quiet_until = 0.0


def send(task: str, **options: Any) -> None:
    """Send a task, unless the broker is down."""
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
