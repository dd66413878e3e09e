"""The Valkey (or Redis) in which requests are counted, tickets lie, and moves are told: the one of `CACHE_URL`."""

from __future__ import annotations

import time
from functools import lru_cache

import redis
from django.conf import settings

PATIENCE_S = 0.5
QUIET_S = 5.0


class Rest:
    """After a failure a server is left alone for a while, so that one that is down costs next to nothing."""

    def __init__(self) -> None:
        self._until = 0.0

    @property
    def is_on(self) -> bool:
        """Whether it is being left alone."""
        return time.monotonic() < self._until

    def begin(self) -> None:
        """It has just failed."""
        self._until = time.monotonic() + QUIET_S


def address() -> str | None:
    """Where it is; None for an installation that has none."""
    found: str | None = settings.CACHES["default"].get("LOCATION")
    return found


def client() -> redis.Redis | None:
    """A client that all threads of a process share, which gives up soon."""
    url = address()
    return None if url is None else _client(url)


@lru_cache(maxsize=4)
def _client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=PATIENCE_S, socket_connect_timeout=PATIENCE_S)
