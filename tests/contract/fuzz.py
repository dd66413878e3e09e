"""`python3 run.py fuzz-api`: everything that the schema allows, and much that it doesn't, against the live service.

Schemathesis makes the requests, alone and along the links of the schema, and checks every answer. So that its matches
begin, a companion joins whatever lobby is open and makes a legal move wherever one is asked of it.
"""

from __future__ import annotations

import argparse
import os
import secrets
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from config.local.places import CHECKOUT
from examples.play_match import Client, Refused
from tests.contract.service import running_service

HERE = Path(__file__).parent
ROUND_S = 0.3


def main(arguments: list[str]) -> int:
    """Exit status of schemathesis: 0 when it found nothing."""
    parser = argparse.ArgumentParser(prog="run.py fuzz-api", description=__doc__)
    parser.add_argument("--seconds", type=int, default=600, help="how long (default 600)")
    parser.add_argument("--seed", type=int, help="the seed of an earlier run, to repeat it")
    chosen = parser.parse_args(arguments)
    with running_service() as url:
        return fuzz(url, seconds=chosen.seconds, seed=chosen.seed)


def fuzz(url: str, *, seconds: int, seed: int | None = None) -> int:
    """Run schemathesis against a service for so many seconds, with a companion at its tables."""
    stop = threading.Event()
    companion = threading.Thread(target=keep_company, args=(Client(url), stop), daemon=True)
    companion.start()
    try:
        with tempfile.TemporaryDirectory() as folder:
            return subprocess.run(
                command(url, seconds, seed),
                cwd=folder,
                env={
                    **os.environ,
                    "LISTIK_URL": url,
                    "PYTHONPATH": str(CHECKOUT),
                    "SCHEMATHESIS_HOOKS": "tests.contract.hooks",
                },
                check=False,
            ).returncode
    finally:
        stop.set()
        companion.join(timeout=30)


def command(url: str, seconds: int, seed: int | None) -> list[str]:
    """What is run: every check, every phase."""
    found = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(HERE / "schemathesis.toml")]
    found += ["run", f"{url}/api/v1/openapi.json", "--checks", "all", "--max-time", str(seconds)]
    found += ["--continue-on-failure", "--generation-database", "none", "--no-color"]
    return found if seed is None else [*found, "--seed", str(seed)]


def keep_company(client: Client, stop: threading.Event) -> None:
    """Join what is open, and make the first legal move wherever one is asked for, until told to stop."""
    client.register(f"companion-{secrets.token_hex(4)}")
    while not stop.wait(ROUND_S):
        for match in client.call("GET", "matches?limit=5")["matches"]:
            _try(client, "POST", f"matches/{match['id']}/join", {})
        for match in client.call("GET", "me/matches?status=running&limit=5")["matches"]:
            asked = _try(client, "GET", f"matches/{match['id']}/legal-moves")
            if asked and asked["moves"]:
                answer = {"serial": asked["serial"], "move": asked["moves"][0]}
                _try(client, "POST", f"matches/{match['id']}/moves", answer)


def _try(client: Client, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    try:
        found: dict[str, Any] = client.call(method, path, body)
    except Refused:
        return {}
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
