"""`python -m bench.sweep`: how fast overdue matches are settled, and what a sweep costs that finds nothing.

Real processes: PostgreSQL, Valkey, a web server, a beat, two workers. The matches are copies of one, made by SQL: what
a sweep reads and writes is the same as for any other. A probe plays moves over HTTP before and meanwhile.
"""

from __future__ import annotations

import argparse
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import quantiles
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("SECRET_KEY", "for measuring alone")
django.setup()

# ruff: noqa: E402 - models can't be imported before

from django.db import connection

from config.local import places
from config.local.serve import free_port
from examples.play_match import Client
from matches import timing
from matches.models import Match, Position
from matches.services import heartbeat, upkeep
from tests.faults import matches as boards
from tests.faults.stage import Stage, stage_on

MOVE_S = 3 * 86_400
PROBE_PER_S = 10
IDLE_SWEEPS = 30

_COPIES = "CREATE TEMP TABLE copies AS SELECT gen_random_uuid() AS id FROM generate_series(1, %s)"
_COLUMNS = """
SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute
WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped AND attname <> ALL(%s)
"""
_COPY = """
INSERT INTO {table} ({key}, {columns})
SELECT c.id, original.* FROM copies c, (SELECT {columns} FROM {table} WHERE {key} = %s) AS original
"""
_KEYS = {
    "matches_match": ("id",),
    "matches_position": ("match_id",),
    "matches_seat": ("match_id", "id"),
    "matches_moverecord": ("match_id",),
}
"""The tables that are copied; behind the key that is new what the database fills in."""


def copy(match: Match, number: int) -> None:
    """So many copies of a match, with seats, position and log."""
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS copies")
        cursor.execute(_COPIES, [number])
        for table, keys in _KEYS.items():
            cursor.execute(_COLUMNS, [table, list(keys)])
            (columns,) = cursor.fetchone()
            cursor.execute(_COPY.format(table=table, key=keys[0], columns=columns), [match.pk])


def original(due_in_ms: int) -> Match:
    """A match of 3UP 3DOWN whose clock runs out in so many milliseconds."""
    (match,) = boards.begin(1, ago=MOVE_S * 1000 - due_in_ms, control={"type": "per_move", "move_s": MOVE_S})
    return match


def analyze() -> None:
    """Statistics as they are in a database that has run for a while."""
    with connection.cursor() as cursor:
        cursor.execute(f"VACUUM (ANALYZE) {', '.join(_KEYS)}, matches_notice")


class Probe(threading.Thread):
    """Plays moves over HTTP, some a second, and notes how long each takes, in milliseconds."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        self._url = url
        self.took: list[float] = []
        self.is_over = threading.Event()

    def run(self) -> None:
        """Until it is told to stop."""
        players = [Client(self._url) for _ in range(2)]
        for number, player in enumerate(players):
            player.register(f"probe {number} {time.time_ns() % 10**9} a")
        while not self.is_over.is_set():
            match = players[0].call("POST", "matches", {"game": "splendor", "seats": 2})["id"]
            players[1].call("POST", f"matches/{match}/join", {})
            self._play(players, match)

    def _play(self, players: list[Client], match: str) -> None:
        for _ in range(60):
            for player in players:
                legal = player.call("GET", f"matches/{match}/legal-moves")
                if legal["serial"] is None:
                    continue
                begun = time.perf_counter()
                player.call("POST", f"matches/{match}/moves", {"serial": legal["serial"], "move": legal["moves"][0]})
                self.took.append((time.perf_counter() - begun) * 1000)
                if self.is_over.wait(1 / PROBE_PER_S):
                    return
            if player.call("GET", f"matches/{match}")["status"] != "running":
                return

    def spread(self, begin: int, end: int | None = None) -> str:
        """Median and p95 of some moves."""
        found = self.took[begin:end]
        if len(found) < 20:
            return f"{len(found)} moves, too few"
        cuts = quantiles(found, n=20)
        return f"{len(found)} moves, p50 {cuts[9]:.1f} ms, p95 {cuts[18]:.1f} ms"


def burst(stage: Stage, running: int, due: int) -> None:
    """`due` of `running` matches run out of time at the same moment."""
    copy(original(MOVE_S * 1000), running - due)
    stage.web(port := free_port("127.0.0.1", None))
    stage.beat()
    stage.worker(1)
    stage.worker(1)
    probe = Probe(f"http://127.0.0.1:{port}")
    probe.start()
    analyze()
    time.sleep(40)
    calm = len(probe.took)
    lead_ms = 15_000
    copy(original(lead_ms), due)
    at = timing.now_ms() + lead_ms
    calm_end = len(probe.took)
    overdue = Position.objects.filter(due_at__lte=at + 60_000)
    while timing.now_ms() < at and overdue.count() >= due:
        time.sleep(0.2)
    begun, first = time.monotonic(), len(probe.took)
    while (left := overdue.count()) > 0:
        time.sleep(0.2)
        if time.monotonic() - begun > 300:
            break
    seconds = time.monotonic() - begun
    print(f"{running} running matches, {due} due at once: {due - left} settled in {seconds:.1f} s", flush=True)
    print(f"  probe before: {probe.spread(max(0, calm - 300), calm_end)}")
    print(f"  probe meanwhile: {probe.spread(first)}", flush=True)
    probe.is_over.set()
    probe.join(30)


def idle(running: int) -> None:
    """A sweep over so many matches none of which is due."""
    copy(original(MOVE_S * 1000), running)
    analyze()
    heartbeat.beat()
    costs = []
    for _ in range(IDLE_SWEEPS):
        heartbeat.beat()
        begun = time.perf_counter()
        assert upkeep.settle_due() == 0
        costs.append((time.perf_counter() - begun) * 1000)
    costs.sort()
    print(f"{running} running matches, none due: a sweep takes {costs[len(costs) // 2]:.2f} ms (worst {costs[-1]:.2f})")


@contextmanager
def fresh_stage() -> Iterator[Stage]:
    """Servers on a data folder that is thrown away."""
    with places.throwaway("bench-") as folder, stage_on(folder) as stage:
        yield stage


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--running", type=int, default=100_000)
    parser.add_argument("--due", type=int, default=10_000)
    parser.add_argument("--idle", type=int, default=1_000_000)
    chosen: Any = parser.parse_args()
    with fresh_stage() as stage:
        if chosen.due:
            burst(stage, chosen.running, chosen.due)
            stage.kill(*list(stage.processes))
            boards.clear()
        if chosen.idle:
            idle(chosen.idle)


if __name__ == "__main__":
    main()
