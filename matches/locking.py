"""The one module that locks.

A match that has begun is locked by its row of `matches_position`, one that hasn't by its row of `matches_match`; nobody
ever holds both, and nothing else is locked before either, so nobody can wait in a circle. An account comes after them.

A move costs two statements, this module's reading and its writing. The reading may have to wait for the lock, and then
PostgreSQL shows the newest version of the locked row alone: of every other table it shows what there was when the
statement began. So the reading takes nothing from other tables but what can't change any more once a match runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import OperationalError, connection
from django.db.models.functions import Now
from msgspec import Struct
from psycopg.errors import LockNotAvailable

from engine.core.codec import Codec
from engine.core.game import Occasion
from engine.core.table import EndedAs
from matches import bridge
from matches.bridge import AnyReferee, AnyStep, AnyTable
from matches.errors import ServiceError
from matches.models import Match, PairingTicket, Player, RecoveryRequest, Status
from matches.timing import moment

# PostgreSQL may wait twice for one row, in its queue and then for its holder: together less than the engine's LAG.
PATIENCE_MS = 140
# So many who wait for the same are looked at together.
MOST_PAIRED = 200

# The clock is read outside of the first part, that is after the lock was got.
_READ = """
WITH locked AS MATERIALIZED ({lock})
SELECT l.match_id, l.snapshot, l.due_at, l.retry_at, l.seat, m.game, m.ruleset, m.secret,
    ARRAY(SELECT s.salt FROM matches_seat s WHERE s.match_id = m.id ORDER BY s.number),
    COALESCE(%(now)s::bigint, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)
FROM locked l JOIN matches_match m ON m.id = l.match_id
"""
_OF_A_SEAT = _READ.format(
    lock="""
    SELECT p.match_id, p.snapshot, p.due_at, p.retry_at, s.number AS seat
    FROM matches_position p
    JOIN matches_seat s ON s.match_id = p.match_id AND s.player_id = %(player)s
    JOIN matches_player a ON a.id = s.player_id AND a.epoch = %(epoch)s AND a.is_active
    WHERE p.match_id = %(match)s AND set_config('lock_timeout', %(patience)s, true) <> ''
    FOR NO KEY UPDATE OF p
"""
)
_OF_A_MATCH = _READ.format(
    lock="""
    SELECT p.match_id, p.snapshot, p.due_at, p.retry_at, NULL::int AS seat
    FROM matches_position p
    WHERE p.match_id = %(match)s AND set_config('lock_timeout', %(patience)s, true) <> ''
    FOR NO KEY UPDATE OF p
"""
)
# The statement's own time, unlike the clock's, stays the same while it runs: so the index finds what is due.
_OF_WHAT_IS_DUE = _READ.format(
    lock="""
    SELECT p.match_id, p.snapshot, p.due_at, p.retry_at, NULL::int AS seat
    FROM matches_position p
    WHERE p.due_at <= COALESCE(%(now)s::bigint, floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint)
        AND COALESCE(p.retry_at, 0)
            <= COALESCE(%(now)s::bigint, floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint)
        AND p.match_id <> ALL(%(skip)s::uuid[])
    ORDER BY p.due_at LIMIT 1
    FOR NO KEY UPDATE OF p SKIP LOCKED
"""
)

_WRITE = """
WITH logged AS (
    INSERT INTO matches_moverecord (match_id, number, seat, serial, at, received, cause, entry)
    SELECT %(match)s, (e->>'number')::int, (e->>'seat')::int, (e->>'serial')::int, (e->>'at')::bigint,
        (e->>'received')::bigint, e->>'cause', e::text
    FROM json_array_elements(%(entries)s::json) AS e
), seated AS (
    UPDATE matches_seat s SET has_left = n.has_left, deadline = n.deadline, place = n.place, score = n.score,
        awaited_since = CASE WHEN n.awaited AND NOT n.is_new THEN COALESCE(s.awaited_since, %(at)s)
                             WHEN n.awaited THEN %(at)s END
    FROM json_to_recordset(%(seats)s::json)
        AS n (number int, has_left bool, awaited bool, is_new bool, deadline timestamptz, place int, score int)
    WHERE s.match_id = %(match)s AND s.number = n.number
){ended}
UPDATE matches_position SET snapshot = %(snapshot)s, number = %(number)s, due_at = %(due_at)s,
    retry_at = NULL, fails = 0, last_error = '' WHERE match_id = %(match)s
