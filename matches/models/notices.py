"""The outbox of notices: what players are to be told, and what became of telling them. Times are UTC milliseconds."""

from __future__ import annotations

from django.db import models
from django.db.models import Func, Q
from django.db.models.functions import Now

from matches.models.accounts import Player
from matches.models.tables import Match

FRESH_ID = Func(function="matches_uuid7", output_field=models.UUIDField())
"""A UUID of version 7, made by the database: ids grow with the time at which they are written."""


class NoticeKind(models.TextChoices):
    """What a player is told.

    `turn`, `warning`, `offer` (to move, that time runs out, that consent is asked for) and `invited` hold for a while;
    `started`, `over` and `left` (of an opponent) have happened and stay true.
    """

    TURN = "turn", "turn"
    WARNING = "warning", "warning"
    OFFER = "offer", "offer"
    INVITED = "invited", "invited"
    STARTED = "started", "started"
    OVER = "over", "over"
    LEFT = "left", "left"


PASSING = (NoticeKind.TURN, NoticeKind.WARNING, NoticeKind.OFFER)
"""Kinds that the write of a move takes back when they are no longer true."""
LASTING = (NoticeKind.STARTED, NoticeKind.OVER, NoticeKind.LEFT)
"""Kinds that are kept for a time and then forgotten."""


class Notice(models.Model):
    """Something for a player, from `not_before` on; null while the seat's clock stands. One that isn't true is gone.

    Written with the entry that gives rise to it, and gone with the one that ends it. `occasion` tells two of a kind
    apart; `serial` is the decision to answer, the number of the offer, or of the entry that is told of. `about` is the
    seat that left. `sequence` counts what the player was told, and is null until the channels have got it.
    """

    id = models.UUIDField(primary_key=True, db_default=FRESH_ID, editable=False)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="notices", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="notices", db_index=False)
    seat = models.SmallIntegerField(null=True, blank=True)
    kind = models.CharField(max_length=10, choices=NoticeKind)
    occasion = models.CharField(max_length=40)
    serial = models.IntegerField()
    about = models.SmallIntegerField(null=True, blank=True)
    not_before = models.BigIntegerField(null=True)
    sequence = models.BigIntegerField(null=True, blank=True)
    read_at = models.BigIntegerField(null=True, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["match", "player", "kind", "occasion"], name="notice_once_an_occasion"),
        )
        indexes = (
            models.Index(fields=["player", "-not_before", "-id"], name="notice_of_a_player"),
            models.Index(fields=["not_before"], condition=Q(sequence=None), name="notice_ripe"),
        )

    def __str__(self) -> str:
        return f"{self.kind} for {self.player_id} in {self.match_id}"


class Receiver(models.Model):
    """How a player wants to be told, and how much they were told.

    `told` is the last sequence; `wanted` holds what differs from the defaults: {channel: {kind: bool}}. No mail and no
    push goes out in the quiet hours, by the clock on the wall of the player's zone. `mailed_at` is the last mail.
    """

    player = models.OneToOneField(Player, on_delete=models.CASCADE, primary_key=True, related_name="receiver")
    told = models.BigIntegerField(default=0, db_default=0)
    wanted = models.JSONField(default=dict, db_default={})
    quiet_begins = models.TimeField(null=True, blank=True)
    quiet_ends = models.TimeField(null=True, blank=True)
    mailed_at = models.BigIntegerField(default=0, db_default=0)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(quiet_begins=None, quiet_ends=None)
                | Q(quiet_begins__isnull=False, quiet_ends__isnull=False),
                name="quiet_hours_have_both_ends",
            ),
        )

    def __str__(self) -> str:
        return f"receiver {self.player_id}"


class DeliveryState(models.TextChoices):
    """Where a delivery stands: dropped when what it says wasn't true any more, or was seen already."""

    WAITING = "waiting", "waiting"
    SENT = "sent", "sent"
    DROPPED = "dropped", "dropped"
    FAILED = "failed", "failed"


class Delivery(models.Model):
    """One notice on its way through one channel to one `target` (a device, an address).

    `due_at` is when it is tried next: a claim moves it on before anything is sent, so that a worker that dies leaves
    nothing behind but a later try. The notice itself may be gone, that is how it is dropped.
    """

    id = models.UUIDField(primary_key=True, db_default=FRESH_ID, editable=False)
    notice_id = models.UUIDField()
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+", db_index=False, db_constraint=False)
    kind = models.CharField(max_length=10, choices=NoticeKind)
    sequence = models.BigIntegerField()
    channel = models.CharField(max_length=10)
    target = models.CharField(max_length=64, blank=True, default="")
    state = models.CharField(max_length=10, choices=DeliveryState, default=DeliveryState.WAITING)
    due_at = models.BigIntegerField()
    attempts = models.SmallIntegerField(default=0)
    error = models.CharField(max_length=200, blank=True, default="")
    done_at = models.BigIntegerField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "deliveries"
        constraints = (models.UniqueConstraint(fields=["notice_id", "channel", "target"], name="delivered_once"),)
        indexes = (
            models.Index(fields=["channel", "due_at"], condition=Q(state=DeliveryState.WAITING), name="delivery_due"),
            models.Index(fields=["player", "channel"], name="delivery_of_a_player"),
            models.Index(fields=["-id"], condition=Q(state=DeliveryState.FAILED), name="delivery_failed"),
        )

    def __str__(self) -> str:
        return f"{self.kind} by {self.channel} to {self.player_id}: {self.state}"


class DeliveryTally(models.Model):
    """How many deliveries of a channel ended in a state, since the beginning: what `/metrics` counts."""

    pk = models.CompositePrimaryKey("channel", "state")
    channel = models.CharField(max_length=10)
    state = models.CharField(max_length=10, choices=DeliveryState)
    number = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.channel} {self.state}: {self.number}"


class PushSubscription(models.Model):
    """A browser that a player has signed up: where its push service takes messages, and the keys they are read with."""

    id = models.UUIDField(primary_key=True, db_default=FRESH_ID, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="browsers")
    endpoint = models.CharField(max_length=1000, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    device = models.CharField(max_length=100, blank=True, default="")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return f"browser {self.device or self.pk} of {self.player_id}"
