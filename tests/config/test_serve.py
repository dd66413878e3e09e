"""The whole service, started as anybody starts it: one at a time, restarting what dies, stopping cleanly."""

import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.local.places import CHECKOUT
from config.local.processes import is_alive, wait_until
from config.local.state import Running, read_running

pytestmark = pytest.mark.live
SERVE = [sys.executable, "-m", "config.local", "serve"]


def variables(data: Path) -> dict[str, str]:
    without = {"DATABASE_URL", "BROKER_URL", "SECRET_KEY"}
    return {**{name: value for name, value in os.environ.items() if name not in without}, "LISTIK_DATA": str(data)}


@pytest.fixture(scope="module")
def serving(data: Path) -> Iterator["subprocess.Popen[bytes]"]:
    with (data / "output").open("wb") as output:
        process = subprocess.Popen(SERVE, cwd=CHECKOUT, env=variables(data), stdout=output, stderr=output)
    try:
        # Here, so that a service which never answers is waited for once.
        assert wait_until(lambda: answer(data) == 200, 120), (data / "output").read_text()
        yield process
    finally:
        process.terminate()
        process.wait(timeout=30)


@pytest.fixture
def running(data: Path, serving: "subprocess.Popen[bytes]") -> Running:
    assert wait_until(lambda: answer(data) == 200, 30)
    return now(data)


def now(data: Path) -> Running:
    found = read_running(data)
    assert found
    return found


def answer(data: Path) -> int:
    found = read_running(data)
    if found is None:
        return 0
    try:
        with urllib.request.urlopen(f"{found.url}/readyz", timeout=5) as response:  # noqa: S310 - our own address
            return int(response.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


def test_it_says_where_it_is_and_what_runs(data: Path, running: Running, serving: "subprocess.Popen[bytes]") -> None:
    assert wait_until(lambda: "Ctrl-C stops it" in (data / "output").read_text(), 20)
    assert f"Listik is ready at {running.url}" in (data / "output").read_text()
    assert running.pid == serving.pid
    assert set(running.processes) == {"web", "streams", "worker", "courier", "beat", "postgres", "valkey"}
    assert all(is_alive(pid) for pid in running.processes.values())


def test_its_secret_keys_are_kept_from_others(data: Path, running: Running) -> None:
    for name, length in (("secret_key", 50), ("vapid_key", 42)):
        assert (data / name).stat().st_mode & 0o777 == 0o600
        assert len((data / name).read_text()) > length


def test_a_second_one_refuses_in_one_line(data: Path, running: Running) -> None:
    second = subprocess.run(
        SERVE, cwd=CHECKOUT, env=variables(data), capture_output=True, text=True, check=False, timeout=60
    )
    assert second.returncode == 2
    assert second.stderr == (
        f"error: Listik already runs on {data} at {running.url} (process {running.pid}): "
        "stop that one first, or set LISTIK_DATA\n"
    )
    assert now(data) == running


@pytest.mark.parametrize("name", ["web", "streams", "worker", "courier", "beat", "postgres", "valkey"])
def test_a_killed_part_runs_again(data: Path, running: Running, name: str) -> None:
    os.kill(running.processes[name], signal.SIGKILL)
    assert wait_until(lambda: now(data).processes.get(name, running.processes[name]) != running.processes[name], 30)
    assert wait_until(lambda: answer(data) == 200, 30)
    assert is_alive(now(data).processes[name])


def test_told_to_stop_it_ends_everything(data: Path, running: Running, serving: "subprocess.Popen[bytes]") -> None:
    serving.send_signal(signal.SIGINT)
    assert serving.wait(timeout=30) == 0
    assert not any(is_alive(pid) for pid in running.processes.values())
    assert read_running(data) is None
