"""Players and matches, and who may know of them. What a viewer may not know of is `not_found`."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db.models import Case, FilteredRelation, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce

from matches.errors import ServiceError
from matches.models import Match, Player, Status, Visibility

_NEVER = datetime(9999, 1, 1, tzinfo=UTC)


def player_get(*, player_id: int) -> Player:
    """An account that can still be used."""
    player = Player.objects.filter(pk=player_id, is_active=True).first()
    if player is None:
        raise ServiceError("not_found", "there is no such player")
    return player


def match_get(*, match_id: UUID, viewer_id: int | None, code: str | None = None) -> Match:
    """A match with its seats and players; a private one for those who sit in it or know its code."""
    match = _matches().filter(pk=match_id).first()
    if match is None or not _may_know(match, viewer_id, code):
        raise ServiceError("not_found", "there is no such match, or you may not know of it")
    return match


def matches_public(*, status: str, game: str | None, after: UUID | None, limit: int) -> list[Match]:
    """Public matches, the newest first, behind the match `after`; one more than `limit` when there are more."""
    rows = _matches().filter(visibility=Visibility.PUBLIC, status=_status(status), sandbox=False)
    if game is not None:
        rows = rows.filter(game=game)
    if after is not None:
        rows = rows.filter(pk__lt=after)
    return list(rows.order_by("-pk")[: limit + 1])


def matches_of(*, player_id: int, status: str | None, after: UUID | None, limit: int) -> list[Match]:
    """A player's matches behind `after`: those that wait for the player, the nearest deadline first, then the newest.

    One more than `limit` when there are more.
    """
    rows = (
        _matches()
        .annotate(mine=FilteredRelation("seats", condition=Q(seats__player_id=player_id)))
        .filter(mine__isnull=False)
        .annotate(
            rank=Case(When(mine__awaited_since__isnull=False, then=Value(0)), default=Value(1)),
            until=Coalesce("mine__deadline", Value(_NEVER)),
        )
        .order_by("rank", "until", "-pk")
    )
    if after is not None:
        rows = rows.filter(_behind(rows, after))
    if status is not None:
        rows = rows.filter(status=_status(status))
    return list(rows[: limit + 1])


def _behind(rows: QuerySet[Any], after: UUID) -> Q:
    last = rows.filter(pk=after).values("rank", "until").first()
    if last is None:
        raise ServiceError("malformed", "after must be the id of a match in this list")
    rank, until = last["rank"], last["until"]
    return Q(rank__gt=rank) | Q(rank=rank, until__gt=until) | Q(rank=rank, until=until, pk__lt=after)


def _matches() -> QuerySet[Match]:
    return Match.objects.prefetch_related("seats__player")


def _status(value: str) -> str:
    if value not in Status.values:
        raise ServiceError("malformed", f"status is one of {', '.join(Status.values)}, not {value[:50]!r}")
    return value


def _may_know(match: Match, viewer_id: int | None, code: str | None) -> bool:
    if match.visibility != Visibility.PRIVATE or seat_of(match, viewer_id) is not None:
        return True
    return code is not None and secrets.compare_digest(match.join_code.encode(), code.encode())


def seat_of(match: Match, viewer_id: int | None) -> int | None:
    if viewer_id is None:
        return None
    return next((seat.number for seat in match.seats.all() if seat.player_id == viewer_id), None)
