"""Mistakes of the configuration that would otherwise show in the middle of a match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from matches import bridge


@register
def database_keeps_promises(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Locks and the two statements of a move need PostgreSQL, and transactions that only the services open."""
    database = settings.DATABASES["default"]
    found: list[CheckMessage] = []
    if database["ENGINE"] != "django.db.backends.postgresql":
        found.append(Error("the database is not PostgreSQL", hint="set DATABASE_URL", id="matches.E001"))
    if database.get("ATOMIC_REQUESTS"):
        found.append(
            Error(
                "ATOMIC_REQUESTS undoes what was due before a refused move",
                hint="remove it from DATABASES",
                id="matches.E002",
            )
        )
    if database.get("OPTIONS", {}).get("isolation_level") is not None:
        found.append(
            Error(
                "another isolation level than READ COMMITTED refuses moves that had to wait",
                hint="remove isolation_level from the OPTIONS of DATABASES",
                id="matches.E003",
            )
        )
    return found


@register
def games_are_found(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """A service without a game is an installation that lost files."""
    if bridge.games():
        return []
    return [
        Error("no game is installed", hint="the folder engine/games must hold one package a game", id="matches.E004")
    ]
