"""Load balancers learn whether the process runs, and whether it can serve."""

import pytest
from django.test import Client
from pytest_django import Settings


def test_a_process_that_runs_says_so(client: Client) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_it_is_ready_when_database_and_broker_answer(client: Client) -> None:
    response = client.get("/readyz")
    assert (response.status_code, response.json()) == (200, {"status": "ok", "database": "ok", "broker": "ok"})


@pytest.mark.django_db
def test_it_is_not_ready_without_a_broker(client: Client, settings: Settings) -> None:
    settings.BROKER_URL = "redis+socket:///nowhere/valkey"
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json() == {"status": "unavailable", "database": "ok", "broker": "unreachable"}


@pytest.mark.django_db
def test_it_is_asked_and_not_told(client: Client) -> None:
    assert client.post("/readyz").status_code == 405
