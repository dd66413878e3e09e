"""A match as its operators see it: for any seat, at any entry; hidden things only for who opened them before."""

from __future__ import annotations

from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from engine.core.errors import NewerFormat, ReplayMismatch, UnknownGame
from engine.core.viewing import EntryView, TableView, view_entry, view_table
from matches import bridge
from matches.bridge import AnyTable
from matches.errors import ServiceError
from matches.models import Delivery, Match, MoveRecord, Notice, Position, shown_matches
from matches.selectors.history import number_at, replayed_from_the_deal, table_at
from matches.timing import now_ms

LEVELS = bridge.LEVELS
"""How well a bot may play, the weakest first."""


class Inspected(NamedTuple):
    """A match that has begun. `table` is what a spectator may see of it now, `newest` how it really stands.

    `horizon` is the last entry that may be shown to whoever hasn't opened the secrets.
    """

    match: Match
    newest: AnyTable
    horizon: int
    due_at: int | None
    retry_at: int | None
    fails: int
    last_error: str

    @property
    def is_over(self) -> bool:
        """Whether nothing of it is secret any more."""
        return self.newest.is_over

    def last(self, *, opened: bool) -> int:
        """The last entry to be shown."""
        return self.newest.number if opened or self.is_over else self.horizon


class Sight(NamedTuple):
    """A table at an entry, for a seat or a spectator (None); `whole` is everything, for who opened the secrets."""

    number: int
    at: int
    game: str
    seat: int | None
    table: TableView[Any, Any]
    whole: Any


class Verdict(NamedTuple):
    """What a replay of a stored match came to: `fault` is None when the log leads to what is stored."""

    entries: int
    fault: str | None


def match_inspect(*, match_id: UUID) -> Inspected | None:
    """A match that has begun, None for one that hasn't."""
    match = shown_matches().select_related("host").filter(pk=match_id).first()
    position = Position.objects.filter(match=match_id).first()
    if match is None or position is None:
        return None
    try:
        table = bridge.codec_of(match.game, match.ruleset).table(position.snapshot)
    except (NewerFormat, UnknownGame) as error:
        raise ServiceError("newer_format", str(error)) from None
    horizon = table.horizon
    if match.spectator_delay_s and not table.is_over:
        # Whoever looks at a match for the service learns no more of it than whoever watches.
        horizon = min(horizon, number_at(match, now_ms() - 1000 * match.spectator_delay_s))
    return Inspected(match, table, horizon, position.due_at, position.retry_at, position.fails, position.last_error)


def sight_at(found: Inspected, *, number: int, seat: int | None, opened: bool) -> Sight:
    """The table right after entry `number`, kept within what may be shown. Another seat's only if it isn't hidden."""
    if seat is not None and not (opened or found.is_over):
        raise ServiceError("forbidden", "what a seat sees is hidden while the match runs; say first why you must look")
    if seat is not None and seat not in range(len(found.newest.seats)):
        raise ServiceError("not_found", f"the match has the seats 0 to {len(found.newest.seats) - 1}, not {seat}")
    number = max(1, min(number, found.last(opened=opened)))
    table = found.newest if number == found.newest.number else table_at(found.match, number)
    game = bridge.game_of(found.match.game, found.match.ruleset)
    whole = msgspec.to_builtins(table.state) if opened or found.is_over else None
    return Sight(number, table.at, game.key, seat, view_table(game, table, seat), whole)


def log_page(found: Inspected, *, before: int, limit: int, opened: bool) -> list[tuple[EntryView[Any, Any], int]]:
    """Up to `limit` entries below number `before`, the newest first, each with when it was received."""
    last = min(before - 1, found.last(opened=opened))
    rows = MoveRecord.objects.filter(match=found.match, number__lte=last).order_by("-number")
    codec = bridge.codec_of(found.match.game, found.match.ruleset)
    entries = [codec.entry(row) for row in rows.values_list("entry", flat=True)[:limit]]
    is_over = opened or found.is_over
    return [(view_entry(entry, None, is_over=is_over), entry.received) for entry in entries]


def notices_in(*, match_id: UUID) -> list[Notice]:
    """What the seats of a match are to be told now."""
    return list(Notice.objects.filter(match=match_id).select_related("player").order_by("seat", "kind"))


def deliveries_in(found: Inspected, *, limit: int) -> list[Delivery]:
    """What was sent to the players of a match on its account, the newest first."""
    players = [seat.player_id for seat in found.match.seats.all() if seat.player_id is not None]
    rows = Delivery.objects.filter(player__in=players, match=found.match).select_related("player")
    return list(rows.order_by("-id")[:limit])


def match_verify(*, match_id: UUID) -> Verdict:
    """Play the whole log again and compare it with what is stored, and the end with the match's own row."""
    found = match_inspect(match_id=match_id)
    if found is None:
        raise ServiceError("match_not_running", "only a match that has begun has a log")
    try:
        table = replayed_from_the_deal(found.match, found.newest.number)
    except ReplayMismatch as error:
        # The rest of the message holds what is hidden.
        return Verdict(found.newest.number, str(error).partition(":")[0])
    if table != found.newest:
        return Verdict(table.number, f"the log leads to another table than what is stored at entry {table.number}")
    ending = table.ending
    status = "running" if ending is None else ending.status.value
    if Match.objects.filter(pk=match_id).values_list("status", flat=True).get() != status:
        return Verdict(table.number, f"the log ends as {status}, the match's row says {found.match.status}")
    return Verdict(table.number, None)


def finished_export(found: Inspected) -> bytes:
    """A match that is over as anybody may have it."""
    rows = MoveRecord.objects.filter(match=found.match).order_by("number").values_list("entry", flat=True)
    return bridge.export_of(found.match, list(found.match.seats.all()), found.newest, rows)


def newest_begun(*, status: str | None, limit: int) -> list[UUID]:
    """The newest matches that have begun, of one status or of any."""
    rows = Position.objects.order_by("-match")
    rows = rows if status is None else rows.filter(match__status=status)
    return list(rows.values_list("match", flat=True)[:limit])


def running_export(found: Inspected) -> bytes:
    """A match that still runs, with all its secrets: opening, log, snapshot, seed. Not for players' eyes."""
    match = found.match
    rows = MoveRecord.objects.filter(match=match, number__lte=found.newest.number).order_by("number")
    return bridge.running_export_of(
        match, list(match.seats.all()), found.newest, list(rows.values_list("entry", flat=True))
    )
