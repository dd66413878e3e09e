"""Tells the stream service which match has moved, after the commit and never before it.

Only the match and the number of its last entry are told; what may be seen of it the stream service reads for itself. It
compares what it serves with the database every few seconds, so news that get lost cost seconds and no data.
"""

from __future__ import annotations

from uuid import UUID

import structlog
from django.db import transaction
from redis.exceptions import RedisError

from matches import valkey

CHANNEL = "listik:moved"

log = structlog.get_logger()
_rest = valkey.Rest()


def tell_moved(*, match_id: UUID, number: int) -> None:
    """Once the transaction is committed, tell that the match's last entry is `number`."""
    transaction.on_commit(lambda: _publish(match_id, number), robust=True)


def read_moved(message: bytes) -> tuple[UUID, int]:
    """What was told: the match, and the number of its last entry. Raises ValueError for what is no such message."""
    match_id, _, number = message.decode("ascii", "replace").partition(" ")
    return UUID(match_id), int(number)


def _publish(match_id: UUID, number: int) -> None:
    client = valkey.client()
    if client is None or _rest.is_on:
        return
    try:
        client.publish(CHANNEL, f"{match_id.hex} {number}")
    except RedisError as error:
        _rest.begin()
        log.warning("streams are not told of moves; they look for themselves", reason=str(error))
