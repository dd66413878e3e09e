"""`python -m bench.streams`: many open streams in one process, and how soon a move is at its readers.

Real processes: PostgreSQL, Valkey, one stream service, this one that moves, and one that reads. Moves go the service's
own way; its time runs from the commit, just before the message is sent, to the moment at which a reader has read the
entry from the socket. Readers are spectators and the two players, spread over all matches.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import resource
import socket
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from statistics import quantiles
from typing import Any
from unittest import mock
from uuid import UUID

import msgspec
from django.conf import settings
from django.db import connection

from bench.sweep import analyze, copy, fresh_stage
from config.env import Env
from config.local.processes import wait_until
from matches import bridge, news, timing
from matches.models import Match, Player, Position, Seat
from matches.services import heartbeat, lobby, play, players, wake
from tests.faults.stage import Stage

OPENING_AT_ONCE = 40
MOVERS = 3
LIMITS = {
    "STREAMS_MOST": "100000",
    "STREAMS_PER_PLAYER": "100000",
    "STREAMS_PER_ADDRESS": "100000",
    "THROTTLE_STREAM": "none",
    "LOG_LEVEL": "WARNING",
}
Told = dict[tuple[str, int], float]


def raise_limit(files: int) -> None:
    """Let this process, and those it starts, open so many files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(files, hard), hard))


class Readers:
    """In a process of their own: open streams, and when each entry came, by the clock that all processes share."""

    def __init__(self, port: int, streams: list[tuple[str, str]]) -> None:
        self._port, self._streams = port, streams
        self._gate = asyncio.Semaphore(OPENING_AT_ONCE)
        self.came: list[tuple[str, int, float]] = []

    async def run(self, pipe: Any) -> None:
        """Open all, say so, read until the other end says that it is over, and tell what came."""
        opened = await asyncio.gather(*(self._open(match, token) for match, token in self._streams))
        pipe.send(len(opened))
        tasks = [asyncio.ensure_future(self._read(match, reader)) for match, reader, _ in opened]
        await asyncio.get_running_loop().run_in_executor(None, pipe.recv)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        pipe.send(self.came)

    async def _open(self, match: str, token: str) -> tuple[str, asyncio.StreamReader, asyncio.StreamWriter]:
        async with self._gate:
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
            authorization = f"Authorization: Bearer {token}\r\n" if token else ""
            request = f"GET /api/v1/matches/{match}/stream?after=1 HTTP/1.1\r\nHost: 127.0.0.1\r\n{authorization}\r\n"
            writer.write(request.encode())
            status = await reader.readline()
            if b" 200 " not in status:
                raise RuntimeError(status)
            await reader.readuntil(b"retry: 2000\n")
        return match, reader, writer

    async def _read(self, match: str, reader: asyncio.StreamReader) -> None:
        while line := await reader.readline():
            if line.startswith(b"id: "):
                self.came.append((match, int(line[4:]), time.monotonic()))


def read(port: int, streams: list[tuple[str, str]], pipe: Any) -> None:
    """What the reading process does."""
    asyncio.run(Readers(port, streams).run(pipe))


class Movers:
    """Threads that make moves at a steady rate, and note when each was committed."""

    def __init__(self, matches: list[UUID], people: dict[int, Player]) -> None:
        self.told: Told = {}
        self.failed: list[str] = []
        self._matches, self._people = matches, people
        self._due: Queue[int | None] = Queue()
        self._publish = vars(news)["_publish"]

    def run(self, rate: int, seconds: float) -> float:
        """Gives how many moves a second were made."""
        threads = [threading.Thread(target=self._work) for _ in range(MOVERS)]
        for thread in threads:
            thread.start()
        begun = time.monotonic()
        for number in range(int(rate * seconds)):
            time.sleep(max(0.0, begun + number / rate - time.monotonic()))
            if number % rate == 0:
                heartbeat.beat()
            self._due.put(number)
        for _ in threads:
            self._due.put(None)
        while any(thread.is_alive() for thread in threads):
            heartbeat.beat()
            time.sleep(0.2)
        return len(self.told) / (time.monotonic() - begun)

    def publish(self, match_id: UUID, number: int) -> None:
        """In place of the service's own: note the moment, and do it."""
        self.told[str(match_id), number] = time.monotonic()
        self._publish(match_id, number)

    def _work(self) -> None:
        while (number := self._due.get()) is not None:
            try:
                self._move(self._matches[number % len(self._matches)])
            except Exception as error:  # noqa: BLE001 - counted and shown
                self.failed.append(f"{type(error).__name__}: {error}")
        connection.close()

    def _move(self, match_id: UUID) -> None:
        table = bridge.codec_of("splendor", 1).table(
            Position.objects.values_list("snapshot", flat=True).get(pk=match_id)
        )
        seat, decision = next((n, at.decision) for n, at in enumerate(table.seats) if at.decision is not None)
        move = bridge.game_of("splendor", 1).legal_moves(table.state, seat)[0]
        play.move_submit(
            match_id=match_id,
            player_id=self._people[seat].pk,
            epoch=0,
            serial=decision.serial,
            move=msgspec.json.encode(move),
            received=timing.now_ms(),
        )


