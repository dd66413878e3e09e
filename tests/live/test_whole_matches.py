"""Whole matches against the running service, through its worst moments as well."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from config.local.places import CHECKOUT
from config.local.processes import wait_until
from config.local.state import Running, read_running
from examples.play_match import Client, Refused
from tests.ports import free_port

pytestmark = pytest.mark.live
SHORT = json.dumps({"turn_limit": 30})
MANY_PLAYERS = {"THROTTLE_LOGIN": "none", "THROTTLE_REGISTER": "none"}
"""All of them come from one address, and on a quick machine within a minute."""


@pytest.fixture(scope="module")
def service(data: Path) -> Iterator[Path]:
    """A service of our own, on its own data."""
    given = {"DATABASE_URL", "BROKER_URL", "SECRET_KEY"}
    variables = {name: value for name, value in os.environ.items() if name not in given}
    variables |= {**MANY_PLAYERS, "LISTIK_DATA": str(data)}
    with (data / "output").open("wb") as output:
        command = [sys.executable, "-m", "config.local", "serve", "--port", str(free_port())]
        process = subprocess.Popen(command, cwd=CHECKOUT, env=variables, stdout=output, stderr=output)
    try:
        assert wait_until(lambda: "Ctrl-C stops it" in (data / "output").read_text(), 90), (data / "output").read_text()
        yield data
    finally:
        process.terminate()
        process.wait(timeout=30)


def running(data: Path) -> Running:
    """What runs now."""
    found = read_running(data)
    assert found is not None
    return found


def demo(data: Path, *arguments: str) -> subprocess.Popen[str]:
    """The example client, on its way."""
    command = [sys.executable, "examples/play_match.py", "--url", running(data).url, *arguments]
    return subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def finish(client: subprocess.Popen[str]) -> str:
    """Everything the client printed; it must have found that the export holds."""
    output, _ = client.communicate(timeout=240)
    assert client.returncode == 0, output[-3000:]
    assert "json: holds; " in output, output[-3000:]
    return output


def kill(data: Path, name: str) -> None:
    """SIGKILL, and wait until the supervisor has started another one."""
    killed = running(data).processes[name]
    os.kill(killed, signal.SIGKILL)
    assert wait_until(lambda: running(data).processes.get(name, killed) != killed, 30)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("snap", SHORT),
        ("slamwich", SHORT),
        ("three_up_three_down", json.dumps({"deck": "36"})),
        ("splendor", "{}"),
        ("gnoming_a_round", json.dumps({"turn_limit": 8})),
    ],
)
def test_clients_that_know_no_rule_play_a_match_to_its_end(service: Path, game: str, options: str) -> None:
    output = finish(demo(service, "--game", game, "--options", options, "--seed", "7", "--think-ms", "20"))
    assert f"holds; {game}, " in output


@pytest.mark.parametrize("game", ["snap", "slamwich", "three_up_three_down", "splendor", "gnoming_a_round"])
def test_a_new_account_plays_any_game_against_any_level_at_once(service: Path, game: str) -> None:
    for level in ("easy", "normal", "hard"):
        begun = time.monotonic()
        player = Client(running(service).url)
        player.register(f"new-{level}-{time.time_ns()}")
        match = player.call("POST", "practice", {"game": game, "level": level})["id"]
        assert wait_until(partial(bots_have_moved, player, match), 60)
        print(f"{game} {level}: {time.monotonic() - begun:.1f} s from registering to the bot's first move")


def bots_have_moved(player: Client, match: str) -> bool:
    """Whether a bot has made a move; answers with the first legal one whatever the player is asked."""
    for _ in range(20):
        decision = player.call("GET", f"matches/{match}/view")["table"]["decision"]
        if decision is None:
            break
        move = {"serial": decision["serial"], "move": decision["moves"][0]}
        try:
            player.call("POST", f"matches/{match}/moves", move)
        except Refused as error:
            if error.code not in {"late_move", "match_over"}:
                raise
    entries = player.call("GET", f"matches/{match}/log")["entries"]
    return any(entry["cause"] == "move" and entry["seat"] == 1 for entry in entries)


def test_a_race_by_reaction_is_played_to_its_end(service: Path) -> None:
    options = json.dumps({"turn_limit": 12, "race": {"mode": "reaction"}})
    finish(demo(service, "--options", options, "--seed", "8", "--think-ms", "20"))


def test_a_match_outlives_the_kill_of_worker_and_web(service: Path, tmp_path: Path) -> None:
    export = tmp_path / "export.json"
    client = demo(service, "--options", SHORT, "--seed", "9", "--keep", str(export))
    assert client.stdout is not None
    lines: list[str] = []
    for name, after in (("worker", 25), ("web", 60)):
        while len(lines) < after:
            lines.append(client.stdout.readline())
            assert lines[-1], "".join(lines)
        kill(service, name)
    output = finish(client)
    acknowledged = int(next(line for line in output.splitlines() if " moves, " in line).split()[0])
    moves = [entry for entry in json.loads(export.read_text())["entries"] if entry["cause"] == "move"]
    assert len(moves) == acknowledged
    assert len({(entry["seat"], entry["serial"]) for entry in moves}) == acknowledged


def test_a_match_that_nobody_touches_ends_by_itself(service: Path) -> None:
    players = []
    for number in range(2):
        player = Client(running(service).url)
        player.register(f"silent-{number}-{time.time_ns()}")
        players.append(player)
    match: dict[str, Any] = players[0].call(
        "POST",
        "matches",
        {
            "game": "snap",
            "seats": 2,
            "control": {"type": "per_move", "move_s": 5},
            "policy": {"on_timeout": "leave"},
        },
    )
    players[1].call("POST", f"matches/{match['id']}/join", {})
    assert wait_until(lambda: players[0].call("GET", f"matches/{match['id']}")["status"] == "abandoned", 30)
    log = players[0].call("GET", f"matches/{match['id']}/log")["entries"]
    assert [entry["cause"] for entry in log] == ["open", "flag"]
    assert log[1]["at"] - log[0]["at"] == 5000


def test_workers_pair_those_who_wait_and_mail_those_who_forgot(service: Path) -> None:
    players = []
    for number in range(2):
        player = Client(running(service).url)
        player.register(f"waiting-{number}-{time.time_ns()}")
        player.call("POST", "pairing", {"game": "snap", "seats": 2, "pace": "live"})
        players.append(player)
    assert wait_until(lambda: all(player.call("GET", "pairing")["match"] for player in players), 30)
    assert len({player.call("GET", "pairing")["match"] for player in players}) == 1

    name = f"forgetful-{time.time_ns()}"
    someone = Client(running(service).url)
    password = "a long enough password"
    someone.call("POST", "players", {"name": name, "password": password, "email": "who@example.org"})
    someone.call("POST", "recovery", {"about": name})
    mails = service / "mail"
    assert wait_until(lambda: any(name in mail.read_text() for mail in mails.glob("*.log")), 30)
    code = next(
        line
        for mail in mails.glob("*.log")
        for line in mail.read_text().splitlines()
        if re.match(r"\d+-\w+-\w+$", line)
    )
    someone.call("POST", "recovery/finish", {"code": code, "password": "another long password"})
    assert someone.call("POST", "tokens", {"name": name, "password": "another long password"})["access"]
    assert code not in (service / "output").read_text()
