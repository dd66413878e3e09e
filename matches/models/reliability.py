"""How far one can rely on a player: what each match showed of it, and what the latest come to."""

from __future__ import annotations

from django.db import models

from matches.models.accounts import Player
from matches.models.tables import Match


class Conduct(models.Model):
    """How a player kept to a match: turns, those made in time, milliseconds thought about them, whether it was left.

    Of each player only the latest are kept.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="conducts", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="conducts", db_index=False)
    ended_at = models.DateTimeField()
    turns = models.IntegerField()
    in_time = models.IntegerField()
    replies = models.JSONField()
    has_left = models.BooleanField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["match", "player"], name="conduct_once_a_match"),)
        indexes = (models.Index(fields=["player", "-ended_at", "-match"], name="conduct_latest"),)

    def __str__(self) -> str:
        return f"conduct of {self.player_id} in {self.match_id}"


class Reliability(models.Model):
    """What a player's latest matches come to. `percent` is None as long as there were too few turns to tell."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, primary_key=True, related_name="reliability")
    matches = models.IntegerField(default=0)
    left = models.IntegerField(default=0)
    turns = models.IntegerField(default=0)
    in_time = models.IntegerField(default=0)
    reply_ms = models.BigIntegerField(null=True)
    percent = models.SmallIntegerField(null=True)

    class Meta:
        verbose_name_plural = "reliabilities"

    def __str__(self) -> str:
        return f"reliability of {self.player_id}"
