"""Ratings as anybody may see them: of one player, how they came about, and the best of a game."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from matches import bridge
from matches.errors import ServiceError
from matches.models import Match, Rating, RatingChange, Seat, Visibility
from matches.skill import SETTLED_MATCHES


class Leader(NamedTuple):
    """A place of a leaderboard."""

    place: int
    rating: Rating


class Mark(NamedTuple):
    """Where a page of a leaderboard ended: place, ordinal and player of its last line."""

    place: int
    ordinal: float
    player_id: int


class Change(NamedTuple):
    """What a match made of a rating; `match_id` is None where the viewer may not know of the match."""

    row: RatingChange
    match_id: UUID | None


def ratings_of(*, player_id: int) -> list[Rating]:
    """A player's ratings, by game."""
    return list(Rating.objects.filter(player=player_id).order_by("game"))


def leaders_of(*, game: str, after: Mark | None, limit: int) -> list[Leader]:
    """The best players of a game behind `after`; one more than `limit` when there are more.

    Only settled ratings of people and programs whose account can be used; guests aren't shown.
    """
    _must_know(game)
    rows = Rating.objects.filter(
        game=game, matches__gte=SETTLED_MATCHES, player__is_active=True, player__is_guest=False
    ).select_related("player")
    if after is not None:
        # As a range of the index first: the rest only sorts out equal ones.
        behind = Q(ordinal__lt=after.ordinal) | Q(player__gt=after.player_id)
        rows = rows.filter(behind, ordinal__lte=after.ordinal)
    first = 1 if after is None else after.place + 1
    best = rows.order_by("-ordinal", "player")[: limit + 1]
    return [Leader(place, rating) for place, rating in enumerate(best, first)]


def rating_changes(*, player_id: int, game: str, viewer_id: int | None, after: int | None, limit: int) -> list[Change]:
    """How a player's rating came about, the newest change first, behind the change `after`.

    One more than `limit` when there are more.
    """
    _must_know(game)
    rows = RatingChange.objects.filter(player=player_id, game=game)
    if after is not None:
        last = rows.filter(pk=after).first()
        if last is None:
            raise ServiceError("not_found", "after must be the next of a page of this list")
        earlier = Q(ended_at__lt=last.ended_at) | Q(match__lt=last.match_id)
        rows = rows.filter(earlier, ended_at__lte=last.ended_at)
    known = Q(visibility__in=[Visibility.PUBLIC, Visibility.UNLISTED])
    if viewer_id is not None:
        known |= Q(Exists(Seat.objects.filter(match=OuterRef("pk"), player=viewer_id)))
    shown = list(rows.order_by("-ended_at", "-match")[: limit + 1])
    matches = Match.objects.filter(known, pk__in=[row.match_id for row in shown])
    may_know = set(matches.values_list("pk", flat=True))
    return [Change(row, row.match_id if row.match_id in may_know else None) for row in shown]


def _must_know(game: str) -> None:
    if game not in bridge.games():
        raise ServiceError("not_found", f"there is no game {game[:50]!r}; there are {', '.join(bridge.games())}")
