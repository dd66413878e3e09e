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

log = structlog.get_logger()
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Throttle(BaseThrottle):
    """Refuses what is too much by the endpoint's `throttle_scope`: without one `read` or `write`, by the method."""

    def __init__(self) -> None:
        self._left_s = 0

    def allow_request(self, request: Request, view: Any) -> bool:
        """Count the request. Where the counters can't be reached everybody passes: they protect, they don't decide."""
        scope = view.throttle_scope or ("read" if request.method in SAFE else "write")
        limit = settings.THROTTLES.get(scope)
        if limit is None:
            return True
        most, period_s = limit
        now = int(time.time())
        self._left_s = period_s - now % period_s
        try:
            return _count(f"throttle:{scope}:{self._who(request)}:{now // period_s}", period_s) <= most
        except RedisError as error:
            log.warning("requests are not counted", reason=str(error))
            return True

    def wait(self) -> float:
        """Seconds until it is worth asking again."""
        return self._left_s

    def _who(self, request: Request) -> str:
        player_id = getattr(request.user, "player_id", None)
        return f"player-{player_id}" if player_id is not None else f"address-{quote(self.get_ident(request))}"


def _count(key: str, period_s: int) -> int:
    cache.add(key, 0, period_s + 1)
    return int(cache.incr(key))
