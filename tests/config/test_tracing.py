"""What is logged says which request, task and match it belongs to; what is kept of errors holds nothing of anybody."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from django.test import Client
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars
from structlog.testing import LogCapture

from config import figures, tracing
from config.celery import app
from matches import selectors, tasks
from matches.services import upkeep


@pytest.fixture(autouse=True)
def nothing_bound() -> Iterator[None]:
    clear_contextvars()
    figures.forget()
    yield
    clear_contextvars()
    figures.forget()


def test_every_answer_tells_the_id_of_its_request(client: Client) -> None:
    first, second = (client.get("/healthz").headers[tracing.HEADER] for _ in range(2))
    assert re.fullmatch("[0-9a-f]{16}", first)
    assert first != second


def test_a_sane_id_of_the_clients_is_taken(client: Client) -> None:
    assert client.get("/healthz", headers={tracing.HEADER: "trace-1.a_B"}).headers[tracing.HEADER] == "trace-1.a_B"


@pytest.mark.parametrize("given", ["", "x" * 65, "a b", "a;b", "ü", '"x"'])
def test_any_other_isnt(client: Client, given: str) -> None:
    answered = client.get("/healthz", headers={tracing.HEADER: given}).headers[tracing.HEADER]
    assert re.fullmatch("[0-9a-f]{16}", answered)


@pytest.mark.django_db
def test_what_is_logged_for_a_match_bears_both_ids(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[dict[str, Any]] = []

    def look(**_: Any) -> None:
        seen.append(dict(get_contextvars()))
        fail("hidden message")

    monkeypatch.setattr(selectors, "match_get", look)
    match_id = "01a22d8e-ae9f-71cf-b629-6abf24cb0769"
    client.raise_request_exception = False
    answer = client.get(f"/api/v1/matches/{match_id}")
    assert answer.status_code == 500
    assert seen == [{"request_id": answer.headers[tracing.HEADER], "match_id": match_id}]


def test_requests_are_counted_by_route_and_status_without_anybodys_ids(client: Client) -> None:
    client.get("/healthz")
    client.get("/api/v1/games/snap")
    client.get("/api/v1/games/unknown")
    client.get("/nowhere/secret")
    client.generic("BREW", "/healthz")
    counted = {name: number for name, number in figures.totals().items() if not name.startswith("took")}
    assert counted == {
        "answered|GET healthz|200": 1,
        "answered|GET api/v1/games/<slug:key>|200": 1,
        "answered|GET api/v1/games/<slug:key>|404": 1,
        "answered|GET ?|404": 1,
        "answered|? healthz|405": 1,
        "refused|not_found": 2,
    }


def test_a_task_bears_the_request_that_sent_it() -> None:
    tracing.begin_request("of-a-request")
    headers: dict[str, Any] = {}
    tracing._hand_on(headers=headers)
    assert headers == {"request_id": "of-a-request"}


def test_what_a_task_logs_bears_its_name_and_match(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[dict[str, Any]] = []
    match_id = "01a22d8e-ae9f-71cf-b629-6abf24cb0769"
    monkeypatch.setattr(upkeep, "match_settle", lambda *, match_id: seen.append(dict(get_contextvars())))
    app.loader.import_default_modules()
    tasks.settle_match.apply(args=[match_id], task_id="t-1", headers={"request_id": "r-1"})
    assert seen == [{"task": "matches.settle_match", "task_id": "t-1", "match_id": match_id, "request_id": "r-1"}]
    assert get_contextvars() == {}
    assert figures.totals()["task|matches.settle_match|done"] == 1


def fail(secret: str) -> None:
    raise ValueError(secret)


def test_of_an_error_the_kind_and_the_place_are_kept_and_no_value() -> None:
    logger = logging.getLogger("of a library")
    bind_contextvars(request_id="r-1", token="hidden token")
    try:
        fail("hidden message")
    except ValueError:
        logger.exception("it failed for %s", "hidden argument")
    logger.warning("not an error")
    (error,) = figures.errors()
    assert "hidden" not in str(error)
    assert error["event"] == "it failed for %s"
    assert re.fullmatch(r"ValueError at test_tracing\.py:\d+ in fail", error["raised"])
    assert (error["logger"], error["request_id"]) == ("of a library", "r-1")


def test_a_fault_of_ours_is_kept_by_its_route(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "game_get", lambda **_: fail("hidden message"))
    client.raise_request_exception = False
    assert client.get("/api/v1/games/hidden-key").status_code == 500
    error = figures.errors()[0]
    assert error["event"] == "GET api/v1/games/<slug:key>"
    assert error["raised"].startswith("ValueError at test_tracing.py")
    assert "hidden" not in str(error)


def test_logs_bear_what_is_bound() -> None:
    capture = LogCapture()
    tracing.begin_request("r-2")
    structlog.wrap_logger(None, processors=[structlog.contextvars.merge_contextvars, capture]).info("said")
    assert capture.entries == [{"request_id": "r-2", "event": "said", "log_level": "info"}]
