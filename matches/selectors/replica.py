"""Lists that anybody may see are read from a replica, where there is one (`DATABASE_REPLICA_URL`).

They may be some moments old. Whatever a player has just done is read from the database itself, and so is everything
while the replica can't be reached.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import structlog
from django.db import InterfaceError, OperationalError, connections

QUIET_S = 5.0
DEFAULT, REPLICA = "default", "replica"

T = TypeVar("T")
log = structlog.get_logger()


class _Replica:
    """Until when it is left alone, in seconds of the monotonic clock."""

    quiet_until = 0.0


def read_list(read: Callable[[str], T]) -> T:
    """What `read` gives for the replica's name, else for that of the database itself."""
    if REPLICA not in connections.databases or time.monotonic() < _Replica.quiet_until:
        return read(DEFAULT)
    try:
        return read(REPLICA)
    except (OperationalError, InterfaceError) as error:
        _Replica.quiet_until = time.monotonic() + QUIET_S
        log.warning("the replica is left alone for a while", error=str(error).splitlines()[0])
        connections[REPLICA].close()
        return read(DEFAULT)
