"""Load balancers learn whether the process runs, and whether it can serve."""

import pytest
from django.test import Client
from pytest_django import Settings

from config import health
from tests.matches.factories import MOVE_S, PER_MOVE, begin_ago, make_players

PUNCTUAL = {"sweep": "ok", "sweep_behind_ms": 0}


def test_a_process_that_runs_says_so(client: Client) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_it_is_ready_when_database_and_broker_answer(client: Client) -> None:
    response = client.get("/readyz")
    assert response.status_code == 200
    assert response.json() == {"status": "ok", "database": "ok", "broker": "ok", "clock": "ok", **PUNCTUAL}


@pytest.mark.django_db
def test_it_is_not_ready_without_a_broker(client: Client, settings: Settings) -> None:
    settings.BROKER_URL = "redis+socket:///nowhere/valkey"
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json() == {
        "status": "unavailable",
        "database": "ok",
        "broker": "unavailable",
        "clock": "ok",
        **PUNCTUAL,
    }


@pytest.mark.django_db
def test_it_is_not_ready_while_it_doesnt_know_the_time(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "uncertainty_ms", lambda: 20.1)
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json() == {
        "status": "unavailable",
        "database": "ok",
        "broker": "ok",
        "clock": "unavailable",
        **PUNCTUAL,
    }
    monkeypatch.setattr(health, "uncertainty_ms", lambda: 20.0)
    assert client.get("/readyz").status_code == 200


@pytest.mark.django_db
def test_it_is_asked_and_not_told(client: Client) -> None:
    assert client.post("/readyz").status_code == 405


@pytest.mark.django_db
def test_it_tells_that_the_sweep_is_behind_and_is_ready_all_the_same(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    late_ms = health.WORST_SWEEP_MS + 5_000
    begin_ago(monkeypatch, MOVE_S * 1000 + late_ms, *make_players(2), game="snap", control=PER_MOVE)
    response = client.get("/readyz")
    assert (response.status_code, response.json()["status"], response.json()["sweep"]) == (200, "ok", "behind")
    assert response.json()["sweep_behind_ms"] > health.WORST_SWEEP_MS
