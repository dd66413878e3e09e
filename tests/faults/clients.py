"""Clients that play many matches over HTTP, and get through whatever happens to the service.

A move is sent again, with the same serial, until its answer has been read: 200 is an acknowledgment, 409 says that the
match has moved on. Whatever else comes must be a problem document with a known code, and nothing may be without an
answer for long.
"""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections import Counter, deque
from collections.abc import Coroutine
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any, NamedTuple, TypeVar
from uuid import UUID, uuid4

import uvloop
from msgspec import json

from bench.load import Answer, Connection, raw
from config.local.processes import wait_until
from matches.errors import CODES
from tests.faults.audit import Acknowledged

T = TypeVar("T")
GAMES = ("snap", "slamwich", "three_up_three_down", "splendor", "gnoming_a_round")
CONTROL = {"type": "per_move", "move_s": 60}
WITH_BOTS = {"type": "per_move", "move_s": 300}
"""A bot whose call got lost is called again after 15 s, and then every minute."""
POLICY = {"on_timeout": "play_on", "strikes": 20}
BOTS_IN_EVERY = 6
ANSWER_S = 18
"""So long a client waits for an answer before it says that none came."""
AGAIN_S = 0.2
EXPECTED = frozenset({409, 503})


@dataclass
class Seen:
    """What the clients saw. Times are seconds of the monotonic clock."""

    acknowledged: list[tuple[float, Acknowledged]] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    longest_s: float = 0.0

    def between(self, begin: float, end: float) -> int:
        """How many moves were acknowledged then."""
        return sum(begin <= at < end for at, _ in self.acknowledged)


class Person(NamedTuple):
    """A player, with an access token."""

    player: int
    token: str


@dataclass
class Table:
    """A match that a client plays for all of its people; a new one when it is over."""

    game: str
    people: list[Person]
    bots: int
    key: str = field(default_factory=lambda: str(uuid4()))
    match: str | None = None
    seats: dict[int, str] = field(default_factory=dict)
    awaited: tuple[int, ...] = ()
    moved_at: float = 0.0

    def note(self, view: dict[str, Any]) -> None:
        """Take from a view who is to move."""
        table = view["table"]
        self.awaited = tuple(seat for seat in table["awaited"] if seat in self.seats)
        if table["ending"] is not None:
            self.leave()

    def leave(self) -> None:
        """Begin another one."""
        self.match, self.key, self.seats, self.awaited = None, str(uuid4()), {}, ()


class Crowd:
    """So many connections, each with some tables; all in one thread with an event loop."""

    def __init__(self, people: list[list[Person]], connections: int) -> None:
        games = cycle(GAMES)
        self.tables = [
            Table(next(games), group, 2 if number % BOTS_IN_EVERY == 0 else 0) for number, group in enumerate(people)
        ]
        self.seen = Seen()
        self.port = 0
        self._connections = connections
        self._loop = uvloop.new_event_loop()
        self._may_go = asyncio.Event()
        self._resting = 0
        self._tasks: list[Future[None]] = []
        threading.Thread(target=self._loop.run_forever, daemon=True).start()

    def ask(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something in the loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)

    def come(self, port: int) -> None:
        """Sit down, and wait for the word."""
        self.port = port
        for number in range(self._connections):
            client = Client(self, self.tables[number :: self._connections])
            self._tasks.append(asyncio.run_coroutine_threadsafe(client.play(), self._loop))

    def play(self) -> Seen:
        """Go on; gives what is seen from now on."""
        self.seen = Seen()
        self._loop.call_soon_threadsafe(self._may_go.set)
        return self.seen

    def pause(self) -> bool:
        """Each finishes its move; gives whether all of them have."""
        self._loop.call_soon_threadsafe(self._may_go.clear)
        return wait_until(lambda: self._resting == self._connections, 60)

    def waiting_since(self, moment: float, *, for_bots: bool = False) -> int:
        """How many tables haven't gone on; those with bots wait for workers as well."""
        return sum(table.moved_at <= moment for table in self.tables if for_bots or not table.bots)

    def went(self) -> None:
        """Raise what has ended a client."""
        for task in self._tasks:
            if task.done():
                task.result()

    def go_home(self) -> None:
        """End all of it."""
        for task in self._tasks:
            task.cancel()
        self._loop.call_soon_threadsafe(self._loop.stop)

    async def word(self) -> None:
        """Wait until one may play."""
        if not self._may_go.is_set():
            self._resting += 1
            await self._may_go.wait()
            self._resting -= 1


