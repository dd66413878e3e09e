"""The module that locks; the outbox and webhooks have one of their own, `outbox` and `hooklocks`.

A match that has begun is locked by its row of `matches_position`, one that hasn't by its row of `matches_match`; nobody
ever holds both, and nothing else is locked before either, so nobody can wait in a circle. An account comes after them.
The ratings of a game have one writer at a time; who has locked a match never asks for them.

A move costs two statements, this module's reading and its writing. The reading may have to wait for the lock, and then
PostgreSQL shows the newest version of the locked row alone: of every other table it shows what there was when the
statement began. So the reading takes nothing from other tables but what can't change any more once a match runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db import OperationalError, connection
from django.db.models.functions import Now
from psycopg.errors import LockNotAvailable

from engine.core.codec import Codec
from engine.core.table import EndedAs, Step
from engine.core.waits import LAG
from matches import bridge
from matches.bridge import AnyReferee, AnyStep, AnyTable
from matches.calling import bots_at, call_bots
from matches.errors import ServiceError
from matches.letting_in import must_be_let_in
from matches.models import (
    ConfirmationRequest,
    Match,
    PairingTicket,
    Player,
    RecoveryRequest,
    Reliability,
    Status,
)
from matches.news import tell_moved
from matches.noting import news_after, notices_after
from matches.rows import is_changed, seat_row
from matches.statements import (
    END,
    FAIL,
    GO_ON,
    OF_A_MATCH,
    OF_A_SEAT,
    OF_THE_BOTS,
    OF_THE_CALENDAR,
    OF_WHAT_IS_DUE,
    OF_WHAT_IS_OWED,
)
from matches.timing import GAP_MS, moment

# PostgreSQL may wait twice for one row, in its queue and then for its holder: together less than the engine's LAG.
PATIENCE_MS = 140
# So many who wait for the same are looked at together.
MOST_PAIRED = 200

# Bots whose calls got lost are called again so many matches at once, and again after so long.
MOST_CALLED = 200
AGAIN_MS = 60_000

FIRST_RETRY_MS = 5_000
LONGEST_RETRY_MS = 3_600_000


class Locked(NamedTuple):
    """What the locking read found, not decoded yet. `now` (UTC milliseconds) was read under the lock.

    `alive_at` is the last heartbeat, None where there never was one. `outages` are those not given back yet: `table`
    gives them back, and the next write stores it.
    """

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
    alive_at: int | None = None
    outages: Sequence[Sequence[int]] = ()
    calendar_at: int | None = None

    @property
    def alive_until(self) -> int:
        """Until when things may be fired: nobody's time passes while nobody can play."""
        return self.now if self.alive_at is None else min(self.now, self.alive_at + LAG)

    def table(self) -> AnyTable:
        """The match. Raises UnknownGame or NewerFormat for what a newer process has written."""
        return self.made_good().table

    def made_good(self) -> AnyStep:
        """The match as it is stored, and with it the entries that give outages back."""
        stored = self.codec.table(self.snapshot)
        if not self.outages:
            return Step(stored)
        return bridge.made_good(self.referee(), stored, [(begins, ends) for begins, ends in self.outages])

    @property
    def codec(self) -> Codec:
        return bridge.codec_of(self.game, self.ruleset)

    def referee(self) -> AnyReferee:
        """Its referee. Raises UnknownGame for a ruleset that this process doesn't know."""
        return bridge.referee_for(
            game=self.game, ruleset=self.ruleset, match_id=self.match_id, secret=self.secret, salts=self.salts
        )


def lock_seat(*, match_id: UUID, player_id: int, epoch: int) -> Locked | None:
    """Lock a match for a move; None, and no lock, when the player has no seat in it or the token's epoch is over."""
    return _awake(_lock(OF_A_SEAT, match=match_id, player=player_id, epoch=epoch))


def lock_position(*, match_id: UUID, now: int | None = None) -> Locked | None:
    """Lock a match that has begun, for nobody in particular."""
    return _awake(_lock(OF_A_MATCH, match=match_id, now=now))


def lock_due(*, skip: Sequence[UUID], now: int | None = None) -> Locked | None:
    """Lock the match that has been due longest, of those that nobody else has locked."""
    return _lock(OF_WHAT_IS_DUE, skip=list(skip), now=now)


def lock_owed(*, skip: Sequence[UUID], now: int | None = None) -> Locked | None:
    """Lock a match to which an outage wasn't given back yet, of those that nobody else has locked."""
    return _lock(OF_WHAT_IS_OWED, skip=list(skip), now=now)


def lock_calendar(*, skip: Sequence[UUID], now: int | None = None) -> Locked | None:
    """Lock a match for which nights or the like are to be announced, of those that nobody else has locked."""
    return _lock(OF_THE_CALENDAR, skip=list(skip), now=now)


def postpone_bots() -> list[UUID]:
    """The matches whose bots are to be called again, which aren't asked for again for a while."""
    with connection.cursor() as cursor:
        cursor.execute(OF_THE_BOTS, {"later": AGAIN_MS, "most": MOST_CALLED})
        return [match_id for (match_id,) in cursor.fetchall()]


def lock_lobby(*, match_id: UUID) -> Match | None:
    """Lock a match by its own row; of a match that has begun nothing may be changed under this lock."""
    return Match.objects.select_for_update(no_key=True).filter(pk=match_id).first()


