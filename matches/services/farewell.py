"""Closing an account for good. Matches stay whole for those who played them: only the name is replaced.

First the account is closed, in a transaction of its own: from then on its owner can't sit down anywhere. Then it leaves
what it is in, one match at a time, each under that match's lock. Whatever is left when a process dies is finished by
`farewells_finish`.
"""

from __future__ import annotations

import time

import structlog
from django.db import transaction
from django.utils import timezone

from engine.core.errors import NewerFormat, UnknownGame
from matches.errors import ServiceError
from matches.locking import lock_player, lock_position, write_position
from matches.models import (
    Block,
    Conduct,
    CreationKey,
    Invitation,
    Match,
    PairingTicket,
    Player,
    RefreshToken,
    Reliability,
    Report,
    Seat,
    Status,
    Webhook,
)
from matches.services import lobby
from matches.services.accounts import must_prove
from matches.services.notices import notices_forget
from matches.services.players import Identity, log_out
from matches.services.wake import wake_soon

log = structlog.get_logger()


def player_delete(*, identity: Identity, password: str) -> None:
    """Close the account, forget who it was, and leave every match that isn't over."""
    with transaction.atomic():
        player = lock_player(player_id=identity.player_id, epoch=identity.epoch)
        must_prove(player, password)
        _close(player)
    _leave_all(player.pk)


def farewells_finish(*, seconds: float = 20) -> int:
    """Leave what players who are gone still sit in; gives the number of players."""
    end = time.monotonic() + seconds
    seats = Seat.objects.filter(player__deleted_at__isnull=False, has_left=False)
    waiting = seats.filter(match__status__in=[Status.LOBBY, Status.RUNNING]).values_list("player", flat=True)
    gone = list(waiting.distinct()[:100])
    for done, player_id in enumerate(gone):
        if time.monotonic() >= end:
            return done
        _leave_all(player_id)
    return len(gone)


def _close(player: Player) -> None:
    # No name that can be chosen has brackets.
    player.name = player.name_key = f"[deleted {player.pk}]"
    player.name_look = None
    player.email = player.confirmed_email = ""
    player.set_unusable_password()
    player.is_active = player.is_staff = player.is_superuser = False
    player.deleted_at = timezone.now()
    player.save(
        update_fields=[
            *("name", "name_key", "name_look", "email", "confirmed_email", "password"),
            *("is_active", "is_staff", "is_superuser", "deleted_at"),
        ]
    )
    log_out(player)
    RefreshToken.objects.filter(player=player).delete()
    for model in (Invitation, CreationKey, Report):
        model.objects.filter(**{"reporter" if model is Report else "player": player}).delete()
    Block.objects.filter(player=player).delete()
    Conduct.objects.filter(player=player).delete()
    Reliability.objects.filter(player=player).delete()
    notices_forget(player_id=player.pk)
    Webhook.objects.filter(player=player).delete()
    player.groups.clear()
    player.user_permissions.clear()


def _leave_all(player_id: int) -> None:
    # First the queue: a pairing under way is waited for, and its match is then among those to leave.
    PairingTicket.objects.filter(player=player_id).delete()
    seated = Match.objects.filter(seats__player=player_id, seats__has_left=False)
    for match in seated.filter(status__in=[Status.LOBBY, Status.RUNNING]).only("pk", "status"):
        try:
            if match.status == Status.LOBBY:
                lobby.match_leave_lobby(match_id=match.pk, player_id=player_id)
            else:
                _leave(match, player_id)
        except (ServiceError, NewerFormat, UnknownGame) as error:
            # It has begun or is busy just now: the next `farewells_finish` looks again.
            log.info("not left yet", match=str(match.pk), reason=str(error))


def _leave(match: Match, player_id: int) -> None:
    with transaction.atomic():
        locked = lock_position(match_id=match.pk)
        if locked is None or locked.retry_at is not None:
            return
        seat = match.seats.get(player=player_id).number
        referee, table = locked.referee(), locked.table()
        step = referee.leave(table, (seat,), received=locked.now, now=locked.now)
        if step.entries:
            due_at = write_position(locked, referee, table, step)
            wake_soon(match_id=match.pk, due_at=due_at, now=locked.now)
