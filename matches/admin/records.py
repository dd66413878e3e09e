"""What is written down: outages, what the staff did."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse

from matches import selectors
from matches.admin.pages import Page
from matches.models import AuditEntry, Outage
from matches.timing import moment


@admin.register(Outage)
class OutageAdmin(Page):
    """Times in which nobody could play, and above them how punctual the sweep is."""

    list_display = ("began", "lasted_s")
    ordering = ("-ends",)
    list_before_template = "matches/admin/punctuality.html"

    def began(self, outage: Outage) -> datetime:
        """When, as a time of day."""
        return moment(outage.begins)

    def lasted_s(self, outage: Outage) -> int:
        """For how many seconds."""
        return round((outage.ends - outage.begins) / 1000)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """With the figures above the list."""
        figures = {"punctuality": selectors.punctuality()}
        response: HttpResponse = super().changelist_view(request, {**figures, **(extra_context or {})})
        return response


@admin.register(AuditEntry)
class AuditAdmin(Page):
    """What the staff did and looked at, the newest first."""

    list_display = ("at", "actor", "what", "target_kind", "target_id", "reason")
    list_filter = ("what", "target_kind")
    list_select_related = ("actor",)
    search_fields = ("target_id",)
    fields = ("at", "actor", "what", "target_kind", "target_id", "reason", "data")
