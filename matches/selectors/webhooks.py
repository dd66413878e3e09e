"""Webhooks, their events and what came of them: for their owners, and for the operators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from matches.errors import ServiceError
from matches.models import EventState, Webhook, WebhookEvent

MOST_COUNTED = 10_000


class EventPage(NamedTuple):
    """Events, the newest first; `before` is where to go on, None at the end."""

    events: Sequence[WebhookEvent]
    before: int | None


class WebhookFailures(NamedTuple):
    """What doesn't get through: webhooks that fail (longest first) or were switched off, and events given up.

    Each list is cut; the numbers count up to `MOST_COUNTED`.
    """

    failing: Sequence[Webhook]
    stopped: Sequence[Webhook]
    given_up: Sequence[WebhookEvent]
    failing_number: int
    stopped_number: int
    given_up_number: int


def webhooks_of(*, player_id: int) -> list[Webhook]:
    """A player's webhooks, the oldest first."""
    return list(Webhook.objects.filter(player=player_id).order_by("pk"))


def webhook_get(*, player_id: int, webhook_id: int) -> Webhook:
    """One of a player's webhooks."""
    webhook = Webhook.objects.filter(player=player_id, pk=webhook_id).first()
    if webhook is None:
        raise ServiceError("not_found", "you have no such webhook")
    return webhook


def webhook_events(*, player_id: int, webhook_id: int, before: int | None, limit: int) -> EventPage:
    """Events of a webhook with the log of their attempts (`log`), the newest first, from `before` on backwards."""
    events = webhook_get(player_id=player_id, webhook_id=webhook_id).events.order_by("-sequence")
    if before is not None:
        events = events.filter(sequence__lt=before)
    found = list(events.prefetch_related("log")[: limit + 1])
    return EventPage(found[:limit], found[limit - 1].sequence if len(found) > limit else None)


def webhook_failures(*, limit: int = 20) -> WebhookFailures:
    """For the operators: what of the webhooks doesn't get through."""
    failing = Webhook.objects.filter(fails__gt=0, is_enabled=True)
    stopped = Webhook.objects.exclude(stopped="")
    given_up = WebhookEvent.objects.filter(state=EventState.FAILED)
    return WebhookFailures(
        failing=list(failing.select_related("player").order_by("failing_since")[:limit]),
        stopped=list(stopped.select_related("player").order_by("-failing_since", "-pk")[:limit]),
        given_up=list(given_up.select_related("webhook__player").order_by("-created_at")[:limit]),
        failing_number=failing[:MOST_COUNTED].count(),
        stopped_number=stopped[:MOST_COUNTED].count(),
        given_up_number=given_up[:MOST_COUNTED].count(),
    )
