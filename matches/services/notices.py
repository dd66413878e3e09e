"""The notices that no move writes: invitations to a lobby; what players have read; and forgetting what is old."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.db import transaction

from matches.ids import first_of
from matches.models import (
    LASTING,
    ConfirmationRequest,
    Delivery,
    DeliveryState,
    Match,
    Notice,
    NoticeKind,
    PushSubscription,
    Receiver,
)
from matches.outbox import lock_free
from matches.timing import now_ms

KEPT_MS = 30 * 86_400_000
"""For so long what has happened is kept in the players' lists."""
LOGGED_MS = 14 * 86_400_000
"""For so long it is kept what became of deliveries."""
BATCH = 5_000


def invited_tell(match: Match, player_ids: Iterable[int]) -> None:
    """Tell these players that they are invited; part of the transaction that invites them. Under the match's lock."""
    now = now_ms()
    Notice.objects.bulk_create(
        (
            Notice(match=match, player_id=player, kind=NoticeKind.INVITED, occasion="invited", serial=0, not_before=now)
            for player in player_ids
        ),
        ignore_conflicts=True,
    )


def invited_take_back(match: Match, player_id: int | None = None) -> None:
    """The invitation of this player, or of everybody, isn't open any more. Under the match's lock."""
    told = Notice.objects.filter(match=match, kind=NoticeKind.INVITED)
    (told if player_id is None else told.filter(player=player_id)).delete()


def notices_read(*, player_id: int, notice_id: UUID | None = None, until: int | None = None) -> int:
    """Mark one, or all that could be seen by `until` (UTC milliseconds), as read; gives how many weren't.

    Those that a move or a worker is just at are done at the end, one by one: nobody waits for one while holding others.
    """
    now = now_ms()
    unread = Notice.objects.filter(player=player_id, not_before__lte=now if until is None else until, read_at=None)
    if notice_id is not None:
        return unread.filter(pk=notice_id).update(read_at=now)
    with transaction.atomic():
        done = Notice.objects.filter(pk__in=lock_free(unread)).update(read_at=now)
    busy = list(unread.values_list("pk", flat=True))
    return done + sum(unread.filter(pk=one).update(read_at=now) for one in busy)


def notices_forget(*, player_id: int) -> None:
    """Of an account that is closed nothing is kept; what its seats are told while it leaves goes with the matches."""
    Notice.objects.filter(player=player_id, kind__in=[NoticeKind.INVITED, *LASTING]).delete()
    for model in (Delivery, Receiver, PushSubscription, ConfirmationRequest):
        model.objects.filter(player=player_id).delete()


def notices_drop() -> int:
    """Forget what has happened long ago, and what became of telling it; gives how many rows."""
    now = now_ms()
    old = Notice.objects.filter(kind__in=LASTING, pk__lt=first_of(now - KEPT_MS)).order_by("pk")[:BATCH]
    done = Delivery.objects.exclude(state=DeliveryState.WAITING).filter(pk__lt=first_of(now - LOGGED_MS))
    return sum(
        model.objects.filter(pk__in=list(rows.values_list("pk", flat=True))).delete()[0]
        for model, rows in ((Notice, old), (Delivery, done.order_by("pk")[:BATCH]))
    )
