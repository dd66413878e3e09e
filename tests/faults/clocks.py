"""Clocks of single processes that can be stepped while they run (libfaketime); monotonic clocks run on, as they do."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from config.local.processes import is_alive

LIBRARY = "vendor/libfaketime/src/libfaketime.so.1"
SHARED = Path("/dev/shm")  # noqa: S108 - it is where the C library keeps it
TAKES_EFFECT_S = 1.5
"""Files are read again after a second."""


class Impossible(Exception):
    """A fault that can't be inflicted on this machine; the message says what is missing."""


class Clocks:
    """A file for each part of the service says by how many seconds its clock is off."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        spec = importlib.util.find_spec("libfaketime")
        if spec is None or spec.origin is None:
            raise Impossible("the package libfaketime is missing: `python3 run.py faults` installs it")
        # Where the database's account can read it.
        self._library = folder / "libfaketime.so"
        shutil.copy(Path(spec.origin).parent / LIBRARY, self._library)
        self._library.chmod(0o755)

    def environment(self, part: str) -> dict[str, str]:
        """The variables for a part, whose clock is right to begin with."""
        file = self._folder / f"clock-{part}"
        if not file.exists():
            self.set(0, part)
        return {
            "LD_PRELOAD": str(self._library),
            "FAKETIME_TIMESTAMP_FILE": str(file),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }

    def set(self, seconds: int, *parts: str) -> None:
        """From within a second on the clocks of these parts are off by so much."""
        for part in parts:
            draft = self._folder / f"clock-{part}.draft"
            draft.write_text(f"{seconds:+d}")
            draft.chmod(0o644)
            draft.rename(self._folder / f"clock-{part}")

    def tidy(self) -> None:
        """Remove what the library has left in memory for processes that are gone."""
        for file in SHARED.glob("*faketime_s*_*"):
            if not is_alive(int(file.name.rpartition("_")[2])):
                file.unlink(missing_ok=True)

    def work(self) -> bool:
        """Whether a clock can be stepped on this machine."""
        environment = self.environment("trial")
        self.set(3600, "trial")
        ask = [sys.executable, "-c", "import time; print(time.time())"]
        said = subprocess.run(ask, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
        return said.returncode == 0 and float(said.stdout) > time.time() + 1800
