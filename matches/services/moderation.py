"""Putting a match right: what an operator does to one, with a reason, in the audit log, and by entries of its own log.

Each function is one transaction under the lock of the match: a move that comes in meanwhile is before it or after it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db import transaction

from engine.core.errors import NewerFormat, UnknownGame
from engine.core.table import Grant
from matches import bridge
from matches.bridge import AnyReferee, AnyStep, AnyTable
from matches.errors import ServiceError, refused
from matches.locking import Locked, lock_position, write_position
from matches.models import Match, Seat
from matches.services.audit import audit_write
from matches.services.upkeep import match_settle_again
from matches.services.wake import wake_soon

MODERATOR = "moderator"
"""The reason of stops, of leaving and of ends that come from an operator; why it was done stays in the audit log."""
SECRETS_S = 900
"""For so many seconds secrets lie open to whoever said why."""

Ask = Callable[[AnyReferee, AnyTable, int], AnyStep]


def is_halted(table: AnyTable) -> bool:
    """Whether an operator has stopped the match, or will have once a race in progress is over."""
    return MODERATOR in table.stops or any(window.reason == MODERATOR for window in table.windows)


def match_halt(*, match_id: UUID, actor_id: int, reason: str) -> None:
    """Stop all clocks of a match, until `match_resume`; nobody can move meanwhile."""

    def halt(referee: AnyReferee, table: AnyTable, now: int) -> AnyStep:
        if is_halted(table):
            raise ServiceError("match_paused", "the match is paused by an operator already")
        return referee.stop(table, MODERATOR, received=now, now=now)

    _correct(match_id, halt, actor_id, reason, "match_paused")


def match_resume(*, match_id: UUID, actor_id: int, reason: str) -> None:
    """Let the clocks of a match run again."""

    def resume(referee: AnyReferee, table: AnyTable, now: int) -> AnyStep:
        if not is_halted(table):
            raise ServiceError("not_paused", "no operator has paused the match, or another one let it go on")
        return referee.start(table, MODERATOR, received=now, now=now)

    _correct(match_id, resume, actor_id, reason, "match_resumed")


def match_grant(
    *, match_id: UUID, actor_id: int, reason: str, seat: int, ms: int = 0, forgives: bool = False, what: str = ""
) -> None:
    """Give a seat time, and the strikes against it back. `what` is its name in the audit log."""
    grant = Grant(seat, ms, forgives)

    def give(referee: AnyReferee, table: AnyTable, now: int) -> AnyStep:
        return referee.grant(table, grant, received=now, now=now)

    data = {"seat": seat, "ms": ms, "forgives": forgives}
    _correct(match_id, give, actor_id, reason, what or "time_given", data)


def seat_remove(*, match_id: UUID, actor_id: int, reason: str, seat: int) -> None:
    """A player leaves for good, by the game's own rule for leavers."""

    def leave(referee: AnyReferee, table: AnyTable, now: int) -> AnyStep:
        if seat not in range(len(table.seats)):
            raise ServiceError("not_found", f"the match has the seats 0 to {len(table.seats) - 1}, not {seat}")
        return referee.leave(table, (seat,), received=now, now=now, why=MODERATOR)

    _correct(match_id, leave, actor_id, reason, "player_removed", {"seat": seat})


def bot_seat(*, match_id: UUID, actor_id: int, reason: str, seat: int, level: str) -> None:
    """A bot plays a seat, until its player makes a move or says that they are back."""
    if level not in bridge.LEVELS:
        raise ServiceError("malformed", f"a level is one of {', '.join(bridge.LEVELS)}, not {level[:20]!r}")

    def lend(referee: AnyReferee, table: AnyTable, now: int) -> AnyStep:
        return referee.lend(table, seat, level, received=now, now=now, why=MODERATOR)

    _correct(match_id, lend, actor_id, reason, "bot_seated", {"seat": seat, "level": level})


def match_void(*, match_id: UUID, actor_id: int, reason: str) -> None:
    """A match that runs ends without a result."""

    def void(referee: AnyReferee, table: AnyTable, now: int) -> AnyStep:
        return referee.void(table, received=now, now=now, why=MODERATOR)

    _correct(match_id, void, actor_id, reason, "match_void")


