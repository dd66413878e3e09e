"""What operators see in Django's admin. It shows; whatever changes a match goes through the services."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from django.contrib import admin
from django.contrib.admin.forms import AdminAuthenticationForm
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request

from matches import selectors
from matches.api.throttles import Throttle
from matches.models import Match, Outage, Player, Report, Seat
from matches.services import conduct
from matches.timing import moment


class LogIn(AdminAuthenticationForm):
    """Logging in as an operator, as often as at the interface: no password can be guessed without end."""

    throttle_scope = "login"

    def clean(self) -> Any:
        """What was typed in; past the limit nothing is compared."""
        throttle = Throttle()
        if not throttle.allow_request(cast("Request", self.request), self):
            raise ValidationError(f"Too many tries; come again in {throttle.wait():.0f} seconds.", code="throttled")
        return super().clean()


admin.site.login_form = LogIn


class ReadOnly:
    """Nothing can be added, changed or deleted."""

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class SeatInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    """The seats, below their match."""

    model = Seat
    fields = ("number", "player", "bot_level", "has_left", "place", "score", "awaited_since", "deadline")


@admin.register(Player)
class PlayerAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Accounts."""

    list_display = ("name", "created_at", "last_login", "is_active", "is_staff", "is_guest", "is_bot")
    list_filter = ("is_active", "is_staff", "is_guest", "is_bot")
    search_fields = ("name", "email")
    fields = (
        *("name", "email", "created_at", "last_login", "epoch"),
        *("is_active", "is_staff", "is_superuser", "is_guest", "is_bot"),
    )


@admin.register(Outage)
class OutageAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Times in which nobody could play, and above them how punctual the sweep is."""

    list_display = ("began", "lasted_s")
    ordering = ("-ends",)
    change_list_template = "matches/outages.html"

    def began(self, outage: Outage) -> datetime:
        """When, as a time of day."""
        return moment(outage.begins)

    def lasted_s(self, outage: Outage) -> int:
        """For how many seconds."""
        return round((outage.ends - outage.begins) / 1000)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """With the figures above the list."""
        figures = {"punctuality": selectors.punctuality()}
        return super().changelist_view(request, {**figures, **(extra_context or {})})


@admin.register(Match)
class MatchAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Matches; what the deal was made of stays secret here too."""

    list_display = ("id", "game", "status", "visibility", "seat_count", "host", "created_at", "started_at", "ended_at")
    list_filter = ("status", "game", "visibility")
    list_select_related = ("host",)
    search_fields = ("id", "host__name")
    fields = (
        *("id", "game", "ruleset", "preset", "options", "control", "policy", "seat_count", "autostart"),
        *("host", "visibility", "status", "outcome", "commitment", "created_at", "started_at", "ended_at"),
    )
    inlines = (SeatInline,)


@admin.register(Seat)
class SeatAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Who sits where."""

    list_display = ("match", "number", "player", "bot_level", "has_left", "place", "awaited_since", "deadline")
    list_filter = ("has_left", "match__game", "match__status")
    list_select_related = ("match", "player")
    search_fields = ("player__name", "match__id")
    fields = (
        *("match", "number", "player", "bot_level", "has_left"),
        *("place", "score", "awaited_since", "deadline"),
    )


@admin.register(Report)
class ReportAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """What players want somebody to look at, the oldest open one first."""

    list_display = ("created_at", "reason", "player", "name", "match", "reporter", "handled_at")
    list_filter = (("handled_at", admin.EmptyFieldListFilter), "reason")
    list_select_related = ("player", "match", "reporter")
    ordering = ("-handled_at", "created_at")
    search_fields = ("name", "player__name", "reporter__name", "text")
    fields = ("created_at", "reason", "player", "name", "match", "reporter", "text", "handled_at")
    actions = ("handle",)

    @admin.action(description="Mark as handled", permissions=["view"])
    def handle(self, request: HttpRequest, queryset: QuerySet[Report]) -> None:
        """Whoever may see reports may say that they are done with."""
        for report in queryset:
            conduct.report_handle(report_id=report.pk)
