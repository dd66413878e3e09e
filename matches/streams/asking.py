"""Asking the database from the event loop: by a few threads, each with a connection of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from django.db import InterfaceError, OperationalError, connection

T = TypeVar("T")
READERS = 3
Unreachable = (OperationalError, InterfaceError)
"""What is raised while the database can't be reached."""


class Asking:
    """Selectors and services, run in threads; the news of matches never wait behind anybody's backlog."""

    def __init__(self) -> None:
        self._readers = ThreadPoolExecutor(READERS, "reader")
        self._newsman = ThreadPoolExecutor(1, "news")

    async def __call__(self, question: Callable[..., T], **arguments: Any) -> T:
        """What the function gives or raises."""
        return await _run(self._readers, question, arguments)

    async def news(self, question: Callable[..., T], **arguments: Any) -> T:
        """The same, at once."""
        return await _run(self._newsman, question, arguments)

    def close(self) -> None:
        """Nobody asks any more."""
        for pool in (self._readers, self._newsman):
            pool.shutdown(wait=False, cancel_futures=True)


async def _run(pool: ThreadPoolExecutor, question: Callable[..., T], arguments: dict[str, Any]) -> T:
    return await asyncio.get_running_loop().run_in_executor(pool, partial(_asked, question, arguments))


def _asked(question: Callable[..., T], arguments: dict[str, Any]) -> T:
    try:
        return question(**arguments)
    except Unreachable:
        # The next question gets a fresh one.
        connection.close()
        raise
