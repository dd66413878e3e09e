"""Streams of a real process: cut, killed, without messages, at the end of tokens. Nobody misses an entry or has two."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec
import pytest
from django.conf import settings
from django.core.cache import caches

from config.env import Env
from config.local.processes import wait_until
from matches import bridge, news, selectors, timing, valkey
from matches.models import Match, Player, Position, Seat
from matches.services import heartbeat, lobby, play, players, presence, tickets, wake
from tests.faults.stage import Stage, stage_on
from tests.live.reading import Event, Reader, get
from tests.ports import free_port

pytestmark = pytest.mark.live
LIMITS = {"STREAMS_PER_PLAYER": "6", "THROTTLE_STREAM": "none", "THROTTLE_READ": "none", "METRICS_TOKEN": "figures"}
CUTS = 50
MOST_MOVES = 300


class Served:
    """A stage with a stream service on it."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.port = free_port()
        self.process = self.start()

    def start(self) -> Any:
        """Start the service, and wait until it hears of moves."""
        self.process = self.stage.streams(self.port, **LIMITS)
        assert wait_until(lambda: self._status("/readyz") == 200, 40)
        return self.process

    def _status(self, path: str) -> int:
        try:
            return get(self.port, path)[0]
        except OSError:
            return 0

    def read(self, match: Match, player: Player | None = None, **fields: Any) -> Reader:
        """Open a match's stream."""
        path = f"matches/{match.pk}/stream{fields.pop('query', '')}"
        return Reader(self.port, path, token=token_of(player), **fields)


@pytest.fixture(scope="module")
def served(data: Path, django_db_blocker: pytest.FixtureRequest) -> Iterator[Served]:
    """A database, a Valkey and a stream service; the tests are what moves."""
    unblocked = django_db_blocker.unblock()  # type: ignore[attr-defined]
    with unblocked, stage_on(data) as stage, mock.patch.object(wake, "settle_later"):
        cached = {"default": Env({}).cache("CACHE_URL", broker=stage.valkey.url)}
        key = stage.environment["SECRET_KEY"]
        with (
            mock.patch.object(settings, "CACHES", cached),
            mock.patch.object(settings, "SECRET_KEY", key),
            mock.patch.object(caches, "settings", caches.configure_settings(cached)),
            mock.patch.object(presence, "cache", caches.create_connection("default")),
        ):
            yield Served(stage)


