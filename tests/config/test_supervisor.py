"""The supervisor keeps its children running, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.local.places import CHECKOUT
from config.local.processes import is_alive, wait_until
from config.local.supervisor import Child, Supervisor

SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]
# Prints its own child's number to a file; both sleep.
PARENT = """
import pathlib, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
draft = pathlib.Path(sys.argv[1] + ".draft")
draft.write_text(str(child.pid))
draft.rename(sys.argv[1])
time.sleep(600)
"""
LONELY = """
import os, sys
from config.local.supervisor import Child, Supervisor

supervisor = Supervisor([Child("sleeper", [sys.executable, "-c", "import time; time.sleep(600)"])], os.environ, print)
supervisor.check()
print(supervisor.pids["sleeper"], flush=True)
sys.stdin.read()
"""


@pytest.fixture
def told() -> list[dict[str, int]]:
    return []


@pytest.fixture
def supervisor(told: list[dict[str, int]]) -> Iterator[Supervisor]:
    supervisor = Supervisor([Child("first", SLEEPER), Child("second", SLEEPER)], os.environ, told.append)
    supervisor.check()
    yield supervisor
    supervisor.stop()


def die(supervisor: Supervisor, child: Child) -> None:
    """The child is killed, and the supervisor has noticed."""
    assert child.process
    child.process.kill()
    child.process.wait()
    supervisor.check()


def test_a_killed_child_starts_again_and_the_other_goes_on(supervisor: Supervisor, told: list[dict[str, int]]) -> None:
    first, _second = supervisor.children
    before = supervisor.pids
    die(supervisor, first)
    assert supervisor.pids == {"second": before["second"]}
    first.retry_at = 0
    supervisor.check()
    assert supervisor.pids["second"] == before["second"]
    assert supervisor.pids["first"] != before["first"]
    assert is_alive(supervisor.pids["first"])
    assert told == [before, {"second": before["second"]}, supervisor.pids]


def test_a_child_that_dies_again_and_again_waits_longer_each_time(supervisor: Supervisor) -> None:
    child = supervisor.children[0]
    delays = []
    for _ in range(8):
        delays.append(child.delay)
        die(supervisor, child)
        child.retry_at = 0
        supervisor.check()
    assert delays == [0.5, 1, 2, 4, 8, 16, 30, 30]


def test_a_child_that_was_well_for_long_starts_with_the_short_delay(supervisor: Supervisor) -> None:
    child = supervisor.children[0]
    child.delay = 16
    child.started -= 21
    die(supervisor, child)
    assert child.delay == 1


def test_what_a_killed_child_started_is_ended_too(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    child = Child("parent", [sys.executable, "-c", PARENT, str(file)])
    supervisor = Supervisor([child], os.environ, lambda pids: None)
    supervisor.check()
    assert wait_until(file.exists, 20)
    grandchild = int(file.read_text())
    assert is_alive(grandchild)
    die(supervisor, child)
    assert wait_until(lambda: not is_alive(grandchild), 10)


def test_stopping_ends_every_child(supervisor: Supervisor) -> None:
    pids = list(supervisor.pids.values())
    supervisor.stop()
    assert [is_alive(pid) for pid in pids] == [False, False]
    assert supervisor.pids == {}


def test_children_of_a_killed_supervisor_end() -> None:
    lonely = subprocess.Popen(
        [sys.executable, "-c", LONELY], cwd=CHECKOUT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert lonely.stdin
    assert lonely.stdout
    lines = [lonely.stdout.readline(), lonely.stdout.readline()]
    child = int(lines[1])
    assert is_alive(child)
    os.kill(lonely.pid, signal.SIGKILL)
    lonely.wait()
    assert wait_until(lambda: not is_alive(child), 10)
    lonely.stdin.close()
    lonely.stdout.close()
