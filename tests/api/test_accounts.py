"""Accounts and tokens over HTTP."""

from __future__ import annotations

import pytest

from matches.models import Player
from tests.api.people import PASSWORD, Person, begin_snap, person, problem, to_move

pytestmark = pytest.mark.django_db


def test_a_new_player_can_log_in_and_see_itself(nobody: Person) -> None:
    made = nobody.post("players", {"name": "Anna", "password": PASSWORD})
    assert made.status_code == 201
    session = nobody.post("tokens", {"name": "anna", "password": PASSWORD, "device": "phone"}).json()
    assert set(session) == {"access", "refresh", "expires_in"}
    me = Person("Anna", session["access"]).get("me").json()
    assert me.pop("created_at")
    account = {"email": "", "email_confirmed": False}
    assert me == {"id": made.json()["id"], "name": "Anna", "is_guest": False, "is_bot": False, **account}


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


@pytest.mark.parametrize(
    ("known", "like"),
    [
        ("Ian", "lan"),  # a capital i and a small L
        ("demo-1", "demo-l"),
        ("Anna", "\u0391\u039d\u039d\u0391"),  # Greek capitals
        ("coco", "\u0441\u043e\u0441\u043e"),  # Cyrillic letters
        ("O'Hara", "O\u2019Hara"),
        ("Bob 100", "Bob lOO"),
    ],
)
def test_no_two_names_look_alike(nobody: Person, known: str, like: str) -> None:
    assert nobody.post("players", {"name": known, "password": PASSWORD}).status_code == 201
    answer = nobody.post("players", {"name": like, "password": PASSWORD})
    assert answer.json()["code"] in {"name_taken", "name_invalid"}
    assert Player.objects.count() == 1


@pytest.mark.parametrize(
    "name", ["\u0430dmin", "A\u043dna", "Taro\u592a\u90ce", "\u3164\u3164", "a\u1160b", "e\u0301\u0301\u0301\u0301x"]
)
def test_a_name_is_of_one_script_and_all_of_it_can_be_seen(nobody: Person, name: str) -> None:
    assert problem(nobody.post("players", {"name": name, "password": PASSWORD})) == (422, "name_invalid")
    assert not Player.objects.exists()


@pytest.mark.parametrize("name", ["admin", "ADMIN", "Moderator", "Iistik", "Guest"])
def test_nobody_speaks_for_the_service(nobody: Person, name: str) -> None:
    assert problem(nobody.post("players", {"name": name, "password": PASSWORD})) == (422, "name_invalid")


@pytest.mark.parametrize(
    "name",
    [
        "\u0928\u092e\u0938\u094d\u0924\u0947",
        "\u5c71\u7530\u305f\u308d\u3046",
        "\u0410\u043d\u043d\u0430",
        "Jos\u00e9",
        "\u05e9\u05dc\u05d5\u05dd",
    ],
)
def test_names_of_every_script_are_welcome(nobody: Person, name: str) -> None:
    assert nobody.post("players", {"name": name, "password": PASSWORD}).json()["name"] == name


def test_a_guest_plays_at_once_and_stays_as_who_it_was(anna: Person, nobody: Person) -> None:
    made = nobody.post("guests", {"device": "phone"})
    assert made.status_code == 201
    body = made.json()
    assert body["player"]["is_guest"] is True
    guest = Person(body["player"]["name"], body["session"]["access"])
    lobby = anna.post("matches", {"game": "snap", "seats": 3}).json()["id"]
    assert guest.post(f"matches/{lobby}/join").json()["your_seat"] == 1
    player = guest.post("me/upgrade", {"name": "Gus", "password": PASSWORD, "email": "gus@example.org"}).json()
    assert (player["id"], player["name"], player["is_guest"]) == (body["player"]["id"], "Gus", False)
    assert guest.get(f"matches/{lobby}").json()["your_seat"] == 1
    assert nobody.post("tokens", {"name": "gus", "password": PASSWORD}).status_code == 200
    assert problem(guest.post("me/upgrade", {"name": "Gusto", "password": PASSWORD})) == (409, "not_a_guest")


