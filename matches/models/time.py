"""When the service was alive, and when players are not: what clocks stand for. Times are UTC milliseconds."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from matches.models.accounts import Player


class Heartbeat(models.Model):
    """One row: when a web process was last known to answer. Nobody's time passes beyond it."""

    id = models.SmallIntegerField(primary_key=True, default=1)
    beaten_at = models.BigIntegerField()

    class Meta:
        constraints = (models.CheckConstraint(condition=Q(id=1), name="heartbeat_is_one"),)

    def __str__(self) -> str:
        return f"alive at {self.beaten_at}"


class Outage(models.Model):
    """A time in which nobody could play; it is given back to every match that ran then."""

    begins = models.BigIntegerField()
    ends = models.BigIntegerField(db_index=True)

    class Meta:
        constraints = (models.CheckConstraint(condition=Q(ends__gt=F("begins")), name="outage_ends_after_it_begins"),)

    def __str__(self) -> str:
        return f"down from {self.begins} to {self.ends}"


class Habits(models.Model):
    """A player's time zone and night. `is_news` until it was spread to the player's matches.

    The night counts for windows that begin at `counts_from` or later.
    """

    player = models.OneToOneField(Player, on_delete=models.CASCADE, primary_key=True, related_name="habits")
    zone = models.CharField(max_length=64, default="UTC")
    night_begins = models.TimeField(null=True, blank=True)
    night_ends = models.TimeField(null=True, blank=True)
    counts_from = models.BigIntegerField(default=0)
    revision = models.IntegerField(default=0)
    is_news = models.BooleanField(default=False)

    class Meta:
        verbose_name_plural = "habits"
        constraints = (
            models.CheckConstraint(
                condition=Q(night_begins=None, night_ends=None)
                | Q(night_begins__isnull=False, night_ends__isnull=False),
                name="habits_night_has_both_ends",
            ),
        )
        indexes = (models.Index(fields=["player"], condition=Q(is_news=True), name="habits_news"),)

    def __str__(self) -> str:
        return f"habits of player {self.player_id}"


class Vacation(models.Model):
    """A time that a player has announced to be away. One that was called off is gone, one ended early ends earlier."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="vacations")
    begins = models.BigIntegerField()
    ends = models.BigIntegerField()

    class Meta:
        ordering = ("begins",)
        constraints = (models.CheckConstraint(condition=Q(ends__gt=F("begins")), name="vacation_ends_after_it_begins"),)

    def __str__(self) -> str:
        return f"vacation of player {self.player_id}"
