"""A receiver on the loopback, which the service may reach in these tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from matches.services import wake
from matches.services.deliveries import courier, outgoing, webhook
from tests.deliveries.hooks import Clock
from tests.deliveries.receiver import Receiver, receiving
from tests.matches.toygame import installed


@pytest.fixture(autouse=True, scope="module")
def heap() -> Iterator[None]:
    """Heap is one of the games."""
    with installed():
        yield


@pytest.fixture(autouse=True)
def called(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The channels for which a worker was called; none comes."""
    channels: list[str] = []
    monkeypatch.setattr(wake, "settle_later", lambda **_: None)
    for module in (webhook, courier):
        monkeypatch.setattr(module, "deliveries_on", lambda *, channel: channels.append(channel))
    return channels


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    """Takes everything until it is told otherwise."""
    settings.OUTGOING_NETWORKS = ["127.0.0.0/8"]
    settings.OUTGOING_HTTP = True
    with receiving() as server:
        yield server


@pytest.fixture
def clock(db: None, monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """An attempt lasts half a second at most."""
    patient = outgoing.post
    monkeypatch.setattr(outgoing, "post", lambda url, **given: patient(url, **given, total_s=0.5))
