"""What beat sends again and again, and what becomes of it when workers come late.

Celery lets a message expire by comparing the clocks of two machines: a worker whose clock is ahead would throw away
everything that beat sends. So messages expire only when they are older than clocks are wrong, and what has waited is
passed over by each process that has just done the same, by its own monotonic clock.
"""

from __future__ import annotations

import time
from math import inf
from typing import Any

import celery

CLOCKS_APART_S = 120
"""By less than this the clocks of machines differ."""
PERIOD = "listik_period"


def every(seconds: float, task: str) -> dict[str, Any]:
    """An entry of beat's schedule."""
    options = {"expires": seconds + CLOCKS_APART_S, "headers": {PERIOD: seconds}}
    return {"task": task, "schedule": seconds, "options": options}


class Task(celery.Task):  # type: ignore[misc]
    """A task; one that beat has sent is passed over when this process has done it within half its period."""

    done_at = -inf

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        period = (self.request.headers or {}).get(PERIOD, 0)
        if time.monotonic() < self.done_at + period / 2:
            return None
        try:
            return self.run(*args, **kwargs)
        finally:
            self.done_at = time.monotonic()
