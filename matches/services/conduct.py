"""Getting along: blocks and reports."""

from __future__ import annotations

from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from matches.errors import ServiceError
from matches.locking import hold_player
from matches.models import Block, Invitation, Invited, Match, Player, Reason, Report, Seat, Visibility
from matches.services.audit import audit_write

MOST_BLOCKED = 500
MOST_REPORTS = 50
"""So many reports of one player may wait for the operators."""


def player_block(*, player_id: int, blocked_id: int) -> None:
    """Never meet this player again: not by joining, inviting or pairing. What has begun goes on.

    Blocking again is the same. Open invitations between the two are taken back.
    """
    if player_id == blocked_id:
        raise ServiceError("forbidden", "nobody blocks themself")
    _must_exist(blocked_id)
    if Block.objects.filter(player=player_id).count() >= MOST_BLOCKED:
        raise ServiceError("too_many", f"at most {MOST_BLOCKED} players can be blocked; unblock some first")
    with transaction.atomic():
        hold_player(player_id=player_id)
        Block.objects.bulk_create([Block(player_id=player_id, blocked_id=blocked_id)], ignore_conflicts=True)
        for host, guest in ((player_id, blocked_id), (blocked_id, player_id)):
            Invitation.objects.filter(player=guest, match__host=host, state=Invited.OPEN).delete()


def player_unblock(*, player_id: int, blocked_id: int) -> None:
    """Take a block back; no error when there is none."""
    Block.objects.filter(player=player_id, blocked=blocked_id).delete()


def report_file(
    *, reporter_id: int, reason: str, player_id: int | None = None, match_id: UUID | None = None, text: str = ""
) -> None:
    """Tell the operators of a player, a match, or a player in a match. While it waits, telling it again is the same."""
    if player_id is None and match_id is None:
        raise ServiceError("report_invalid", "a report is about a player, a match or both")
    if reason not in Reason.values:
        raise ServiceError("malformed", f"reason is one of {', '.join(Reason.values)}, not {reason[:50]!r}")
    player = None if player_id is None else _must_exist(player_id)
    if match_id is not None:
        _must_be_known(match_id, reporter_id)
    if Report.objects.filter(reporter=reporter_id, handled_at=None).count() >= MOST_REPORTS:
        raise ServiceError("too_many", f"{MOST_REPORTS} reports of yours wait; give the operators time")
    try:
        with transaction.atomic():
            hold_player(player_id=reporter_id)
            Report.objects.create(
                reporter_id=reporter_id,
                player=player,
                match_id=match_id,
                reason=reason,
                text=text,
                # What it was when it gave offence.
                name="" if player is None else player.name,
            )
    except IntegrityError:
        return


def report_handle(*, report_id: int, actor_id: int, reason: str) -> None:
    """Somebody of the staff has looked into it; `reason` says what came of it. Handling it again is the same."""
    with transaction.atomic():
        if Report.objects.filter(pk=report_id, handled_at=None).update(handled_at=timezone.now()):
            audit_write(
                actor_id=actor_id, what="report_handled", target_kind="report", target_id=report_id, reason=reason
            )


def _must_exist(player_id: int) -> Player:
    player = Player.objects.filter(pk=player_id, is_active=True).first()
    if player is None:
        raise ServiceError("not_found", "there is no such player")
    return player


def _must_be_known(match_id: UUID, player_id: int) -> None:
    """A match that the reporter may know of."""
    match = Match.objects.filter(pk=match_id).first()
    if match is None or (
        match.visibility == Visibility.PRIVATE
        and not Seat.objects.filter(match=match, player=player_id).exists()
        and not match.invitations.filter(player=player_id).exists()
    ):
        raise ServiceError("not_found", "there is no such match")
