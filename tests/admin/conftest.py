"""Every test here has the game Heap at hand, and workers that are never called."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine import registry
from matches.services import wake
from tests.matches.toygame import Heap


@pytest.fixture(autouse=True, scope="session")
def heap() -> Iterator[None]:
    """Heap is one of the games."""
    game = Heap()
    rulebooks = registry._rulebooks()
    rulebooks[game.key, game.ruleset] = game
    registry.games.cache_clear()
    yield
    del rulebooks[game.key, game.ruleset]
    registry.games.cache_clear()


@pytest.fixture(autouse=True)
def wakes(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """The matches for which a worker was called, and in how many milliseconds."""
    called: list[tuple[str, int]] = []
    monkeypatch.setattr(wake, "settle_later", lambda *, match_id, delay_ms: called.append((str(match_id), delay_ms)))
    return called
