"""What players are told, as the admin shows it: webhooks with their events and attempts, mails and pushes."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from matches.hooklocks import lock_webhook
from matches.models import Delivery, Match, Notice, Player, Webhook, WebhookAttempt, WebhookEvent
from matches.services.deliveries import events
from matches.services.deliveries.events import Event
from matches.timing import now_ms

URL = "https://hook.example/secret-path?key=hidden"
SECRET = b"sealed-secret"
REASON = {"reason": "because of a test"}


def make_hook(player: Player, **given: Any) -> Webhook:
    """A webhook of theirs, as it lies in its table."""
    values = {"url": URL, "kinds": ["turn", "over"], "secret": SECRET, "created_at": now_ms()}
    return Webhook.objects.create(player=player, **{**values, **given})


def make_event(hook: Webhook, **given: Any) -> WebhookEvent:
    """An event for it, written as the outbox writes it, then as given."""
    with transaction.atomic():
        locked = lock_webhook(webhook_id=hook.pk)
        assert locked is not None
        event = events.event_add(locked, Event(kind="turn", time=now_ms(), seat=1), now_ms())
        locked.save(update_fields=["told", "due_at"])
    WebhookEvent.objects.filter(pk=event.pk).update(**{"attempts": 0, **given})
    event.refresh_from_db()
    return event


def make_delivery(player: Player, match: Match, **given: Any) -> Delivery:
    """A notice of theirs on its way by mail."""
    notice = Notice.objects.filter(match=match, player=player).order_by("pk").first()
    assert notice is not None
    values = {"notice_id": notice.pk, "kind": notice.kind, "sequence": 1, "channel": "mail", "due_at": now_ms()}
    return Delivery.objects.create(player=player, match=match, **{**values, **given})


def told_rows(player: Player, match: Match) -> dict[str, Any]:
    """A row of each table, to which every deed can be done."""
    hook = make_hook(player, stopped="failing", is_enabled=False)
    event = make_event(make_hook(player))
    return {
        "webhook": hook.pk,
        "webhookevent": event.pk,
        "delivery": make_delivery(player, match, state="failed", error="status 500", attempts=7).pk,
    }


def told_world(player: Player, match: Match) -> None:
    """Something of everything: what goes well, what fails, what was given up."""
    make_hook(player, url="https://gone.example/x", is_enabled=False, stopped="gone")
    hook = make_hook(player, fails=4, failing_since=now_ms() - 3_600_000)
    make_event(hook, state="sent", attempts=1)
    make_event(hook, state="waiting", attempts=3)
    failing = make_event(hook, state="failed", attempts=8)
    for number, (status, failure, reason) in enumerate(
        [(503, "", ""), (None, "timeout", "no answer in time"), (None, "no_connection", "203.0.113.7 doesn't answer")]
    ):
        WebhookAttempt.objects.create(
            event=failing,
            at=now_ms() - 60_000 * number,
            took_ms=40 + number,
            status=status,
            failure=failure,
            reason=reason,
        )
    make_delivery(player, match, state="sent", attempts=1, done_at=now_ms())
    make_delivery(player, match, channel="push", target="a", state="waiting", attempts=2, error="status 503")
    make_delivery(
        player, match, channel="push", target="b", state="failed", attempts=7, error="timeout", done_at=now_ms()
    )
