"""The whole service with data of its own, for as long as a test or a command needs it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.local import places
from config.local.postgres import Postgres
from config.local.processes import wait_until
from config.local.state import read_running
from config.local.valkey import Valkey
from tests.ports import free_port

BEGINS_WITHIN_S = 90
UNCOUNTED = {
    f"THROTTLE_{scope}": "none"
    for scope in ("READ", "WRITE", "MOVE", "HISTORY", "STREAM", "LOGIN", "RECOVERY", "REGISTER")
}


@contextmanager
def running_service() -> Iterator[str]:
    """The address of a service that nobody else uses, with all limits off."""
    with places.throwaway("contract-") as folder:
        try:
            yield from _serve(folder)
        finally:
            account = places.service_account()
            Postgres(folder, account).stop()
            Valkey(folder, account).stop()


def _serve(folder: Path) -> Iterator[str]:
    given = {"DATABASE_URL", "BROKER_URL", "CACHE_URL", "SECRET_KEY"}
    variables = {name: value for name, value in os.environ.items() if name not in given}
    output = folder / "output"
    with output.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "config.local", "serve", "--no-demo", "--port", str(free_port())],
            cwd=places.CHECKOUT,
            env=variables | UNCOUNTED | {"LISTIK_DATA": str(folder)},
            stdout=file,
            stderr=file,
        )
    try:
        if not wait_until(lambda: "Ctrl-C stops it" in output.read_text(), BEGINS_WITHIN_S):
            raise RuntimeError(f"the service didn't start:\n{output.read_text()}")
        running = read_running(folder)
        assert running is not None
        yield running.url
    finally:
        process.terminate()
        process.wait(timeout=30)
