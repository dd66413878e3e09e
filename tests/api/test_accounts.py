"""Accounts and tokens over HTTP."""

from __future__ import annotations

import pytest

from matches.models import Player
from tests.api.people import PASSWORD, Person, person, problem

pytestmark = pytest.mark.django_db


def test_a_new_player_can_log_in_and_see_itself(nobody: Person) -> None:
    made = nobody.post("players", {"name": "Anna", "password": PASSWORD})
    assert made.status_code == 201
    session = nobody.post("tokens", {"name": "anna", "password": PASSWORD, "device": "phone"}).json()
    assert set(session) == {"access", "refresh", "expires_in"}
    me = Person("Anna", session["access"]).get("me").json()
    assert me.pop("created_at")
    assert me == {"id": made.json()["id"], "name": "Anna", "is_guest": False, "is_bot": False, "email": ""}


def test_a_name_is_taken_whatever_its_case(anna: Person, nobody: Person) -> None:
    assert problem(nobody.post("players", {"name": "ANNA", "password": PASSWORD})) == (409, "name_taken")
    assert Player.objects.count() == 1


def test_a_password_of_ten_letters_is_needed(nobody: Person) -> None:
    answer = nobody.post("players", {"name": "anna", "password": "too short"})
    assert problem(answer) == (400, "malformed")
    assert answer.json()["errors"][0]["pointer"] == "/password"
    assert problem(nobody.post("players", {"name": "anna", "password": "password12"})) == (422, "password_weak")
    assert Player.objects.count() == 0


def test_a_wrong_password_and_an_unknown_name_are_refused_alike(anna: Person, nobody: Person) -> None:
    wrong = nobody.post("tokens", {"name": "anna", "password": "not the password"})
    unknown = nobody.post("tokens", {"name": "dora", "password": "not the password"})
    assert problem(wrong) == problem(unknown) == (401, "bad_credentials")
    assert wrong.json() == unknown.json()


def test_a_refresh_token_is_good_once_and_a_stolen_one_ends_the_session(anna: Person, nobody: Person) -> None:
    first = nobody.post("tokens", {"name": "anna", "password": PASSWORD}).json()
    second = nobody.post("tokens/refresh", {"refresh": first["refresh"]}).json()
    assert Person("anna", second["access"]).get("me").status_code == 200
    assert problem(nobody.post("tokens/refresh", {"refresh": first["refresh"]})) == (401, "token_invalid")
    assert problem(nobody.post("tokens/refresh", {"refresh": second["refresh"]})) == (401, "token_invalid")


def test_logging_out_ends_this_device_alone(anna: Person, nobody: Person) -> None:
    phone = nobody.post("tokens", {"name": "anna", "password": PASSWORD, "device": "phone"}).json()
    tablet = nobody.post("tokens", {"name": "anna", "password": PASSWORD, "device": "tablet"}).json()
    assert nobody.post("tokens/revoke", {"refresh": phone["refresh"]}).status_code == 204
    assert problem(nobody.post("tokens/refresh", {"refresh": phone["refresh"]})) == (401, "token_invalid")
    assert nobody.post("tokens/refresh", {"refresh": tablet["refresh"]}).status_code == 200


def test_logging_out_everywhere_stops_moves_at_once(anna: Person, ben: Person, match: str) -> None:
    assert anna.post("tokens/revoke-all").status_code == 204
    move = {"serial": 1, "move": {"type": "turn"}}
    assert problem(anna.post(f"matches/{match}/moves", move)) == (401, "token_invalid")


@pytest.mark.parametrize("header", ["Bearer", "Bearer a b", "Bearer nonsense", "Bearer \u00e9"])
def test_a_broken_token_is_refused_and_says_what_is_asked_for(nobody: Person, header: str) -> None:
    answer = nobody.get("me", authorization=header)
    assert problem(answer) == (401, "token_invalid")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_no_token_is_told_to_log_in(nobody: Person) -> None:
    assert problem(nobody.get("me")) == (401, "not_authenticated")


def test_two_people_have_two_sessions(anna: Person) -> None:
    assert person("dora").get("me").json()["name"] == "dora"
    assert anna.get("me").json()["name"] == "anna"
