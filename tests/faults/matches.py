"""Matches that are long overdue, and the log that each must get, whatever happens to the workers."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any
from unittest import mock
from uuid import uuid4

from django.db import connection, transaction

from engine.core.waits import LAG
from matches import bridge, timing
from matches.bridge import AnyEntry
from matches.models import Heartbeat, Match, MoveRecord, Outage, Player, Position, Seat
from matches.services import lobby

MINUTE = 60_000
TABLES = "matches_match, matches_player, matches_heartbeat, matches_outage"
GAMES = ("three_up_three_down", "snap", "splendor", "gnoming_a_round", "slamwich")


def clear() -> None:
    """Nothing is left of what was there before."""
    with connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {TABLES} CASCADE")


def begin(
    number: int, *, ago: int, players: Sequence[Player] = (), games: Sequence[str] = GAMES, **fields: Any
) -> list[Match]:
    """So many matches of these games that began so many milliseconds ago, one after another; nobody has moved since."""
    begun = timing.now_ms() - ago
    players = players or people(3)
    return [_begin(players, begun + 500 * index, games[index % len(games)], fields) for index in range(number)]


def people(number: int) -> list[Player]:
    """So many players."""
    return [Player.objects.create_player(f"player {uuid4()}"[:30]) for _ in range(number)]


def _begin(players: Sequence[Player], begun: int, game: str, fields: dict[str, Any]) -> Match:
    wanted = {
        "control": {"type": "per_move", "move_s": 60},
        "policy": {"on_timeout": "play_on", "strikes": 20},
        **fields,
    }
    with mock.patch.object(lobby, "now_ms", return_value=begun), mock.patch.object(lobby, "wake_soon"):
        match = lobby.match_create(host_id=players[0].pk, game=game, seats=len(players), **wanted)
        for player in players[1:]:
            match = lobby.match_join(match_id=match.pk, player_id=player.pk)
    return match


def logged() -> int:
    """How many entries there are in all logs."""
    return MoveRecord.objects.count()


def are_overdue() -> bool:
    """Whether something is due that hasn't been settled."""
    return Position.objects.filter(due_at__lte=timing.now_ms()).exists()


def wait_for_more_than(entries: int, seconds: float = 60) -> None:
    """Until there are more entries than that, or nothing is overdue any more."""
    end = time.monotonic() + seconds
    while logged() <= entries and are_overdue():
        assert time.monotonic() < end, list(Position.objects.exclude(last_error="").values("fails", "last_error"))
        time.sleep(0.02)


def wait_for_all(seconds: float = 120) -> None:
    """Until nothing is overdue that is so now; where it takes minutes, something else may be by then."""
    overdue = Position.objects.filter(due_at__lte=timing.now_ms())
    end = time.monotonic() + seconds
    while overdue.exists():
        assert time.monotonic() < end, f"{overdue.count()} are overdue"
        time.sleep(0.1)


def must_be_undisturbed(matches: list[Match]) -> int:
    """Every log is the one that passing time alone makes of this match; gives the number of entries."""
    with transaction.atomic(), connection.cursor() as cursor:
        # Workers go on meanwhile: log and table are to be those of one moment.
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        return sum(map(_undisturbed, matches))


def _undisturbed(match: Match) -> int:
    """The match is made here once more, by the engine alone, in one go."""
    match.refresh_from_db()
    seats = list(Seat.objects.filter(match=match))
    codec = bridge.codec_of(match.game, match.ruleset)
    referee = bridge.referee_of(match, seats)
    rows = MoveRecord.objects.filter(match=match).order_by("number").values_list("entry", flat=True)
    found = [codec.entry(row) for row in rows]
    step = referee.open(bridge.opening_of(match, seats))
    expected: list[AnyEntry] = list(step.entries)
    outages = Outage.objects.filter(ends__gt=step.table.at).order_by("ends").values_list("begins", "ends")
    good = bridge.made_good(referee, step.table, list(outages))
    expected += good.entries
    table = good.table
    while len(expected) < len(found) and not table.is_over:
        step = referee.settle(table, found[-1].received + LAG)
        if not step.entries:
            break
        expected += step.entries
        table = step.table
    differs = next((pair for pair in zip(found, expected, strict=False) if pair[0] != pair[1]), None)
    assert differs is None, f"{match.game} {match.pk}: stored and made here: {differs}"
    assert len(found) <= len(expected), f"{match.game} {match.pk}: more than was made here: {found[len(expected) :]}"
    snapshot = Position.objects.get(match=match).snapshot
    assert codec.table(snapshot) == referee.replay(bridge.opening_of(match, seats), found)
    return len(found)


def lost_on_time(matches: list[Match]) -> list[Match]:
    """Those in which a clock has run out."""
    return [match for match in matches if MoveRecord.objects.filter(match=match, cause="flag").exists()]


def no_heartbeat_since(ago: int) -> int:
    """As if every web process had been gone for so many milliseconds; gives the time of the last heartbeat."""
    at = timing.now_ms() - ago
    Heartbeat.objects.create(beaten_at=at)
    return at
