"""Closing an account for good. Matches stay whole for those who played them: only the name is replaced.

First the account is closed, in a transaction of its own: from then on its owner can't sit down anywhere. Then it leaves
what it is in, one match at a time, each under that match's lock. Whatever is left when a process dies is finished by
`farewells_finish`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import structlog
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from engine.core.errors import NewerFormat, UnknownGame
from matches.errors import ServiceError
from matches.locking import lock_player, lock_position, write_position
from matches.models import (
    FOR_EVER,
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
from matches.services.audit import audit_write
from matches.services.notices import notices_forget
from matches.services.players import Identity, log_out
from matches.services.wake import wake_soon

log = structlog.get_logger()


def player_delete(*, identity: Identity, password: str) -> None:
    """Close the account, forget who it was, and leave every match that isn't over."""
    with transaction.atomic():
        player = lock_player(player_id=identity.player_id, epoch=identity.epoch)
        must_prove(player, password)
        close(player)
    leave_all(player.pk)


def player_close(*, player_id: int, actor_id: int, reason: str) -> None:
    """The staff closes an account, for good; the same as when its owner does."""
    with transaction.atomic():
        player = lock_player(player_id=player_id, for_staff=True)
        must_be_no_staff(player)
        # Written first: of a closed account not even the staff knows the name.
        audit_write(actor_id=actor_id, what="player_closed", target_kind="player", target_id=player_id, reason=reason)
        close(player)
    leave_all(player_id)


def must_be_no_staff(player: Player) -> None:
    """Raises ServiceError `forbidden`: roles are taken away first, by who may."""
    if player.is_staff:
        raise ServiceError("forbidden", "of the staff: take its roles away first")


def farewells_finish(*, seconds: float = 20) -> int:
    """Leave what players who are gone or banned still sit in; gives the number of players."""
    end = time.monotonic() + seconds
    gone_for_good = Q(player__deleted_at__isnull=False) | Q(player__suspended_until=FOR_EVER)
    seats = Seat.objects.filter(gone_for_good, has_left=False)
    waiting = seats.filter(match__status__in=[Status.LOBBY, Status.RUNNING]).values_list("player", flat=True)
    gone = list(waiting.distinct()[:100])
    for done, player_id in enumerate(gone):
        if time.monotonic() >= end:
            return done
        leave_all(player_id)
    return len(gone)


def close(player: Player) -> None:
    """Of a player that is locked: forget who it was, and let nobody in."""
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


def leave_all(player_id: int, statuses: Sequence[Status] = (Status.LOBBY, Status.RUNNING)) -> None:
    """Leave the queue and every match with one of these statuses."""
    # First the queue: a pairing under way is waited for, and its match is then among those to leave.
    PairingTicket.objects.filter(player=player_id).delete()
    seated = Match.objects.filter(seats__player=player_id, seats__has_left=False)
    for match in seated.filter(status__in=statuses).only("pk", "status"):
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
