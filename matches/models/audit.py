"""Who of the staff did what, to what, when and why."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now

from matches.models.accounts import Player
from matches.permits import PERMITS


class AuditEntry(models.Model):
    """A line that says what somebody of the staff did or looked at. Never changed; the database itself refuses it.

    `what` names it in snake_case, such as `report_handled`. `target_kind` is a word of the project such as `match`,
    `target_id` the text of its id, and `data` whatever is needed to understand it later, never a secret.
    """

    actor = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", db_index=False)
    at = models.DateTimeField(db_default=Now(), editable=False)
    what = models.CharField(max_length=40)
    target_kind = models.CharField(max_length=20)
    target_id = models.CharField(max_length=40)
    reason = models.CharField(max_length=500)
    data = models.JSONField(default=dict, blank=True)

    class Meta:
        verbose_name = "audit entry"
        verbose_name_plural = "audit log"
        default_permissions = ("view",)
        permissions = tuple((permit.value, text) for permit, text in PERMITS.items())
        indexes = (
            models.Index(fields=["target_kind", "target_id", "-id"], name="audit_of_a_target"),
            models.Index(fields=["actor", "-id"], name="audit_of_an_actor"),
            models.Index(fields=["what", "-id"], name="audit_of_a_kind"),
        )

    def __str__(self) -> str:
        return f"{self.what}: {self.target_kind} {self.target_id}"
