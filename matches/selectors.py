"""What may be read, and by whom. A match that a viewer may not know of is `not_found`, like one that doesn't exist."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from django.db.models import Case, FilteredRelation, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce

from engine.core.errors import NewerFormat, UnknownGame
from engine.core.viewing import EntryView, TableView, view_entry, view_table
from matches import bridge
from matches.bridge import AnyGame, AnyTable
from matches.errors import ServiceError
from matches.models import Match, MoveRecord, Player, Position, Seat, Status, Visibility

__all__ = [
    "GameInfo",
    "Match",
    "Player",
    "Seat",
    "Seen",
    "entries_after",
    "game_get",
    "games_all",
    "match_export",
    "match_get",
    "matches_of",
    "matches_public",
    "player_get",
    "table_view",
]

_NEVER = datetime(9999, 1, 1, tzinfo=UTC)
RULES = Path(__file__).resolve().parents[1] / "docs" / "rules"


class GameInfo(NamedTuple):
    """A game as clients need it: rules in Markdown, and the JSON Schema of everything that they send and are sent."""

    key: str
    title: str
    ruleset: int
    min_seats: int
    max_seats: int
    preset_options: dict[str, dict[str, Any]]
    rules: str
    options_schema: dict[str, Any]
    move_schema: dict[str, Any]
    event_schema: dict[str, Any]
    view_schema: dict[str, Any]
    reasons: tuple[str, ...]
    catalogue: dict[str, Any]


class Seen(NamedTuple):
    """A match as one viewer may know it; `seat` is None for a spectator."""

    match: Match
    game: str
    seat: int | None
    table: TableView[Any, Any]


# Games


def games_all() -> list[GameInfo]:
    """The newest ruleset of every game."""
    return [_info(game) for game in bridge.games().values()]


def game_get(*, key: str) -> GameInfo:
    """One game."""
    game = bridge.games().get(key)
    if game is None:
        raise ServiceError("not_found", f"there is no game {key!r}; there are {', '.join(bridge.games())}")
    return _info(game)


def game_types() -> dict[str, dict[str, Any]]:
    """The types of every game by the letters of `engine.core.game.Game`: moves M, events E, options O, view V."""
    return {
        key: {"M": game.move_type, "E": game.event_type, "O": game.options_type, "V": game.view_type}
        for key, game in bridge.games().items()
    }


@cache
def _info(game: AnyGame) -> GameInfo:
    ranges = [game.seat_range(options) for options in game.presets.values()]
    rules = RULES / f"{game.key}.md"
    return GameInfo(
        key=game.key,
        title=game.title,
        ruleset=game.ruleset,
        min_seats=min(allowed[0] for allowed in ranges),
        max_seats=max(allowed[-1] for allowed in ranges),
        preset_options={name: msgspec.to_builtins(options) for name, options in game.presets.items()},
        rules=rules.read_text(encoding="utf-8") if rules.exists() else "",
        options_schema=msgspec.json.schema(game.options_type),
        move_schema=msgspec.json.schema(game.move_type),
        event_schema=msgspec.json.schema(game.event_type),
        view_schema=msgspec.json.schema(game.view_type),
        reasons=game.reasons,
        catalogue=getattr(game, "catalogue", dict)(),
    )


# Players and matches


def player_get(*, player_id: int) -> Player:
    """An account that can still be used."""
    player = Player.objects.filter(pk=player_id, is_active=True).first()
    if player is None:
        raise ServiceError("not_found", "there is no such player")
    return player


def match_get(*, match_id: UUID, viewer_id: int | None, code: str | None = None) -> Match:
    """A match with its seats and players; a private one for those who sit in it or know its code."""
    match = _matches().filter(pk=match_id).first()
    if match is None or not _may_know(match, viewer_id, code):
        raise ServiceError("not_found", "there is no such match, or you may not know of it")
    return match


def matches_public(*, status: str, game: str | None, after: UUID | None, limit: int) -> list[Match]:
    """Public matches, the newest first, behind the match `after`; one more than `limit` when there are more."""
    rows = _matches().filter(visibility=Visibility.PUBLIC, status=_status(status))
    if game is not None:
        rows = rows.filter(game=game)
    if after is not None:
        rows = rows.filter(pk__lt=after)
    return list(rows.order_by("-pk")[: limit + 1])


def matches_of(*, player_id: int, status: str | None, after: UUID | None, limit: int) -> list[Match]:
    """A player's matches behind `after`: those that wait for the player, the nearest deadline first, then the newest.

    One more than `limit` when there are more.
    """
    rows = (
        _matches()
        .annotate(mine=FilteredRelation("seats", condition=Q(seats__player_id=player_id)))
        .filter(mine__isnull=False)
        .annotate(
            rank=Case(When(mine__awaited_since__isnull=False, then=Value(0)), default=Value(1)),
            until=Coalesce("mine__deadline", Value(_NEVER)),
        )
        .order_by("rank", "until", "-pk")
    )
    if after is not None:
        rows = rows.filter(_behind(rows, after))
    if status is not None:
        rows = rows.filter(status=_status(status))
    return list(rows[: limit + 1])


def _behind(rows: QuerySet[Any], after: UUID) -> Q:
    last = rows.filter(pk=after).values("rank", "until").first()
    if last is None:
        raise ServiceError("malformed", "after must be the id of a match in this list")
    rank, until = last["rank"], last["until"]
    return Q(rank__gt=rank) | Q(rank=rank, until__gt=until) | Q(rank=rank, until=until, pk__lt=after)


def _matches() -> QuerySet[Match]:
    return Match.objects.prefetch_related("seats__player")


def _status(value: str) -> str:
    if value not in Status.values:
        raise ServiceError("malformed", f"status is one of {', '.join(Status.values)}, not {value[:50]!r}")
    return value


def _may_know(match: Match, viewer_id: int | None, code: str | None) -> bool:
    if match.visibility != Visibility.PRIVATE or _seat_of(match, viewer_id) is not None:
        return True
    return code is not None and secrets.compare_digest(match.join_code.encode(), code.encode())


def _seat_of(match: Match, viewer_id: int | None) -> int | None:
    if viewer_id is None:
        return None
    return next((seat.number for seat in match.seats.all() if seat.player_id == viewer_id), None)


# The table and its log


def table_view(*, match_id: UUID, viewer_id: int | None, code: str | None = None, must_sit: bool = False) -> Seen:
    """The table as it is stored; reading settles nothing. `must_sit` refuses spectators with `not_seated`."""
    match, game, table = _table(match_id, viewer_id, code)
    seat = _seat_of(match, viewer_id)
    if must_sit and seat is None:
        raise ServiceError("not_seated")
    return Seen(match, game.key, seat, view_table(game, table, seat))


def entries_after(
    *, match_id: UUID, viewer_id: int | None, after: int, limit: int, code: str | None = None
) -> tuple[list[EntryView[Any, Any]], int]:
    """Up to `limit` entries behind number `after`, and the horizon: the last one that may be seen now."""
    match, _, table = _table(match_id, viewer_id, code)
    seat, codec = _seat_of(match, viewer_id), bridge.codec_of(match.game, match.ruleset)
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
    match = match_get(match_id=match_id, viewer_id=viewer_id, code=code)
    snapshot = Position.objects.filter(match=match).values_list("snapshot", flat=True).first()
    if snapshot is None:
        raise ServiceError("match_not_running", f"the match is {match.get_status_display()}: it never began")
    try:
        game = bridge.game_of(match.game, match.ruleset)
        return match, game, bridge.codec_of(match.game, match.ruleset).table(snapshot)
    except (NewerFormat, UnknownGame) as error:
        raise ServiceError("newer_format", str(error)) from None
