"""A receiver of webhooks in a process of its own: `python -m tests.faults.receiver port file answer answer …`.

It writes each request into the file as a line of JSON, as soon as it is there, and only then answers.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

from msgspec import json

from tests.deliveries.receiver import Receiver


class Writing(Receiver):
    """Keeps what came in where another process can read it."""

    def __init__(self, port: int, file: Path) -> None:
        self._file = file.open("ab", buffering=0)
        super().__init__(port=port)

    def take(self, request: Any) -> None:
        self._file.write(json.encode(request) + b"\n")
        super().take(request)


def main() -> None:
    """Serve until killed; answers are statuses, seconds to wait, or words of `Receiver`."""
    port, file, *script = sys.argv[1:]
    with Writing(int(port), Path(file)) as receiver:
        receiver.script = [_answer(word) for word in script]
        thread = threading.Thread(target=receiver.serve_forever)
        thread.start()
        thread.join()


def _answer(word: str) -> Any:
    if word.isdigit():
        return int(word)
    return float(word) if word.replace(".", "").isdigit() else word


if __name__ == "__main__":
    main()
