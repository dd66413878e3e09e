"""Streams, as far as the web server knows of them: tickets, addresses, and the way to where they are served."""

from __future__ import annotations

import time

import pytest
from django.conf import settings

from config.env import Env
from matches.errors import ServiceError
from matches.services import players, tickets
from tests.api.people import Person, problem

pytestmark = pytest.mark.django_db
STREAMS = "https://streams.listik.example"


@pytest.fixture
def valkey(broker: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tickets have a place to lie in."""
    monkeypatch.setattr(settings, "CACHES", {"default": Env({}).cache("CACHE_URL", broker=broker)})


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stream service has an origin of its own."""
    monkeypatch.setattr(settings, "STREAMS_URL", STREAMS)


def test_a_ticket_lets_in_once_whom_the_token_would(valkey: None, elsewhere: None, anna: Person) -> None:
    answer = anna.post("me/tickets")
    assert answer.status_code == 201
    assert answer.headers["Cache-Control"] == "no-store"
    body = answer.json()
    assert (body["expires_in"], body["my_stream"]) == (30, f"{STREAMS}/api/v1/me/stream")
    admission = tickets.ticket_redeem(ticket=body["ticket"])
    assert (admission.player_id, admission.epoch) == (anna.id, 0)
    assert 0 < admission.ends_at - time.time() <= players.ACCESS_S
    for used in (body["ticket"], "never issued", "x" * 1000):
        with pytest.raises(ServiceError, match="token_invalid"):
            tickets.ticket_redeem(ticket=used)


def test_a_ticket_needs_a_token_and_a_place_to_lie_in(anna: Person, nobody: Person) -> None:
    assert problem(nobody.post("me/tickets")) == (401, "not_authenticated")
    assert problem(anna.post("me/tickets")) == (503, "unavailable")


def test_a_match_says_where_it_is_followed(elsewhere: None, anna: Person, match: str) -> None:
    assert anna.get(f"matches/{match}").json()["stream"] == f"{STREAMS}/api/v1/matches/{match}/stream"


def test_under_one_origin_the_address_has_none(anna: Person, match: str) -> None:
    assert anna.get(f"matches/{match}").json()["stream"] == f"/api/v1/matches/{match}/stream"


def test_the_web_server_leads_to_the_stream_service(elsewhere: None, anna: Person, match: str) -> None:
    answer = anna.get(f"matches/{match}/stream?after=1")
    assert (answer.status_code, answer.headers["Location"]) == (
        307,
        f"{STREAMS}/api/v1/matches/{match}/stream?after=1",
    )
    assert anna.get("me/stream").headers["Location"] == f"{STREAMS}/api/v1/me/stream"


def test_it_leads_nobody_astray(elsewhere: None, anna: Person, nobody: Person, cleo: Person) -> None:
    private = anna.post("matches", {"game": "snap", "seats": 2, "visibility": "private"}).json()["id"]
    assert problem(cleo.get(f"matches/{private}/stream")) == (404, "not_found")
    assert problem(anna.get(f"matches/{private}/stream")) == (409, "match_not_running")
    assert problem(anna.get(f"matches/{private}/stream?after=-1")) == (400, "malformed")
    assert problem(nobody.get("me/stream")) == (401, "not_authenticated")


def test_without_a_stream_service_it_says_so(anna: Person, match: str) -> None:
    assert problem(anna.get(f"matches/{match}/stream")) == (503, "streams_elsewhere")
    assert problem(anna.get("me/stream")) == (503, "streams_elsewhere")
