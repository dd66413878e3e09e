"""Three named people: anna and ben sit at a table of Snap, cleo doesn't."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from matches.services import wake
from tests.api.people import Person, begin_snap, person
from tests.contract import answers
from tests.contract.examples import is_wanted


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker is called: what these tests ask for happens in the request or not at all."""
    monkeypatch.setattr(wake, "settle_later", lambda **_: None)


@pytest.fixture(autouse=True)
def described(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every answer is one that the schema describes."""
    answers.watch(monkeypatch)


@pytest.fixture(scope="session", autouse=True)
def examples() -> Iterator[None]:
    """Writes the examples of the schema, when that is what the run is for."""
    yield
    if is_wanted():
        answers.RECORDER.write()


@pytest.fixture
def anna(db: None) -> Person:
    """Host of the match, seat 0."""
    return person("anna")


@pytest.fixture
def ben(db: None) -> Person:
    """Seat 1."""
    return person("ben")


@pytest.fixture
def cleo(db: None) -> Person:
    """Sits elsewhere."""
    return person("cleo")


@pytest.fixture
def nobody(db: None) -> Person:
    """Not logged in."""
    return Person("nobody")


@pytest.fixture
def match(anna: Person, ben: Person) -> str:
    """A running public match of Snap between anna (seat 0) and ben (seat 1)."""
    return begin_snap(anna, ben)
