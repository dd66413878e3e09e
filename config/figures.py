"""Figures that all processes keep together in Valkey: counts, how long requests took, who is alive, the latest errors.

Counting costs a dictionary's entry. A thread of each process hands over every few seconds what has come together, and
says that the process lives. What a killed process has not handed over is lost, and all of it with Valkey: people look
at these figures, nothing decides by them. With another cache than Valkey or Redis each process knows its own alone.
"""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections import Counter, deque
from typing import Any, NamedTuple

import structlog
from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError

FLUSH_S = 5.0
ALIVE_S = 3 * FLUSH_S
"""Who hasn't been heard for so many seconds doesn't run any more."""
REMEMBERED_S = 3600
HOUR_S = 3600
MOST_ERRORS = 50
BOUNDS_MS = (5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000)
"""The upper ends of the classes by which durations are counted; what took longer is in one more."""
TOTAL, ALIVE, ERRORS = "figures:total", "figures:alive", "figures:errors"

log = structlog.get_logger()


class Alive(NamedTuple):
    """A process: what it is (such as `web`), where, and how many seconds ago it was heard and did a task."""

    kind: str
    host: str
    pid: int
    heard_s: float
    worked_s: float | None


class _Own:
    """What this process has counted and not handed over yet; without Valkey, what it has counted at all."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.errors: deque[str] = deque(maxlen=MOST_ERRORS)
        self.worked_at: float | None = None
        self.lock = threading.Lock()
        self.thread: threading.Thread | None = None
        self.is_reached = True


_own = _Own()


def _begin_anew() -> None:
    """A process that was forked has counted nothing yet, and its threads stayed behind."""
    global _own  # noqa: PLW0603 - one a process
    _own = _Own()


os.register_at_fork(after_in_child=_begin_anew)
forget = _begin_anew
"""For tests: as if nothing had been counted."""


def count(kind: str, name: str, by: int = 1) -> None:
    """One more of it. Kinds and names are few: what comes from outside is never a name."""
    with _own.lock:
        _own.counts[f"{kind}|{name}"] += by


def request_took(endpoint: str, status: int, seconds: float) -> None:
    """A request was answered; `endpoint` is the method and the route, without anybody's ids."""
    ms = seconds * 1000
    place = next((number for number, bound in enumerate(BOUNDS_MS) if ms <= bound), len(BOUNDS_MS))
    with _own.lock:
        counts = _own.counts
        counts[f"answered|{endpoint}|{status}"] += 1
        counts[f"took|{endpoint}|{place}"] += 1
        counts[f"took_us|{endpoint}"] += int(ms * 1000)


def task_was_done() -> None:
    """This worker has just done something."""
    _own.worked_at = time.time()


def note_error(error: dict[str, Any]) -> None:
    """Keep it among the latest errors. It holds no secret: that is up to who calls."""
    _own.errors.appendleft(json.dumps(error))


def keep_handing_over(kind: str) -> None:
    """From now on in a thread of its own, until the process ends. `kind` is what this process is."""
    with _own.lock:
        if _own.thread is None:
            _own.thread = threading.Thread(target=_hand_over_on, args=(kind,), name="figures", daemon=True)
            _own.thread.start()


def hand_over(kind: str) -> None:
    """Add to Valkey what has come together since the last time; kept for the next time where it can't be reached."""
    client = _client()
    if client is None:
        return
    with _own.lock:
        counts, _own.counts = _own.counts, Counter()
        errors = [_own.errors.pop() for _ in range(len(_own.errors))]
    now = time.time()
    try:
        _write(client, counts, errors, {f"{kind}|{socket.gethostname()}|{os.getpid()}": [now, _own.worked_at]}, now)
        _own.is_reached = True
    except RedisError as error:
        with _own.lock:
            _own.counts += counts
            _own.errors.extend(reversed(errors))
        if _own.is_reached:
            log.warning("figures are kept back", reason=str(error))
        _own.is_reached = False


def totals() -> Counter[str]:
    """Everything that was ever counted; begins at nothing again with an empty Valkey."""
    return _counts(TOTAL)


def lately() -> Counter[str]:
    """What was counted in this hour and the one before."""
    hour = int(time.time() // HOUR_S)
    return _counts(f"figures:hour:{hour}", f"figures:hour:{hour - 1}")


def alive() -> list[Alive]:
    """The processes that were heard within the last hour, those that run first."""
    now, found = time.time(), []
    client = _client()
    raw: dict[str, str] = {} if client is None else _asked(lambda: client.hgetall(ALIVE), {})
    for field, value in raw.items():
        kind, host, pid = field.split("|")
        heard, worked = json.loads(value)
        if now - heard < REMEMBERED_S:
            found.append(Alive(kind, host, int(pid), now - heard, None if worked is None else now - worked))
    return sorted(found, key=lambda process: (process.heard_s > ALIVE_S, process.kind, process.host, process.pid))


def errors() -> list[dict[str, Any]]:
    """The latest errors, the newest first."""
    client = _client()
    lines = list(_own.errors) if client is None else _asked(lambda: client.lrange(ERRORS, 0, MOST_ERRORS - 1), [])
    return [json.loads(line) for line in lines]


def _hand_over_on(kind: str) -> None:
    stopped = threading.Event()
    while True:
        hand_over(kind)
        stopped.wait(FLUSH_S)


def _write(client: Any, counts: Counter[str], errors: list[str], living: dict[str, Any], now: float) -> None:
    hour = f"figures:hour:{int(now // HOUR_S)}"
    with client.pipeline(transaction=False) as pipe:
        for name, by in counts.items():
            pipe.hincrby(TOTAL, name, by)
            pipe.hincrby(hour, name, by)
        pipe.expire(hour, 3 * HOUR_S)
        if errors:
            pipe.lpush(ERRORS, *errors)
            pipe.ltrim(ERRORS, 0, MOST_ERRORS - 1)
        pipe.hset(ALIVE, mapping={name: json.dumps(value) for name, value in living.items()})
        # Processes come and go; of those that are long gone nothing is left.
        pipe.hgetall(ALIVE)
        *_, known = pipe.execute()
    gone = [name for name, value in known.items() if now - json.loads(value)[0] > REMEMBERED_S]
    if gone:
        client.hdel(ALIVE, *gone)


def _counts(*keys: str) -> Counter[str]:
    client = _client()
    if client is None:
        return Counter(_own.counts)
    found: Counter[str] = Counter()
    for key in keys:
        found.update({name: int(value) for name, value in _asked(lambda key=key: client.hgetall(key), {}).items()})
    return found


def _asked(question: Any, otherwise: Any) -> Any:
    try:
        return question()
    except RedisError as error:
        log.warning("figures can't be read", reason=str(error))
        return otherwise


class _Clients:
    """One client an address: its pool serves all threads."""

    known: dict[str, Any] = {}  # noqa: RUF012 - shared on purpose


def _client() -> Any:
    cache = settings.CACHES["default"]
    address = cache.get("LOCATION", "")
    if not address:
        return None
    if address not in _Clients.known:
        options = {**cache.get("OPTIONS", {}), "decode_responses": True}
        _Clients.known[address] = Redis.from_url(address, **options)
    return _Clients.known[address]
