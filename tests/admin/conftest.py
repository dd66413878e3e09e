"""Every test here has the game Heap at hand, and workers that are never called."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from matches.services import wake
from tests.matches.toygame import installed


@pytest.fixture(autouse=True, scope="module")
def heap() -> Iterator[None]:
    """Heap is one of the games."""
    with installed():
        yield


@pytest.fixture(autouse=True)
def asleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker is called."""
    monkeypatch.setattr(wake, "settle_later", lambda **_: None)
