"""Playing: the way of a move from the request to the answer.

One transaction of two statements, whatever the length of the match (`matches.locking` has both):

1. The locking read takes the position's row, and with it the caller's seat and whether the token still holds. From here
   on nobody else can change the match, and the time is read.
2. The engine settles what is due and makes the move, or refuses it. It is pure: what it was given stays as it was.
3. The write stores the position, the entries, the seats that changed and, at the end of a match, how it ended.
4. Commit, on a refusal as well: what was due before the request has happened.

Only then the caller is answered, so that what was acknowledged is stored, and a worker is told when something is due
soon. A move that comes again finds its decision over; the log then tells whether it is the same move, which is the same
answer, or another one.

`received` is when the request came in, stamped by the outermost layer. It decides whether the move was in time, however
long it then waited for the lock, and is never later than the time read under the lock.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from django.db import transaction

from engine.core.errors import NewerFormat, UnknownGame
from engine.core.table import Cause, OfferKind
from engine.core.viewing import EntryView, TableView, view_entry, view_table
from matches.bridge import AnyEntry, AnyReferee, AnyStep, AnyTable
from matches.errors import ServiceError, refused
from matches.letting_in import must_be_let_in
from matches.locking import Locked, lock_seat, write_position
from matches.models import Match, MoveRecord, Player, Status, Visibility
from matches.services.wake import wake_soon

Ask = Callable[[Locked, AnyReferee, AnyTable], AnyStep]


class Played(NamedTuple):
    """The answer to a move, for its seat: what happened up to its horizon, and the table now.

    `repeated` says that the log had this very move already.
    """

    game: str
    seat: int
    entries: tuple[EntryView[Any, Any], ...]
    table: TableView[Any, Any]
    repeated: bool


def move_submit(*, match_id: UUID, player_id: int, epoch: int, serial: int, move: bytes, received: int) -> Played:
    """Make a move (JSON), as the answer to the decision `serial`; the same again is the same answer."""

    def submit(locked: Locked, referee: AnyReferee, table: AnyTable) -> AnyStep:
        wanted = _decode(locked, move)
        stamp = locked.now if referee.game.stamped_at_commit(wanted) else min(received, locked.now)
        return referee.submit(table, seat=_seat(locked), serial=serial, move=wanted, received=stamp, now=locked.now)

    locked, referee, step = _request(match_id, player_id, epoch, submit)
    if step.refusal is None:
        return _answer(locked, referee, step.table, step.entries)
    entry = _recorded(locked, serial)
    if entry is None or entry.cause is not Cause.MOVE:
        raise refused(step.refusal)
    if entry.move != _decode(locked, move):
        raise ServiceError("already_answered", f"decision {serial} was answered with another move")
    return _answer(locked, referee, step.table, (entry,), repeated=True)


def match_return(*, match_id: UUID, player_id: int, epoch: int, received: int) -> Played:
    """Take the seat back that a bot has taken over; no error when none has."""

    def come_back(locked: Locked, referee: AnyReferee, table: AnyTable) -> AnyStep:
        return referee.hand_back(table, _seat(locked), received=min(received, locked.now), now=locked.now)

    return _granted(match_id, player_id, epoch, come_back)


def match_resign(*, match_id: UUID, player_id: int, epoch: int, received: int) -> Played:
    """Leave a running match for good."""

    def leave(locked: Locked, referee: AnyReferee, table: AnyTable) -> AnyStep:
        return referee.leave(table, (_seat(locked),), received=min(received, locked.now), now=locked.now)

    return _granted(match_id, player_id, epoch, leave)


def match_offer(
    *,
    match_id: UUID,
    player_id: int,
    epoch: int,
    kind: OfferKind,
    pause_s: int | None,
    open_s: int,
    received: int,
) -> Played:
    """Offer all others to pause for `pause_s` seconds, to resume, or to abort; open for `open_s` seconds."""

    def offer(locked: Locked, referee: AnyReferee, table: AnyTable) -> AnyStep:
        stamp = min(received, locked.now)
        return referee.offer(table, _seat(locked), kind, received=stamp, now=locked.now, open_s=open_s, pause_s=pause_s)

    return _granted(match_id, player_id, epoch, offer)


def match_answer(*, match_id: UUID, player_id: int, epoch: int, number: int, agrees: bool, received: int) -> Played:
    """Consent to an open offer, or end it; a consent that comes again is the same answer."""

    def answer(locked: Locked, referee: AnyReferee, table: AnyTable) -> AnyStep:
        stamp = min(received, locked.now)
        return referee.answer(table, _seat(locked), number, agrees=agrees, received=stamp, now=locked.now)

    return _granted(match_id, player_id, epoch, answer)


def _granted(match_id: UUID, player_id: int, epoch: int, ask: Ask) -> Played:
    locked, referee, step = _request(match_id, player_id, epoch, ask)
    if step.refusal is not None:
        raise refused(step.refusal)
    return _answer(locked, referee, step.table, step.entries)


def _request(match_id: UUID, player_id: int, epoch: int, ask: Ask) -> tuple[Locked, AnyReferee, AnyStep]:
    with transaction.atomic(durable=True):
        locked = lock_seat(match_id=match_id, player_id=player_id, epoch=epoch)
        if locked is None:
            raise _why_not(match_id, player_id, epoch)
        if locked.retry_at is not None:
            raise ServiceError("match_stuck", "the match is out of order; its operators know")
        try:
            referee, table = locked.referee(), locked.table()
        except (NewerFormat, UnknownGame) as error:
            raise ServiceError("newer_format", str(error)) from None
        step = ask(locked, referee, table)
        if step.entries:
            due_at = write_position(locked, referee, table, step)
            if due_at != locked.due_at:
                wake_soon(match_id=match_id, due_at=due_at, now=locked.now)
    return locked, referee, step


def _why_not(match_id: UUID, player_id: int, epoch: int) -> ServiceError:
    """Why nothing was locked; strangers learn nothing of a private match."""
    player = Player.objects.filter(pk=player_id, is_active=True).first()
    if player is not None:
        must_be_let_in(player)
    if player is None or player.epoch != epoch:
        return ServiceError("token_invalid", "the token was revoked; log in again")
    match = Match.objects.filter(pk=match_id).first()
    is_seated = match is not None and match.seats.filter(player_id=player_id).exists()
    if match is None or (match.visibility == Visibility.PRIVATE and not is_seated):
        return ServiceError("not_found", "there is no such match")
    if not is_seated:
        return ServiceError("not_seated")
    if match.status == Status.CANCELLED:
        return ServiceError("match_over", "the match was cancelled before it began")
    return ServiceError("match_not_running", "the match is still a lobby; its host starts it")


def _decode(locked: Locked, move: bytes) -> Any:
    try:
        return locked.codec.move(move)
    except msgspec.DecodeError as error:
        raise ServiceError("malformed_move", f"not a move of this game: {error}") from None


def _seat(locked: Locked) -> int:
    assert locked.seat is not None  # noqa: S101 - it was locked by its seat
    return locked.seat


def _recorded(locked: Locked, serial: int) -> AnyEntry | None:
    """The entry with which this seat's decision ended. A statement of its own, so that it sees what was waited for."""
    record = MoveRecord.objects.filter(match_id=locked.match_id, seat=locked.seat, serial=serial).first()
    return None if record is None else locked.codec.entry(record.entry)


def _answer(
    locked: Locked, referee: AnyReferee, table: AnyTable, entries: tuple[AnyEntry, ...], *, repeated: bool = False
) -> Played:
    seen = tuple(
        view_entry(entry, locked.seat, is_over=table.is_over) for entry in entries if entry.number <= table.horizon
    )
    return Played(locked.game, _seat(locked), seen, view_table(referee.game, table, locked.seat), repeated)
