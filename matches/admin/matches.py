"""Matches and their seats."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Q
from django.http import HttpRequest

from matches import selectors
from matches.admin.lists import among, as_uuid, player_ids
from matches.admin.match_page import MatchPage
from matches.admin.pages import Page
from matches.models import Match, Seat


def _games() -> tuple[str, ...]:
    return tuple(game.key for game in selectors.games_all())


@admin.register(Match)
class MatchAdmin(MatchPage):
    """Matches; what the deal was made of stays secret here too."""

    list_display = ("id", "game", "status", "visibility", "seat_count", "host", "created_at", "started_at", "ended_at")
    list_filter = ("status", among("game", "game", _games), "visibility")
    list_select_related = ("host",)
    search_help_text = "Id of a match, code of a private one, or name or number of somebody who sits in it"
    fields = (
        *("id", "game", "ruleset", "preset", "options", "control", "policy", "seat_count", "autostart"),
        *("host", "visibility", "status", "outcome", "commitment", "created_at", "started_at", "ended_at"),
    )

    def find(self, request: HttpRequest, term: str) -> Q:
        """By id, code or player."""
        match_id = as_uuid(term)
        if match_id is not None:
            return Q(pk=match_id)
        coded = Match.objects.filter(join_code=term).exclude(join_code="").values("pk")
        return Q(pk__in=coded.union(Seat.objects.filter(player__in=player_ids(term)).values("match"), all=True))


@admin.register(Seat)
class SeatAdmin(Page):
    """Who sits where."""

    list_display = ("match", "number", "player", "bot_level", "has_left", "place", "awaited_since", "deadline")
    list_filter = ("has_left",)
    list_select_related = ("match", "player")
    search_help_text = "Id of a match, or name or number of a player"
    fields = (
        *("match", "number", "player", "bot_level", "has_left"),
        *("place", "score", "awaited_since", "deadline"),
    )

    def find(self, request: HttpRequest, term: str) -> Q:
        """By match or player."""
        match_id = as_uuid(term)
        return Q(player__in=player_ids(term)) if match_id is None else Q(match=match_id)