def result_void(*, match_id: UUID, actor_id: int, reason: str) -> None:
    """The result of a match that is over counts no more; what it did to ratings is taken back within seconds."""

    def annul(referee: AnyReferee, table: AnyTable, now: int) -> AnyStep:
        if not table.is_over:
            raise ServiceError("match_not_over", "the match runs; end it without a result instead")
        return referee.annul(table, received=now, why=MODERATOR)

    with transaction.atomic(durable=True):
        ended_at = Match.objects.filter(pk=match_id).values_list("ended_at", flat=True).first()
        step = _corrected(match_id, annul, actor_id, reason, "result_void")
        if step.refusal is None:
            # It ended when it ended: that is its place among the matches that were rated.
            Match.objects.filter(pk=match_id).update(ended_at=ended_at, rated=False, tallied=False)
    if step.refusal is not None:
        raise refused(step.refusal)


def match_settle_now(*, match_id: UUID, actor_id: int, reason: str) -> int:
    """Settle what is due, also where that has failed before; gives the number of entries.

    Raises ServiceError `match_stuck` when it fails again; the match is then set aside for longer.
    """
    with transaction.atomic():
        audit_write(
            actor_id=actor_id, what="match_settled", target_kind="match", target_id=match_id, reason=reason, data=None
        )
    entries, error = match_settle_again(match_id=match_id)
    if error is not None:
        raise ServiceError("match_stuck", f"it fails still: {error}")
    return entries


def secrets_open(*, match_id: UUID, actor_id: int, reason: str) -> None:
    """Whoever may look at what is hidden in a match that runs says why, before. Its own players never may."""
    _look(match_id, actor_id, reason, "secrets_seen")


def match_taken_out(*, match_id: UUID, actor_id: int, reason: str) -> None:
    """Write down that a match that runs was downloaded with all its secrets."""
    _look(match_id, actor_id, reason, "running_match_exported")


def match_verified(*, match_id: UUID, actor_id: int, reason: str, fault: str | None) -> None:
    """Write down that somebody had a match replayed, and what came of it."""
    with transaction.atomic():
        data = {"holds": fault is None, "fault": fault}
        audit_write(
            actor_id=actor_id, what="match_verified", target_kind="match", target_id=match_id, reason=reason, data=data
        )


def _look(match_id: UUID, actor_id: int, reason: str, what: str) -> None:
    with transaction.atomic():
        locked = lock_position(match_id=match_id)
        if locked is None:
            raise ServiceError("match_not_running", "a match that hasn't begun has no secrets")
        must_not_sit(match_id, actor_id)
        data = {"entry": locked.codec.table(locked.snapshot).number, "seconds": SECRETS_S}
        audit_write(actor_id=actor_id, what=what, target_kind="match", target_id=match_id, reason=reason, data=data)


def must_not_sit(match_id: UUID, actor_id: int) -> None:
    """Nobody judges a match of their own. Raises ServiceError `forbidden`."""
    if Seat.objects.filter(match=match_id, player=actor_id).exists():
        raise ServiceError("forbidden", "you play in this match yourself: leave it to somebody else")


def _correct(
    match_id: UUID, ask: Ask, actor_id: int, reason: str, what: str, data: dict[str, Any] | None = None
) -> None:
    with transaction.atomic(durable=True):
        step = _corrected(match_id, ask, actor_id, reason, what, data)
    # What was due before it has happened all the same.
    if step.refusal is not None:
        raise refused(step.refusal)


def _corrected(
    match_id: UUID, ask: Ask, actor_id: int, reason: str, what: str, data: dict[str, Any] | None = None
) -> AnyStep:
    """Ask the referee under the lock; what it grants is stored and written down together."""
    locked = _locked(match_id)
    must_not_sit(match_id, actor_id)
    try:
        referee, table = locked.referee(), locked.table()
    except (NewerFormat, UnknownGame) as error:
        raise ServiceError("newer_format", str(error)) from None
    step = ask(referee, table, locked.now)
    if step.entries:
        due_at = write_position(locked, referee, table, step)
        wake_soon(match_id=match_id, due_at=due_at, now=locked.now)
    if step.refusal is None:
        known = {"entry": step.table.number, **(data or {})}
        audit_write(actor_id=actor_id, what=what, target_kind="match", target_id=match_id, reason=reason, data=known)
    return step


def _locked(match_id: UUID) -> Locked:
    locked = lock_position(match_id=match_id)
    if locked is None:
        raise ServiceError("match_not_running", "only a match that has begun can be put right")
    if locked.retry_at is not None:
        raise ServiceError("match_stuck", "settling this match fails; try to settle it first")
    return locked
