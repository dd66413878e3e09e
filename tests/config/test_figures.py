"""What processes count comes together in Valkey, and nothing that they do depends on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import RedisError

from config import figures
from config.env import Env


@pytest.fixture(autouse=True)
def nothing_counted() -> Iterator[None]:
    figures.forget()
    yield
    figures.forget()


@pytest.fixture
def valkey(broker: str, settings: Any) -> Iterator[Any]:
    """The tests' Valkey as the cache, with no figures in it."""
    settings.CACHES = {"default": Env({}).cache("CACHE_URL", broker=broker)}
    client = Redis.from_url(settings.CACHES["default"]["LOCATION"])
    yield client
    for key in client.scan_iter("figures:*"):
        client.delete(key)
    client.close()


def test_what_two_processes_counted_is_added_up(valkey: Any) -> None:
    for kind in ("web", "web"):
        figures.count("refused", "late_move")
        figures.request_took("GET games", 200, 0.004)
        figures.hand_over(kind)
        figures.forget()
    assert figures.totals() == Counter(
        {"refused|late_move": 2, "answered|GET games|200": 2, "took|GET games|0": 2, "took_us|GET games": 8000}
    )
    assert figures.lately() == figures.totals()


@pytest.mark.parametrize(
    ("seconds", "place"), [(0.0, 0), (0.005, 0), (0.0051, 1), (0.999, 7), (5.0, 9), (5.001, 10), (60.0, 10)]
)
def test_a_duration_is_counted_in_its_class(seconds: float, place: int) -> None:
    figures.request_took("GET games", 200, seconds)
    assert [name for name in figures.totals() if name.startswith("took|")] == [f"took|GET games|{place}"]


def test_nothing_is_lost_while_valkey_cant_be_reached(valkey: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    figures.count("refused", "late_move")
    figures.note_error({"at": 1, "event": "first"})
    figures.note_error({"at": 2, "event": "second"})

    def fail(*_: Any) -> None:
        raise RedisError("down")

    with monkeypatch.context() as patch:
        patch.setattr(figures, "_write", fail)
        figures.hand_over("web")
    figures.count("refused", "late_move")
    figures.hand_over("web")
    assert figures.totals()["refused|late_move"] == 2
    assert [error["event"] for error in figures.errors()] == ["second", "first"]


def test_errors_are_bounded_and_the_newest_come_first(valkey: Any) -> None:
    for number in range(figures.MOST_ERRORS + 10):
        figures.note_error({"at": number})
        if number % 7 == 0:
            figures.hand_over("web")
    figures.hand_over("web")
    assert [error["at"] for error in figures.errors()] == list(range(figures.MOST_ERRORS + 9, 9, -1))


def test_a_process_is_heard_of_with_its_last_task(valkey: Any) -> None:
    figures.hand_over("beat")
    figures.task_was_done()
    figures.hand_over("worker")
    beat, worker = figures.alive()
    assert (beat.kind, beat.worked_s, worker.kind) == ("beat", None, "worker")
    assert worker.heard_s < figures.ALIVE_S
    assert worker.worked_s is not None


def test_those_long_gone_are_forgotten(valkey: Any) -> None:
    valkey.hset(figures.ALIVE, "worker|elsewhere|1", "[1000.0, null]")
    figures.hand_over("web")
    assert [process.kind for process in figures.alive()] == ["web"]
    assert valkey.hlen(figures.ALIVE) == 1


def test_without_valkey_a_process_knows_its_own(settings: Any) -> None:
    figures.count("refused", "late_move")
    figures.note_error({"at": 1})
    figures.hand_over("web")
    assert figures.totals() == Counter({"refused|late_move": 1})
    assert (figures.errors(), figures.alive()) == ([{"at": 1}], [])
