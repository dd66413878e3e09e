"""How a match that has begun stands, and its log."""

from __future__ import annotations

from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import Q

from matches.models.tables import Match


class Position(models.Model):
    """How a match that has begun stands: the row that every move locks. Times are UTC milliseconds.

    `due_at` is when the match has to be settled next; a match whose settling failed is left alone until `retry_at`.
    Outages that ended by `credited` were given back. `calendar_at` is when nights and the like are to be announced, and
    `bots_at` since when a bot is to move whose task may have got lost.
    """

    match = models.OneToOneField(Match, on_delete=models.CASCADE, primary_key=True)
    snapshot = models.TextField()
    number = models.IntegerField()
    due_at = models.BigIntegerField(null=True, blank=True)
    credited = models.BigIntegerField(default=0, db_default=0)
    calendar_at = models.BigIntegerField(null=True, blank=True)
    bots_at = models.BigIntegerField(null=True, blank=True)
    retry_at = models.BigIntegerField(null=True, blank=True)
    fails = models.SmallIntegerField(default=0, db_default=0)
    last_error = models.TextField(blank=True, default="", db_default="")

    class Meta:
        indexes = (
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="position_due"),
            models.Index(fields=["credited"], condition=Q(due_at__isnull=False), name="position_credited"),
            models.Index(fields=["retry_at"], condition=Q(retry_at__isnull=False), name="position_stuck"),
            models.Index(fields=["bots_at"], condition=Q(bots_at__isnull=False), name="position_bots"),
            models.Index(fields=["calendar_at"], condition=Q(calendar_at__isnull=False), name="position_calendar"),
        )

    def __str__(self) -> str:
        return f"position {self.number} of {self.match_id}"


class MoveRecord(models.Model):
    """A line of a match's log: `entry` is the whole of it, the columns are what it is found by. Never changed."""

    pk = models.CompositePrimaryKey("match", "number")
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="log", db_index=False)
    number = models.IntegerField()
    seat = models.SmallIntegerField(null=True)
    serial = models.IntegerField(null=True)
    at = models.BigIntegerField()
    received = models.BigIntegerField()
    cause = models.CharField(max_length=10)
    entry = models.TextField()

    class Meta:
        ordering = ("match", "number")
        # What was logged at some time lies together: a few bytes for a hundred pages of log find it.
        indexes = (BrinIndex(fields=["at"], autosummarize=True, name="log_by_time"),)
        constraints = (
            models.UniqueConstraint(
                fields=["match", "seat", "serial"], condition=Q(serial__isnull=False), name="move_once_a_serial"
            ),
        )

    def __str__(self) -> str:
        return f"entry {self.number} of {self.match_id}"
