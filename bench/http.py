"""`python -m bench.http`: moves over HTTP, with real processes and durable commits, beside what is possible at all.

PostgreSQL with fsync, two web processes, all five games. Every move that is sent was worked out beforehand
(`bench.prepared`). In the same run the same rows are written by a bare transaction, by a bare ASGI application and by
a bare view of Django, so that ratios can be compared where figures can't.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any
from unittest import mock

import psycopg
from django.conf import settings
from django.db import OperationalError, connection

from bench.bare import arguments, recorded
from bench.figures import Figures, figures, processor_s
from bench.prepared import GAMES, SEATS, Prepared, players, prepare
from bench.sweep import analyze, copy, fresh_stage
from config.local.places import CHECKOUT
from config.local.processes import wait_until
from config.local.serve import THREADS, free_port
from matches import timing
from matches.services import heartbeat, play
from matches.services.players import access_token_read
from tests.faults.stage import Process, Stage

CONNECTIONS = (1, 8, 32, 128)
MOST_CLIENTS = 64
"""So many connections of its own to the database has the bare transaction at most; PostgreSQL allows 100 in all."""
WEB_PROCESSES = 2


class Bench:
    """A web server on the stage, and loads upon it."""

    def __init__(self, stage: Stage, seconds: float) -> None:
        self.stage = stage
        self.seconds = seconds
        self.folder = Path(tempfile.mkdtemp(prefix="plan-"))
        self.environment = {
            **stage.environment,
            **{f"THROTTLE_{scope}": "none" for scope in ("READ", "WRITE", "MOVE", "HISTORY")},
            "LOG_LEVEL": "WARNING",
            "SECRET_KEY": settings.SECRET_KEY,  # tokens are issued here
            "BENCH_MOVE": str(self.folder / "move.json"),
        }
        stage.environment.update(self.environment)

    @contextmanager
    def server(self, application: str, interface: str = "wsgi") -> Iterator[tuple[int, Process]]:
        """Granian as `serve` starts it, with another application perhaps."""
        port = free_port("127.0.0.1", None)
        options = ["--interface", interface, "--no-ws", "--host", "127.0.0.1", "--port", str(port)]
        options += ["--workers", str(WEB_PROCESSES), "--log-level", "warning"]
        options += ["--blocking-threads", str(THREADS)] if interface == "wsgi" else []
        process = self.stage.start("granian", *options, application)
        try:
            assert wait_until(lambda: _answers(port), 60)
            yield port, process
        finally:
            self.stage.kill(process)

    def load(
        self,
        server: tuple[int, Process],
        lists: list[list[tuple[Any, ...]]],
        connections: int,
        *,
        rate: float = 0,
        seconds: float | None = None,
    ) -> Figures:
        """Send these requests, those of a list one after another."""
        port, process = server
        plan = {"port": port, "connections": connections, "seconds": seconds or self.seconds, "rate": rate}
        (self.folder / "plan.json").write_text(json.dumps({**plan, "lists": lists}))
        before = processor_s(process.pid), processor_s(self.stage.postgres.pid or 0)
        found = json.loads(
            subprocess.run(
                [sys.executable, "-m", "bench.load", str(self.folder / "plan.json")],
                cwd=CHECKOUT,
                env=self.environment,
                check=True,
                stdout=subprocess.PIPE,
            ).stdout
        )
        after = processor_s(process.pid), processor_s(self.stage.postgres.pid or 0)
        return figures(found, after[0] - before[0], after[1] - before[1])


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2):
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


def boards(number: int, moves: int, **fields: Any) -> list[Prepared]:
    """So many matches over the five games, each game as often."""
    people = [players(SEATS) for _ in range(number // 20 + 1)]
    return [prepare(GAMES[index % len(GAMES)], people[index // 20], moves, **fields) for index in range(number)]


def lists_of(prepared: list[Prepared]) -> list[list[tuple[Any, ...]]]:
    """Plans: a list a match."""
    return [[(path, token, body.decode()) for path, token, body in one.requests] for one in prepared]


def record_move(bench: Bench, prepared: Prepared) -> None:
    """Make one move here, and keep the two statements that it was."""
    _, token, body = prepared.requests[0]
    identity = access_token_read(token)
    statements: list[tuple[str, dict[str, Any]]] = []

    def note(execute: Callable[..., Any], sql: str, params: Any, *rest: Any) -> Any:
        statements.append((sql, params))
        return execute(sql, params, *rest)

    sent = json.loads(body)
    with connection.execute_wrapper(note), mock.patch.object(play, "wake_soon"):
        play.move_submit(
            match_id=prepared.match.pk,
            player_id=identity.player_id,
            epoch=identity.epoch,
            serial=sent["serial"],
            move=json.dumps(sent["move"]).encode(),
            received=timing.now_ms(),
        )
    (read, read_arguments), (write, write_arguments) = statements[:2]
    document = {"read": read, "read_arguments": read_arguments, "write": write, "write_arguments": write_arguments}
    (bench.folder / "move.json").write_text(json.dumps(document, default=str))
    os.environ["BENCH_MOVE"] = str(bench.folder / "move.json")
    recorded.cache_clear()


def bare_transactions(bench: Bench, matches: list[str], clients: int) -> Figures:
    """The same two statements and a commit, over connections of their own, without any server between."""
    end = time.perf_counter() + bench.seconds
    took: list[float] = []

    def write(number: int) -> None:
        with psycopg.connect(bench.stage.environment["DATABASE_URL"]) as own:
            turn = number
            while time.perf_counter() < end:
                read, written = arguments(matches[turn % len(matches)])
                turn += clients
                begun = time.perf_counter()
                with own.transaction():
                    assert own.execute(recorded()["read"], read).fetchone() is not None
                    own.execute(recorded()["write"], written)
                took.append((time.perf_counter() - begun) * 1000)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(clients)]
    before = time.process_time(), processor_s(bench.stage.postgres.pid or 0)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    own_s, database_s = time.process_time() - before[0], processor_s(bench.stage.postgres.pid or 0) - before[1]
    return figures({"took": took, "seconds": bench.seconds, "failed": {}}, own_s, database_s)


def moves_and_limits(bench: Bench, connections: tuple[int, ...]) -> None:
    """Moves over HTTP at some numbers of connections, and beside each what the bare ways reach."""
    # A board for the bare ways: all its matches are one, so that the same player and seat fit them all.
    original = prepare("splendor", players(SEATS), 40, after=20)
    record_move(bench, original)
    copy(original.match, 256)
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM copies")
        bare = [str(row[0]) for row in cursor.fetchall()]
    bare_lists = [[(f"/api/v1/matches/{match}/moves", "", "{}")] * 2000 for match in bare]
    for number in connections:
        print(f"\n{number} connections", flush=True)
        prepared = boards(max(60, 4 * number), 150)
        analyze()
        with bench.server("config.wsgi:application") as server:
            bench.load(server, _reads(prepared), min(8, number), seconds=2)
            moves = bench.load(server, lists_of(prepared), number)
            print(f"  moves over HTTP          {moves}", flush=True)
        with bench.server("bench.bare:asgi", "asgi") as server:
            bare_asgi = bench.load(server, bare_lists, number)
            print(f"  bare ASGI + psycopg      {bare_asgi}", flush=True)
        with bench.server("bench.bare_django:application") as server:
            print(f"  bare view of Django      {bench.load(server, bare_lists, number)}", flush=True)
        transaction = bare_transactions(bench, bare, min(number, MOST_CLIENTS))
        print(f"  bare transaction         {transaction}", flush=True)
        print(
            f"  moves are {moves.rate / bare_asgi.rate:.2f} of bare ASGI a second; "
            f"their p50 is {moves.p50 / transaction.p50:.2f} times that of the bare transaction",
            flush=True,
        )


def steady(bench: Bench, rates: tuple[int, ...]) -> None:
    """Moves that begin at fixed moments, however long the others take, over at most 128 connections."""
    print("\nmoves that begin at fixed moments", flush=True)
    for rate in rates:
        prepared = boards(300, 60)
        analyze()
        with bench.server("config.wsgi:application") as server:
            bench.load(server, _reads(prepared), 8, seconds=2)
            found = bench.load(server, lists_of(prepared), 128, rate=rate)
            print(f"  {rate:6}/s wanted          {found}", flush=True)


def _reads(prepared: list[Prepared]) -> list[list[tuple[Any, ...]]]:
    return [[(f"/api/v1/matches/{one.match.pk}/view", one.requests[0][1], "")] * 50 for one in prepared]


def reads(bench: Bench) -> None:
    """What clients ask between moves, over eight connections."""
    prepared = boards(60, 1)
    with bench.server("config.wsgi:application") as server:
        tags = {one.match.pk: _etag(server[0], one) for one in prepared}
        kinds: dict[str, Callable[[Prepared], tuple[Any, ...]]] = {
            "view": lambda one: (f"/api/v1/matches/{one.match.pk}/view", one.requests[0][1], ""),
            "view, not changed (304)": lambda one: (
                f"/api/v1/matches/{one.match.pk}/view",
                one.requests[0][1],
                "",
                {"If-None-Match": tags[one.match.pk]},
            ),
            "legal moves": lambda one: (f"/api/v1/matches/{one.match.pk}/legal-moves", one.requests[0][1], ""),
            "my matches": lambda one: ("/api/v1/me/matches", one.requests[0][1], ""),
        }
        print("\nreads, 8 connections", flush=True)
        for name, request in kinds.items():
            lists = [[request(one)] * 500 for one in prepared]
            print(f"  {name:24} {bench.load(server, lists, 8)}", flush=True)


def _etag(port: int, one: Prepared) -> str:
    asked = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/v1/matches/{one.match.pk}/view",
        headers={"Authorization": f"Bearer {one.requests[0][1]}"},
    )
    with urllib.request.urlopen(asked) as answer:
        return str(answer.headers["ETag"])


def length_of_the_log(bench: Bench, lengths: tuple[int, ...], rounds: int) -> None:
    """A move of Snap at several lengths of the log, in turns, over one connection."""
    people = players(SEATS)
    at_length = {length: [prepare("snap", people, 400, after=length) for _ in range(8)] for length in lengths}
    analyze()
    took: dict[int, list[Figures]] = {length: [] for length in lengths}
    with bench.server("config.wsgi:application") as server:
        for number in range(rounds):
            for length, prepared in at_length.items():
                size = 400 // (rounds + 1)
                lists = [part[number * size : (number + 1) * size] for part in lists_of(prepared)]
                took[length].append(bench.load(server, lists, 1, seconds=60))
    first = median(found.p50 for found in took[lengths[0]])
    print("\na move of Snap by the length of the log, one connection", flush=True)
    for length, found in took.items():
        p50, web = median(one.p50 for one in found), median(one.web for one in found)
        database = median(one.database for one in found)
        failed = sum((Counter(one.failed) for one in found), Counter())
        print(
            f"  {length:6} entries  p50 {p50:.2f} ms ({p50 / first:.2f} times), web {web:.2f} ms, "
            f"database {database:.2f} ms{f'  FAILED {failed}' if failed else ''}",
            flush=True,
        )


def stored_matches(bench: Bench, numbers: tuple[int, ...]) -> None:
    """Moves with more and more other matches stored, over eight connections."""
    original = prepare("splendor", players(SEATS), 1, after=3)
    print("\nby the number of matches stored, 8 connections", flush=True)
    stored = 0
    for number in numbers:
        copy(original.match, number - stored)
        stored = number
        prepared = boards(60, 150)
        analyze()
        with bench.server("config.wsgi:application") as server:
            bench.load(server, _reads(prepared), 8, seconds=2)
            print(f"  {number:9} matches        {bench.load(server, lists_of(prepared), 8)}", flush=True)
    print(f"\nwhat is stored, with {stored} matches of Splendor that have just begun", flush=True)
    for table in ("matches_match", "matches_seat", "matches_position", "matches_moverecord"):
        print(f"  {table:20} {sizes(table)}", flush=True)


def sizes(table: str) -> str:
    """How many bytes a row takes, with its part of the indexes."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_table_size(c.oid) / greatest(reltuples, 1), pg_indexes_size(c.oid) / greatest(reltuples, 1) "
            "FROM pg_class c WHERE oid = %s::regclass",
            [table],
        )
        own, indexes = cursor.fetchone()
    return f"{own:6.0f} bytes a row, {indexes:4.0f} in its indexes"


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(prog="http", description=__doc__)
    parser.add_argument("--seconds", type=float, default=10, help="a load (default %(default)s)")
    parser.add_argument("--connections", type=int, nargs="*", default=CONNECTIONS)
    parser.add_argument("--lengths", type=int, nargs="*", default=(10, 100, 1_000, 10_000))
    parser.add_argument("--stored", type=int, nargs="*", default=(1_000, 100_000, 1_000_000))
    parser.add_argument("--rates", type=int, nargs="*", default=(50, 100, 200), help="moves a second, at fixed moments")
    parser.add_argument("--no-reads", action="store_true")
    chosen = parser.parse_args()
    with fresh_stage() as stage:
        bench = Bench(stage, chosen.seconds)
        heart = threading.Thread(target=_beat, daemon=True)
        heart.start()
        if chosen.connections:
            moves_and_limits(bench, tuple(chosen.connections))
        if chosen.rates:
            steady(bench, tuple(chosen.rates))
        if not chosen.no_reads:
            reads(bench)
        if chosen.lengths:
            length_of_the_log(bench, tuple(chosen.lengths), 5)
        if chosen.stored:
            stored_matches(bench, tuple(chosen.stored))


def _beat() -> None:
    """No time passes for a match without it."""
    with suppress(OperationalError):  # the end of the stage
        while True:
            heartbeat.beat()
            time.sleep(1)


if __name__ == "__main__":
    main()
