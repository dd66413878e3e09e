"""Bots that a match waits for: a worker is called for each, once the move that made it so is committed.

A call that gets lost is made again by the beat, which finds the match by `Position.bots_at`.
"""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.conf import settings
from django.db import transaction

from matches import bridge, broker
from matches.bridge import AnyTable, Asked

TASK = "matches.bot_move"
MISSED_MS = 15_000
"""A bot that has been awaited for so long is called again."""


def bots_at(table: AnyTable) -> int | None:
    """When bots are to be called again (UTC milliseconds), None while none is awaited."""
    return table.at + MISSED_MS if bridge.awaited_bots(table) else None


def call_bots(*, match_id: UUID, before: AnyTable | None, table: AnyTable) -> None:
    """After the commit, have each bot moved for that is awaited now and wasn't before."""
    called = () if before is None else bridge.awaited_bots(before)
    asked = [one for one in bridge.awaited_bots(table) if one not in called]
    if asked:
        delay_ms = settings.BOT_DELAY_MS if bridge.has_players(table) else 0
        transaction.on_commit(lambda: send_calls(match_id=match_id, asked=asked, delay_ms=delay_ms), robust=True)


def send_calls(*, match_id: UUID, asked: Iterable[Asked], delay_ms: int = 0) -> None:
    """Have workers move for these seats, unless the broker is down."""
    for seat, serial in asked:
        broker.send(TASK, args=[str(match_id), seat, serial], countdown=delay_ms / 1000 or None)
