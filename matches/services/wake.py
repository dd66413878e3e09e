"""Asks a worker to settle a match when something is due soon.

It only makes things more punctual: whatever is due is found by `settle_due` every second anyway. So a broker that is
down costs a move next to nothing: it is left alone for a while.
"""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from matches import broker

SOON_MS = 10_000
TASK = "matches.settle_match"
SWEEP = "matches.settle_due"
DELIVER = "matches.send_deliveries"


def wake_soon(*, match_id: UUID, due_at: int | None, now: int) -> None:
    """After the commit, have the match settled at `due_at` (UTC milliseconds) if that is within 10 s."""
    if due_at is not None and due_at - now <= SOON_MS:
        delay_ms = max(0, due_at - now)
        transaction.on_commit(lambda: settle_later(match_id=match_id, delay_ms=delay_ms), robust=True)


def settle_later(*, match_id: UUID, delay_ms: int) -> None:
    """Have a match settled, unless the broker is down."""
    broker.send(TASK, args=[str(match_id)], countdown=delay_ms / 1000)


def sweep_on() -> None:
    """Have another worker go on with the sweep; if none is free within a second, the beat's next one does."""
    broker.send(SWEEP, expires=1)


def deliveries_on(*, channel: str) -> None:
    """Have what is due by this channel sent at once; if no worker is free the beat's next one does it."""
    broker.send(DELIVER, args=[channel], expires=2)
