"""People who talk to the interface."""

from __future__ import annotations

import json
from typing import Any

from django.test import Client

from config.tracing import HEADER

Answer = Any
"""A response of Django's test client, which has `json()`."""
API = "/api/v1/"
PASSWORD = "a long enough password"


class Person:
    """A client of the interface with a player's token, or without one."""

    def __init__(self, name: str, access: str = "") -> None:
        self.name = name
        self.access = access
        self._client = Client(raise_request_exception=False)

    def get(self, path: str, **headers: str) -> Answer:
        """GET below /api/v1/."""
        return self._client.get(API + path, headers={**self._authorization(), **headers})

    def post(self, path: str, body: Any = None, *, raw: bytes | None = None, **headers: str) -> Answer:
        """POST a JSON body below /api/v1/."""
        data = raw if raw is not None else json.dumps({} if body is None else body).encode()
        return self._client.post(
            API + path, data, content_type="application/json", headers={**self._authorization(), **headers}
        )

    def put(self, path: str, body: Any = None) -> Answer:
        """PUT a JSON body below /api/v1/."""
        data = json.dumps({} if body is None else body)
        return self._client.put(API + path, data, content_type="application/json", headers=self._authorization())

    def delete(self, path: str) -> Answer:
        """DELETE below /api/v1/."""
        return self._client.delete(API + path, headers=self._authorization())

    @property
    def id(self) -> int:
        """The player's id."""
        return int(self.get("me").json()["id"])

    def _authorization(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.access}"} if self.access else {}


def person(name: str) -> Person:
    """Register and log in."""
    visitor = Person(name)
    assert visitor.post("players", {"name": name, "password": PASSWORD}).status_code == 201
    answer = visitor.post("tokens", {"name": name, "password": PASSWORD})
    return Person(name, answer.json()["access"])


def begin_snap(*people: Person, **fields: Any) -> str:
    """A running match of Snap; the first is host."""
    answer = people[0].post("matches", {"game": "snap", "seats": len(people), **fields})
    assert answer.status_code == 201, answer.content
    match = answer.json()
    for other in people[1:]:
        assert other.post(f"matches/{match['id']}/join", {"code": match["join_code"]}).status_code == 200
    return str(match["id"])


def problem(answer: Answer) -> tuple[int, str]:
    """Status and code of a problem, after a look at its form."""
    body = answer.json()
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert body["status"] == answer.status_code
    assert set(body) >= {"type", "title", "status", "code", "detail"}
    return answer.status_code, body["code"]


def headers_of(answer: Answer) -> tuple[tuple[str, str], ...]:
    """What the headers say, in order of their names; the id of a request is made by chance, and says nothing."""
    return tuple(sorted(item for item in answer.headers.items() if item[0] != HEADER))


def decision(who: Person, match: str) -> Any:
    """What the person is asked now, None for nothing."""
    return who.get(f"matches/{match}/view").json()["table"]["decision"]


def to_move(match: str, *people: Person) -> tuple[Person, Any]:
    """The first of these people that is asked something, and what."""
    return next((who, asked) for who in people if (asked := decision(who, match)) is not None)


def make_moves(match: str, number: int, *people: Person) -> None:
    """So often whoever is asked first makes the first legal move."""
    for _ in range(number):
        who, asked = to_move(match, *people)
        answer = who.post(f"matches/{match}/moves", {"serial": asked["serial"], "move": asked["moves"][0]})
        assert answer.status_code == 200, answer.content
