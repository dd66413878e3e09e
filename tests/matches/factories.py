"""Short words for what tests begin with, and what they compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from threading import Barrier
from typing import Any, TypeVar

import msgspec
import pytest
from django.db import connection, connections, transaction

from engine.core.table import Table
from matches import bridge, timing
from matches.errors import ServiceError
from matches.models import Match, MoveRecord, Player, Position, Seat
from matches.services import lobby, play
from matches.services.play import Played

T = TypeVar("T")
MOVE_S = 60
PER_MOVE = {"type": "per_move", "move_s": MOVE_S}
_numbers = count(1)


def make_player(name: str = "") -> Player:
    """Somebody, who never logs in."""
    return Player.objects.create_player(name or f"player {next(_numbers)}")


def make_players(number: int) -> list[Player]:
    return [make_player() for _ in range(number)]


def make_lobby(host: Player, seats: int = 2, **fields: Any) -> Match:
    """A match of Heap that waits for players."""
    return lobby.match_create(**{"host_id": host.pk, "game": "heap", "seats": seats, **fields})


def make_match(*players: Player, **fields: Any) -> Match:
    """A match of Heap that these players have begun."""
    match = make_lobby(players[0], len(players), **fields)
    for player in players[1:]:
        match = lobby.match_join(match_id=match.pk, player_id=player.pk, code=match.join_code)
    return match


def begin_ago(monkeypatch: pytest.MonkeyPatch, milliseconds: int, *players: Player, **fields: Any) -> Match:
    """A match that has begun so long ago, and in which nothing has happened since."""
    begun = timing.now_ms() - milliseconds
    with monkeypatch.context() as patch:
        patch.setattr(lobby, "now_ms", lambda: begun)
        return make_match(*players, **fields)


def take(match: Match, player: Player, number: int, *, serial: int = 1, **fields: Any) -> Played:
    """Submit a move of Heap."""
    move = msgspec.json.encode({"type": "take", "count": number})
    return submit(match, player, move, serial=serial, **fields)


def submit(match: Match, player: Player, move: bytes, *, serial: int = 1, **fields: Any) -> Played:
    given = {"epoch": player.epoch, "received": timing.now_ms(), **fields}
    return play.move_submit(match_id=match.pk, player_id=player.pk, serial=serial, move=move, **given)


def refusal(request: Callable[..., Any], **arguments: Any) -> ServiceError:
    """The refusal that the request meets."""
    with pytest.raises(ServiceError) as caught:
        request(**arguments)
    return caught.value


def table_of(match: Match) -> Table[Any, Any]:
    """The table as it is stored."""
    return bridge.codec_of(match.game, match.ruleset).table(Position.objects.get(match=match).snapshot)


def replayed(match: Match) -> Table[Any, Any]:
    """The table as its log makes it."""
    match.refresh_from_db()
    seats = list(Seat.objects.filter(match=match))
    codec = bridge.codec_of(match.game, match.ruleset)
    referee = bridge.referee_of(match, seats)
    entries = MoveRecord.objects.filter(match=match).order_by("number").values_list("entry", flat=True)
    return referee.replay(bridge.opening_of(match, seats), [codec.entry(entry) for entry in entries])


def causes(match: Match) -> list[tuple[str, int | None]]:
    """The log, as causes and seats."""
    return list(MoveRecord.objects.filter(match=match).order_by("number").values_list("cause", "seat"))


def stored(match: Match) -> tuple[Any, ...]:
    """All that is kept of a match, to compare."""
    return (
        Match.objects.filter(pk=match.pk).values().get(),
        list(Position.objects.filter(match=match).values()),
        list(Seat.objects.filter(match=match).values()),
        list(MoveRecord.objects.filter(match=match).values_list("number", "entry")),
    )


def at_once(number: int, work: Callable[[int], T]) -> list[T | ServiceError]:
    """What so many threads get that begin at the same moment, each with a connection of its own."""
    barrier = Barrier(number)

    def run(index: int) -> T | ServiceError:
        barrier.wait(timeout=10)
        try:
            return work(index)
        except ServiceError as error:
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(run, range(number)))


def elsewhere(work: Callable[[], T]) -> T:
    """Do it in another thread with another connection, whose statements end after a few seconds."""

    def run() -> T:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET statement_timeout = '5s'")
            return work()
        finally:
            with connection.cursor() as cursor:
                cursor.execute("RESET statement_timeout")
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()


@contextmanager
def held(match: Match) -> Iterator[None]:
    """This thread's connection holds the match's lock, like a move that doesn't come to its end."""
    with transaction.atomic():
        Position.objects.select_for_update(no_key=True).get(match=match)
        yield
