"""Accounts."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Q
from django.http import HttpRequest

from matches.admin.lists import by_name
from matches.admin.player_page import PlayerPage
from matches.models import Player
from matches.permits import Permit


@admin.register(Player)
class PlayerAdmin(PlayerPage):
    """Accounts."""

    list_display = ("name", "id", "created_at", "last_login", "is_active", "is_staff", "is_guest", "is_bot")
    list_filter = ("is_active", "is_staff", "is_guest", "is_bot")
    search_help_text = "Beginning of a name, number of an account, or a whole address of mail"

    def find(self, request: HttpRequest, term: str) -> Q:
        """By name or number; by address for who may see addresses."""
        if "@" in term:
            found = Q(email__iexact=term) & ~Q(email="")
            return found if request.user.has_perm(Permit.SEE_ADDRESSES.full) else Q(pk=None)
        return by_name(term)

    def get_fields(self, request: HttpRequest, obj: Player | None = None) -> tuple[str, ...]:
        """The address only for who may see it."""
        address = ("email",) if request.user.has_perm(Permit.SEE_ADDRESSES.full) else ()
        return (
            *("name", *address, "created_at", "last_login", "deleted_at", "epoch"),
            *("is_active", "is_staff", "is_superuser", "is_guest", "is_bot"),
        )
