"""How often one caller may ask: a counter for each scope, caller and stretch of time, which all processes share."""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import quote

import structlog
from django.conf import settings
from django.core.cache import cache
from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from matches import valkey

log = structlog.get_logger()
_cache: Any = cache  # one of config.cache
_rest = valkey.Rest()
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
OF_AN_ADDRESS = frozenset({"register", "login", "recovery"})
"""What makes or finds accounts is counted by address as well, or else each guest's token brought limits of its own."""


class Throttle(BaseThrottle):
    """Refuses what is too much by the endpoint's `throttle_scope`: without one `read` or `write`, by the method."""

    def __init__(self) -> None:
        self._left_s = 0

    def allow_request(self, request: Request, view: Any) -> bool:
        """Count the request."""
        scope = view.throttle_scope or ("read" if request.method in SAFE else "write")
        wait = wait_of(scope, self._whom(request, scope))
        self._left_s = wait or 0
        return wait is None

    def wait(self) -> float:
        """Seconds until it is worth asking again."""
        return self._left_s

    def _whom(self, request: Request, scope: str) -> list[str]:
        player_id = getattr(request.user, "player_id", None)
        address = f"address-{quote(self.get_ident(request) or '')}"
        if player_id is None:
            return [address]
        return [f"player-{player_id}", address] if scope in OF_AN_ADDRESS else [f"player-{player_id}"]


def wait_of(scope: str, whom: list[str]) -> int | None:
    """Count a request; gives the seconds until it is worth asking again for who asks too often, None for who doesn't.

    Where the counters can't be reached everybody passes: they protect, they don't decide.
    """
    limit = settings.THROTTLES.get(scope)
    if limit is None or _rest.is_on:
        return None
    most, period_s = limit
    now = int(time.time())
    keys = [f"throttle:{scope}:{who}:{now // period_s}" for who in whom]
    try:
        counts = _cache.count(keys, period_s + 1)
    except RedisError as error:
        _rest.begin()
        log.warning("requests are not counted", reason=str(error))
        return None
    return None if max(counts) <= most else period_s - now % period_s