def begin(number: int) -> tuple[list[UUID], dict[int, Player]]:
    """So many copies of a match of two, and who sits where."""
    people = [Player.objects.create_player(name) for name in ("one who reads", "another who reads")]
    match = lobby.match_create(host_id=people[0].pk, game="splendor", seats=2)
    match = lobby.match_join(match_id=match.pk, player_id=people[1].pk)
    copy(match, number - 1)
    analyze()
    owners = {player.pk: player for player in people}
    seated = {seat.number: owners[seat.player_id or 0] for seat in Seat.objects.filter(match=match)}
    return list(Match.objects.values_list("pk", flat=True)), seated


def memory_mb(pid: int) -> float:
    """What a process holds in memory (RSS)."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


@contextmanager
def service(stage: Stage) -> Iterator[tuple[int, int]]:
    """A stream service: its port and its process."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    process = stage.streams(port, **LIMITS)

    def is_ready() -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=2) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    assert wait_until(is_ready, 60)
    yield port, process.pid


def measure(stage: Stage, number: int, matches: int, rate: int, seconds: float) -> None:
    """Open the streams, move, and say what came of it."""
    ids, seated = begin(matches)
    tokens = [players.tokens_issue(player=player).access for player in seated.values()] + [""] * 3
    streams = [(str(ids[n % matches]), tokens[n // matches % len(tokens)]) for n in range(number)]
    with service(stage) as (port, pid):
        empty = memory_mb(pid)
        here, there = multiprocessing.get_context("fork").Pipe()
        connection.close()
        reading = multiprocessing.get_context("fork").Process(target=read, args=(port, streams, there))
        begun = time.monotonic()
        reading.start()
        while not here.poll(1):
            heartbeat.beat()
        opened = here.recv()
        print(f"{opened} of {number} streams of {matches} matches open in {time.monotonic() - begun:.1f} s", flush=True)
        print(f"  memory of the service: {empty:.0f} MB without streams, {memory_mb(pid):.0f} MB with them", flush=True)
        movers = Movers(ids, seated)
        with mock.patch.object(news, "_publish", movers.publish), mock.patch.object(wake, "settle_later"):
            made = movers.run(rate, seconds)
        time.sleep(1)
        here.send("over")
        came = here.recv()
        reading.join()
        late = [(at - movers.told[match, entry]) * 1000 for match, entry, at in came if (match, entry) in movers.told]
        watchers = Counter(match for match, _ in streams)
        expected = sum(watchers[match] for match, _ in movers.told)
        cuts = quantiles(late, n=20)
        print(f"  {made:.0f} moves a second, {len(movers.failed)} failed; {len(late)} of {expected} entries arrived")
        for why, times in Counter(movers.failed).most_common(2):
            print(f"  failed {times} times: {why}")
        print(f"  commit to reader: p50 {cuts[9]:.1f} ms, p95 {cuts[18]:.1f} ms")
        print(f"  memory of the service at the end: {memory_mb(pid):.0f} MB", flush=True)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=5000)
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--rate", type=int, default=100, help="moves a second")
    parser.add_argument("--seconds", type=float, default=20)
    chosen: Any = parser.parse_args()
    raise_limit(chosen.streams + 1000)
    with fresh_stage() as stage:
        settings.CACHES["default"] = Env({}).cache("CACHE_URL", broker=stage.valkey.url)
        settings.SECRET_KEY = stage.environment["SECRET_KEY"]
        heartbeat.beat()
        measure(stage, chosen.streams, chosen.matches, chosen.rate, chosen.seconds)


if __name__ == "__main__":
    main()
