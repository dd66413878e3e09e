"""`python -m bench.signals`: what it costs a move to tell the stream service of it, by NOTIFY or by Valkey.

The ways take turns block by block in one run, with somebody listening on both: no signal, NOTIFY within the write,
PUBLISH after the commit. First one mover at a time, with whole moves; then many writers at once, with the bare write of
a position, where it shows who has to wait for whom.
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median, quantiles
from typing import Any
from unittest import mock

import msgspec
import psycopg
import redis
from django.conf import settings
from django.db import connection, transaction

from bench.sweep import fresh_stage
from config.env import Env
from matches import bridge, locking, news, statements, timing
from matches.models import Match, Player, Position, Seat
from matches.services import heartbeat, lobby, play
from tests.faults.stage import Stage

WAYS = ("none", "notify", "publish")
NOTIFY = " RETURNING pg_notify('listik', %(match)s::text)"


@contextmanager
def told_by(way: str) -> Iterator[None]:
    """Inside the block a move is told in this way."""
    go_on = statements.GO_ON + (NOTIFY if way == "notify" else "")
    tell = news.tell_moved if way == "publish" else mock.Mock()
    with mock.patch.object(locking, "GO_ON", go_on), mock.patch.object(locking, "tell_moved", tell):
        yield


def one_mover(blocks: int, moves: int) -> dict[str, list[float]]:
    """How long each move took, in milliseconds, by way."""
    took: dict[str, list[float]] = {way: [] for way in WAYS}
    match, players = new_match()
    for block in range(blocks):
        for way in WAYS[block % 3 :] + WAYS[: block % 3]:
            with told_by(way):
                for _ in range(moves):
                    heartbeat.beat()
                    ask = next_move(match, players)
                    if ask is None:
                        match, players = new_match()
                        continue
                    begun = time.perf_counter()
                    ask()
                    took[way].append((time.perf_counter() - begun) * 1000)
    return took


def new_match() -> tuple[Match, list[Player]]:
    """A match of two."""
    players = [Player.objects.create_player(f"mover {time.monotonic_ns() + number}"[:30]) for number in range(2)]
    match = lobby.match_create(host_id=players[0].pk, game="splendor", seats=2)
    return lobby.match_join(match_id=match.pk, player_id=players[1].pk), players


def next_move(match: Match, players: list[Player]) -> Callable[[], Any] | None:
    """Whose turn it is, about to make the first legal move; None once the match is over."""
    table = bridge.codec_of(match.game, match.ruleset).table(Position.objects.get(match=match).snapshot)
    for seat in Seat.objects.filter(match=match):
        decision = table.seats[seat.number].decision
        if decision is None or seat.player_id is None:
            continue
        move = msgspec.json.encode(bridge.game_of(match.game).legal_moves(table.state, seat.number)[0])
        fields: dict[str, Any] = {
            "match_id": match.pk,
            "player_id": seat.player_id,
            "epoch": 0,
            "serial": decision.serial,
        }
        return lambda: play.move_submit(**fields, move=move, received=timing.now_ms())
    return None


def many_writers(writers: int, blocks: int, seconds: float) -> dict[str, list[float]]:
    """How many positions were written a second, in each block, by way."""
    matches = [new_match()[0] for _ in range(writers)]
    rates: dict[str, list[float]] = {way: [] for way in WAYS}
    for block in range(blocks):
        for way in WAYS[block % 3 :] + WAYS[: block % 3]:
            done = [0] * writers
            end = time.monotonic() + seconds
            threads = [
                threading.Thread(target=_write, args=(way, match, done, index, end))
                for index, match in enumerate(matches)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            rates[way].append(sum(done) / seconds)
    return rates


def _write(way: str, match: Match, done: list[int], index: int, end: float) -> None:
    statement = "UPDATE matches_position SET retry_at = NULL WHERE match_id = %(match)s"
    while time.monotonic() < end:
        with transaction.atomic(durable=True):
            with connection.cursor() as cursor:
                cursor.execute(statement + (NOTIFY if way == "notify" else ""), {"match": match.pk})
            if way == "publish":
                news.tell_moved(match_id=match.pk, number=1)
        done[index] += 1
    connection.close()


@contextmanager
def listeners(stage: Stage) -> Iterator[None]:
    """Somebody hears both, as the stream service would."""
    over = threading.Event()
    settings.CACHES["default"] = Env({}).cache("CACHE_URL", broker=stage.valkey.url)

    def listen() -> None:
        with psycopg.connect(stage.postgres.url, autocommit=True) as heard:
            heard.execute("LISTEN listik")
            while not over.is_set():
                for _ in heard.notifies(timeout=0.2):
                    pass

    def subscribe() -> None:
        with redis.Redis(unix_socket_path=str(stage.valkey.socket)).pubsub() as heard:  # type: ignore[no-untyped-call]
            heard.subscribe(news.CHANNEL)
            while not over.is_set():
                heard.get_message(timeout=0.2)

    threads = [threading.Thread(target=work) for work in (listen, subscribe)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blocks", type=int, default=30)
    parser.add_argument("--moves", type=int, default=20, help="a block")
    parser.add_argument("--writers", type=int, default=8)
    chosen: Any = parser.parse_args()
    with fresh_stage() as stage, listeners(stage):
        heartbeat.beat()
        for way, took in one_mover(chosen.blocks, chosen.moves).items():
            cuts = quantiles(took, n=20)
            print(f"one mover, {way:8} {len(took)} moves, p50 {cuts[9]:.2f} ms, p95 {cuts[18]:.2f} ms", flush=True)
        for way, rates in many_writers(chosen.writers, 6, 1.0).items():
            print(f"{chosen.writers} writers, {way:8} {median(rates):.0f} commits a second", flush=True)


if __name__ == "__main__":
    main()
