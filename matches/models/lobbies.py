"""What leads to a match: invitations, the queue of those who want to be paired, and keys of creations."""

from __future__ import annotations

from django.db import models
from django.db.models import Prefetch, Q, QuerySet
from django.db.models.functions import Now

from matches.models.accounts import Player
from matches.models.tables import Gated, Match


class Invited(models.TextChoices):
    """Where an invitation stands. Who was sent away can't come back unless invited again."""

    OPEN = "open", "open"
    DECLINED = "declined", "declined"
    KICKED = "kicked", "sent away"


class Invitation(models.Model):
    """What a match's host said to somebody: come, or go away."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="invitations", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="invitations", db_index=False)
    state = models.CharField(max_length=10, choices=Invited, default=Invited.OPEN)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["match", "player"], name="invited_once"),)
        indexes = (models.Index(fields=["player", "-match"], condition=Q(state=Invited.OPEN), name="invitations_open"),)

    def __str__(self) -> str:
        return f"{self.player_id} at {self.match_id}: {self.state}"


def shown_matches() -> QuerySet[Match]:
    """Matches with all that is shown of them: seats, their players, and who is still invited."""
    invited = Invitation.objects.filter(state=Invited.OPEN).select_related("player").order_by("pk")
    return Match.objects.prefetch_related("seats__player", Prefetch("invitations", invited))


class PairingTicket(Gated):
    """Somebody who wants to be paired, or was: then `match` is set."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, primary_key=True, related_name="ticket")
    game = models.CharField(max_length=40)
    preset = models.CharField(max_length=40)
    seats = models.SmallIntegerField()
    pace = models.CharField(max_length=20)
    since = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    match = models.ForeignKey(Match, on_delete=models.CASCADE, null=True, blank=True, related_name="tickets")

    class Meta:
        constraints = (models.CheckConstraint(condition=Q(seats__gte=2), name="nobody_is_paired_alone"),)
        indexes = (
            models.Index(
                fields=["game", "preset", "seats", "pace", "since"], condition=Q(match=None), name="ticket_waits"
            ),
        )

    def __str__(self) -> str:
        return f"{self.player_id} for {self.game}"


class CreationKey(models.Model):
    """A key under which a player created a match, so that the same request again is the same match."""

    pk = models.CompositePrimaryKey("player", "key")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, db_index=False, related_name="+")
    key = models.CharField(max_length=100)
    digest = models.BinaryField()
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(db_default=Now(), editable=False, db_index=True)

    def __str__(self) -> str:
        return f"key of {self.match_id}"
