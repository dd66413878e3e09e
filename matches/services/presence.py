"""Who looks at which match right now, so that nobody is mailed about what they see anyway.

Noted by the stream service as long as a stream is open, or a long poll asks. It is a convenience: what is lost with
Valkey is noted again within seconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

import structlog
from django.core.cache import cache
from redis.exceptions import RedisError

WATCHES_S = 40
"""For so many seconds who was seen looking counts as looking on; open streams say so more often."""

log = structlog.get_logger()


def presence_note(*, player_id: int, match_id: UUID) -> None:
    """The player is looking at the match now."""
    presences_note(watching=[(player_id, match_id)])


def presences_note(*, watching: Iterable[tuple[int, UUID]]) -> None:
    """All these players are looking at these matches now; one round trip."""
    keys = {_key(player_id, match_id): 1 for player_id, match_id in watching}
    if not keys:
        return
    try:
        cache.set_many(keys, timeout=WATCHES_S)
    except RedisError as error:
        log.warning("nobody is noted as looking", reason=str(error))


def is_watching(*, player_id: int, match_id: UUID) -> bool:
    """Whether the player was looking at the match within the last `WATCHES_S` seconds; False when nobody can tell."""
    try:
        return bool(cache.get(_key(player_id, match_id)))
    except RedisError:
        return False


def _key(player_id: int, match_id: UUID) -> str:
    return f"watching:{match_id}:{player_id}"
