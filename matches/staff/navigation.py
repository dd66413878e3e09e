"""What the sidebar leads to; everybody is shown what they may open."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.http import HttpRequest
from django.urls import reverse

from matches.permits import Permit


class Link(NamedTuple):
    """A line of the sidebar: `page` is a URL name of the admin, `permission` what `has_perm` is asked."""

    title: str
    icon: str
    page: str
    permission: str


SIDEBAR: tuple[tuple[str, tuple[Link, ...]], ...] = (
    ("", (Link("Dashboard", "monitoring", "index", Permit.SEE_DASHBOARD.full),)),
    (
        "Play",
        (
            Link("Matches", "playing_cards", "matches_match_changelist", "matches.view_match"),
            Link("Seats", "event_seat", "matches_seat_changelist", "matches.view_seat"),
            Link("Players", "group", "matches_player_changelist", "matches.view_player"),
            Link("Reports", "flag", "matches_report_changelist", "matches.view_report"),
        ),
    ),
    (
        "Operation",
        (
            Link("Outages", "cloud_off", "matches_outage_changelist", "matches.view_outage"),
            Link("Webhooks", "webhook", "matches_webhook_changelist", "matches.view_webhook"),
            Link("Webhook events", "send", "matches_webhookevent_changelist", "matches.view_webhookevent"),
            Link("Mails and pushes", "outgoing_mail", "matches_delivery_changelist", "matches.view_delivery"),
            Link("Staff", "badge", "matches_staff_changelist", "matches.view_staff"),
            Link("Audit log", "history_edu", "matches_auditentry_changelist", "matches.view_auditentry"),
        ),
    ),
)


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    """The sidebar as the theme's templates take it."""
    return [{"title": title, "items": [_item(link, request) for link in links]} for title, links in SIDEBAR]


def _item(link: Link, request: HttpRequest) -> dict[str, Any]:
    address = reverse(f"admin:{link.page}")
    is_here = request.path == address if link.page == "index" else request.path.startswith(address)
    return {
        "title": link.title,
        "icon": link.icon,
        "link": address,
        "active": is_here,
        "has_permission": request.user.has_perm(link.permission),
    }
