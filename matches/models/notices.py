"""The outbox of notices: what a seat is to be told, as long as it is true."""

from __future__ import annotations

from django.db import models

from matches.models.tables import Match


class NoticeKind(models.TextChoices):
    """What a seat is told: that it is to move, that its time runs out, that its consent is asked for."""

    TURN = "turn", "turn"
    WARNING = "warning", "warning"
    OFFER = "offer", "offer"


class Notice(models.Model):
    """Something for the player of a seat, from `not_before` (UTC milliseconds) on; null while its clock stands.

    Written with the entry that gives rise to it, and gone with the one that ends it. `occasion` tells two of a kind
    apart; `serial` is the decision to answer, or the number of the offer.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="notices", db_index=False)
    seat = models.SmallIntegerField()
    kind = models.CharField(max_length=10, choices=NoticeKind)
    occasion = models.CharField(max_length=40)
    serial = models.IntegerField()
    not_before = models.BigIntegerField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["match", "seat", "kind", "occasion"], name="notice_once_an_occasion"),
        )

    def __str__(self) -> str:
        return f"{self.kind} for seat {self.seat} of {self.match_id}"