def test_a_guest_whose_wish_is_refused_stays_a_guest(anna: Person, nobody: Person) -> None:
    body = nobody.post("guests").json()
    guest = Person("", body["session"]["access"])
    assert problem(guest.post("me/upgrade", {"name": "Anna", "password": PASSWORD})) == (409, "name_taken")
    assert problem(guest.post("me/upgrade", {"name": "Gus", "password": "password12"})) == (422, "password_weak")
    assert problem(guest.post("me/password", {"old": "", "new": PASSWORD})) == (409, "guests_only_upgrade")
    assert problem(guest.post("me/email", {"password": "", "email": ""})) == (409, "guests_only_upgrade")
    assert (guest.get("me").json()["name"], guest.get("me").json()["is_guest"]) == (body["player"]["name"], True)


def test_a_new_password_logs_every_device_out_but_the_one_that_asked(anna: Person, nobody: Person) -> None:
    phone = nobody.post("tokens", {"name": "anna", "password": PASSWORD}).json()
    answer = anna.post("me/password", {"old": PASSWORD, "new": "another long password"})
    assert Person("anna", answer.json()["access"]).get("me").status_code == 200
    assert nobody.post("tokens/refresh", {"refresh": answer.json()["refresh"]}).status_code == 200
    assert problem(nobody.post("tokens/refresh", {"refresh": phone["refresh"]})) == (401, "token_invalid")
    assert problem(nobody.post("tokens", {"name": "anna", "password": PASSWORD})) == (401, "bad_credentials")
    assert nobody.post("tokens", {"name": "anna", "password": "another long password"}).status_code == 200
    # The access token from before is worth nothing where the account is changed.
    again = anna.post("me/password", {"old": "another long password", "new": PASSWORD})
    assert problem(again) == (401, "token_invalid")


def test_a_password_is_changed_only_by_who_knows_it(anna: Person, nobody: Person) -> None:
    wrong = {"old": "not the password", "new": "another long password"}
    assert problem(anna.post("me/password", wrong)) == (403, "wrong_password")
    assert problem(anna.post("me/password", {"old": PASSWORD, "new": "password12"})) == (422, "password_weak")
    assert problem(anna.post("me/email", {"password": "wrong", "email": "x@example.org"})) == (403, "wrong_password")
    assert nobody.post("tokens", {"name": "anna", "password": PASSWORD}).status_code == 200
    assert anna.get("me").json()["email"] == ""


def test_the_address_is_for_its_owner_alone(anna: Person, cleo: Person) -> None:
    answer = anna.post("me/email", {"password": PASSWORD, "email": "anna@example.org"})
    assert answer.json()["email"] == anna.get("me").json()["email"] == "anna@example.org"
    assert b"example.org" not in cleo.get(f"players/{anna.id}").content
    assert problem(anna.post("me/email", {"password": PASSWORD, "email": "nowhere"})) == (422, "email_invalid")
    assert anna.post("me/email", {"password": PASSWORD, "email": ""}).json()["email"] == ""


def test_a_player_is_found_by_name_and_by_id(anna: Person, nobody: Person) -> None:
    found = nobody.get("names/ANNA").json()
    assert found == nobody.get(f"players/{anna.id}").json()
    assert (found["id"], found["name"], found["records"]) == (anna.id, "anna", [])
    for unknown in ("dora", "%00", "[deleted 1]", "x" * 200):
        assert problem(nobody.get(f"names/{unknown}")) == (404, "not_found")
    assert problem(nobody.get("players/999999999")) == (404, "not_found")


def test_a_profile_counts_what_came_of_each_game(anna: Person, ben: Person, cleo: Person) -> None:
    for _ in range(2):
        match = begin_snap(anna, ben)
        for _ in range(2):
            first, asked = to_move(match, anna, ben)
            move = {"serial": asked["serial"], "move": asked["moves"][0]}
            assert first.post(f"matches/{match}/moves", move).status_code == 200
        assert ben.post(f"matches/{match}/resign").status_code == 200
    begin_snap(anna, cleo)
    sandbox = begin_snap(anna, ben, seed="always the same")
    ben.post(f"matches/{sandbox}/resign")
    record = {"game": "snap", "played": 2, "won": 2, "shared": 0, "left": 0}
    assert cleo.get(f"players/{anna.id}").json()["records"] == [record]
    assert cleo.get(f"players/{ben.id}").json()["records"] == [{**record, "won": 0, "left": 2}]
    assert cleo.get(f"players/{cleo.id}").json()["records"] == []
