"""The locks of the outbox: notices, how their receivers want to be told, deliveries.

A move takes notices back in no order, while it holds its match. So nobody else ever waits for one notice while holding
another, nor holds any for longer than it takes to write.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db import connection
from django.db.models import Q, QuerySet

from matches.models import Delivery, DeliveryState, Notice, Receiver

# So many notices go out in one mail.
MOST_TOGETHER = 100


def lock_spreading() -> bool:
    """Whether this transaction alone hands notices to the channels until it ends; nobody waits for that."""
    with connection.cursor() as cursor:
        # What a crash of the database takes back is done once more: no delivery can have been claimed behind it.
        cursor.execute("SET LOCAL synchronous_commit = off")
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtext('matches.spread_notices'))")
        return bool(cursor.fetchone()[0])


def lock_receivers(player_ids: Sequence[int]) -> list[Receiver]:
    """Lock how these players want to be told, in the order of their ids, so that nobody waits in a circle."""
    wanted = sorted(player_ids)
    Receiver.objects.bulk_create([Receiver(player_id=player_id) for player_id in wanted], ignore_conflicts=True)
    return list(Receiver.objects.select_for_update(no_key=True).filter(player__in=wanted).order_by("player"))


def lock_ripe_notices(ids: Sequence[UUID]) -> list[Notice]:
    """Lock those of these notices that are still there and that no move is just taking back."""
    return list(Notice.objects.filter(pk__in=ids, sequence=None).select_for_update(skip_locked=True))


def lock_free(notices: QuerySet[Notice]) -> list[UUID]:
    """Lock these, save those that somebody else is at."""
    return list(notices.select_for_update(skip_locked=True).values_list("pk", flat=True))


def lock_delivery(*, channel: str, now: int) -> list[Delivery]:
    """Lock the delivery of a channel that has been due longest, of those that nobody else has locked."""
    return list(_due(channel, now).select_for_update(skip_locked=True)[:1])


def lock_deliveries_together(*, channel: str, now: int) -> list[Delivery]:
    """Lock all that waits for one player and target, one of it due; `MOST_TOGETHER` at most.

    First the receiver is locked, so that of one player one worker collects; those whom others are at are passed over.
    """
    passed: list[int] = []
    while True:
        first = _due(channel, now).exclude(player__in=passed).first()
        if first is None:
            return []
        passed.append(first.player_id)
        if Receiver.objects.select_for_update(no_key=True, skip_locked=True).filter(player=first.player_id).exists():
            waiting = Delivery.objects.filter(
                Q(attempts=0) | Q(due_at__lte=now),
                player=first.player_id,
                channel=channel,
                target=first.target,
                state=DeliveryState.WAITING,
            )
            rows = list(waiting.select_for_update(skip_locked=True).order_by("sequence")[:MOST_TOGETHER])
            if any(row.due_at <= now for row in rows):
                return rows


def _due(channel: str, now: int) -> QuerySet[Delivery]:
    due = Delivery.objects.filter(channel=channel, state=DeliveryState.WAITING, due_at__lte=now)
    return due.order_by("due_at", "sequence")
