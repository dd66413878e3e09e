"""Whatever is sent, the answer is a problem detail that the document describes."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.api.people import Person, begin_snap, person, problem

pytestmark = pytest.mark.django_db
NOWHERE = "0190f5fe-0000-7000-8000-000000000001"


def ask(method: str, path: str, body: bytes = b"", **headers: str) -> Any:
    """A request below /api/v1/, exactly as it is given."""
    client = Client(raise_request_exception=False)
    return client.generic(method, f"/api/v1/{path}", body, content_type="application/json", headers=headers)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "nonsense",
        "games/",
        "games/%00",
        "games/%ff",
        "games/chess",
        "games/snap/",
        "players/0",
        "players/99999999999999999999",
        "players/find?name=nobody-of-this-name",
        f"matches/{NOWHERE}",
        f"matches/{NOWHERE}/view",
        f"matches/{NOWHERE.upper()}",
        "matches/..%2f..%2fadmin",
        "matches/%E2%80%AE",
        f"matches/{NOWHERE}/history/99999999999999999999999999",
        "../../admin",
    ],
)
def test_what_is_not_there_is_a_problem(path: str) -> None:
    assert problem(ask("GET", path)) == (404, "not_found")


@pytest.mark.parametrize(
    "query",
    [f"{name}={text}" for name in ("status", "game", "text", "pace", "after", "limit") for text in ("%00", "%ff%fe")],
)
def test_bytes_that_are_no_text_in_a_query_are_a_problem_or_no_match(query: str) -> None:
    answer = ask("GET", f"matches?{query}")
    if answer.status_code == 200:
        assert answer.json() == {"matches": [], "next": None}
    else:
        assert problem(answer) in {(400, "malformed"), (422, "text_invalid")}


@pytest.mark.parametrize("path", ["players/find?name=%00", "players/find?name=%ff%00", "matches?text=a%00b"])
def test_a_zero_byte_finds_nobody(path: str) -> None:
    status, code = problem(ask("GET", path))
    assert (status, code) in {(422, "text_invalid"), (404, "not_found")}


@pytest.mark.parametrize(
    "body",
    [
        b"\xff\xfe",
        b"\x00",
        b'{"name": "\xff", "password": "a long enough password"}',
        b'{"name": "a\\u0000b", "password": "a long enough password"}',
        b'{"name": "\\ud800x", "password": "a long enough password"}',
        b'{"name": 1, "password": 2}',
        b"[]",
        b"null",
        b'"text"',
        b"{",
        b'{"name": "anna", "password": "a long enough password", "is_staff": true}',
        b"[" * 5000,
        b'{"name": "anna", "name": "ben"}',
    ],
)
@pytest.mark.parametrize("path", ["players", "tokens", "tokens/refresh"])
def test_a_body_that_cant_be_read_is_a_problem(path: str, body: bytes) -> None:
    status, code = problem(ask("POST", path, body))
    assert (status, code) in {
        (400, "malformed"),
        (401, "bad_credentials"),
        (422, "name_invalid"),
        (422, "text_invalid"),
    }


@pytest.mark.parametrize("path", ["matches", "guests", f"matches/{NOWHERE}/moves"])
@pytest.mark.parametrize("deep", [b"[" * 20_000 + b"]" * 20_000, b'{"a":' * 9_000 + b"1" + b"}" * 9_000])
def test_a_body_may_be_nested_as_deeply_as_anybody_likes(path: str, deep: bytes) -> None:
    anna = person("anna")
    body = b'{"game": "snap", "seats": 2, "options": {"a": ' + deep + b'}, "serial": 1, "move": ' + deep + b"}"
    for sent in (
        deep,
        body.replace(b', "serial": 1, "move": ' + deep, b""),
        body[:47] + b'1}, "device": ' + deep + b"}",
    ):
        assert problem(anna.post(path, raw=sent))[0] in {400, 404}
    # What else is sent is answered as before.
    assert problem(anna.post("matches", {"game": "snap", "seats": 2, "options": {"a": 1}})) == (422, "bad_options")


@pytest.mark.parametrize("text", ["a\u0000b", "\u202e", "😀" * 20])
def test_any_text_may_be_sent_wherever_there_is_text(text: str) -> None:
    anna = person("anna")
    match = begin_snap(anna, person("ben"))
    sent = [
        anna.post("tokens", {"name": text, "password": text}),
        anna.post("tokens", {"name": "anna", "password": "a long enough password", "device": text}),
        anna.post("tokens/refresh", {"refresh": text}),
        anna.post("matches", {"game": text, "seats": 2}),
        anna.post("matches", {"game": "snap", "seats": 2, "preset": text}),
        anna.post("matches", {"game": "snap", "seats": 2, "options": {text: text}}),
        anna.post("matches", {"game": "snap", "seats": 2, "seed": text}),
        anna.post(f"matches/{match}/join", {"code": text}),
        anna.post(f"matches/{match}/invitations", {"name": text}),
        anna.post("reports", {"match": match, "reason": "other", "text": text}),
        anna.post("recovery", {"about": text}),
        anna.post("me/upgrade", {"name": text, "password": "a long enough password"}),
    ]
    for answer in sent:
        assert answer.status_code < 500, answer.content
        if answer.status_code >= 400:
            problem(answer)


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "BREW"])
def test_a_method_that_isnt_there_is_a_problem_that_names_those_that_are(method: str) -> None:
    answer = ask(method, "games")
    assert problem(answer) == (405, "method_not_allowed")
    assert answer.headers["Allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("GET", "v1/openapi.json?format=%00", (404, "not_found")),
        ("POST", "v1/openapi.json", (405, "method_not_allowed")),
        ("BREW", "v1/openapi.json", (405, "method_not_allowed")),
        ("POST", "docs/", (405, "method_not_allowed")),
        ("BREW", "docs/", (405, "method_not_allowed")),
    ],
)
def test_the_pages_of_the_document_have_problems_too(method: str, path: str, expected: tuple[int, str]) -> None:
    assert problem(Client(raise_request_exception=False).generic(method, f"/api/{path}")) == expected


def test_another_type_of_answer_is_not_to_be_had() -> None:
    assert problem(ask("GET", "games", accept="text/html")) == (406, "not_acceptable")


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "application/xml", ""])
def test_another_type_of_body_is_not_read(content_type: str) -> None:
    answer = Client().generic("POST", "/api/v1/tokens", b'{"name": "a"}', content_type=content_type)
    assert problem(answer) == (415, "unsupported_media_type")


def test_a_body_has_a_largest_size() -> None:
    assert problem(ask("POST", "tokens", b'{"name": "' + b"x" * 70_000 + b'"}')) == (413, "too_large")


def test_a_host_that_isnt_served_is_a_problem() -> None:
    answer = Client().get("/api/v1/games", headers={"host": "evil.example"})
    assert problem(answer) == (400, "malformed")


def test_what_anybody_may_ask_for_needs_no_token_but_takes_no_broken_one(db: None) -> None:
    assert ask("GET", "games").status_code == 200
    assert problem(ask("GET", "games", authorization="Bearer broken")) == (401, "token_invalid")
    assert Person("nobody").get("me").status_code == 401
