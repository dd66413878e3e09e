"""Webhooks: where you have events sent, and what came of them."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from matches.api.bodies.common import Body, Millis

Kind = Literal["turn", "warning", "offer", "invited", "started", "over", "left"]
EVERY_KIND: tuple[Kind, ...] = ("turn", "warning", "offer", "invited", "started", "over", "left")
EventKind = Literal["turn", "warning", "offer", "invited", "started", "over", "left", "ping"]
DeliveryState = Literal["waiting", "sent", "failed"]
Stopped = Literal["gone", "failing", "secret_lost", "staff"]
Url = Annotated[
    str,
    Meta(min_length=1, max_length=1000, description="`https://`, a public server, no user, password or fragment."),
]
Kinds = Annotated[tuple[Kind, ...], Meta(max_length=20)]


class MakeWebhook(Body, frozen=True):
    """Where events go, and which: the kinds of your notices; all of them if you don't say."""

    url: Url
    kinds: Kinds = EVERY_KIND
    enabled: bool = True


class SetWebhook(Body, frozen=True):
    """All that can be changed of a webhook. What waits goes to the new address."""

    url: Url
    kinds: Kinds
    enabled: bool


class WebhookBody(Struct, frozen=True):
    """A webhook. `sequence` is that of its newest event.

    `stopped` says why the service switched it off: the receiver answered 410 (`gone`), has failed for days (`failing`),
    or the secret has to be changed (`secret_lost`). With `staff` the staff has done so, and it alone can switch the
    webhook on again. `fails` counts attempts in a row that failed, since `failing_since`. Until `former_secret_until`
    events are signed with the former secret too.
    """

    id: int
    url: str
    kinds: tuple[Kind, ...]
    enabled: bool
    stopped: Stopped | None
    sequence: int
    fails: int
    failing_since: Millis | None
    former_secret_until: Millis | None
    created_at: Millis


class WebhookSecret(Struct, frozen=True):
    """A webhook, and the secret that its events are signed with from now on. It is told this once."""

    webhook: WebhookBody
    secret: str


class WebhookEventBody(Struct, frozen=True):
    """What a webhook is sent. The same `id` is the same event, however often it comes; `sequence` has no gaps.

    It says what was true at `time`. `serial` is that of the decision, the number of the offer, or of the entry that is
    told of; `about` the seat that left. A `ping` is about nothing.
    """

    id: UUID
    sequence: int
    kind: EventKind
    time: Millis
    match: UUID | None
    game: str | None
    seat: int | None
    serial: int | None
    about: int | None
    deadline: Millis | None


class AttemptBody(Struct, frozen=True):
    """One attempt: the status that was answered, or why there was none (`failure`, and `reason` in words)."""

    at: Millis
    took_ms: int
    status: int | None
    failure: str | None
    reason: str


class DeliveryBody(Struct, frozen=True):
    """An event and what came of it: `waiting` for its next attempt at `due_at` or later, `sent`, or `failed`."""

    event: WebhookEventBody
    state: DeliveryState
    due_at: Millis | None
    attempts: tuple[AttemptBody, ...]


class Deliveries(Struct, frozen=True):
    """Events of a webhook, the newest first; pass `next` as `before` to go on."""

    events: tuple[DeliveryBody, ...]
    next: int | None
