"""Tokens and sessions: what holds, for how long, and what ends it."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import signing
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from matches.models import Player, RefreshToken
from matches.services import players
from tests.api.people import PASSWORD, Person, problem

REFUSED = (401, "token_invalid")
FORMER, NEW = "the former key", "the new key"


def asked_with(access: str) -> Any:
    return Person("anna", access).get("me")


def at(monkeypatch: pytest.MonkeyPatch, seconds: int) -> None:
    """Signatures are that much older."""
    now = time.time() + seconds
    monkeypatch.setattr("django.core.signing.time.time", lambda: now)


def test_an_access_token_holds_for_a_quarter_of_an_hour(anna: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        at(patch, players.ACCESS_S - 60)
        assert asked_with(anna.access).status_code == 200
    at(monkeypatch, players.ACCESS_S + 1)
    assert problem(asked_with(anna.access)) == REFUSED


def test_what_was_signed_for_anything_else_is_no_access_token(anna: Person) -> None:
    identity = [anna.id, 0]
    _, stamp, signature = anna.access.rsplit(":", 2)
    other = signing.dumps([anna.id + 1, 0], salt=players._SALT).partition(":")[0]
    forged = [
        signing.dumps(identity),
        signing.dumps(identity, salt="listik recovery code 1"),
        signing.dumps(identity, salt=players._SALT, key="another key"),
        signing.dumps({"player": anna.id}, salt=players._SALT),
        signing.dumps(["x", 0], salt=players._SALT),
        f"{other}:{stamp}:{signature}",
        anna.access[:-1],
        anna.access.partition(":")[0] + "::",
        # A JSON web token without a signature.
        "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.",
    ]
    assert [token for token in forged if problem(asked_with(token)) != REFUSED] == []


def test_the_key_can_be_changed_without_logging_anybody_out(anna: Person, settings: Any) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = FORMER, []
    session = Person("").post("tokens", {"name": "anna", "password": PASSWORD}).json()
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = NEW, [FORMER]
    assert asked_with(session["access"]).status_code == 200
    renewed = Person("").post("tokens/refresh", {"refresh": session["refresh"]}).json()
    settings.SECRET_KEY_FALLBACKS = []
    assert problem(asked_with(session["access"])) == REFUSED
    assert asked_with(renewed["access"]).status_code == 200


def test_a_refresh_token_is_stored_as_a_digest_and_bound_to_its_device(anna: Person, nobody: Person) -> None:
    one, other = (nobody.post("tokens", {"name": "anna", "password": PASSWORD}).json()["refresh"] for _ in range(2))
    (_, secret), (other_device, _) = one.split("."), other.split(".")
    assert len(secret) >= 43
    stored = [bytes(row.digest) for row in RefreshToken.objects.all()]
    assert [digest for digest in stored if secret.encode() in digest or len(digest) != 32] == []
    assert problem(nobody.post("tokens/refresh", {"refresh": f"{other_device}.{secret}"})) == REFUSED
    # Whoever guesses at a device's token ends that session, no other one.
    assert nobody.post("tokens/refresh", {"refresh": one}).status_code == 200


@pytest.mark.parametrize("end", ["unused", "closed", "everywhere"])
def test_a_refresh_token_doesnt_outlive(anna: Person, nobody: Person, end: str) -> None:
    refresh = nobody.post("tokens", {"name": "anna", "password": PASSWORD}).json()["refresh"]
    if end == "unused":
        long_ago = timezone.now() - timedelta(days=players.REFRESH_DAYS, seconds=1)
        RefreshToken.objects.update(last_used_at=long_ago)
    elif end == "closed":
        assert anna.post("me/close", {"password": PASSWORD}).status_code == 204
    else:
        assert anna.post("tokens/revoke-all").status_code == 204
    assert problem(nobody.post("tokens/refresh", {"refresh": refresh})) == REFUSED


def test_logging_in_costs_the_same_whether_there_is_such_an_account(
    anna: Person, nobody: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By how often a password is hashed, which is what takes the time."""
    guest = nobody.post("guests").json()["player"]["name"]
    Player.objects.create_player("closed", PASSWORD, is_active=False)
    hashed: list[str] = []
    encode = MD5PasswordHasher.encode

    def counted(self: Any, password: str, salt: str) -> Any:
        hashed.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    costs, told = [], set()
    for name in ("anna", "dora", guest, "closed", "\u3164"):
        hashed.clear()
        answer = nobody.post("tokens", {"name": name, "password": "not the password"})
        costs.append(len(hashed))
        told.add((answer.status_code, answer.content))
    assert costs == [1] * 5
    assert len(told) == 1


# The admin


def logged_in() -> Client:
    client = Client()
    assert client.post("/admin/login/", {"username": "boss", "password": PASSWORD}).status_code == 302
    return client


def is_in(client: Client) -> bool:
    return client.get("/admin/matches/match/").status_code == 200


@pytest.fixture
def boss(db: None, settings: Any) -> Player:
    settings.TWO_STEP = False
    return Player.objects.create_superuser("boss", PASSWORD)


def test_a_session_of_the_admin_begins_anew_with_the_log_in(boss: Player) -> None:
    client = Client()
    client.get("/admin/login/")
    session = client.session
    session["planted"] = True
    session.save()
    planted = str(session.session_key)
    client.cookies["sessionid"] = planted
    client.post("/admin/login/", {"username": "boss", "password": PASSWORD})
    assert client.cookies["sessionid"].value != planted
    stale = Client()
    stale.cookies["sessionid"] = planted
    assert not is_in(stale)
    assert is_in(client)


@pytest.mark.parametrize("is_https_only", [False, True])
def test_cookies_are_for_the_admins_pages_alone_and_for_a_day(
    boss: Player, settings: Any, *, is_https_only: bool
) -> None:
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = is_https_only
    client = logged_in()
    client.get("/admin/")
    for name in ("sessionid", "csrftoken"):
        cookie = client.cookies[name]
        assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax"), name
        assert bool(cookie["secure"]) == is_https_only
    assert client.cookies["sessionid"]["max-age"] == 12 * 3600


def test_a_session_is_nothing_to_the_interface_and_costs_it_nothing(boss: Player) -> None:
    client = logged_in()
    with CaptureQueriesContext(connection) as queries:
        answer = client.get("/api/v1/me")
    assert problem(answer) == (401, "not_authenticated")
    assert not any(hasattr(answer.wsgi_request, name) for name in ("session", "_messages"))
    assert [query["sql"] for query in queries if "session" in query["sql"]] == []
    assert "sessionid" not in answer.cookies
    assert is_in(client)


@pytest.mark.parametrize("end", ["log out", "everywhere", "password", "closed", "staff no more"])
def test_a_session_of_the_admin_ends(boss: Player, end: str) -> None:
    client, elsewhere = logged_in(), logged_in()
    assert is_in(client)
    if end == "log out":
        client.post("/admin/logout/")
        assert is_in(elsewhere)
    elif end == "everywhere":
        players.player_log_out_everywhere(player_id=boss.pk)
    elif end == "password":
        boss.set_password("another long password")
        boss.save()
    else:
        Player.objects.filter(pk=boss.pk).update(**{"is_active" if end == "closed" else "is_staff": False})
    assert not is_in(client)


def test_a_session_outlives_a_change_of_the_key(boss: Player, settings: Any) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = FORMER, []
    client = logged_in()
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = NEW, [FORMER]
    assert is_in(client)
    settings.SECRET_KEY_FALLBACKS = []
    assert is_in(client)
    settings.SECRET_KEY = FORMER
    assert not is_in(client)
