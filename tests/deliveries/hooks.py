"""Webhooks of the receiver, events for them, and a clock that tests turn."""

from __future__ import annotations

import base64
import hmac

import pytest
from django.db import transaction
from msgspec import json

from matches.hooklocks import lock_webhook
from matches.models import Player, Webhook, WebhookEvent
from matches.services import webhooks
from matches.services.deliveries import events, webhook
from matches.services.deliveries.events import Event
from matches.services.players import Identity
from matches.services.webhooks import WithSecret
from tests.deliveries.receiver import Receiver, Request
from tests.matches.factories import make_player

NOW = 1_790_000_000_000
SECOND = 1000


class Clock:
    """The time that the sender goes by."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = NOW
        for module in (webhook, webhooks):
            monkeypatch.setattr(module, "now_ms", self)

    def __call__(self) -> int:
        return self.now

    def send_after(self, seconds: float) -> int:
        """Let time pass, then send what is due."""
        self.now += round(seconds * SECOND)
        return webhook.webhooks_send()


def make_webhook(receiver: Receiver | str, player: Player | None = None) -> WithSecret:
    """A webhook that leads to the receiver."""
    owner = player or make_player()
    url = receiver if isinstance(receiver, str) else receiver.url()
    return webhooks.webhook_create(identity=Identity(owner.pk, owner.epoch), url=url, kinds=["turn", "over"])


def add_events(hook: Webhook, number: int, at: int = NOW) -> list[WebhookEvent]:
    """So many events for a webhook, written as the outbox writes them."""
    with transaction.atomic():
        locked = lock_webhook(webhook_id=hook.pk)
        assert locked is not None
        made = [events.event_add(locked, Event(kind="turn", time=at, seat=1), at) for _ in range(number)]
        locked.save(update_fields=["told", "due_at"])
    return made


def sequences(receiver: Receiver) -> list[int]:
    """The events that came in, one by one."""
    return [json.decode(request.body)["sequence"] for request in receiver.seen]


def log_of(event: WebhookEvent) -> list[tuple[int | None, str]]:
    return list(event.log.order_by("at", "pk").values_list("status", "failure"))


def is_signed(request: Request, secret: str) -> bool:
    """As a receiver checks it, by the specification."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{request.headers['webhook-id']}.{request.headers['webhook-timestamp']}.".encode() + request.body
    expected = base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
    given = (one.partition(",") for one in request.headers["webhook-signature"].split())
    return any(version == "v1" and hmac.compare_digest(one, expected) for version, _, one in given)


def states(hook: Webhook) -> list[str]:
    """How its events stand, by their numbers."""
    return list(hook.events.order_by("sequence").values_list("state", flat=True))
