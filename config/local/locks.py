"""File locks between the processes of one data folder; the system drops them when a process dies."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Waits until nobody else holds the lock."""
    descriptor = _open(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


class Claim:
    """A lock that is held until it is released: shared among many, or by one alone."""

    def __init__(self, path: Path) -> None:
        self._descriptor = _open(path)

    def share(self) -> None:
        """Waits while somebody holds it alone."""
        fcntl.flock(self._descriptor, fcntl.LOCK_SH)

    def take_alone(self) -> bool:
        """Whether nobody else holds it; if so it is held alone from now on."""
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def release(self) -> None:
        os.close(self._descriptor)


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
