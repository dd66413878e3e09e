"""People at the interface; no worker is called."""

from __future__ import annotations

import pytest

from matches.services import wake
from tests.api.people import Person, person


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wake, "settle_later", lambda **_: None)


@pytest.fixture
def anna(db: None) -> Person:
    """Logged in."""
    return person("anna")


@pytest.fixture
def nobody(db: None) -> Person:
    """Not logged in."""
    return Person("nobody")
