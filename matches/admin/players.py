"""Accounts."""

from __future__ import annotations

from django.contrib import admin

from matches.admin.pages import Page
from matches.models import Player


@admin.register(Player)
class PlayerAdmin(Page):
    """Accounts."""

    list_display = ("name", "created_at", "last_login", "is_active", "is_staff", "is_guest", "is_bot")
    list_filter = ("is_active", "is_staff", "is_guest", "is_bot")
    search_fields = ("name", "email")
    fields = (
        *("name", "email", "created_at", "last_login", "epoch"),
        *("is_active", "is_staff", "is_superuser", "is_guest", "is_bot"),
    )
