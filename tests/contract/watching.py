"""The stream service inside the test's own process and transaction: all that a reader gets, push by push."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar
from uuid import UUID

from matches.streams.app import Application
from matches.streams.service import Service

T = TypeVar("T")
Push = tuple[str, Any]
TURNS = 60


class Here:
    """Asks the database in this thread, whose transaction holds what there is to read."""

    async def __call__(self, question: Callable[..., T], **arguments: Any) -> T:
        """What the function gives or raises."""
        loop = asyncio.get_running_loop()
        # Django keeps a connection for each thread, and none for what runs in an event loop.
        asyncio._set_running_loop(None)
        try:
            return question(**arguments)
        finally:
            asyncio._set_running_loop(loop)

    news = __call__


class Watching:
    """Open streams of one reader: of a match, and of all their matches if they are logged in."""

    def __init__(self, match: str, access: str, after: int = 0) -> None:
        self._match = UUID(match)
        self._loop = asyncio.new_event_loop()
        self._app = Application()
        self._service = self._app._service = Service()
        self._service.asking = Here()  # type: ignore[assignment]
        self._pushes: list[Push] = []
        self._tasks = [self._loop.create_task(self._service._read_on())]
        paths = [f"matches/{match}/stream", *(["me/stream"] if access else [])]
        for path in paths:
            self._ask(path, access, f"after={after}")
        self._run()

    def told(self) -> list[Push]:
        """What came since this was asked last, after somebody told that the match has moved."""
        self._service.mark(self._match)
        self._run()
        pushes, self._pushes = self._pushes, []
        return pushes

    def log(self, access: str, after: int) -> list[Push]:
        """What a long poll answers that needn't wait."""
        self._ask(f"matches/{self._match}/log", access, f"after={after}&wait=0")
        return self.told()

    def close(self) -> None:
        """Cut all of it."""
        for task in self._tasks:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*self._tasks, return_exceptions=True))
        self._loop.close()

    def _ask(self, path: str, access: str, query: str) -> None:
        authorization = [(b"authorization", f"Bearer {access}".encode())] if access else []
        scope = {
            "type": "http",
            "method": "GET",
            "path": f"/api/v1/{path}",
            "query_string": query.encode(),
            "headers": [(b"host", b"localhost"), *authorization],
        }

        async def receive() -> dict[str, Any]:
            await asyncio.Event().wait()
            return {}

        async def send(message: dict[str, Any]) -> None:
            self._pushes.append((path, message.get("body", message.get("headers"))))

        self._tasks.append(self._loop.create_task(self._app(scope, receive, send)))

    def _run(self) -> None:
        async def turns() -> None:
            for _ in range(TURNS):
                await asyncio.sleep(0)

        self._loop.run_until_complete(turns())


@contextmanager
def watching(match: str, access: str, after: int = 0) -> Iterator[Watching]:
    """Streams that are open for as long as the block lasts."""
    found = Watching(match, access, after)
    try:
        yield found
    finally:
        found.close()
