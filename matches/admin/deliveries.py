"""Notices on their way: what was mailed and pushed to whom, and what came of it."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Q
from django.http import HttpRequest

from matches.admin.deeds import Deed, actor_of
from matches.admin.lists import among, as_uuid, player_ids
from matches.admin.masks import masked
from matches.admin.pages import Page
from matches.models import Delivery, DeliveryState
from matches.permits import Permit
from matches.services.deliveries.channels import CHANNELS
from matches.services.deliveries.retry import delivery_retry
from matches.timing import moment


def _at(ms: int | None) -> str | None:
    return None if ms is None else f"{moment(ms):%Y-%m-%d %H:%M:%S}"


def _retry(request: HttpRequest, delivery: Delivery, given: dict[str, Any]) -> str:
    delivery_retry(delivery_id=delivery.pk, actor_id=actor_of(request), reason=given["reason"])
    return "It is tried again."


@admin.register(Delivery)
class DeliveryAdmin(Page):
    """Deliveries by mail and push, the newest first. Where they go isn't shown, only to whom."""

    list_display = ("id", "player", "channel", "kind", "state", "attempts", "next_try", "done", "last_error")
    list_filter = (among("channel", "channel", lambda: tuple(CHANNELS)), "state")
    list_select_related = ("player",)
    search_help_text = "Id of a delivery or of its notice, or name or number of a player"
    fields = (
        *("id", "notice_id", "player", "match_id", "kind", "sequence", "channel"),
        *("state", "attempts", "next_try", "done", "last_error"),
    )
    readonly_fields = ("match_id", "next_try", "done", "last_error")
    deeds = (
        Deed(
            name="retry",
            title="Try again",
            icon="replay",
            permit=Permit.MANAGE_WEBHOOKS,
            run=_retry,
            fits=lambda delivery: delivery.state == DeliveryState.FAILED,
            for_several=True,
            explains="As if it had never been tried, under the id that it had. What isn't true any more isn't sent.",
        ),
    )

    def find(self, request: HttpRequest, term: str) -> Q:
        """By delivery, notice or player."""
        found = as_uuid(term)
        return Q(player__in=player_ids(term)) if found is None else Q(pk=found) | Q(notice_id=found)

    @admin.display(description="match")
    def match_id(self, delivery: Delivery) -> str:
        """Which match it is about; that may be gone."""
        return str(delivery.match_id)

    def next_try(self, delivery: Delivery) -> str | None:
        """When, if it waits."""
        return _at(delivery.due_at) if delivery.state == DeliveryState.WAITING else None

    def done(self, delivery: Delivery) -> str | None:
        """When it ended."""
        return _at(delivery.done_at)

    def last_error(self, delivery: Delivery) -> str:
        """Why it was dropped, failed or waits again, without anybody's address."""
        return masked(delivery.error) or "–"
