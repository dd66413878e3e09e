"""What players want somebody to look at."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Q
from django.http import HttpRequest

from matches.admin.deeds import Deed, actor_of
from matches.admin.lists import as_uuid, player_ids
from matches.admin.pages import Page
from matches.models import Report
from matches.permits import Permit
from matches.services import conduct


def _handle(request: HttpRequest, report: Report, given: dict[str, Any]) -> str:
    conduct.report_handle(report_id=report.pk, actor_id=actor_of(request), reason=given["reason"])
    return "The report is handled."


@admin.register(Report)
class ReportAdmin(Page):
    """The oldest open one first."""

    list_display = ("created_at", "reason", "player", "name", "match", "reporter", "handled_at")
    list_filter = (("handled_at", admin.EmptyFieldListFilter), "reason")
    list_select_related = ("player", "match", "reporter")
    ordering = ("-handled_at", "created_at")
    search_help_text = "Id of a match, or name or number of who reported or was reported"
    fields = ("created_at", "reason", "player", "name", "match", "reporter", "text", "handled_at")

    def find(self, request: HttpRequest, term: str) -> Q:
        """By match or player."""
        match_id = as_uuid(term)
        if match_id is not None:
            return Q(match=match_id)
        found = player_ids(term)
        return Q(player__in=found) | Q(reporter__in=found)

    deeds = (
        Deed(
            name="handle",
            title="Mark as handled",
            icon="task_alt",
            permit=Permit.HANDLE_REPORT,
            run=_handle,
            explains="Say what came of it. The reporter isn't told.",
            fits=lambda report: report.handled_at is None,
            for_several=True,
        ),
    )
