"""Asking people to a match, and showing them the door."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from matches.errors import ServiceError
from matches.models import Invitation, Invited, Match, Player, Visibility, name_key
from matches.services import lobby, notices
from matches.services.gates import must_pass

MOST_INVITED = 50
"""So many people may be invited to one match."""


def player_invite(*, match_id: UUID, host_id: int, name: str) -> Match:
    """Invite a player by name; for the host. Inviting again is the same, and lets in who was sent away."""
    with transaction.atomic():
        match = lobby.locked_for_host(match_id, host_id)
        player = Player.objects.filter(name_key=name_key(name), is_active=True).first()
        if player is None:
            raise ServiceError("no_such_player", f"there is no player {name[:50]!r}")
        if not match.seats.filter(player=player).exists():
            lobby.must_get_along(player.pk, [host_id])
            must_pass(match.gate, player_id=player.pk, game=match.game)
            _must_have_room(match)
            Invitation.objects.update_or_create(match=match, player=player, defaults={"state": Invited.OPEN})
            notices.invited_tell(match, [player.pk])
    return lobby.shown(match)


def invitation_withdraw(*, match_id: UUID, host_id: int, player_id: int) -> Match:
    """Take an invitation back; for the host. One that isn't open any more is no error."""
    with transaction.atomic():
        match = lobby.locked_for_host(match_id, host_id)
        match.invitations.filter(player=player_id, state=Invited.OPEN).delete()
        notices.invited_take_back(match, player_id)
    return lobby.shown(match)


def invitation_decline(*, match_id: UUID, player_id: int) -> None:
    """Say no; saying it again is the same."""
    with transaction.atomic():
        match = lobby.locked(match_id)
        invitation = match.invitations.filter(player=player_id).exclude(state=Invited.KICKED).first()
        if invitation is None:
            if match.visibility == Visibility.PRIVATE and not match.seats.filter(player=player_id).exists():
                raise ServiceError("not_found", "there is no such match")
            raise ServiceError("not_invited")
        invitation.state = Invited.DECLINED
        invitation.save(update_fields=["state"])
        notices.invited_take_back(match, player_id)


def player_kick(*, match_id: UUID, host_id: int, player_id: int) -> Match:
    """Send a player away, for good unless invited again; for the host. One who is gone already is no error."""
    with transaction.atomic():
        match = lobby.locked_for_host(match_id, host_id)
        if player_id == host_id:
            raise ServiceError("forbidden", "a host leaves or cancels; nobody sends themself away")
        seat = match.seats.filter(player=player_id).first()
        if seat is not None:
            lobby.give_back(match, seat)
            Invitation.objects.update_or_create(match=match, player_id=player_id, defaults={"state": Invited.KICKED})
    return lobby.shown(match)


def _must_have_room(match: Match) -> None:
    if match.invitations.count() >= MOST_INVITED:
        raise ServiceError("too_many", f"at most {MOST_INVITED} people can be invited to one match")
