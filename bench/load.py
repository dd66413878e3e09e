"""`python -m bench.load FILE`: sends the requests of a plan over some connections, and prints how long each took.

A process of its own, so that measuring costs the measured as little as it can. The plan (JSON) has lists of requests;
those of one list are sent in order, each after the answer to the one before. Without a rate every connection is always
busy; with one, requests begin at fixed moments, whatever has been answered by then, and their time counts from there.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import deque
from pathlib import Path
from typing import Any, NamedTuple

import uvloop


class Answer(NamedTuple):
    """Status, head in small letters, and body of an answer."""

    status: int
    head: bytes
    body: bytes


class Connection(asyncio.Protocol):
    """A connection that is kept: one request at a time."""

    def __init__(self) -> None:
        self._transport: Any = None
        self._received = bytearray()
        self._answer: asyncio.Future[Answer] | None = None

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(ConnectionError("the connection was closed before the answer"))

    def ask(self, raw: bytes) -> asyncio.Future[Answer]:
        """Send a request; gives the answer once all of it is there. Raises ConnectionError when none comes."""
        self._answer = asyncio.get_running_loop().create_future()
        if self._transport.is_closing():
            self.connection_lost(None)
        else:
            self._transport.write(raw)
        return self._answer

    def data_received(self, data: bytes) -> None:
        self._received += data
        end = self._received.find(b"\r\n\r\n")
        if end < 0 or self._answer is None:
            return
        head = bytes(self._received[:end]).lower()
        mark = head.find(b"content-length:")
        length = 0 if mark < 0 else int(head[mark + 15 :].split(b"\r\n", 1)[0])
        if len(self._received) >= end + 4 + length:
            body = bytes(self._received[end + 4 :])
            self._received.clear()
            self._answer.set_result(Answer(int(head[9:12]), head, body))

    def close(self) -> None:
        """No more requests."""
        self._transport.close()


class Result:
    """Times in milliseconds of answers below 400, and how many others there were by status."""

    def __init__(self) -> None:
        self.took: list[float] = []
        self.failed: dict[str, int] = {}

    def add(self, status: int, begun: float) -> None:
        """Count an answer."""
        if status < 400:
            self.took.append((time.perf_counter() - begun) * 1000)
        else:
            self.failed[str(status)] = self.failed.get(str(status), 0) + 1


async def closed(plan: dict[str, Any], lists: deque[deque[bytes]], result: Result) -> None:
    """Every connection takes the next list, sends one request of it, and puts it back behind the others."""
    end = time.perf_counter() + plan["seconds"]

    async def one(connection: Connection) -> None:
        while lists and time.perf_counter() < end:
            requests = lists.popleft()
            begun = time.perf_counter()
            result.add((await connection.ask(requests.popleft())).status, begun)
            if requests:
                lists.append(requests)

    await _on_connections(plan, one)


async def opened(plan: dict[str, Any], lists: deque[deque[bytes]], result: Result) -> None:
    """Requests begin at fixed moments; one that finds no connection or list free waits, and its time runs."""
    begin = time.perf_counter()
    free: asyncio.Queue[deque[bytes]] = asyncio.Queue()
    for requests in lists:
        free.put_nowait(requests)
    moments = deque(begin + n / plan["rate"] for n in range(int(plan["rate"] * plan["seconds"])))

    async def one(connection: Connection) -> None:
        while moments:
            moment = moments.popleft()
            await asyncio.sleep(max(0.0, moment - time.perf_counter()))
            requests = await free.get()
            result.add((await connection.ask(requests.popleft())).status, moment)
            if requests:
                free.put_nowait(requests)

    await _on_connections(plan, one)


async def _on_connections(plan: dict[str, Any], work: Any) -> None:
    loop = asyncio.get_running_loop()
    made = [await loop.create_connection(Connection, "127.0.0.1", plan["port"]) for _ in range(plan["connections"])]
    connections = [protocol for _, protocol in made]
    await asyncio.gather(*(work(connection) for connection in connections))
    for connection in connections:
        connection.close()


def raw(path: str, token: str, body: str, headers: dict[str, str] | None = None) -> bytes:
    """A request as it goes over the wire; without a body it reads."""
    lines = [f"{'POST' if body else 'GET'} {path} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {token}"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body.encode())}"]
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()


def main() -> None:
    """Carry out a plan."""
    plan = json.loads(Path(sys.argv[1]).read_text())
    lists = deque(deque(raw(*request) for request in requests) for requests in plan["lists"])
    result = Result()
    begun = time.perf_counter()
    uvloop.run((opened if plan.get("rate") else closed)(plan, lists, result))
    json.dump({"seconds": time.perf_counter() - begun, "took": result.took, "failed": result.failed}, sys.stdout)


if __name__ == "__main__":
    main()
