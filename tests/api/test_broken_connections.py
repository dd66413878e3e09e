"""What becomes of a request whose connection to the database breaks."""

from __future__ import annotations

import psycopg
import pytest
from django.db import InternalError, OperationalError

from matches.api.problems import of_error


def raised(error: Exception, cause: Exception) -> Exception:
    """The error as Django raises it, on account of the driver's."""
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    "error",
    [
        raised(OperationalError("gone"), psycopg.OperationalError("server closed the connection unexpectedly")),
        raised(InternalError("odd"), psycopg.InternalError("received 2 results from command 'BEGIN'")),
    ],
)
def test_it_may_be_sent_again(error: Exception) -> None:
    problem, headers = of_error(error)
    assert problem is not None
    assert (problem.status, problem.code, headers) == (503, "unavailable", {"Retry-After": "2"})


def test_an_error_of_the_database_itself_is_a_fault_of_ours() -> None:
    found = of_error(raised(InternalError("fault"), psycopg.errors.InFailedSqlTransaction("fault")))
    assert found == (None, {})
