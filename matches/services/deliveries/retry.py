"""Sending once more what a channel has given up, because an operator asks for it."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from matches.errors import ServiceError
from matches.models import Delivery, DeliveryState, Notice
from matches.services.audit import audit_write
from matches.services.deliveries.channels import CHANNELS
from matches.timing import now_ms


def delivery_retry(*, delivery_id: UUID, actor_id: int, reason: str) -> None:
    """Try a delivery that failed anew, as if it had never been tried, under the id it had.

    What isn't true any more is refused, and is dropped as ever when it stops being true until it is sent.
    """
    with transaction.atomic():
        delivery = Delivery.objects.filter(pk=delivery_id).first()
        if delivery is None:
            raise ServiceError("not_found", "there is no such delivery, or not any more")
        if delivery.channel not in CHANNELS:
            raise ServiceError("forbidden", f"nothing is sent by {delivery.channel} any more")
        if not Notice.objects.filter(pk=delivery.notice_id).exists():
            raise ServiceError("forbidden", "what it was to say isn't true any more")
        # Whoever asks twice finds it waiting, and changes nothing.
        tried_anew = Delivery.objects.filter(pk=delivery_id, state=DeliveryState.FAILED).update(
            state=DeliveryState.WAITING, attempts=0, due_at=now_ms(), done_at=None
        )
        if not tried_anew:
            raise ServiceError("forbidden", "only what failed is tried again")
        audit_write(
            actor_id=actor_id,
            what="delivery_retried",
            target_kind="delivery",
            target_id=delivery_id,
            reason=reason,
            data={"player": delivery.player_id, "channel": delivery.channel, "kind": delivery.kind},
        )
