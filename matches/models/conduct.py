"""How players get along: whom they block, what they report; and mails that they have asked for."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from matches.models.accounts import Player
from matches.models.tables import Match


class Block(models.Model):
    """`player` doesn't want to play with `blocked`."""

    pk = models.CompositePrimaryKey("player", "blocked")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, db_index=False, related_name="blocks")
    blocked = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="blocked_by")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = (models.CheckConstraint(condition=~Q(player=F("blocked")), name="nobody_blocks_themself"),)

    def __str__(self) -> str:
        return f"{self.player_id} blocks {self.blocked_id}"


class Reason(models.TextChoices):
    """What is wrong with somebody or a match."""

    NAME = "name", "the name is offensive or somebody else's"
    TITLE = "title", "the match's title is offensive"
    CHEATING = "cheating", "cheating"
    STALLING = "stalling", "wasting time, or leaving on purpose"
    OTHER = "other", "something else"


class Report(models.Model):
    """Something for the operators to look at: a player, a match, or a player in a match."""

    reporter = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="reports")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, blank=True, related_name="reported")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, null=True, blank=True, related_name="reports")
    reason = models.CharField(max_length=10, choices=Reason)
    text = models.CharField(max_length=1000, blank=True, default="")
    name = models.CharField(max_length=30, blank=True, default="")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    handled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.CheckConstraint(condition=~Q(player=None, match=None), name="report_is_about_something"),
            models.UniqueConstraint(
                fields=["reporter", "player", "match", "reason"],
                condition=Q(handled_at=None),
                nulls_distinct=False,
                name="reported_once",
            ),
        )
        indexes = (models.Index(fields=["created_at"], condition=Q(handled_at=None), name="reports_open"),)

    def __str__(self) -> str:
        return f"{self.reason}: {self.player_id or self.match_id}"


class RecoveryRequest(models.Model):
    """Somebody forgot a password: what was typed in. A worker looks whether there is such an account, and mails it."""

    about = models.CharField(max_length=254)
    asked_at = models.DateTimeField(db_default=Now(), editable=False, db_index=True)

    def __str__(self) -> str:
        return f"recovery {self.pk}"


class ConfirmationRequest(models.Model):
    """Somebody wants to show that they read the mails to their address: a worker mails a code there."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, primary_key=True, related_name="+")
    asked_at = models.DateTimeField(db_default=Now(), db_index=True)

    def __str__(self) -> str:
        return f"confirmation of {self.player_id}"