"""
_GO_ON = _WRITE.format(ended="")
_END = _WRITE.format(
    ended=""", ended AS (
    UPDATE matches_match SET status = %(status)s, outcome = %(outcome)s::jsonb, ended_at = %(at)s WHERE id = %(match)s
)"""
)
_FAIL = """
UPDATE matches_position SET fails = least(fails + 1, 1000), last_error = %(error)s,
    retry_at = %(now)s + least(%(most)s, %(first)s * power(2, least(fails, 20)))::bigint WHERE match_id = %(match)s
"""
FIRST_RETRY_MS = 5_000
LONGEST_RETRY_MS = 3_600_000


class Locked(NamedTuple):
    """What the locking read found, not decoded yet. `now` (UTC milliseconds) was read under the lock."""

    match_id: UUID
    snapshot: str
    due_at: int | None
    retry_at: int | None
    seat: int | None
    game: str
    ruleset: int
    secret: bytes
    salts: list[bytes]
    now: int

    def table(self) -> AnyTable:
        """The match. Raises UnknownGame or NewerFormat for what a newer process has written."""
        return self.codec.table(self.snapshot)

    @property
    def codec(self) -> Codec:
        return bridge.codec_of(self.game, self.ruleset)

    def referee(self) -> AnyReferee:
        """Its referee. Raises UnknownGame for a ruleset that this process doesn't know."""
        return bridge.referee_for(
            game=self.game, ruleset=self.ruleset, match_id=self.match_id, secret=self.secret, salts=self.salts
        )


class SeatRow(Struct, frozen=True):
    """What the write is told of a seat. `is_new`: it is asked for something else than before."""

    number: int
    has_left: bool
    awaited: bool
    is_new: bool
    deadline: datetime | None
    place: int | None
    score: int | None


def lock_seat(*, match_id: UUID, player_id: int, epoch: int) -> Locked | None:
    """Lock a match for a move; None, and no lock, when the player has no seat in it or the token's epoch is over."""
    return _lock(_OF_A_SEAT, match=match_id, player=player_id, epoch=epoch)


def lock_position(*, match_id: UUID, now: int | None = None) -> Locked | None:
    """Lock a match that has begun, for nobody in particular."""
    return _lock(_OF_A_MATCH, match=match_id, now=now)


def lock_due(*, skip: Sequence[UUID], now: int | None = None) -> Locked | None:
    """Lock the match that has been due longest, of those that nobody else has locked."""
    return _lock(_OF_WHAT_IS_DUE, skip=list(skip), now=now)


def lock_lobby(*, match_id: UUID) -> Match | None:
    """Lock a match by its own row; of a match that has begun nothing may be changed under this lock."""
    return Match.objects.select_for_update(no_key=True).filter(pk=match_id).first()


def lock_next_expired() -> Match | None:
    """Lock a lobby whose time is over, of those that nobody else has locked."""
    overdue = Match.objects.filter(status=Status.LOBBY, expires_at__lte=Now()).order_by("expires_at")
    return overdue.select_for_update(no_key=True, skip_locked=True).first()


def hold_player(*, player_id: int) -> None:
    """Nobody closes this account until the transaction ends. Taken after the match's lock, never before it.

    Raises ServiceError `token_invalid` for an account that is closed.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM matches_player WHERE id = %s AND is_active FOR SHARE", [player_id])
        if cursor.fetchone() is None:
            raise ServiceError("token_invalid", "the account is closed")


def lock_player(*, player_id: int, epoch: int | None = None) -> Player:
    """Lock an account to change it; with an epoch only when the token of this epoch still holds.

    Raises ServiceError `token_invalid`.
    """
    players = Player.objects.select_for_update(no_key=True).filter(pk=player_id, is_active=True)
    player = (players if epoch is None else players.filter(epoch=epoch)).first()
    if player is None:
        raise ServiceError("token_invalid", "the token was revoked; log in again")
    return player


def lock_ticket(*, player_id: int) -> PairingTicket | None:
    """Lock somebody's place in the queue for pairings; before the account, never after it."""
    return PairingTicket.objects.select_for_update(no_key=True).filter(player=player_id).first()


