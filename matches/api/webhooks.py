"""A player's webhooks."""

from __future__ import annotations

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from matches import selectors
from matches.api import present
from matches.api.bodies import (
    AttemptBody,
    Deliveries,
    DeliveryBody,
    DeliveryState,
    MakeWebhook,
    SetWebhook,
    WebhookBody,
    WebhookEventBody,
    WebhookSecret,
)
from matches.api.http import Endpoint
from matches.api.paging import MOST, USUAL, whole_number
from matches.api.schema import describe
from matches.selectors import EventState, WebhookEvent
from matches.services import webhooks
from matches.services.players import Identity

MOST_SEQUENCE = 10**12 - 1


class Owned(Endpoint):
    """Base: who asks, as the services want it."""

    def identity(self, request: Request) -> Identity:
        """Who asks, with the epoch of the token."""
        caller = self.caller(request)
        return Identity(caller.player_id, caller.epoch)


class MyWebhooks(Owned):
    """All of the caller's webhooks."""

    @describe("List your webhooks", answers={200: tuple[WebhookBody, ...]}, signed_in=True)
    def get(self, request: Request) -> Response:
        """The oldest first."""
        return Response(
            [present.webhook(row) for row in selectors.webhooks_of(player_id=self.caller(request).player_id)]
        )

    @describe(
        "Create a webhook",
        body=MakeWebhook,
        answers={201: WebhookSecret},
        signed_in=True,
        problems=("webhook_url", "too_many", "forbidden"),
    )
    def post(self, request: Request) -> Response:
        """What you are told is sent there too, signed with a secret that is told this once. Guests have none."""
        body = self.read(request, MakeWebhook)
        made = webhooks.webhook_create(
            identity=self.identity(request), url=body.url, kinds=body.kinds, is_enabled=body.enabled
        )
        return _told(made, 201)


class MyWebhook(Owned):
    """One of them."""

    @describe("Show a webhook", answers={200: WebhookBody}, signed_in=True, problems=("not_found",))
    def get(self, request: Request, webhook_id: int) -> Response:
        """Without its secret."""
        row = selectors.webhook_get(player_id=self.caller(request).player_id, webhook_id=webhook_id)
        return Response(present.webhook(row))

    @describe(
        "Change a webhook",
        body=SetWebhook,
        answers={200: WebhookBody},
        signed_in=True,
        problems=("not_found", "webhook_url", "webhook_off"),
    )
    def put(self, request: Request, webhook_id: int) -> Response:
        """Switch it on or off, send it elsewhere, choose other kinds. While it is off no events are made for it."""
        body = self.read(request, SetWebhook)
        row = webhooks.webhook_change(
            identity=self.identity(request),
            webhook_id=webhook_id,
            url=body.url,
            kinds=body.kinds,
            is_enabled=body.enabled,
        )
        return Response(present.webhook(row))

    @describe("Remove a webhook", answers={204: None}, signed_in=True, problems=("not_found",))
    def delete(self, request: Request, webhook_id: int) -> Response:
        """With its events and their log."""
        webhooks.webhook_remove(identity=self.identity(request), webhook_id=webhook_id)
        return Response(None, 204)


class MyWebhookSecret(Owned):
    """Changing the secret."""

    @describe("Change the secret of a webhook", answers={200: WebhookSecret}, signed_in=True, problems=("not_found",))
    def post(self, request: Request, webhook_id: int) -> Response:
        """For a day events are signed with both secrets, so that the receiver can be changed in between."""
        return _told(webhooks.secret_rotate(identity=self.identity(request), webhook_id=webhook_id), 200)


class MyWebhookPing(Owned):
    """Trying it out."""

    @describe(
        "Ping a webhook",
        answers={202: DeliveryBody},
        signed_in=True,
        problems=("not_found", "webhook_off", "too_many"),
    )
    def post(self, request: Request, webhook_id: int) -> Response:
        """Send an event that is about nothing. What came of it is among the webhook's events a moment later."""
        row = webhooks.webhook_ping(identity=self.identity(request), webhook_id=webhook_id)
        return Response(_delivery(row, []), 202)


class MyWebhookEvents(Owned):
    """What was sent."""

    @describe(
        "List the events of a webhook",
        answers={200: Deliveries},
        signed_in=True,
        query={
            "before": (
                {"type": "integer", "minimum": 1, "maximum": MOST_SEQUENCE},
                "Only events with a smaller sequence: the `next` of the page before.",
            ),
            "limit": (
                {"type": "integer", "minimum": 1, "maximum": MOST, "default": USUAL},
                f"How many, 1 to {MOST}; {USUAL} if you don't say.",
            ),
        },
        problems=("not_found", "malformed"),
    )
    def get(self, request: Request, webhook_id: int) -> Response:
        """The newest first, each with the log of its attempts. Kept for two weeks, the last thousand at most."""
        before = whole_number(request, "before", 0, 1, MOST_SEQUENCE)
        page = selectors.webhook_events(
            player_id=self.caller(request).player_id,
            webhook_id=webhook_id,
            before=before or None,
            limit=whole_number(request, "limit", USUAL, 1, MOST),
        )
        found = tuple(_delivery(row, _attempts(row)) for row in page.events)
        return Response(Deliveries(found, page.before))


class MyWebhookResend(Owned):
    """Sending again."""

    @describe(
        "Send an event again",
        answers={202: DeliveryBody},
        signed_in=True,
        problems=("not_found", "webhook_off"),
    )
    def post(self, request: Request, webhook_id: int, sequence: int) -> Response:
        """Under the same id, with the same content and all attempts anew; one that waits is sent at once."""
        row = webhooks.event_resend(identity=self.identity(request), webhook_id=webhook_id, sequence=sequence)
        return Response(_delivery(row, _attempts(row)), 202)


def _told(made: webhooks.WithSecret, status: int) -> Response:
    headers = {"Cache-Control": "no-store"}
    return Response(WebhookSecret(present.webhook(made.webhook), made.secret), status, headers=headers)


def _delivery(row: WebhookEvent, attempts: list[AttemptBody]) -> DeliveryBody:
    is_waiting = row.state == EventState.WAITING
    return DeliveryBody(
        event=msgspec.json.decode(row.body, type=WebhookEventBody),
        state=msgspec.convert(str(row.state), DeliveryState),
        due_at=row.due_at if is_waiting else None,
        attempts=tuple(attempts),
    )


def _attempts(row: WebhookEvent) -> list[AttemptBody]:
    made = sorted(row.log.all(), key=lambda one: (one.at, one.pk))
    return [AttemptBody(one.at, one.took_ms, one.status, one.failure or None, one.reason) for one in made]
