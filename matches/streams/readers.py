"""What all open streams have in common: they send while there is something to send, and cost little else."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import msgspec
import structlog

from matches.api.bodies import StreamEnd
from matches.errors import ServiceError
from matches.services.tickets import Admission
from matches.streams.asking import Unreachable

Send = Callable[[dict[str, Any]], Awaitable[None]]

AGAIN_S = 1.0
BEAT = b":\n\n"

log = structlog.get_logger()


def event(name: str, data: bytes, number: int | None = None) -> bytes:
    """An event as Server-Sent Events have it."""
    begin = b"" if number is None else b"id: %d\n" % number
    return b"%bevent: %b\ndata: %b\n\n" % (begin, name.encode(), data)


class Stream(ABC):
    """An open stream. While there is something to send it does so in a task of its own; else it has none.

    What waits to be sent is never kept here: a reader that is slow is one that has had less. `pair` is the player and
    the match that they look at, None for everybody else.
    """

    pair: tuple[int, UUID] | None = None

    def __init__(self, send: Send, admission: Admission | None) -> None:
        self.admission = admission
        self.is_closed = False
        self._send = send
        self._task: asyncio.Task[None] | None = None
        self._end: StreamEnd | None = None
        self._is_stopped = False
        self._is_open = False
        self._beat = False

    def open(self) -> None:
        """The answer's first lines are sent: whatever there is may follow."""
        self._is_open = True
        self.wake()

    def wake(self) -> None:
        """There may be something to send."""
        if self._task is None and self._is_open and not self.is_closed:
            self._task = asyncio.create_task(self._run())

    def beat(self) -> None:
        """Show that the connection is alive."""
        self._beat = True
        self.wake()

    def end(self, code: str, detail: str) -> None:
        """Say why, and end."""
        self._end = StreamEnd(code, detail)
        self.wake()

    def stop(self) -> None:
        """End without a word: the reader comes again by itself."""
        self._is_stopped = True
        self.wake()

    def close(self) -> None:
        """The reader is gone."""
        self.is_closed = True
        if self._task is not None:
            self._task.cancel()

    @abstractmethod
    async def news(self) -> bytes:
        """What to send now; nothing when there is nothing. May end the stream, and may raise ServiceError."""

    async def _run(self) -> None:
        try:
            await self._push()
        except Exception:
            log.exception("a stream failed")
            self._is_stopped = True
            await self._push()
        finally:
            self._task = None

    async def _push(self) -> None:
        while not self.is_closed:
            data, is_last = await self._next()
            if data or is_last:
                await self._send({"type": "http.response.body", "body": data, "more_body": not is_last})
            elif not self._is_ending:
                return
            if is_last:
                self.is_closed = True

    @property
    def _is_ending(self) -> bool:
        return self._is_stopped or self._end is not None

    async def _next(self) -> tuple[bytes, bool]:
        """What to send, and whether it is the last."""
        if self._is_stopped:
            return b"", True
        if self._end is not None:
            return event("end", msgspec.json.encode(self._end)), True
        return await self._gather(), False

    async def _gather(self) -> bytes:
        beat, self._beat = self._beat, False
        try:
            data = await self.news()
        except ServiceError as error:
            self.end(error.code, error.message)
            return b""
        except Unreachable:
            await asyncio.sleep(AGAIN_S)
            return BEAT
        return data or (BEAT if beat else b"")