@pytest.fixture(autouse=True)
def alive(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Time passes, and messages are sent whatever went before."""
    heartbeat.beat()
    monkeypatch.setattr(news, "_rest", valkey.Rest())


def token_of(player: Player | None) -> str:
    """An access token, empty for nobody."""
    return "" if player is None else players.tokens_issue(player=player).access


def begin(number: int = 2, game: str = "three_up_three_down", **fields: Any) -> tuple[Match, list[Player]]:
    """A match that has just begun, and who sits in it."""
    people = [Player.objects.create_player(f"reader {time.monotonic_ns() % 10**12} {seat}") for seat in range(number)]
    match = lobby.match_create(host_id=people[0].pk, game=game, seats=number, **fields)
    for player in people[1:]:
        match = lobby.match_join(match_id=match.pk, player_id=player.pk, code=match.join_code)
    seats = {seat.number: seat.player_id for seat in Seat.objects.filter(match=match)}
    return match, sorted(people, key=lambda player: next(seat for seat, owner in seats.items() if owner == player.pk))


def move(match: Match, people: list[Player], seat: int | None = None, kind: str = "") -> int | None:
    """Whoever is asked first makes the first legal move; gives the last entry then, None when nobody is asked."""
    heartbeat.beat()
    table = bridge.codec_of(match.game, match.ruleset).table(Position.objects.get(match=match).snapshot)
    for number, at in enumerate(table.seats):
        if at.decision is None or seat not in {None, number}:
            continue
        legal = bridge.game_of(match.game).legal_moves(table.state, number)
        wanted = next(move for move in legal if kind in type(move).__name__.lower())
        play.move_submit(
            match_id=match.pk,
            player_id=people[number].pk,
            epoch=people[number].epoch,
            serial=at.decision.serial,
            move=msgspec.json.encode(wanted),
            received=timing.now_ms(),
        )
        return Position.objects.get(match=match).number
    return None


def moves(match: Match, people: list[Player], number: int) -> int:
    """So many moves; gives the last entry."""
    last = [move(match, people) for _ in range(number)][-1]
    assert last is not None
    return last


def log_of(match: Match, player: Player | None) -> list[Event]:
    """What a reader must have got in the end."""
    viewer = None if player is None else player.pk
    entries, _ = selectors.entries_after(match_id=match.pk, viewer_id=viewer, after=0, limit=10_000)
    return [Event("entry", json.loads(msgspec.json.encode(entry)), entry.number) for entry in entries]


def test_a_stream_that_is_cut_fifty_times_has_every_entry_once_and_in_order(served: Served) -> None:
    match, people = begin(3, "gnoming_a_round")
    over = threading.Event()

    def play_on() -> None:
        from django.db import connection  # noqa: PLC0415 - the thread's own

        made = 0
        while made < MOST_MOVES and not over.is_set():
            made += move(match, people) is not None
        connection.close()

    mover = threading.Thread(target=play_on)
    mover.start()
    got: list[Event] = []
    try:
        for cut in range(CUTS):
            reader = served.read(match, people[0], last=got[-1].id if got else None)
            assert reader.status == 200, reader.answer.read()
            got += reader.events(cut % 3 + 1)
            reader.close()
    finally:
        over.set()
        mover.join()
    reader = served.read(match, people[0], last=got[-1].id)
    expected = log_of(match, people[0])
    got += reader.events(len(expected) - len(got))
    reader.close()
    assert [event.id for event in got] == list(range(1, len(expected) + 1))
    assert got == expected
    assert len(got) > CUTS


def test_everybody_reads_what_the_log_shows_them(served: Served) -> None:
    match, people = begin(3)
    readers = [served.read(match, who) for who in (*people, None)]
    last = moves(match, people, 6)
    for reader, who in zip(readers, (*people, None), strict=True):
        assert reader.events(last) == log_of(match, who)
        reader.close()
    assert presence.is_watching(player_id=people[1].pk, match_id=match.pk)


def test_a_long_poll_waits_for_the_next_entry_and_is_the_log(served: Served) -> None:
    match, people = begin()
    path = f"/api/v1/matches/{match.pk}/log?after="
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(get, served.port, f"{path}1&wait=25", token_of(people[0]))
        assert wait_until(lambda: presence.is_watching(player_id=people[0].pk, match_id=match.pk), 10)
        last = moves(match, people, 1)
        status, page = waiting.result()
    assert (status, page["horizon"]) == (200, last)
    assert page["entries"] == [event.data for event in log_of(match, people[0])[1:]]
    assert get(served.port, f"{path}0", token_of(people[0]))[1]["entries"][0]["number"] == 1
    assert get(served.port, f"{path}{last}&wait=1")[1] == {"entries": [], "horizon": last}


def test_without_messages_a_move_comes_seconds_later(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    match, people = begin()
    reader = served.read(match, people[0])
    assert reader.events(1)[0].id == 1
    monkeypatch.setattr(news, "_publish", lambda *_: None)
    last = moves(match, people, 3)
    assert [event.id for event in reader.events(last - 1)] == list(range(2, last + 1))
    reader.close()


def test_the_connection_for_messages_and_valkey_itself_may_die(served: Served) -> None:
    match, people = begin()
    reader = served.read(match, people[0])
    last = moves(match, people, 1)
    served.stage.broker().client_kill_filter(_type="pubsub")
    last = moves(match, people, 1)
    served.stage.restart_broker()
    last = moves(match, people, 2)
    assert [event.id for event in reader.events(last)] == list(range(1, last + 1))
    reader.close()


def test_a_server_that_is_killed_comes_again_and_goes_on(served: Served) -> None:
    match, people = begin()
    reader = served.read(match, people[0])
    got = reader.events(moves(match, people, 2))
    served.stage.kill(served.process)
    moves(match, people, 2)
    assert reader.rest() == []
    served.start()
    reader = served.read(match, people[0], last=got[-1].id)
    last = moves(match, people, 1)
    got += reader.events(last - len(got))
    assert got == log_of(match, people[0])

    os.kill(served.process.pid, signal.SIGTERM)
    assert reader.rest() == []
    assert served.process.wait(20) in {0, -signal.SIGTERM}
    served.stage.processes.remove(served.process)
    served.start()


def test_a_look_in_a_sealed_race_is_told_to_its_seat_alone(served: Served) -> None:
    match, people = begin(3, game="snap", options={"race": {"mode": "reaction"}})
    while not any(event.data.get("events") and event.data["cause"] == "move" for event in log_of(match, None)):
        assert move(match, people) is not None
    horizon = len(log_of(match, None))
    own, other, nobody = (served.read(match, who, last=horizon) for who in (people[0], people[1], None))
    hints = Reader(served.port, "me/stream", token=token_of(people[1]))
    first = hints.events(1)[0]
    assert first.data == {"match": str(match.pk), "horizon": horizon, "your_turn": True, "is_over": False}
    before = Position.objects.get(match=match).number
    move(match, people, 0, "look")
    assert Position.objects.get(match=match).number > before
    assert own.events(1) == [Event("table", {"horizon": horizon}, None)]
    assert [reader.is_silent(0.4) for reader in (other, nobody, hints)] == [True, True, True]
    again = served.read(match, people[0], last=horizon)
    assert again.events(1) == [Event("table", {"horizon": horizon}, None)]
    for reader in (own, other, nobody, hints, again):
        reader.close()


def test_a_player_s_stream_begins_with_what_is_and_hints_at_what_comes(served: Served) -> None:
    match, people = begin()
    reader = Reader(served.port, "me/stream", token=token_of(people[0]))
    turn = {"match": str(match.pk), "horizon": 1, "is_over": False, "your_turn": True}
    assert reader.events(1) == [Event("hint", turn, None)]
    late, others = begin()
    third, _ = begin()
    last = moves(match, people, 1)
    assert reader.events(1)[0].data["match"] == str(match.pk)
    play.match_resign(match_id=match.pk, player_id=people[0].pk, epoch=0, received=timing.now_ms())
    while not (event := reader.events(1)[0]).data["is_over"]:
        assert event.data["horizon"] <= last + 1
    assert event.data["your_turn"] is False
    reader.close()
    assert {late.pk, third.pk} & {match.pk} == set()
    assert others


def test_a_stream_ends_with_the_match_and_with_its_token(served: Served) -> None:
    match, people = begin()
    with mock.patch.object(time, "time", return_value=time.time() - players.ACCESS_S + 3):
        short = token_of(people[1])
    expiring = Reader(served.port, f"matches/{match.pk}/stream?after=1", token=short)
    revoked = served.read(match, people[0], query="?after=1")
    anonymous = served.read(match, query="?after=1")
    players.player_log_out_everywhere(player_id=people[0].pk)
    for reader in (expiring, revoked):
        (event,) = reader.rest()
        assert (event.name, event.data["code"]) == ("end", "token_invalid")
    play.match_resign(match_id=match.pk, player_id=people[1].pk, epoch=0, received=timing.now_ms())
    *entries, event = anonymous.rest()
    assert [entry.data for entry in entries] == [entry.data for entry in log_of(match, None)[1:]]
    assert (event.name, event.data["code"]) == ("end", "match_over")


def test_a_ticket_lets_one_in(served: Served) -> None:
    match, people = begin(visibility="private")
    ticket = tickets.ticket_issue(admission=tickets.Admission(people[0].pk, 0, time.time() + 60))
    with ThreadPoolExecutor(8) as pool:
        readers = list(pool.map(lambda _: served.read(match, query=f"?ticket={ticket}"), range(8)))
    assert sorted(reader.status for reader in readers) == [200] + 7 * [401]
    assert {reader.problem() for reader in readers if reader.status == 401} == {"token_invalid"}
    inside = next(reader for reader in readers if reader.status == 200)
    assert inside.events(1) == log_of(match, people[0])
    for reader in readers:
        reader.close()


def test_refusals_come_before_the_stream_begins(served: Served) -> None:
    match, people = begin(visibility="private")
    stranger = Player.objects.create_player("a stranger to all")
    waiting = lobby.match_create(host_id=people[0].pk, game="snap", seats=2)
    assert [(reader.status, reader.problem()) for reader in (served.read(match), served.read(match, stranger))] == [
        (404, "not_found"),
        (404, "not_found"),
    ]
    refused = [
        served.read(waiting, people[0]),
        served.read(match, people[0], query="?after=x"),
        Reader(served.port, "me/stream"),
        Reader(served.port, "me/stream", token="wrong"),
    ]
    assert [(reader.status, reader.problem()) for reader in refused] == [
        (409, "match_not_running"),
        (400, "malformed"),
        (401, "not_authenticated"),
        (401, "token_invalid"),
    ]
    many = [served.read(match, people[1]) for _ in range(7)]
    assert [reader.status for reader in many] == [200] * 6 + [429]
    assert many[6].answer.headers["Retry-After"] == "5"
    assert many[6].problem() == "too_many_streams"
    for reader in many[:6]:
        reader.close()

    def is_let_in() -> bool:
        again = served.read(match, people[1])
        again.close()
        return again.status == 200

    assert wait_until(is_let_in, 10)


def test_the_process_says_how_it_is(served: Served) -> None:
    assert get(served.port, "/healthz") == (200, {"status": "ok"})
    assert get(served.port, "/readyz") == (200, {"status": "ok", "database": "ok", "messages": "ok"})
    assert get(served.port, "/metrics")[0] == 404
    status, figures = get(served.port, "/metrics", "figures")
    assert status == 200
    assert b"listik_streams_told 1.0" in figures
