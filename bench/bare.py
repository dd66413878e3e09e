"""The same rows written by almost nothing: what a move can cost at least, behind ASGI.

What to write comes from a real move (`BENCH_MOVE`, a file): the statements of `matches.locking` with their arguments.
Every request names a match; numbers and serials are drawn, so that each insert is a new row.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from random import getrandbits
from typing import Any

from psycopg_pool import AsyncConnectionPool


@cache
def recorded() -> dict[str, Any]:
    """Both statements of a move and their arguments."""
    found: dict[str, Any] = json.loads(Path(os.environ["BENCH_MOVE"]).read_text())
    return found


def arguments(match: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Those of both statements, for this match, as if its log were just so long."""
    move = recorded()
    number, serial = getrandbits(30), getrandbits(30)
    entries = json.loads(move["write_arguments"]["entries"])
    for offset, entry in enumerate(entries):
        entry["number"] = number + offset
        if "serial" in entry:
            entry["serial"] = serial + offset
    written = {**move["write_arguments"], "match": match, "number": number, "entries": json.dumps(entries)}
    return {**move["read_arguments"], "match": match}, written


_pools: dict[int, AsyncConnectionPool] = {}


async def _pool() -> AsyncConnectionPool:
    pool = _pools.get(os.getpid())
    if pool is None:
        pool = _pools[os.getpid()] = AsyncConnectionPool(
            os.environ["DATABASE_URL"], min_size=1, max_size=10, open=False
        )
        await pool.open()
    return pool


async def asgi(scope: Any, receive: Any, send: Any) -> None:
    """An application that writes a move for the match that the path names."""
    if scope["type"] != "http":
        return
    while (await receive()).get("more_body"):
        pass
    read, write = arguments(scope["path"].split("/")[4])
    async with (await _pool()).connection() as connection, connection.transaction():
        row = await (await connection.execute(recorded()["read"], read)).fetchone()
        assert row is not None
        await connection.execute(recorded()["write"], write)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"{}"})
