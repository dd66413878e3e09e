"""The table, its log and its export, for one viewer."""

from __future__ import annotations

from typing import Any, NamedTuple
from uuid import UUID

from engine.core.errors import NewerFormat, UnknownGame
from engine.core.viewing import EntryView, TableView, view_entry, view_table
from matches import bridge
from matches.bridge import AnyGame, AnyTable
from matches.errors import ServiceError
from matches.models import Match, MoveRecord
from matches.selectors.history import number_at, table_at
from matches.selectors.matches import match_played, seat_of, snapshot_of
from matches.timing import now_ms


class Seen(NamedTuple):
    """A match as one viewer may know it; `seat` is None for a spectator."""

    match: Match
    game: str
    seat: int | None
    table: TableView[Any, Any]


def table_view(*, match_id: UUID, viewer_id: int | None, code: str | None = None, must_sit: bool = False) -> Seen:
    """The table as it is stored; reading settles nothing. `must_sit` refuses spectators with `not_seated`."""
    match, game, table = _table(match_id, viewer_id, code)
    seat = seat_of(match, viewer_id)
    if must_sit and seat is None:
        raise ServiceError("not_seated")
    return Seen(match, game.key, seat, view_table(game, table, seat))


def table_view_at(
    *, match_id: UUID, viewer_id: int | None, number: int, seat: int | None = None, code: str | None = None
) -> Seen:
    """The table as it was right after entry `number`: for the viewer's own seat, for every `seat` once all is over."""
    match, game, table = _table(match_id, viewer_id, code)
    own = seat_of(match, viewer_id)
    if seat is not None and seat != own and not table.is_over:
        raise ServiceError("match_not_over", "what another seat saw is shown once the match is over")
    if seat is not None and seat >= len(table.seats):
        raise ServiceError("not_found", f"the match has the seats 0 to {len(table.seats) - 1}, not {seat}")
    if not 1 <= number <= table.horizon:
        raise ServiceError("not_found", f"the log that you may know has the entries 1 to {table.horizon}, not {number}")
    shown = own if seat is None else seat
    return Seen(match, game.key, shown, view_table(game, table_at(match, number), shown))


def entries_after(
    *, match_id: UUID, viewer_id: int | None, after: int, limit: int, code: str | None = None
) -> tuple[list[EntryView[Any, Any]], int]:
    """Up to `limit` entries behind number `after`, and the horizon: the last one that may be seen now."""
    match, _, table = _table(match_id, viewer_id, code)
    seat, codec = seat_of(match, viewer_id), bridge.codec_of(match.game, match.ruleset)
    # Read after the table, so that no entry up to its horizon can be missing.
    rows = MoveRecord.objects.filter(match=match, number__gt=after, number__lte=table.horizon).order_by("number")
    logged = rows.values_list("entry", flat=True)[:limit]
    return [view_entry(codec.entry(entry), seat, is_over=table.is_over) for entry in logged], table.horizon


def match_export(*, match_id: UUID, viewer_id: int | None, code: str | None = None) -> bytes:
    """A match that is over as one document, secret included, with which anybody can verify it offline."""
    match, _, table = _table(match_id, viewer_id, code)
    if not table.is_over:
        raise ServiceError("match_not_over", "a match can be exported once it is over")
    entries = MoveRecord.objects.filter(match=match).order_by("number").values_list("entry", flat=True)
    return bridge.export_of(match, list(match.seats.all()), table, entries)


def _table(match_id: UUID, viewer_id: int | None, code: str | None) -> tuple[Match, AnyGame, AnyTable]:
    match = match_played(match_id=match_id, viewer_id=viewer_id, code=code)
    snapshot = snapshot_of(match)
    try:
        game = bridge.game_of(match.game, match.ruleset)
        table = bridge.codec_of(match.game, match.ruleset).table(snapshot)
    except (NewerFormat, UnknownGame) as error:
        raise ServiceError("newer_format", str(error)) from None
    is_late = match.spectator_delay_s and not table.is_over and seat_of(match, viewer_id) is None
    return match, game, _delayed(match, table) if is_late else table


def _delayed(match: Match, table: AnyTable) -> AnyTable:
    """The table as it was so long ago as spectators are behind."""
    number = min(number_at(match, now_ms() - 1000 * match.spectator_delay_s), table.horizon)
    return table_at(match, number)