def lock_tickets(*, game: str, preset: str, seats: int, pace: str) -> list[PairingTicket]:
    """Lock those who wait for the same, the longest waiting first; who is leaving or being paired is passed over."""
    waiting = PairingTicket.objects.filter(
        match=None, expires_at__gt=Now(), player__is_active=True, game=game, preset=preset, seats=seats, pace=pace
    )
    return list(waiting.select_for_update(no_key=True, skip_locked=True, of=("self",)).order_by("since")[:MOST_PAIRED])


def lock_recovery() -> RecoveryRequest | None:
    """Lock the oldest request for a mail, of those that nobody else is at."""
    return RecoveryRequest.objects.select_for_update(skip_locked=True).order_by("asked_at").first()


def _lock(statement: str, **arguments: Any) -> Locked | None:
    with connection.cursor() as cursor:
        try:
            cursor.execute(statement, {"now": None, "patience": str(PATIENCE_MS), **arguments})
        except OperationalError as error:
            if isinstance(error.__cause__, LockNotAvailable):
                raise ServiceError("try_again", "the match is busy; send it again") from None
            raise
        row = cursor.fetchone()
    return None if row is None else Locked(*row)


def write_position(locked: Locked, referee: AnyReferee, before: AnyTable | None, step: AnyStep) -> int | None:
    """Write what came of a request: position, log, seats, and how the match ended; gives when it is due next.

    `before` is the table that was locked, None for a match that begins.
    """
    table, entries = step.table, step.entries
    due_at = bridge.wake_at(referee, table)
    changed = [seat for seat in range(len(table.seats)) if _is_changed(before, table, seat)]
    arguments: dict[str, Any] = {
        "match": locked.match_id,
        "snapshot": bridge.dump(table),
        "number": table.number,
        "due_at": due_at,
        "at": moment(table.at),
        "entries": bridge.dump(entries),
        "seats": bridge.dump([_seat_row(before, table, seat) for seat in changed]),
    }
    if table.ending is not None:
        arguments["status"] = ENDINGS[table.ending.status].value
        outcome = table.ending.outcome
        arguments["outcome"] = None if outcome is None else bridge.dump(outcome)
    with connection.cursor() as cursor:
        cursor.execute(_GO_ON if table.ending is None else _END, arguments)
    return due_at


def write_failure(*, match_id: UUID, now: int, error: str) -> None:
    """Note that settling this match fails, and leave it alone for a while: longer each time, an hour at most."""
    with connection.cursor() as cursor:
        cursor.execute(
            _FAIL,
            {"match": match_id, "now": now, "error": error, "first": FIRST_RETRY_MS, "most": LONGEST_RETRY_MS},
        )


ENDINGS = {
    EndedAs.FINISHED: Status.FINISHED,
    EndedAs.ABANDONED: Status.ABANDONED,
    EndedAs.VOID: Status.VOID,
}


def _is_changed(before: AnyTable | None, table: AnyTable, seat: int) -> bool:
    """Whether a seat's row has to be written: all when a match begins, stands, goes on, ends, or a race is unsealed."""
    if before is None or table.ending is not None or before.halted != table.halted:
        return True
    unsealed = before.sealed is not None and table.sealed is None
    return unsealed or before.seats[seat] != table.seats[seat]


def _occasion(table: AnyTable, seat: int) -> Occasion | None:
    clock = table.seats[seat].clock
    return clock.occasion if clock.awaited else None


def _seat_row(before: AnyTable | None, table: AnyTable, seat: int) -> SeatRow:
    deadline = bridge.flag_at(table, seat)
    outcome = None if table.ending is None else table.ending.outcome
    # Everybody reads who has left, so it waits until the race is over, like all that others may see.
    shown = table.seats if table.sealed is None else table.sealed.seats
    return SeatRow(
        number=seat,
        has_left=shown[seat].has_left,
        awaited=table.seats[seat].clock.awaited,
        is_new=before is None or _occasion(before, seat) != _occasion(table, seat),
        deadline=None if deadline is None else moment(deadline),
        place=None if outcome is None else outcome.places[seat],
        score=None if outcome is None else outcome.scores[seat],
    )
