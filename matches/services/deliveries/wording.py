"""What notices say in a mail: which match, with whom, until when. Nothing of what is played in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings

from engine.core.errors import UnknownGame
from matches import bridge
from matches.models import Habits, Match, NoticeKind, Seat
from matches.services.deliveries.contract import Outgoing
from matches.timing import moment

SAID_BY = {
    NoticeKind.STARTED: {NoticeKind.TURN, NoticeKind.WARNING},
    NoticeKind.TURN: {NoticeKind.WARNING},
    NoticeKind.LEFT: {NoticeKind.OVER},
}
"""What needn't be said when one of these is said about the same match."""
WAITS = {NoticeKind.TURN, NoticeKind.WARNING, NoticeKind.OFFER, NoticeKind.INVITED}

FOOT = "Choose what is mailed to you in your client."
STOP = "Or stop all of these mails:"


class Letter(NamedTuple):
    """A mail's subject, and its paragraphs."""

    subject: str
    paragraphs: tuple[str, ...]

    def text(self, stop_link: str | None) -> str:
        """The whole body."""
        foot = FOOT if stop_link is None else f"{FOOT} {STOP}\n{stop_link}"
        return "\n\n".join([*self.paragraphs, f"-- \n{foot}"]) + "\n"


class _Table(NamedTuple):
    game: str
    host: str
    others: str
    place: int | None
    seats: int


def letter_of(outgoing: Sequence[Outgoing], player_id: int) -> Letter:
    """One mail about all of these, the most pressing first."""
    said = [one for one in outgoing if not _is_said(one, outgoing)]
    said.sort(key=lambda one: (one.kind not in WAITS, one.deadline is None, one.deadline or 0, one.sequence))
    tables = _tables({one.match_id for one in said}, player_id)
    zone = Habits.objects.filter(player=player_id).values_list("zone", flat=True).first() or "UTC"
    paragraphs = []
    for one in said:
        table = tables[one.match_id]
        until = "" if one.deadline is None else f" You have until {_instant(one.deadline, zone)}."
        paragraphs.append(f"{_sentence(one, table)}{until}{_where(one.match_id)}")
    return Letter(_subject(said, tables), tuple(paragraphs))


def _is_said(one: Outgoing, outgoing: Iterable[Outgoing]) -> bool:
    by = SAID_BY.get(one.kind, set())
    return any(other.match_id == one.match_id and other.kind in by for other in outgoing)


def _subject(said: Sequence[Outgoing], tables: dict[UUID, _Table]) -> str:
    first = said[0]
    if len(said) > 1:
        waiting = len({one.match_id for one in said if one.kind in WAITS})
        if waiting > 1:
            return f"{waiting} matches wait for you"
        return f"{_head(first, tables[first.match_id])}, and {len(said) - 1} more"
    return _head(first, tables[first.match_id])


def _head(one: Outgoing, table: _Table) -> str:
    return {
        NoticeKind.TURN: f"Your turn in {table.game}",
        NoticeKind.WARNING: f"Your time runs out in {table.game}",
        NoticeKind.OFFER: f"Your consent is asked for in {table.game}",
        NoticeKind.INVITED: f"{table.host} invites you to {table.game}",
        NoticeKind.STARTED: f"{table.game} has begun",
        NoticeKind.OVER: f"{table.game} is over",
        NoticeKind.LEFT: f"Somebody has left {table.game}",
    }[one.kind]


def _sentence(one: Outgoing, table: _Table) -> str:
    where = f"{table.game} with {table.others}" if table.others else table.game
    match one.kind:
        case NoticeKind.TURN:
            return f"It is your turn in {where}."
        case NoticeKind.WARNING:
            return f"Your time runs out in {where}."
        case NoticeKind.OFFER:
            return f"Your consent is asked for in {where}."
        case NoticeKind.INVITED:
            return f"{table.host} invites you to {table.game}."
        case NoticeKind.STARTED:
            return f"The match of {where} has begun."
        case NoticeKind.LEFT:
            return f"Somebody has left your match of {where}."
        case NoticeKind.OVER:
            ended = "" if table.place is None else f" You came in place {table.place} of {table.seats}."
            return f"The match of {where} is over.{ended}"


def _where(match_id: UUID) -> str:
    return f"\n{settings.MATCH_URL.replace('{match}', str(match_id))}" if settings.MATCH_URL else f"\nMatch {match_id}"


def _instant(ms: int, zone: str) -> str:
    at = moment(ms).astimezone(ZoneInfo(zone))
    return f"{at:%A}, {at.day} {at:%B}, {at:%H:%M} ({zone})"


def _tables(match_ids: Iterable[UUID], player_id: int) -> dict[UUID, _Table]:
    matches = Match.objects.filter(pk__in=match_ids).select_related("host").prefetch_related("seats__player")
    return {match.pk: _table(match, list(match.seats.all()), player_id) for match in matches}


def _table(match: Match, seats: Sequence[Seat], player_id: int) -> _Table:
    others = [seat.player.name for seat in seats if seat.player is not None and seat.player_id != player_id]
    own = next((seat for seat in seats if seat.player_id == player_id), None)
    return _Table(
        game=_title(match),
        host=match.host.name,
        others=" and ".join([", ".join(others[:-1]), others[-1]] if len(others) > 1 else others),
        place=None if own is None else own.place,
        seats=len(seats),
    )


def _title(match: Match) -> str:
    try:
        return bridge.game_of(match.game, match.ruleset).title
    except UnknownGame:
        # It was written by a newer process.
        return match.game
