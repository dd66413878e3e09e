"""What the workers do; each is one call of a service."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task

from matches.services import upkeep


@shared_task(name="matches.settle_due")
def settle_due() -> int:
    """Settle whatever is due; beat sends it every second."""
    return upkeep.settle_due()


@shared_task(name="matches.settle_match")
def settle_match(match_id: str) -> int:
    """Settle one match, sent for the moment at which something is due in it."""
    return upkeep.match_settle(match_id=UUID(match_id))
