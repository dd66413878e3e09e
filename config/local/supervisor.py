"""Keeps a set of processes running: prefixes their lines, restarts those that die, stops all in order."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from config.local.places import CHECKOUT
from config.local.processes import die_with_parent, end_group, wait_until

FIRST_DELAY = 0.5
LONGEST_DELAY = 30.0
# A child that ran for so long was well; its next death starts with the short delay again.
HEALTHY_SECONDS = 20.0
STOP_SECONDS = 5.0


@dataclass(slots=True)
class Child:
    """One process under care. `command` starts it; at `retry_at` (monotonic seconds) a dead one is started again.

    `environment` is added to what all of them get, `tell` is handed its name and each line that it says.
    """

    name: str
    command: list[str]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    retry_at: float = 0.0
    delay: float = FIRST_DELAY
    environment: dict[str, str] = field(default_factory=dict)
    tell: Callable[[str, str], None] = field(default_factory=lambda: say)

    def start(self, environ: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            self.command,
            cwd=CHECKOUT,
            env={**environ, **self.environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=die_with_parent,  # noqa: PLW1509 - no other thread holds a lock that it needs
        )
        self.started = time.monotonic()
        threading.Thread(target=self._relay, args=(self.process,), daemon=True).start()

    def note_death(self) -> None:
        """Clears up after a child that is gone, and sets when it is to start again."""
        if self.process is None:
            return
        end_group(self.process, signal.SIGKILL)
        now = time.monotonic()
        if now - self.started > HEALTHY_SECONDS:
            self.delay = FIRST_DELAY
        self.tell(self.name, f"ended with {self.process.returncode}; starts again in {self.delay:g} s")
        self.process = None
        self.retry_at = now + self.delay
        self.delay = min(self.delay * 2, LONGEST_DELAY)

    def ask_to_stop(self) -> None:
        if self.process:
            self.process.terminate()

    def end(self, deadline: float) -> None:
        """Waits until the deadline (monotonic seconds) for it to end, then ends it and all it started by force."""
        process, self.process = self.process, None
        if process is None:
            return
        wait_until(lambda: process.poll() is not None, deadline - time.monotonic())
        end_group(process, signal.SIGKILL)
        process.wait()

    def _relay(self, process: subprocess.Popen[bytes]) -> None:
        if process.stdout:
            with process.stdout as lines:
                for line in lines:
                    self.tell(self.name, line.decode(errors="replace").rstrip())


class Supervisor:
    """Children in the order in which they start; they stop in the reverse one.

    `changed` is called after every start with the process ids by name.
    """

    def __init__(
        self, children: list[Child], environ: Mapping[str, str], changed: Callable[[dict[str, int]], None]
    ) -> None:
        self.children = children
        self.environ = environ
        self.changed = changed

    @property
    def pids(self) -> dict[str, int]:
        return {child.name: child.process.pid for child in self.children if child.process}

    def check(self) -> None:
        """Starts whatever is to run and doesn't."""
        before = self.pids
        for child in self.children:
            if child.process and child.process.poll() is not None:
                child.note_death()
            if child.process is None and time.monotonic() >= child.retry_at:
                child.start(self.environ)
        if self.pids != before:
            self.changed(self.pids)

    def stop(self) -> None:
        deadline = time.monotonic() + STOP_SECONDS
        for child in reversed(self.children):
            child.ask_to_stop()
        for child in reversed(self.children):
            child.end(deadline)


def say(name: str, text: str) -> None:
    """One whole line, whichever thread says it."""
    sys.stdout.write(f"{name:>8} | {text}\n")
    sys.stdout.flush()
