"""The faults: what is done to the service, and how its operators end it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psycopg

from tests.faults.clocks import TAKES_EFFECT_S, Clocks, Impossible
from tests.faults.scene import Scene
from tests.faults.stage import children_of

Deed = Callable[[Scene], None]
DISK_MB = 400
FULL_S = 8
CUT_S = 22
"""Longer than a client may have to wait for its answer."""
STEP_S = 60
EVERYBODY = ("database", "web", "worker", "other_worker", "beat")


def nothing(scene: Scene) -> None:
    """It passes by itself, or the supervisor ends it."""


class Fault(NamedTuple):
    """What is done, for how long it lasts in seconds, and how it is ended. `needs`: `disk`, `clocks` or nothing.

    With `endures` everything has to go on while it lasts, and for a match that may take `late_s` longer.
    """

    key: str
    name: str
    begin: Deed
    hold_s: float = 0
    end: Deed = nothing
    needs: str = ""
    endures: bool = False
    late_s: float = 0


def _kill_one_web(scene: Scene) -> None:
    os.kill(children_of(scene.process("web"))[-1], signal.SIGKILL)


def _kill_one_of_a_pool(scene: Scene) -> None:
    os.kill(children_of(scene.process("worker"))[-1], signal.SIGKILL)


def _killed(name: str) -> Deed:
    def kill(scene: Scene) -> None:
        with suppress(ProcessLookupError):
            os.killpg(scene.process(name), signal.SIGKILL)

    return kill


def _hold(scene: Scene) -> None:
    scene.crowd.ask(scene.relay.hold())


def _cut(scene: Scene) -> None:
    scene.crowd.ask(scene.relay.cut())


def _mend(scene: Scene) -> None:
    scene.crowd.ask(scene.relay.mend())


def _fill(scene: Scene) -> None:
    """Leave no byte, and wait until the database notices: it needs new room for its write-ahead log."""
    disk = scene.stage.postgres.cluster.parent
    with suppress(OSError), (disk / "ballast").open("wb", buffering=0) as ballast:
        while True:
            ballast.write(bytes(1 << 20))
    end = time.monotonic() + FULL_S
    while time.monotonic() < end:
        with suppress(psycopg.Error), psycopg.connect(scene.stage.postgres.url, connect_timeout=1) as own:
            own.execute("SELECT pg_switch_wal()")
        time.sleep(0.3)
    seen = scene.crowd.seen
    assert any(answer.startswith("503") for answer in seen.answers), "the disk is full, and nobody noticed"


def _empty(scene: Scene) -> None:
    (scene.stage.postgres.cluster.parent / "ballast").unlink()


def _stepped(seconds: int, *parts: str) -> Deed:
    def step(scene: Scene) -> None:
        assert isinstance(scene.clocks, Clocks)
        scene.clocks.set(seconds, *parts)
        time.sleep(TAKES_EFFECT_S)

    return step


FAULTS = (
    Fault("web-process", "kill -9 one web process", _kill_one_web),
    Fault("web", "kill -9 all of web", _killed("web")),
    Fault("pool-process", "kill -9 one process of a worker", _kill_one_of_a_pool),
    Fault("worker", "kill -9 a worker", _killed("worker")),
    Fault("beat", "kill -9 beat", _killed("beat")),
    Fault("valkey", "kill -9 Valkey", lambda scene: scene.stage.kill_broker()),
    Fault("postgres", "kill -9 PostgreSQL", lambda scene: scene.stage.kill_database()),
    Fault("reset", "network web-database reset", _cut, 4, _mend),
    Fault("silence", f"network web-database silent for {CUT_S} s", _hold, CUT_S, _mend),
    Fault("disk", "disk of the database full", _fill, 0, _empty, "disk"),
    *(
        Fault(
            f"{key}-{way}",
            f"clock of {name} a minute {way}",
            _stepped(seconds, *parts),
            0,
            back,
            "clocks",
            endures=True,
        )
        for key, name, parts in (("web-clock", "web", ("web",)), ("worker-clock", "the workers", EVERYBODY[2:4]))
        for way, seconds in (("ahead", STEP_S), ("behind", -STEP_S))
        for back in (_stepped(0, *parts),)
    ),
    Fault("clocks-forwards", "all clocks a minute forwards", _stepped(STEP_S, *EVERYBODY), needs="clocks"),
    # What happens by itself waits until the time has come again at which the last thing happened.
    Fault("clocks-backwards", "all clocks a minute back", _stepped(0, *EVERYBODY), needs="clocks", late_s=STEP_S),
)


def mount_small_disk(folder: Path, owner: tuple[int, int]) -> None:
    """A small file system in memory for the database. Raises Impossible where it can't be made."""
    program = shutil.which("mount")
    if program is None or os.geteuid() != 0:
        raise Impossible("a small disk can't be made here: root mounts it")
    options = f"size={DISK_MB}m,mode=700,uid={owner[0]},gid={owner[1]}"
    done = subprocess.run(
        [program, "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Impossible(f"a small disk can't be made here: {done.stderr.strip()}")


def unmount(folder: Path) -> None:
    """Take it away."""
    subprocess.run(["umount", folder], check=False)
