"""Connections to the database that don't wait for ever: a network that goes silent says nothing by itself."""

from __future__ import annotations

import time
from typing import Any, TypeVar

import psycopg

T = TypeVar("T")
DEAD_PEER = {
    "connect_timeout": 5,
    "tcp_user_timeout": 10_000,
    "keepalives_idle": 15,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
"""How soon libpq finds out that nobody is there any more; it knows these words on TCP alone, and needs them there."""


def patient(seconds: int) -> type[psycopg.Connection[Any]]:
    """Connections that are given up when a statement isn't answered within so many seconds.

    Whoever asked gets psycopg's OperationalError. What the database then still holds for it, it lets go after twice the
    time: else a match would stay locked by a transaction whose end nobody will ever send.
    """

    class Patient(psycopg.Connection[Any]):
        @classmethod
        def connect(cls, *args: Any, **kwargs: Any) -> Any:
            made = super().connect(*args, **kwargs)
            made.execute(f"SET idle_in_transaction_session_timeout = {2000 * seconds}")
            return made

        def wait(self, gen: Any, *args: Any, **kwargs: Any) -> Any:
            begun = time.monotonic()
            try:
                return super().wait(gen, *args, **{"timeout": seconds, **kwargs})
            except psycopg.OperationalError as error:
                if time.monotonic() - begun < seconds:
                    raise
                # Nothing more can be said on it, not even that it is over.
                self.pgconn.finish()
                raise psycopg.OperationalError(f"the database hasn't answered for {seconds} s") from error

    return Patient
