"""What the staff does with accounts: devices, suspensions, guests who became somebody, notes. All is written down."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from matches.errors import ServiceError
from matches.locking import lock_player
from matches.models import (
    FOR_EVER,
    PASSING,
    Match,
    Notice,
    Player,
    PlayerNote,
    RefreshToken,
    Report,
    Seat,
    Status,
)
from matches.services.audit import audit_write
from matches.services.farewell import close, leave_all, must_be_no_staff
from matches.services.players import log_out


def device_revoke(*, device_id: UUID, player_id: int, actor_id: int, reason: str) -> None:
    """Log one device out; its access token holds for a quarter of an hour at most where the epoch isn't compared."""
    with transaction.atomic():
        found = RefreshToken.objects.filter(pk=device_id, player=player_id, revoked_at=None)
        if not found.update(revoked_at=timezone.now()):
            raise ServiceError("not_found", "the device is logged out already")
        _write("device_logged_out", player_id, actor_id, reason, device=str(device_id))


def devices_revoke(*, player_id: int, actor_id: int, reason: str) -> None:
    """Log all devices out; every token issued before is refused from the next move on."""
    with transaction.atomic():
        log_out(lock_player(player_id=player_id, for_staff=True))
        _write("devices_logged_out", player_id, actor_id, reason)


def player_suspend(*, player_id: int, actor_id: int, reason: str, until: datetime | None, leaves: bool = False) -> None:
    """Keep a player out until then, or for ever: that is a ban.

    It bites at the next move, log-in or renewal, ends by itself, and lobbies are left. Matches that run go on without
    the player, whose clocks run on; with `leaves`, and always for a ban, they are left, so that nobody has to wait.
    """
    if player_id == actor_id:
        raise ServiceError("forbidden", "nobody keeps themself out")
    if until is not None and not timezone.now() < until < FOR_EVER:
        raise ServiceError("malformed", "a suspension ends in the future; a ban has no end")
    with transaction.atomic():
        player = lock_player(player_id=player_id, for_staff=True)
        must_be_no_staff(player)
        player.suspended_until = until or FOR_EVER
        # Tokens issued before hold no more; devices stay known, for when it is over.
        player.epoch += 1
        player.save(update_fields=["suspended_until", "epoch"])
        leaves = leaves or until is None
        what = "player_banned" if until is None else "player_suspended"
        _write(what, player_id, actor_id, reason, until=until.isoformat() if until else "", leaves=str(leaves))
    leave_all(player_id, (Status.LOBBY, Status.RUNNING) if leaves else (Status.LOBBY,))


def player_let_in(*, player_id: int, actor_id: int, reason: str) -> None:
    """A suspension or a ban is over before its end. What was left stays left."""
    with transaction.atomic():
        player = lock_player(player_id=player_id, for_staff=True)
        if not player.is_suspended:
            raise ServiceError("not_found", "the player isn't suspended")
        player.suspended_until = None
        player.save(update_fields=["suspended_until"])
        _write("player_let_in", player_id, actor_id, reason)


def guest_merge(*, guest_id: int, player_id: int, actor_id: int, reason: str) -> None:
    """What a guest played becomes that of a player, and the guest's account is closed.

    Refused where both sit in one match. Reports about the guest, seats, lobbies and notices go over; devices, blocks,
    habits and what was sent don't.
    """
    if guest_id == player_id:
        raise ServiceError("forbidden", "a guest isn't merged into itself")
    with transaction.atomic():
        # Matches before accounts, accounts by id: the order of all locks.
        hosted = _hosted_by(guest_id)
        accounts = {one: lock_player(player_id=one, for_staff=True) for one in sorted((guest_id, player_id))}
        guest, player = accounts[guest_id], accounts[player_id]
        if not guest.is_guest or player.is_guest or player.is_bot:
            raise ServiceError("guests_only_upgrade", "a guest can be merged into a player with a name, nothing else")
        seats = Seat.objects.filter(player=guest)
        if seats.filter(match__seats__player=player).exists():
            raise ServiceError("already_seated", "both sit in one match: whoever played it played as two")
        if hosted != _hosted_by(guest_id):
            raise ServiceError("try_again", "the guest has just opened a match; do it again")
        moved = list(seats.values_list("match", flat=True))
        seats.update(player=player)
        # What follows from matches that are over, ratings for one, is worked out again.
        Match.objects.filter(pk__in=moved, ended_at__isnull=False).update(tallied=False)
        Match.objects.filter(host=guest).update(host=player)
        # What is to be done is told again, to the one who is to do it now; what has happened isn't.
        Notice.objects.filter(player=guest, kind__in=PASSING).update(player=player, sequence=None)
        _hand_over_reports(guest, player)
        close(guest)
        _write("guest_merged", guest_id, actor_id, reason, into=player_id, matches=len(moved))


def note_write(*, player_id: int, actor_id: int, text: str, reason: str) -> None:
    """Something that the staff should know of a player; for nobody else."""
    with transaction.atomic():
        PlayerNote.objects.create(player_id=player_id, author_id=actor_id, text=text)
        _write("note_written", player_id, actor_id, reason)


def player_taken_out(*, player_id: int, actor_id: int, reason: str) -> None:
    """Write down that all data of a player was downloaded."""
    with transaction.atomic():
        _write("player_exported", player_id, actor_id, reason)


def _hosted_by(player_id: int) -> list[UUID]:
    """The lobbies of a host, locked."""
    lobbies = Match.objects.select_for_update(no_key=True).filter(host=player_id, status=Status.LOBBY).order_by("pk")
    return list(lobbies.values_list("pk", flat=True))


def _hand_over_reports(guest: Player, player: Player) -> None:
    """Reports about the guest are about the player; one that the reporter has filed about the player as well is one."""
    for report in Report.objects.filter(player=guest):
        same = {"reporter": report.reporter_id, "match": report.match_id, "reason": report.reason, "handled_at": None}
        if report.handled_at is None and Report.objects.filter(player=player, **same).exists():
            report.delete()
        else:
            Report.objects.filter(pk=report.pk).update(player=player)


def _write(what: str, player_id: int, actor_id: int, reason: str, **data: str | int) -> None:
    audit_write(actor_id=actor_id, what=what, target_kind="player", target_id=player_id, reason=reason, data=dict(data))
