"""Ratings, and how each match has changed them. All of it follows from the matches that are over."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from matches.models.accounts import Player
from matches.models.tables import Match
from matches.skill import SETTLED_MATCHES


class Rating(models.Model):
    """How good a player is at a game: what the last of its `RatingChange`s came to, after so many matches.

    `ordinal` follows from `mu` and `sigma`; leaderboards go by it.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="ratings", db_index=False)
    game = models.CharField(max_length=40)
    mu = models.FloatField()
    sigma = models.FloatField()
    ordinal = models.FloatField()
    matches = models.IntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["player", "game"], name="rating_once_a_game"),)
        indexes = (
            models.Index(
                fields=["game", "-ordinal", "player"],
                condition=Q(matches__gte=SETTLED_MATCHES),
                name="rating_leaders",
            ),
        )

    def __str__(self) -> str:
        return f"rating of {self.player_id} at {self.game}"


class RatingChange(models.Model):
    """What one match made of one player's rating. Matches count in the order of (`ended_at`, match).

    `place` is the one among the `people` who were rated: leavers below all others.
    """

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="rating_changes", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="rating_changes", db_index=False)
    game = models.CharField(max_length=40)
    ended_at = models.DateTimeField()
    place = models.SmallIntegerField()
    people = models.SmallIntegerField()
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["match", "player"], name="rating_changes_once_a_match"),)
        indexes = (
            models.Index(fields=["player", "game", "-ended_at", "-match"], name="rating_history"),
            models.Index(fields=["game", "ended_at", "match"], name="rating_order"),
        )

    def __str__(self) -> str:
        return f"change of {self.player_id} by {self.match_id}"
