"""Facts about processes, and ways to start and end them."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

from config.local.places import Account

PR_SET_PDEATHSIG = 1
# Loaded beforehand: between fork and exec nothing may wait for a lock.
LIBC = ctypes.CDLL(None)
PLAIN_ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}
_servers: list[subprocess.Popen[bytes]] = []


def is_alive(pid: int) -> bool:
    """Whether a process runs. A zombie doesn't, though signals still reach it and it may stay for long."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    try:
        # The state follows the command's name, which may itself hold brackets and spaces.
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] not in {b"Z", b"X"}
    except FileNotFoundError:
        return not Path("/proc/self").exists()


def works_in(pid: int, folder: Path) -> bool:
    """Whether a live process has that working folder; a number that another program got meanwhile hasn't."""
    if not is_alive(pid):
        return False
    try:
        return Path(f"/proc/{pid}/cwd").resolve(strict=True) == folder.resolve()
    except OSError:
        return not Path("/proc/self").exists()


def wait_until(holds: Callable[[], bool], seconds: float) -> bool:
    """Asks again and again, for so many seconds, whether something holds."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def start_server(
    command: Sequence[object],
    *,
    account: Account,
    output: IO[bytes] | int,
    environment: Mapping[str, str] = PLAIN_ENVIRONMENT,
) -> subprocess.Popen[bytes]:
    """Starts a server that may outlive this process; Ctrl-C doesn't reach it, it is stopped after those who use it."""
    # Those that ended meanwhile would stay zombies.
    _servers[:] = [server for server in _servers if server.poll() is None]
    server: subprocess.Popen[bytes] = subprocess.Popen(  # type: ignore[call-overload]
        [str(part) for part in command],
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        cwd="/",
        env=environment,
        start_new_session=True,
        **account.popen,
    )
    _servers.append(server)
    return server


def die_with_parent() -> None:
    """In a new process: be told to stop when the process that started it is gone."""
    if sys.platform == "linux":
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def end_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Signals the whole process group that a child leads, also when the child itself is gone."""
    try:
        os.killpg(process.pid, number)
    except (ProcessLookupError, PermissionError):
        return
