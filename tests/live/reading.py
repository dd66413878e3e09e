"""A reader of Server-Sent Events over a real connection, and what else the tests ask a stream service."""

from __future__ import annotations

import http.client
import json
from typing import Any, NamedTuple

PATIENCE_S = 20.0


class Event(NamedTuple):
    """An event; `id` is None where it has none."""

    name: str
    data: Any
    id: int | None


class Reader:
    """One open stream."""

    def __init__(
        self, port: int, path: str, *, token: str = "", last: int | None = None, timeout: float = PATIENCE_S
    ) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if last is not None:
            headers["Last-Event-ID"] = str(last)
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
        self.connection.request("GET", f"/api/v1/{path}", headers=headers)
        self.answer = self.connection.getresponse()
        if self.status == 200:
            # Where the stream begins it says when to come again.
            assert self.answer.readline() + self.answer.readline() == b"retry: 2000\n\n"

    @property
    def status(self) -> int:
        """Of the answer."""
        return self.answer.status

    def problem(self) -> str:
        """The code of the refusal."""
        code: str = json.loads(self.answer.read())["code"]
        self.close()
        return code

    def event(self) -> Event | None:
        """The next one; None when the stream has ended."""
        fields: dict[str, str] = {}
        while line := self.answer.readline().decode():
            name, _, value = line.rstrip("\n").partition(": ")
            if value:
                fields[name] = value
            elif not name and "data" in fields:
                number = int(fields["id"]) if "id" in fields else None
                return Event(fields["event"], json.loads(fields["data"]), number)
        return None

    def events(self, number: int) -> list[Event]:
        """So many of them."""
        found = [self.event() for _ in range(number)]
        return [event for event in found if event is not None]

    def rest(self) -> list[Event]:
        """All that come until it ends."""
        found = []
        while (event := self.event()) is not None:
            found.append(event)
        self.close()
        return found

    def is_silent(self, seconds: float) -> bool:
        """Whether nothing comes for so long; it can't be read from again."""
        sock = self.connection.sock
        assert sock is not None
        sock.settimeout(seconds)
        try:
            return self.answer.readline() == b":\n"
        except TimeoutError:
            return True

    def close(self) -> None:
        """Cut it."""
        self.answer.close()
        self.connection.close()


def get(port: int, path: str, token: str = "") -> tuple[int, Any]:
    """Status and body of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=40)
    connection.request("GET", path, headers={"Authorization": f"Bearer {token}"} if token else {})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    is_json = "json" in (answer.headers["Content-Type"] or "")
    return answer.status, json.loads(body) if is_json else body