class Client:
    """One connection, which is opened again when it breaks; one request at a time."""

    def __init__(self, crowd: Crowd, tables: list[Table]) -> None:
        self._crowd = crowd
        self._tables = deque(tables)
        self._connection: Connection | None = None
        self._chance = random.Random(len(tables))

    async def play(self) -> None:
        """A move at each table in turn."""
        while True:
            await self._crowd.word()
            table = self._tables[0]
            self._tables.rotate()
            if table.match is None:
                await self._begin(table)
            elif table.awaited:
                await self._move(table, table.match, table.awaited[0])
            else:
                await asyncio.sleep(0.02)
                await self._look(table, table.match)

    async def _begin(self, table: Table) -> None:
        host, *others = table.people[: 1 if table.bots else None]
        control = WITH_BOTS if table.bots else CONTROL
        wanted = {"game": table.game, "seats": 3, "control": control, "policy": POLICY, "bots": ["easy"] * table.bots}
        made = await self._call("matches", host.token, wanted, {"Idempotency-Key": table.key})
        match = json.decode(made.body)["id"]
        for other in others:
            await self._call(f"matches/{match}/join", other.token, {})
        for person in (host, *others):
            seen = await self._call(f"matches/{match}/view", person.token)
            if seen.status != 200:
                table.leave()
                return
            view = json.decode(seen.body)
            table.seats[view["table"]["seat"]] = person.token
        table.match = match
        await self._look(table, match)

    async def _look(self, table: Table, match: str) -> None:
        seen = await self._call(f"matches/{match}/view", next(iter(table.seats.values())))
        table.note(json.decode(seen.body))

    async def _move(self, table: Table, match: str, seat: int) -> None:
        token = table.seats[seat]
        legal = json.decode((await self._call(f"matches/{match}/legal-moves", token)).body)
        if legal["serial"] is None:
            await self._look(table, match)
            return
        moves, serial = legal["moves"], legal["serial"]
        move = moves[-1] if legal["occasion"] == "race" else self._chance.choice(moves)
        answer = await self._call(f"matches/{match}/moves", token, {"serial": serial, "move": move})
        if answer.status != 200:
            await self._look(table, match)
            return
        now = time.monotonic()
        self._crowd.seen.acknowledged.append((now, Acknowledged(UUID(match), seat, serial, json.encode(move))))
        table.moved_at = now
        table.note(json.decode(answer.body)["view"])

    async def _call(
        self, path: str, token: str, body: dict[str, Any] | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """An answer below 500; a request is sent again until there is one."""
        text = "" if body is None else json.encode(body).decode()
        request = raw(f"/api/v1/{path}", token, text, headers)
        begun = time.monotonic()
        while True:
            answer = await self._ask(request)
            if answer is not None:
                self._judge(path, answer)
                if answer.status < 500:
                    seen = self._crowd.seen
                    seen.longest_s = max(seen.longest_s, time.monotonic() - begun)
                    return answer
            await asyncio.sleep(AGAIN_S)

    async def _ask(self, request: bytes) -> Answer | None:
        connection = self._connection
        self._connection = None
        try:
            if connection is None:
                made = asyncio.get_running_loop().create_connection(Connection, "127.0.0.1", self._crowd.port)
                connection = (await asyncio.wait_for(made, ANSWER_S))[1]
            answer: Answer = await asyncio.wait_for(connection.ask(request), ANSWER_S)
        except TimeoutError:
            self._crowd.seen.wrong[f"no answer within {ANSWER_S} s"] += 1
        except OSError:
            self._crowd.seen.answers["no connection"] += 1
        else:
            self._connection = connection
            return answer
        if connection is not None:
            connection.close()
        return None

    def _judge(self, path: str, answer: Answer) -> None:
        """Errors are problems with a known code; what asks for patience says for how long."""
        if answer.status < 400:
            return
        seen, kind = self._crowd.seen, path.rpartition("/")[2]
        try:
            code = json.decode(answer.body)["code"]
        except (ValueError, TypeError, KeyError):
            code = None
        is_problem = b"application/problem+json" in answer.head and CODES.get(code, (0,))[0] == answer.status
        seen.answers[f"{answer.status} {code}" if is_problem else str(answer.status)] += 1
        if not is_problem:
            seen.wrong[f"{answer.status} for {kind} is no problem: {answer.body[:200]!r}"] += 1
        elif answer.status not in EXPECTED:
            seen.wrong[f"{answer.status} {code} for {kind}"] += 1
        elif answer.status == 503 and b"retry-after:" not in answer.head:
            seen.wrong[f"{answer.status} {code} for {kind} doesn't say when to come again"] += 1
