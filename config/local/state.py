"""What `serve` tells other commands about itself: a small JSON file in the data folder."""

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

from config.local.processes import is_alive

FILE = "serve.json"


@dataclass(frozen=True, slots=True)
class Running:
    """A running service: where it and its streams are reached, and the process ids of its parts by name."""

    url: str
    pid: int
    streams: str = ""
    processes: dict[str, int] = field(default_factory=dict)

    def write(self, data: Path) -> None:
        """Replaces the file as a whole, so that a reader never sees half of it."""
        draft = data / f"{FILE}.draft"
        draft.write_text(json.dumps(asdict(self), indent=2) + "\n")
        draft.replace(data / FILE)


def read_running(data: Path) -> Running | None:
    """The service that runs on a data folder now, or None; a file left by a killed one doesn't count."""
    try:
        found = Running(**json.loads((data / FILE).read_text()))
    except (OSError, ValueError, TypeError):
        return None
    return found if is_alive(found.pid) else None


def forget(data: Path) -> None:
    """Removes this process's own file."""
    running = read_running(data)
    if running and running.pid == os.getpid():
        (data / FILE).unlink(missing_ok=True)
