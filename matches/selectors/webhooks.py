"""Webhooks, their events and what came of them: for their owners, and for the operators."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from django.db import connection

from matches.errors import ServiceError
from matches.models import EventState, Webhook, WebhookEvent
from matches.timing import now_ms

MOST_COUNTED = 10_000
MOST_SHOWN = 1_000
_WAITING = """
SELECT id, (
    SELECT count(*) FROM (
        SELECT FROM matches_webhookevent WHERE webhook_id = hook.id AND state = 'waiting' LIMIT %s
    ) AS few
) FROM unnest(%s::bigint[]) AS hook (id)
"""


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


class WebhookLoad(NamedTuple):
    """How well events get out: webhooks that fail or were switched off, and events that wait, up to `MOST_COUNTED`.

    `behind_ms` is how long the attempt that is due longest is overdue, 0 when none is.
    """

    failing: int
    stopped: int
    waiting: int
    behind_ms: int


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
    stopped = Webhook.objects.filter(is_enabled=False).exclude(stopped="")
    given_up = WebhookEvent.objects.filter(state=EventState.FAILED)
    return WebhookFailures(
        failing=list(failing.select_related("player").order_by("failing_since")[:limit]),
        stopped=list(stopped.select_related("player").order_by("-failing_since", "-pk")[:limit]),
        given_up=list(given_up.select_related("webhook__player").order_by("-created_at")[:limit]),
        failing_number=failing[:MOST_COUNTED].count(),
        stopped_number=stopped[:MOST_COUNTED].count(),
        given_up_number=given_up[:MOST_COUNTED].count(),
    )


def events_waiting(webhook_ids: Collection[int]) -> dict[int, int]:
    """How many events wait for each of these webhooks, counted up to one more than `MOST_SHOWN`."""
    with connection.cursor() as cursor:
        cursor.execute(_WAITING, [MOST_SHOWN + 1, list(webhook_ids)])
        return dict(cursor.fetchall())


def webhook_load() -> WebhookLoad:
    """How well events get out, for `/metrics`."""
    now = now_ms()
    oldest = now
    for is_slow in (False, True):
        due = Webhook.objects.filter(is_slow=is_slow, due_at__lte=now, player__is_active=True).order_by("due_at")
        oldest = min(oldest, due.values_list("due_at", flat=True).first() or now)
    return WebhookLoad(
        failing=Webhook.objects.filter(fails__gt=0, is_enabled=True)[:MOST_COUNTED].count(),
        stopped=Webhook.objects.filter(is_enabled=False).exclude(stopped="")[:MOST_COUNTED].count(),
        waiting=WebhookEvent.objects.filter(state=EventState.WAITING)[:MOST_COUNTED].count(),
        behind_ms=now - oldest,
    )
