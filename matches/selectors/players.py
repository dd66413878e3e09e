"""Players, as others and as they themselves see them."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Count, Exists, OuterRef, Q

from matches.errors import ServiceError
from matches.letting_in import must_be_let_in
from matches.models import (
    Block,
    Conduct,
    Player,
    PushSubscription,
    Rating,
    RatingChange,
    Receiver,
    RefreshToken,
    Reliability,
    Report,
    Seat,
    Status,
    Webhook,
    name_key,
)
from matches.selectors.notices import Told, notices_of
from matches.selectors.webhooks import webhooks_of

MOST_NOTICES = 10_000


class Record(NamedTuple):
    """What somebody made of a game: matches finished, won alone, first place shared, left before the end."""

    game: str
    played: int
    won: int
    shared: int
    left: int


class PersonalData(NamedTuple):
    """Everything that is kept of a player; the moves are in the matches' own exports."""

    player: Player
    devices: list[RefreshToken]
    seats: list[Seat]
    blocked: list[Player]
    reports: list[Report]
    ratings: list[Rating]
    rating_changes: list[RatingChange]
    webhooks: list[Webhook]
    conducts: list[Conduct]
    receiver: Receiver
    browsers: list[PushSubscription]
    notices: list[Told]


def player_get(*, player_id: int) -> Player:
    """An account that can still be used."""
    return _found(Player.objects.filter(pk=player_id, is_active=True).first())


def own_account(*, player_id: int, epoch: int) -> Player:
    """The account of whoever has a token that still holds. Raises ServiceError `token_invalid`."""
    player = Player.objects.filter(pk=player_id, is_active=True).first()
    if player is None or player.epoch != epoch:
        if player is not None:
            must_be_let_in(player)
        raise ServiceError("token_invalid", "the token was revoked; log in again")
    return player


def player_named(*, name: str) -> Player:
    """The account with this name, however it is written."""
    # The database can't be asked for what it can't keep.
    key = name_key(name.replace("\0", " "))
    return _found(Player.objects.filter(name_key=key, is_active=True).first())


def records_of(*, player_id: int) -> list[Record]:
    """A player's record for each game; sandbox matches and those that were called off count for nothing."""
    others = Seat.objects.filter(match=OuterRef("match"), place=1).exclude(pk=OuterRef("pk"))
    seats = Seat.objects.filter(player=player_id, match__status=Status.FINISHED, match__sandbox=False)
    rows = (
        seats.annotate(shares=Exists(others))
        .values("match__game")
        .annotate(
            played=Count("pk"),
            won=Count("pk", filter=Q(place=1, shares=False)),
            shared=Count("pk", filter=Q(place=1, shares=True)),
            gone=Count("pk", filter=Q(has_left=True)),
        )
        .order_by("match__game")
    )
    return [Record(row["match__game"], row["played"], row["won"], row["shared"], row["gone"]) for row in rows]


def reliability_of(*, player_id: int) -> Reliability | None:
    """How far one can rely on a player; None as long as there were too few turns to tell."""
    return Reliability.objects.filter(player=player_id, percent__isnull=False).first()


def blocked_by(*, player_id: int) -> list[Player]:
    """Whom a player has blocked, by name; there are at most `conduct.MOST_BLOCKED`."""
    return list(Player.objects.filter(pk__in=Block.objects.filter(player=player_id).values("blocked")).order_by("name"))


def browsers_of(*, player_id: int) -> list[PushSubscription]:
    """Where a player's notices are pushed to; there are at most `pushing.MOST_BROWSERS`."""
    return list(PushSubscription.objects.filter(player=player_id).order_by("pk"))


def personal_data(*, player_id: int, epoch: int) -> PersonalData:
    """All that is kept of a player, for itself."""
    return PersonalData(
        player=own_account(player_id=player_id, epoch=epoch),
        devices=list(RefreshToken.objects.filter(player=player_id).order_by("created_at")),
        seats=list(Seat.objects.filter(player=player_id).select_related("match").order_by("match")),
        blocked=blocked_by(player_id=player_id),
        reports=list(Report.objects.filter(reporter=player_id).order_by("created_at")),
        ratings=list(Rating.objects.filter(player=player_id).order_by("game")),
        rating_changes=list(RatingChange.objects.filter(player=player_id).order_by("ended_at", "match")),
        webhooks=webhooks_of(player_id=player_id),
        conducts=list(Conduct.objects.filter(player=player_id).order_by("ended_at", "match")),
        receiver=Receiver.objects.filter(player=player_id).first() or Receiver(player_id=player_id),
        browsers=browsers_of(player_id=player_id),
        notices=notices_of(player_id=player_id, limit=MOST_NOTICES)[0],
    )


def _found(player: Player | None) -> Player:
    if player is None:
        raise ServiceError("not_found", "there is no such player")
    return player
