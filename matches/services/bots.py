"""Bots' moves: planned outside of any lock from what their seat may see, and submitted with their serial.

A task may come twice, late, or for a decision that is over: then nothing happens. A bot at fault is asked again a few
times; after that its seat makes the default move, so that nobody waits for it for ever. Starts are counted in Valkey,
so that a fault that kills the whole process is noticed as well.
"""

from __future__ import annotations

import time
from typing import Any
from uuid import UUID

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.db import transaction
from redis.exceptions import RedisError

from engine.core.errors import NewerFormat, UnknownGame
from matches import bridge, calling, valkey
from matches.bridge import AnyReferee, AnyTable
from matches.errors import ServiceError
from matches.locking import lock_position, postpone_bots, write_position
from matches.models import Match, Position
from matches.services.wake import wake_soon

MOST_TRIES = 4
"""So often a bot is asked for one decision."""
BUSY_TRIES = 20
BUSY_S = 0.1
COUNTED_S = 3600

log = structlog.get_logger()


def bot_move(*, match_id: UUID, seat: int, serial: int) -> bool:
    """Make the move of a bot that is asked the decision `serial`; False when nobody waits for it any more."""
    found = _read(match_id)
    if found is None:
        return False
    referee, table = found
    if (seat, serial) not in bridge.awaited_bots(table):
        return False
    move = _chosen(referee, table, seat, tried=_started(f"listik:bot:{match_id}:{seat}:{serial}"))
    return _submit(match_id, seat, serial, move)


def bots_call() -> int:
    """Call again those bots that have been awaited for too long; gives how many."""
    called = 0
    for match_id in postpone_bots():
        found = _read(match_id)
        if found is not None:
            asked = bridge.awaited_bots(found[1])
            calling.send_calls(match_id=match_id, asked=asked)
            called += len(asked)
    if called:
        log.info("bots are called again", bots=called)
    return called


def _read(match_id: UUID) -> tuple[AnyReferee, AnyTable] | None:
    """A match that runs and is well, as it is stored; None where there is nothing for this process to do."""
    position = Position.objects.filter(match=match_id, retry_at=None).values_list("snapshot", flat=True).first()
    match = Match.objects.filter(pk=match_id).prefetch_related("seats").first()
    if position is None or match is None:
        return None
    try:
        referee = bridge.referee_of(match, match.seats.all())
        return referee, bridge.codec_of(match.game, match.ruleset).table(position)
    except (NewerFormat, UnknownGame) as error:
        log.debug("left to a newer process", match=str(match_id), reason=str(error))
        return None


def _chosen(referee: AnyReferee, table: AnyTable, seat: int, tried: int) -> Any:
    """What the bot wants, or the default move when it comes to nothing."""
    for again in range(tried, MOST_TRIES):
        try:
            return bridge.chosen_by_bot(referee, table, seat, again)
        except SoftTimeLimitExceeded:
            log.exception("a bot doesn't come to an end", game=table.game, level=table.seats[seat].bot)
            break
        except Exception:
            log.exception("a bot can't move", game=table.game, level=table.seats[seat].bot)
    log.warning("the default move is made for a bot", game=table.game, level=table.seats[seat].bot)
    return bridge.default_move(referee, table, seat)


def _submit(match_id: UUID, seat: int, serial: int, move: Any) -> bool:
    for _ in range(BUSY_TRIES):
        try:
            return _submit_once(match_id, seat, serial, move)
        except ServiceError as error:
            if error.code != "try_again":
                raise
            time.sleep(BUSY_S)
    return False


def _submit_once(match_id: UUID, seat: int, serial: int, move: Any) -> bool:
    with transaction.atomic(durable=True):
        locked = lock_position(match_id=match_id)
        if locked is None or locked.retry_at is not None:
            return False
        referee, table = locked.referee(), locked.table()
        step = referee.submit(
            table, seat=seat, serial=serial, move=move, received=locked.now, now=locked.now, by_bot=True
        )
        if step.entries:
            due_at = write_position(locked, referee, table, step)
            wake_soon(match_id=match_id, due_at=due_at, now=locked.now)
    return step.refusal is None


def _started(key: str) -> int:
    """How often this was begun before; 0 while Valkey is down."""
    client = valkey.client()
    if client is None:
        return 0
    try:
        with client.pipeline() as pipe:
            pipe.incr(key)
            pipe.expire(key, COUNTED_S)
            count, _ = pipe.execute()
    except RedisError:
        return 0
    return int(count) - 1
