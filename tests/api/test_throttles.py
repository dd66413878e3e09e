"""How often one caller may ask, counted in the Valkey that all processes share."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connections
from django.test import Client

from config.env import Env
from matches import valkey
from matches.api import throttles
from matches.services.players import player_ensure
from tests.api.people import PASSWORD, Person, begin_snap, problem
from tests.matches.factories import at_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def counted(broker: str, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Requests are counted, with keys that no other test has."""
    monkeypatch.setattr(throttles, "_rest", valkey.Rest())
    settings.CACHES = {
        "default": {**Env({}).cache("CACHE_URL", broker=broker), "KEY_PREFIX": f"test-{uuid.uuid4()}"},
    }
    yield
    cache.clear()


def limit(settings: Any, **rates: int) -> None:
    """So many an hour of each scope."""
    settings.THROTTLES = {scope: (most, 3600) for scope, most in rates.items()}


def test_what_is_too_much_is_refused_until_the_time_is_over(counted: None, nobody: Person, settings: Any) -> None:
    limit(settings, read=3)
    assert [nobody.get("games").status_code for _ in range(3)] == [200, 200, 200]
    refused = nobody.get("games")
    assert problem(refused) == (429, "throttled")
    assert 1 <= int(refused.headers["Retry-After"]) <= 3601


def test_each_player_has_a_limit_of_its_own(counted: None, anna: Person, ben: Person, settings: Any) -> None:
    limit(settings, read=1)
    assert (anna.get("me").status_code, anna.get("me").status_code) == (200, 429)
    assert ben.get("me").status_code == 200


def test_each_scope_has_a_limit_of_its_own(counted: None, anna: Person, ben: Person, settings: Any) -> None:
    match = begin_snap(anna, ben)
    limit(settings, move=1, write=1, read=1)
    move = {"serial": 9, "move": {"type": "turn"}}
    assert anna.post(f"matches/{match}/moves", move).status_code == 409
    assert problem(anna.post(f"matches/{match}/moves", move)) == (429, "throttled")
    assert anna.get("me").status_code == 200
    assert anna.post("matches", {"game": "snap", "seats": 2}).status_code == 201


def test_passwords_cant_be_guessed_without_end(counted: None, anna: Person, nobody: Person, settings: Any) -> None:
    limit(settings, login=2)
    for _ in range(2):
        assert problem(nobody.post("tokens", {"name": "anna", "password": "wrong"})) == (401, "bad_credentials")
    assert problem(nobody.post("tokens", {"name": "anna", "password": PASSWORD})) == (429, "throttled")


def test_an_operators_password_cant_be_guessed_without_end_either(counted: None, client: Client, settings: Any) -> None:
    limit(settings, login=2)
    player_ensure(name="operator", password=PASSWORD, is_operator=True)
    for _ in range(2):
        assert client.post("/admin/login/", {"username": "operator", "password": "wrong"}).status_code == 200
    refused = client.post("/admin/login/", {"username": "operator", "password": PASSWORD})
    assert (refused.status_code, b"Too many tries" in refused.content) == (200, True)
    assert client.get("/admin/").status_code == 302
    settings.THROTTLES = {}
    assert client.post("/admin/login/", {"username": "operator", "password": PASSWORD}).status_code == 302
    assert client.get("/admin/").status_code == 200


def test_a_token_brings_no_further_tries_at_accounts(
    counted: None, anna: Person, nobody: Person, settings: Any
) -> None:
    limit(settings, login=2, register=2)
    guest = nobody.post("guests").json()
    with_token = Person("guest", guest["session"]["access"])
    assert with_token.post("guests").status_code == 201
    assert problem(with_token.post("guests")) == (429, "throttled")
    for _ in range(2):
        assert problem(nobody.post("tokens", {"name": "anna", "password": "wrong"})) == (401, "bad_credentials")
    assert problem(with_token.post("tokens", {"name": "anna", "password": "wrong"})) == (429, "throttled")
    assert problem(anna.post("tokens", {"name": "anna", "password": PASSWORD})) == (429, "throttled")


def test_an_address_that_the_client_claims_itself_is_not_believed(counted: None, nobody: Person, settings: Any) -> None:
    limit(settings, read=1)
    assert nobody.get("games", x_forwarded_for="192.0.2.1").status_code == 200
    assert nobody.get("games", x_forwarded_for="192.0.2.2").status_code == 429


def test_of_many_at_once_exactly_as_many_pass_as_may(counted: None, nobody: Person, settings: Any) -> None:
    limit(settings, read=5)

    def ask(_: int) -> int:
        try:
            return int(nobody.get("games").status_code)
        finally:
            connections.close_all()

    assert sorted(at_once(12, ask), key=str) == [200] * 5 + [429] * 7


def test_without_the_counters_everybody_passes_and_they_are_left_alone_for_a_while(
    nobody: Person, settings: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rest = valkey.Rest()
    monkeypatch.setattr(throttles, "_rest", rest)
    limit(settings, read=1)
    nowhere = Env({"CACHE_URL": f"redis+socket://{tmp_path}/nothing"}).cache("CACHE_URL", broker="")
    settings.CACHES = {"default": nowhere}
    assert [nobody.get("games").status_code for _ in range(2)] == [200, 200]
    assert rest.is_on
