"""Playing the same once more: whoever asks first opens the match, everybody who asks later sits down in it."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from matches.errors import ServiceError
from matches.models import Block, Invitation, Match, Seat, Status, Visibility
from matches.services import lobby, notices


def match_rematch(*, match_id: UUID, player_id: int) -> Match:
    """The one rematch of a match that is over, with the caller in it; for those who played.

    The lock on the first match decides who opens it. The others are invited, so that they need no code.
    """
    with transaction.atomic():
        first, _ = lobby.locked_for(match_id, player_id)
        _must_be_over(first)
        rematch = first.rematches.exclude(status=Status.CANCELLED).first()
        if rematch is None:
            rematch = _open(first, player_id)
        elif not rematch.seats.filter(player=player_id).exists():
            # Who has declined or left may think again, in a private match as well.
            lobby.take_seat(lobby.locked(rematch.pk), player_id, rematch.join_code)
    return lobby.shown(rematch)


def _must_be_over(match: Match) -> None:
    if not match.is_over or match.status == Status.CANCELLED:
        raise ServiceError("match_not_over", "a rematch is of a match that was played to its end")
    if match.sandbox:
        raise ServiceError("bad_options", "a sandbox has no rematch; create another one with the same seed")


def _open(first: Match, player_id: int) -> Match:
    seats = list(first.seats.all())
    match = lobby.match_create(
        host_id=player_id,
        game=first.game,
        preset=first.preset,
        options=first.options,
        seats=first.seat_count,
        control=first.control,
        policy=first.policy,
        visibility=Visibility(first.visibility),
        title=first.title,
        spectator_delay_s=first.spectator_delay_s,
        rated=first.rated,
        rates_bots=first.rates_bots,
        rematch_of=first.pk,
        bots=[seat.bot_level for seat in seats if seat.player_id is None and seat.bot_level is not None],
    )
    others = sorted(_others(first, player_id))
    Invitation.objects.bulk_create(Invitation(match=match, player_id=other) for other in others)
    notices.invited_tell(match, others)
    return match


def _others(first: Match, player_id: int) -> set[int]:
    """Those who played, still have an account, and get along with the host."""
    seated = Seat.objects.filter(match=first, player__is_active=True).exclude(player=player_id)
    people = {seat.player_id for seat in seated if seat.player_id is not None}
    apart = set(Block.objects.filter(player=player_id, blocked__in=people).values_list("blocked", flat=True))
    apart |= set(Block.objects.filter(blocked=player_id, player__in=people).values_list("player", flat=True))
    return people - apart
