"""Every test here has the game Heap at hand, and workers that are never called."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import Any

import pytest

from matches import calling, timing
from matches.services import notices, receivers, wake
from matches.services.deliveries import carry, channels, spread
from tests.matches.couriers import Letterbox
from tests.matches.toygame import installed


@pytest.fixture(autouse=True, scope="module")
def heap() -> Iterator[None]:
    """Heap is one of the games."""
    with installed():
        yield


@pytest.fixture(autouse=True)
def wakes(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """The matches for which a worker was called, and in how many milliseconds."""
    called: list[tuple[str, int]] = []
    monkeypatch.setattr(wake, "settle_later", lambda *, match_id, delay_ms: called.append((str(match_id), delay_ms)))
    return called


@pytest.fixture(autouse=True)
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, int]]:
    """The bots for which a worker was called: match, seat, serial."""
    called: list[tuple[str, int, int]] = []

    def note(*, match_id: Any, asked: Any, delay_ms: int = 0) -> None:
        called.extend((str(match_id), seat, serial) for seat, serial in asked)

    monkeypatch.setattr(calling, "send_calls", note)
    return called


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Moves the time of the deliveries on by so many milliseconds."""
    ahead = [0]

    def now() -> int:
        return timing.now_ms() + ahead[0]

    for module in (carry, spread, notices):
        monkeypatch.setattr(module, "now_ms", now)

    def pass_by(milliseconds: int) -> None:
        ahead[0] += milliseconds

    return pass_by


@pytest.fixture
def hang_up(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Letterbox]:
    """Puts a letterbox in the place of all channels."""

    def hang(**fields: Any) -> Letterbox:
        box = Letterbox(**fields)
        monkeypatch.setattr(carry, "CHANNELS", MappingProxyType({box.name: box}))
        monkeypatch.setattr(spread, "CHANNELS", MappingProxyType({box.name: box}))
        usual = MappingProxyType({channels.IN_APP: box.usual, box.name: box.usual})
        monkeypatch.setattr(receivers, "USUAL", usual)
        return box

    return hang


@pytest.fixture
def box(hang_up: Callable[..., Letterbox], clock: Callable[[int], None]) -> Letterbox:
    return hang_up()