def lock_next_expired() -> Match | None:
    """Lock a lobby whose time is over, of those that nobody else has locked."""
    overdue = Match.objects.filter(status=Status.LOBBY, expires_at__lte=Now()).order_by("expires_at")
    return overdue.select_for_update(no_key=True, skip_locked=True).first()


def hold_player(*, player_id: int) -> None:
    """Nobody closes this account until the transaction ends. Taken after the match's lock, never before it.

    Raises ServiceError `token_invalid` for an account that is closed, `suspended` for one that is kept out.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT suspended_until FROM matches_player WHERE id = %s AND is_active FOR SHARE", [player_id])
        row = cursor.fetchone()
    if row is None:
        raise ServiceError("token_invalid", "the account is closed")
    must_be_let_in(Player(suspended_until=row[0]))


def lock_player(*, player_id: int, epoch: int | None = None, for_staff: bool = False) -> Player:
    """Lock an account to change it; with an epoch only when the token of this epoch still holds.

    Raises ServiceError `token_invalid`, and `suspended` for one that is kept out, unless it is the staff that asks.
    """
    player = Player.objects.select_for_update(no_key=True).filter(pk=player_id, is_active=True).first()
    if player is not None and not for_staff:
        must_be_let_in(player)
    if player is None or epoch not in {None, player.epoch}:
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


def lock_confirmation() -> ConfirmationRequest | None:
    """The same for a request to confirm an address."""
    requests = ConfirmationRequest.objects.select_for_update(skip_locked=True, of=("self",)).select_related("player")
    return requests.order_by("asked_at").first()


def lock_ratings(*, game: str, may_wait: bool = False) -> bool:
    """Be the only one who writes ratings of this game until the transaction ends; false when somebody else is."""
    ask = "pg_advisory_xact_lock" if may_wait else "pg_try_advisory_xact_lock"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {ask}(hashtext(%s), 1)", [f"ratings of {game}"])
        (is_ours,) = cursor.fetchone()
    return may_wait or is_ours is True


def lock_reliabilities(*, players: Sequence[int]) -> list[Reliability]:
    """Lock what is known of the reliability of these players, in the order of their ids; nothing is, to begin with."""
    Reliability.objects.bulk_create([Reliability(player_id=one) for one in sorted(players)], ignore_conflicts=True)
    rows = Reliability.objects.select_for_update(no_key=True).filter(player__in=players)
    return list(rows.order_by("player"))


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


def _awake(locked: Locked | None) -> Locked | None:
    """Raises ServiceError `try_again` while an outage isn't measured yet: nothing may be settled before that."""
    if locked is not None and locked.alive_at is not None and locked.now - locked.alive_at > GAP_MS:
        raise ServiceError("try_again", "the service is just coming back; send it again")
    return locked


def write_position(
    locked: Locked, referee: AnyReferee, before: AnyTable | None, step: AnyStep, *, calendar_at: int | None = None
) -> int | None:
    """Write what came of a request: position, log, seats, notices, how the match ended; gives when it is due next.

    `before` is the table that was locked, None for a match that begins. `calendar_at`: when to look at the calendar
    next, UTC milliseconds; None leaves it as it is.
    """
    made_good = locked.made_good().entries if locked.outages else ()
    table, entries = step.table, made_good + step.entries
    due_at = bridge.wake_at(referee, table)
    seats = range(len(table.seats))
    changed = [seat for seat in seats if made_good or is_changed(before, table, seat)]
    notices = {seat: told for seat in seats if (told := notices_after(before, table, seat)) is not None}
    arguments: dict[str, Any] = {
        "match": locked.match_id,
        "snapshot": bridge.dump(table),
        "number": table.number,
        "due_at": due_at,
        "at": moment(table.at),
        "now": table.at,
        "calendar_at": _calendar_at(locked, before, table, calendar_at),
        "bots_at": bots_at(table),
        "credited": max((ends for _, ends in locked.outages), default=locked.now if before is None else 0),
        "told": f"{{{','.join(map(str, notices))}}}",  # far cheaper than having the driver write a list
        "notices": bridge.dump([*(one for told in notices.values() for one in told), *news_after(before, table)]),
        "entries": bridge.dump(entries),
        "seats": bridge.dump([seat_row(before, table, seat) for seat in changed]),
    }
    if table.ending is not None:
        arguments["status"] = ENDINGS[table.ending.status].value
        outcome = table.ending.outcome
        arguments["outcome"] = None if outcome is None else bridge.dump(outcome)
    with connection.cursor() as cursor:
        cursor.execute(GO_ON if table.ending is None else END, arguments)
    tell_moved(match_id=locked.match_id, number=table.number)
    call_bots(match_id=locked.match_id, before=before, table=table)
    return due_at


def write_failure(*, match_id: UUID, now: int, error: str) -> None:
    """Note that settling this match fails, and leave it alone for a while: longer each time, an hour at most."""
    with connection.cursor() as cursor:
        cursor.execute(
            FAIL,
            {"match": match_id, "now": now, "error": error, "first": FIRST_RETRY_MS, "most": LONGEST_RETRY_MS},
        )


def _calendar_at(locked: Locked, before: AnyTable | None, table: AnyTable, wanted: int | None) -> int | None:
    """A match that begins is looked at at once, if the calendar matters to it at all."""
    if table.is_over or not bridge.is_by_correspondence(table.control):
        return None
    return locked.now if before is None else wanted or locked.calendar_at


ENDINGS = {
    EndedAs.FINISHED: Status.FINISHED,
    EndedAs.ABANDONED: Status.ABANDONED,
    EndedAs.VOID: Status.VOID,
}
