"""What browsers may not do with an answer stands on every answer, whoever makes it and however it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from config.headers import EVERYWHERE, HSTS, OF_DATA, OF_PAGES
from config.local import serve
from matches import selectors
from matches.api.served import made
from matches.models import Player
from matches.staff.site import POLICY
from matches.streams.app import Application
from tests.api.people import API, PASSWORD

pytestmark = pytest.mark.django_db
ORIGIN = {"origin": "https://play.example", "access-control-request-method": "POST"}
Ask = Callable[[Client], Any]
ANSWERS: dict[str, tuple[int, Ask]] = {
    "data": (200, lambda client: client.get(f"{API}games")),
    "not changed": (
        304,
        lambda client: client.get(
            f"{API}openapi.json", headers={"if-none-match": client.get(f"{API}openapi.json").headers["ETag"]}
        ),
    ),
    "refused": (401, lambda client: client.get(f"{API}me")),
    "malformed": (400, lambda client: client.post(f"{API}tokens", b"{", content_type="application/json")),
    "too large": (413, lambda client: client.post(f"{API}tokens", b" " * 70_000, content_type="application/json")),
    "another method": (405, lambda client: client.delete(f"{API}games")),
    "leads nowhere": (404, lambda client: client.get("/nowhere")),
    "another host": (400, lambda client: client.get(f"{API}games", headers={"host": "evil.example"})),
    "a fault of ours": (500, lambda client: client.get(f"{API}games/snap")),
    "before a request of another origin": (200, lambda client: client.options(f"{API}games", headers=ORIGIN)),
    "alive": (200, lambda client: client.get("/healthz")),
    "figures": (404, lambda client: client.get("/metrics")),
    "a file": (200, lambda client: client.get("/static/matches/admin.css")),
    "a script": (200, lambda client: client.get("/api/docs/?script=")),
}
EMPTY = {"not changed", "before a request of another origin"}
PAGES: dict[str, tuple[int, str, Ask]] = {
    "documentation": (200, OF_PAGES, lambda client: client.get("/api/docs/")),
    "problems": (200, OF_PAGES, lambda client: client.get("/api/docs/problems")),
    "log-in": (200, POLICY, lambda client: client.get("/admin/login/")),
    "admin": (200, POLICY, lambda client: client.get("/admin/matches/match/")),
    "no such row": (302, POLICY, lambda client: client.get("/admin/matches/player/999/change/")),
}


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Client:
    """Looking at one game fails."""

    def fail(**_: Any) -> None:
        raise ValueError

    made()
    monkeypatch.setattr(selectors, "game_get", fail)
    return Client(raise_request_exception=False)


def guards(answer: Any) -> dict[str, str]:
    return {name: answer.headers.get(name, "") for name in EVERYWHERE}


@pytest.mark.parametrize("kind", ANSWERS)
def test_every_kind_of_answer_has_them_and_may_load_nothing(kind: str, client: Client) -> None:
    status, ask = ANSWERS[kind]
    answer = ask(client)
    answer.close()
    assert (answer.status_code, guards(answer)) == (status, EVERYWHERE)
    # To Django what has no body at all is a page.
    assert answer.headers["Content-Security-Policy"] == (OF_PAGES if kind in EMPTY else OF_DATA)
    assert "Server" not in answer.headers
    assert "Strict-Transport-Security" not in answer.headers


@pytest.mark.parametrize("kind", PAGES)
def test_every_page_has_them_and_loads_from_here_alone(kind: str, client: Client) -> None:
    status, policy, ask = PAGES[kind]
    if kind != "log-in":
        client.force_login(Player.objects.create_superuser("boss", PASSWORD))
    answer = ask(client)
    assert (answer.status_code, guards(answer)) == (status, EVERYWHERE)
    assert answer.headers["Content-Security-Policy"] == policy
    assert "unsafe-inline" not in policy.partition("script-src")[2].partition(";")[0]


def test_the_page_of_the_document_has_no_script_within_it(client: Client) -> None:
    assert "<script>" not in client.get("/api/docs/").text
    assert client.get("/api/docs/?script=").headers["Content-Type"].startswith("application/javascript")


def test_where_https_is_demanded_browsers_keep_to_it(settings: Any) -> None:
    """Each middleware reads its settings when it is made, with the client's first request."""
    settings.SECURE_SSL_REDIRECT, settings.SECURE_HSTS_SECONDS = True, 31_536_000
    settings.SECURE_HSTS_INCLUDE_SUBDOMAINS = settings.SECURE_HSTS_PRELOAD = True
    client = Client()
    led = client.get(f"{API}games")
    assert (led.status_code, led.headers["Location"]) == (301, f"https://testserver{API}games")
    assert guards(led) == EVERYWHERE
    assert client.get(f"{API}games", secure=True).headers["Strict-Transport-Security"] == HSTS


@pytest.mark.parametrize(("path", "status"), [("/healthz", 200), ("/nowhere", 404), (f"{API}me/stream", 503)])
def test_the_stream_service_has_them_too(path: str, status: int, settings: Any) -> None:
    settings.HTTPS_ONLY = True
    answered, headers = asyncio.run(of_streams(path))
    assert answered == status
    expected = {**EVERYWHERE, "Content-Security-Policy": OF_DATA, "Strict-Transport-Security": HSTS}
    assert {name: headers.get(name.lower(), "") for name in expected} == expected
    settings.HTTPS_ONLY = False
    assert "strict-transport-security" not in asyncio.run(of_streams(path))[1]


def test_no_stream_tells_what_serves_it() -> None:
    assert (
        "--no-server-header" in next(child for child in serve._children("h", 1, 2) if child.name == "streams").command
    )


async def of_streams(path: str) -> tuple[int, dict[str, str]]:
    """Status and headers of an answer of a stream service that has just come up."""
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": b"ticket=x",
        "headers": [(b"host", b"localhost")],
    }
    await Application()(scope, receive, send)
    return sent[0]["status"], {name.decode(): value.decode() for name, value in sent[0]["headers"]}
