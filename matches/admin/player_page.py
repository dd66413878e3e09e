"""The page of a player: matches, records, devices, notes, reports, and what the staff did."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from matches import selectors
from matches.admin.pages import Page
from matches.admin.player_deeds import PLAYER_DEEDS
from matches.models import FOR_EVER
from matches.permits import Permit


class PlayerPage(Page):
    """What the admin shows of one player."""

    deeds = PLAYER_DEEDS
    change_form_show_cancel_button = False
    change_form_outer_before_template = "matches/admin/player.html"

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        """With everything below the buttons."""
        player = kwargs.get("obj")
        if player is not None:
            context["account"] = selectors.account_get(player=player)
            context["is_banned"] = player.is_suspended and player.suspended_until >= FOR_EVER
            context["may_see_reports"] = request.user.has_perm("matches.view_report")
            context["may_see_notes"] = request.user.has_perm(Permit.NOTE_PLAYER.full)
            context["may_see_audit"] = request.user.has_perm("matches.view_auditentry")
        response = super().render_change_form(request, context, *args, **kwargs)
        context["deeds"], context["actions_detail"] = context.get("actions_detail", []), []
        return response
