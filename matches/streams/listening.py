"""Hearing of moves: the one connection of a process on which Valkey tells of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from uuid import UUID

import structlog
from redis import asyncio as valkeys
from redis.exceptions import RedisError

from matches import news, valkey
from matches.streams.figures import FIGURES

AGAIN_S = 0.5
SILENCE_S = 10.0
"""After so long a silence the connection is tried, in seconds."""

log = structlog.get_logger()


async def listen(moved: Callable[[UUID, int], None], joined: Callable[[], asyncio.Future[None]]) -> None:
    """Call `moved` for every message, for ever. `joined` is called whenever messages may have been missed."""
    url = valkey.address()
    while url is not None:
        try:
            await _listen(url, moved, joined)
        except (RedisError, OSError) as error:
            log.warning("moves aren't heard of; they are looked for", reason=str(error))
        finally:
            FIGURES.is_told.set(0)
        await asyncio.sleep(AGAIN_S)


async def _listen(url: str, moved: Callable[[UUID, int], None], joined: Callable[[], asyncio.Future[None]]) -> None:
    patience = valkey.PATIENCE_S
    client = valkeys.Redis.from_url(url, socket_connect_timeout=patience, socket_timeout=None)
    async with client, client.pubsub() as pubsub:
        await pubsub.subscribe(news.CHANNEL)
        while True:
            message = await pubsub.get_message(timeout=SILENCE_S)
            if message is None:
                # Raises when nobody is at the other end.
                await pubsub.ping()
            elif message["type"] == "subscribe":
                FIGURES.is_told.set(1)
                joined()
            elif message["type"] == "message":
                _tell(message["data"], moved)


def _tell(data: bytes, moved: Callable[[UUID, int], None]) -> None:
    try:
        moved(*news.read_moved(data))
    except ValueError:
        log.warning("a message that is none of ours", length=len(data))
