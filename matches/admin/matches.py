"""Matches and their seats."""

from __future__ import annotations

from django.contrib import admin

from matches.admin.pages import Page, Rows
from matches.models import Match, Seat


class SeatRows(Rows):
    """The seats, below their match."""

    model = Seat
    fields = ("number", "player", "bot_level", "has_left", "place", "score", "awaited_since", "deadline")


@admin.register(Match)
class MatchAdmin(Page):
    """Matches; what the deal was made of stays secret here too."""

    list_display = ("id", "game", "status", "visibility", "seat_count", "host", "created_at", "started_at", "ended_at")
    list_filter = ("status", "game", "visibility")
    list_select_related = ("host",)
    search_fields = ("id", "host__name")
    fields = (
        *("id", "game", "ruleset", "preset", "options", "control", "policy", "seat_count", "autostart"),
        *("host", "visibility", "status", "outcome", "commitment", "created_at", "started_at", "ended_at"),
    )
    inlines = (SeatRows,)


@admin.register(Seat)
class SeatAdmin(Page):
    """Who sits where."""

    list_display = ("match", "number", "player", "bot_level", "has_left", "place", "awaited_since", "deadline")
    list_filter = ("has_left", "match__game", "match__status")
    list_select_related = ("match", "player")
    search_fields = ("player__name", "match__id")
    fields = (
        *("match", "number", "player", "bot_level", "has_left"),
        *("place", "score", "awaited_since", "deadline"),
    )
