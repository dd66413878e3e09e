"""What is written down: outages, what the staff did."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import Q
from django.http import HttpRequest, HttpResponse

from matches import selectors
from matches.admin.lists import among, player_ids
from matches.admin.pages import Page
from matches.models import AuditEntry, Outage
from matches.timing import moment

KINDS = ("match", "player", "report", "staff", "webhook", "delivery")


@admin.register(Outage)
class OutageAdmin(Page):
    """Times in which nobody could play, and above them how punctual the sweep is."""

    list_display = ("began", "lasted_s")
    ordering = ("-ends",)
    search_fields = ()
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
    list_filter = (among("target_kind", "kind of target", lambda: KINDS),)
    list_select_related = ("actor",)
    search_help_text = "What was done, id of what it was done to, or name of who did it"
    fields = ("at", "actor", "what", "target_kind", "target_id", "reason", "data")

    def find(self, request: HttpRequest, term: str) -> Q:
        """By deed, target or actor."""
        return Q(what=term) | Q(target_kind__in=KINDS, target_id=term.lower()) | Q(actor__in=player_ids(term))
