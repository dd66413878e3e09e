"""Matches in lists and one by one, and who may know of them. What a viewer may not know of is `not_found`."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    FilteredRelation,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce, Now

from matches.errors import ServiceError
from matches.gates import Standing
from matches.models import (
    Block,
    Invitation,
    Invited,
    Match,
    PairingTicket,
    Position,
    Rating,
    Reliability,
    Seat,
    Status,
    Visibility,
    shown_matches,
)
from matches.paces import OTHER, PACES, UNLIMITED
from matches.selectors.notices import unread_count
from matches.selectors.replica import read_list
from matches.skill import points

_NEVER = datetime(9999, 1, 1, tzinfo=UTC)


class Counts(NamedTuple):
    """What a badge shows. `deadline` is the next one among the matches that wait for the player; `unread` notices."""

    your_turn: int
    running: int
    lobbies: int
    invitations: int
    deadline: datetime | None
    unread: int


def match_get(*, match_id: UUID, viewer_id: int | None, code: str | None = None) -> Match:
    """A match with its seats and players; a private one for those who sit in it, are invited or know its code."""
    return _known(shown_matches(), match_id, viewer_id, code)


def match_played(*, match_id: UUID, viewer_id: int | None, code: str | None = None) -> Match:
    """The same with its position and its seats alone, which is all that a view is made of."""
    rows = Match.objects.select_related("position").prefetch_related("seats")
    return _known(rows, match_id, viewer_id, code)


def snapshot_of(match: Match) -> str:
    """The table of a match that `match_played` gave. Raises ServiceError `match_not_running` before it begins."""
    position: Position | None = getattr(match, "position", None)
    if position is None:
        raise ServiceError("match_not_running", f"the match is {match.get_status_display()}: it never began")
    return position.snapshot


def match_with_code(*, code: str) -> Match:
    """The private match with this join code."""
    match = shown_matches().filter(join_code=code).exclude(join_code="").first()
    if match is None:
        raise ServiceError("not_found", "no match has this code")
    return match


def matches_public(
    *,
    status: str,
    game: str | None,
    after: UUID | None,
    limit: int,
    viewer_id: int | None = None,
    pace: str | None = None,
    rated: bool | None = None,
    joinable_by: int | None = None,
    free: int | None = None,
    text: str | None = None,
) -> list[Match]:
    """Public matches, the newest first, behind the match `after`; one more than `limit` when there are more.

    `free` (at least so many seats), `text` (in the title or the host's name) and `joinable_by` (a player whom the gate
    lets in) are for lobbies. A lobby is shown neither to whom its host has blocked nor to who has blocked the host, and
    the lobby of a rematch to nobody.
    """
    rows = shown_matches().filter(visibility=Visibility.PUBLIC, status=_status(status), sandbox=False)
    if status == Status.LOBBY:
        rows = _open_to(rows, viewer_id, free, text)
        if joinable_by is not None:
            rows = rows.filter(_lets_in(joinable_by))
    elif free is not None or text is not None or joinable_by is not None:
        raise ServiceError("bad_options", "free, text and joinable are for lobbies: leave status out")
    if game is not None:
        rows = rows.filter(game=game)
    if pace is not None:
        rows = rows.filter(pace=_pace(pace))
    if rated is not None:
        rows = rows.filter(rated=rated)
    if after is not None:
        rows = rows.filter(pk__lt=after)
    return read_list(lambda database: list(rows.using(database).order_by("-pk")[: limit + 1]))


def matches_inviting(*, player_id: int, after: UUID | None, limit: int) -> list[Match]:
    """The lobbies to which a player is invited, the newest first; one more than `limit` when there are more."""
    rows = shown_matches().filter(
        status=Status.LOBBY,
        expires_at__gt=Now(),
        pk__in=Invitation.objects.filter(player=player_id, state=Invited.OPEN).values("match"),
    )
    if after is not None:
        rows = rows.filter(pk__lt=after)
    return list(rows.order_by("-pk")[: limit + 1])


def counts_of(*, player_id: int) -> Counts:
    """How many matches wait for a player, and for what."""
    seats = Seat.objects.filter(player=player_id, match__status__in=[Status.LOBBY, Status.RUNNING]).aggregate(
        your_turn=Count("pk", filter=Q(awaited_since__isnull=False)),
        running=Count("pk", filter=Q(match__status=Status.RUNNING)),
        lobbies=Count("pk", filter=Q(match__status=Status.LOBBY)),
        deadline=Min("deadline", filter=Q(awaited_since__isnull=False)),
    )
    invitations = Invitation.objects.filter(
        player=player_id, state=Invited.OPEN, match__status=Status.LOBBY, match__expires_at__gt=Now()
    )
    return Counts(**seats, invitations=invitations.count(), unread=unread_count(player_id=player_id))


def ticket_of(*, player_id: int) -> PairingTicket | None:
    """Where a player stands in the queue for pairings."""
    return PairingTicket.objects.filter(Q(match__isnull=False) | Q(expires_at__gt=Now()), player=player_id).first()


def matches_of(*, player_id: int, status: str | None, after: UUID | None, limit: int) -> list[Match]:
    """A player's matches behind `after`: those that wait for the player, the nearest deadline first, then the newest.

    One more than `limit` when there are more.
    """
    rows = (
        shown_matches()
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
        raise ServiceError("not_found", "after must be the id of a match in this list")
    rank, until = last["rank"], last["until"]
    return Q(rank__gt=rank) | Q(rank=rank, until__gt=until) | Q(rank=rank, until=until, pk__lt=after)


def _open_to(rows: QuerySet[Match], viewer_id: int | None, free: int | None, text: str | None) -> QuerySet[Match]:
    rows = rows.filter(expires_at__gt=Now(), rematch_of=None)
    if viewer_id is not None:
        blocks = Block.objects.filter(
            Q(player=viewer_id, blocked=OuterRef("host")) | Q(player=OuterRef("host"), blocked=viewer_id)
        )
        rows = rows.filter(~Exists(blocks))
    if free is not None:
        taken = Seat.objects.filter(match=OuterRef("pk")).order_by().values("match").annotate(number=Count("pk"))
        rows = rows.annotate(taken=Subquery(taken.values("number"))).filter(seat_count__gte=F("taken") + free)
    if text is not None:
        rows = rows.filter(Q(title__icontains=text) | Q(host__name__icontains=text))
    return rows


def _lets_in(player_id: int) -> Q:
    """The gates that a player passes; what they look at depends on the game."""
    percent = Reliability.objects.filter(player=player_id).values_list("percent", flat=True).first()
    ratings = Rating.objects.filter(player=player_id).values_list("game", "ordinal", "matches")
    known = {game: Standing(points(ordinal), matches, percent) for game, ordinal, matches in ratings}
    found = ~Q(game__in=known) & _passed(Standing(reliability=percent))
    for game, standing in known.items():
        found |= Q(game=game) & _passed(standing)
    return found


def _passed(standing: Standing) -> Q:
    """The same as `Gate.refusal`, in the database."""
    found = Q(least_rating=None) | Q(least_rating__lte=standing.rating)
    found &= Q(most_rating=None) | Q(most_rating__gte=standing.rating)
    found &= Q(least_matches=None) | Q(least_matches__lte=standing.matches)
    if standing.reliability is not None:
        found &= Q(least_reliability=None) | Q(least_reliability__lte=standing.reliability)
    return found


def _pace(value: str) -> str:
    known = (*PACES, UNLIMITED, OTHER)
    if value not in known:
        raise ServiceError("malformed", f"pace is one of {', '.join(known)}, not {value[:50]!r}")
    return value


def _status(value: str) -> str:
    if value not in Status.values:
        raise ServiceError("malformed", f"status is one of {', '.join(Status.values)}, not {value[:50]!r}")
    return value


def _known(rows: QuerySet[Match], match_id: UUID, viewer_id: int | None, code: str | None) -> Match:
    match = rows.filter(pk=match_id).first()
    if match is None or not _may_know(match, viewer_id, code):
        raise ServiceError("not_found", "there is no such match, or you may not know of it")
    return match


def _may_know(match: Match, viewer_id: int | None, code: str | None) -> bool:
    if match.visibility != Visibility.PRIVATE or seat_of(match, viewer_id) is not None:
        return True
    if match.host_id == viewer_id:
        return True
    if viewer_id is not None and any(invitation.player_id == viewer_id for invitation in match.invitations.all()):
        return True
    return code is not None and secrets.compare_digest(match.join_code.encode(), code.encode())


def seat_of(match: Match, viewer_id: int | None) -> int | None:
    if viewer_id is None:
        return None
    return next((seat.number for seat in match.seats.all() if seat.player_id == viewer_id), None)
