"""Webhooks: where players have events sent, the events, and every attempt. Times are UTC milliseconds."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q

from matches.models.accounts import Player

URL_LENGTH = 1000
PING = "ping"
"""The kind of event that only tries a webhook out; the others are kinds of notices."""


class Stopped(models.TextChoices):
    """Why the service, or its staff, has switched a webhook off."""

    GONE = "gone", "the receiver answered 410"
    FAILING = "failing", "the receiver has failed for days"
    SECRET_LOST = "secret_lost", "the secret can't be read any more"
    STAFF = "staff", "the staff has switched it off"


class Webhook(models.Model):
    """An address that is told of what a player is told.

    `told` is the sequence of the newest event. `due_at` is when the next attempt is to be made, null when nothing
    waits: never before `paused_until` (the receiver has failed) nor before `claimed_until` (a worker is at it). `fails`
    counts attempts in a row that failed since `failing_since`. One that `is_slow` waits in a lane of its own.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=URL_LENGTH)
    kinds = models.JSONField()
    secret = models.BinaryField()
    former_secret = models.BinaryField(null=True, blank=True)
    former_until = models.BigIntegerField(default=0)
    is_enabled = models.BooleanField(default=True)
    stopped = models.CharField(max_length=12, choices=Stopped, blank=True, default="")
    is_to_be_mailed = models.BooleanField(default=False)
    told = models.BigIntegerField(default=0)
    due_at = models.BigIntegerField(null=True, blank=True)
    paused_until = models.BigIntegerField(default=0)
    claimed_until = models.BigIntegerField(default=0)
    fails = models.IntegerField(default=0)
    failing_since = models.BigIntegerField(null=True, blank=True)
    is_slow = models.BooleanField(default=False)
    created_at = models.BigIntegerField()

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(stopped="") | Q(is_enabled=False), name="webhook_stopped_is_off"),
            models.CheckConstraint(
                condition=Q(fails=0, failing_since=None) | Q(fails__gt=0, failing_since__isnull=False),
                name="webhook_fails_since",
            ),
        )
        indexes = (
            models.Index(fields=["is_slow", "due_at"], condition=Q(due_at__isnull=False), name="webhook_due"),
            models.Index(fields=["id"], condition=Q(is_to_be_mailed=True), name="webhook_to_be_mailed"),
            models.Index(fields=["failing_since"], condition=Q(fails__gt=0), name="webhook_failing"),
            models.Index(fields=["-id"], condition=Q(is_enabled=False), name="webhook_off"),
        )

    def __str__(self) -> str:
        return f"webhook {self.pk} of {self.player_id}"


class EventState(models.TextChoices):
    """Where an event stands; `failed` after the last attempt."""

    WAITING = "waiting", "waiting"
    SENT = "sent", "sent"
    FAILED = "failed", "failed"


class WebhookEvent(models.Model):
    """Something that a webhook is told. `id` and `body` are the same at every attempt, `sequence` counts from 1."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="events", db_index=False)
    sequence = models.BigIntegerField()
    kind = models.CharField(max_length=10)
    body = models.TextField()
    state = models.CharField(max_length=10, choices=EventState, default=EventState.WAITING)
    attempts = models.SmallIntegerField(default=0)
    due_at = models.BigIntegerField()
    created_at = models.BigIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["webhook", "sequence"], name="event_once_a_sequence"),)
        indexes = (
            models.Index(fields=["webhook", "sequence"], condition=Q(state="waiting"), name="event_waiting"),
            models.Index(fields=["created_at"], name="event_by_age"),
            models.Index(fields=["-created_at"], condition=Q(state="failed"), name="event_given_up"),
        )

    def __str__(self) -> str:
        return f"event {self.sequence} of webhook {self.webhook_id}"


class WebhookAttempt(models.Model):
    """One attempt to deliver an event: a status, or why there was none. Nothing of what was answered is kept."""

    event = models.ForeignKey(WebhookEvent, on_delete=models.CASCADE, related_name="log")
    at = models.BigIntegerField()
    took_ms = models.IntegerField()
    status = models.SmallIntegerField(null=True, blank=True)
    failure = models.CharField(max_length=20, blank=True, default="")
    reason = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(status=None, failure__gt="") | Q(status__isnull=False, failure=""),
                name="attempt_has_status_or_failure",
            ),
        )

    def __str__(self) -> str:
        return f"attempt at {self.event_id}: {self.status or self.failure}"
