"""A database that doesn't answer is given up, and holds nothing for whoever has gone."""

from __future__ import annotations

import time
from collections.abc import Iterator

import psycopg
import pytest
from django.db import connection

from config.patience import patient

pytestmark = pytest.mark.django_db


@pytest.fixture
def impatient() -> Iterator[psycopg.Connection]:
    """A connection that waits for a second."""
    found = connection.get_connection_params()
    own = {name: found[name] for name in ("dbname", "user", "password", "host", "port") if name in found}
    with patient(1).connect(**own, autocommit=True) as made:
        yield made


def test_a_statement_that_takes_too_long_ends_the_connection(impatient: psycopg.Connection) -> None:
    begun = time.monotonic()
    with pytest.raises(psycopg.OperationalError, match="hasn't answered for 1 s"):
        impatient.execute("SELECT pg_sleep(4)")
    assert time.monotonic() - begun < 4
    assert impatient.closed


def test_another_error_leaves_the_connection_as_it_is(impatient: psycopg.Connection) -> None:
    with pytest.raises(psycopg.errors.LockNotAvailable):
        impatient.execute("DO $$ BEGIN RAISE lock_not_available; END $$")
    assert impatient.execute("SELECT 1").fetchone() == (1,)


def test_the_database_gives_up_a_transaction_in_which_nothing_comes_any_more(impatient: psycopg.Connection) -> None:
    row = impatient.execute("SHOW idle_in_transaction_session_timeout").fetchone()
    assert row == ("2s",)
