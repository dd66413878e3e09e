"""Public lists come from the replica, and from the database itself while there is none to be had."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import OperationalError, connections

from matches import selectors
from matches.selectors import replica
from matches.selectors.replica import DEFAULT, REPLICA, read_list


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    replica._Replica.quiet_until = 0.0
    yield
    replica._Replica.quiet_until = 0.0


@pytest.fixture
def with_replica(monkeypatch: pytest.MonkeyPatch) -> None:
    unreachable = {**connections.databases[DEFAULT], "HOST": "/nowhere", "OPTIONS": {}}
    monkeypatch.setitem(connections.databases, REPLICA, unreachable)


def asked(name: str, *, down: bool = False) -> str:
    if down and name == REPLICA:
        raise OperationalError("no connection\nwith details")
    return name


def test_without_one_the_database_itself_is_asked() -> None:
    assert read_list(asked) == DEFAULT


@pytest.mark.usefixtures("with_replica")
def test_with_one_it_is_asked() -> None:
    assert read_list(asked) == REPLICA


@pytest.mark.usefixtures("with_replica")
def test_one_that_is_down_is_left_alone_for_a_while() -> None:
    assert read_list(lambda name: asked(name, down=True)) == DEFAULT
    assert read_list(asked) == DEFAULT
    replica._Replica.quiet_until = 0.0
    assert read_list(asked) == REPLICA


@pytest.mark.django_db
@pytest.mark.usefixtures("with_replica")
def test_the_open_list_is_there_while_the_replica_cannot_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(connections[REPLICA], "ensure_connection", refuse)

    assert selectors.matches_public(status="lobby", game=None, after=None, limit=10) == []
    assert replica._Replica.quiet_until > 0
