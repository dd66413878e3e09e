"""An account is closed for good, and its data can be taken along."""

from __future__ import annotations

import pytest

from matches.models import Block, Player, RefreshToken, Report
from matches.services import farewell, lobby
from tests.api.people import PASSWORD, Person, begin_snap, problem

pytestmark = pytest.mark.django_db


def closes(who: Person) -> None:
    assert who.post("me/close", {"password": PASSWORD}).status_code == 204


def test_opponents_keep_their_matches_under_another_name(anna: Person, ben: Person) -> None:
    match = begin_snap(anna, ben)
    anna.post(f"matches/{match}/resign")
    gone = anna.id
    before = ben.get(f"matches/{match}/export").content
    closes(anna)
    row = ben.get(f"matches/{match}").json()
    assert [seat["player"]["name"] for seat in row["seats"]] == [f"[deleted {gone}]", "ben"]
    assert ben.get(f"matches/{match}/export").content == before
    assert ben.get(f"matches/{match}/log").json()["entries"]


def test_nothing_of_the_person_is_left(anna: Person, ben: Person) -> None:
    anna.post("me/email", {"password": PASSWORD, "email": "anna@example.org"})
    anna.put(f"me/blocks/{ben.id}")
    gone = anna.id
    closes(anna)
    row = Player.objects.get(pk=gone)
    assert (row.name, row.name_key, row.name_look, row.email) == (f"[deleted {gone}]", f"[deleted {gone}]", None, "")
    assert (row.is_active, row.has_usable_password(), row.epoch) == (False, False, 1)
    assert not RefreshToken.objects.filter(player=gone).exists()
    assert problem(ben.get(f"players/{gone}")) == (404, "not_found")


def test_the_name_is_free_again_and_the_old_token_worth_nothing(anna: Person, nobody: Person) -> None:
    closes(anna)
    assert problem(nobody.post("tokens", {"name": "anna", "password": PASSWORD})) == (401, "bad_credentials")
    assert problem(anna.get("me")) == problem(anna.get("me/data")) == (401, "token_invalid")
    assert problem(anna.post("matches", {"game": "snap", "seats": 2})) == (401, "token_invalid")
    assert problem(anna.post("pairing", {"game": "snap", "seats": 2, "pace": "day"})) == (401, "token_invalid")
    assert nobody.post("players", {"name": "anna", "password": PASSWORD}).status_code == 201


def test_who_closes_leaves_lobbies_and_running_matches(anna: Person, ben: Person, cleo: Person) -> None:
    lobby_id = anna.post("matches", {"game": "snap", "seats": 3}).json()["id"]
    cleo.post(f"matches/{lobby_id}/join")
    running = begin_snap(anna, ben)
    anna.post("pairing", {"game": "snap", "seats": 2, "pace": "day"})
    closes(anna)
    row = cleo.get(f"matches/{lobby_id}").json()
    assert (row["host"], [seat["player"]["name"] for seat in row["seats"]]) == (cleo.id, ["cleo"])
    assert ben.get(f"matches/{running}").json()["ended_at"] is not None
    assert farewell.farewells_finish() == 0


def test_what_a_dying_process_left_is_finished_later(
    anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    lobby_id = anna.post("matches", {"game": "snap", "seats": 3}).json()["id"]
    with monkeypatch.context() as patch:
        patch.setattr(farewell, "leave_all", lambda _: None)
        closes(anna)
    assert ben.get(f"matches/{lobby_id}").json()["status"] == "lobby"
    assert farewell.farewells_finish() == 1
    assert ben.get(f"matches/{lobby_id}").json()["status"] == "cancelled"


def test_a_closed_account_is_seated_nowhere(anna: Person, ben: Person) -> None:
    lobby_id = anna.post("matches", {"game": "snap", "seats": 2}).json()["id"]
    closes(ben)
    assert problem(ben.post(f"matches/{lobby_id}/join")) == (401, "token_invalid")
    assert len(anna.get(f"matches/{lobby_id}").json()["seats"]) == 1


def test_with_a_token_from_before_nothing_new_is_kept_of_a_closed_account(anna: Person, ben: Person) -> None:
    other, own = ben.id, anna.id
    closes(anna)
    sent = [
        anna.put(f"me/blocks/{other}"),
        anna.post("reports", {"player": other, "reason": "cheating"}),
        anna.put("me/calendar", {"zone": "Europe/Berlin", "night": None}),
        anna.post("pairing", {"game": "snap", "seats": 2, "pace": "day"}),
        anna.post("matches", {"game": "snap", "seats": 2}, idempotency_key="of-mine"),
    ]
    assert [problem(answer) for answer in sent] == [(401, "token_invalid")] * 5
    assert not Block.objects.filter(player=own).exists()
    assert not Report.objects.filter(reporter=own).exists()


def test_closing_needs_the_password_of_whoever_has_one(anna: Person, nobody: Person) -> None:
    assert problem(anna.post("me/close", {"password": "wrong"})) == (403, "wrong_password")
    assert problem(anna.post("me/close")) == (403, "wrong_password")
    assert anna.get("me").json()["name"] == "anna"
    guest = Person("", nobody.post("guests").json()["session"]["access"])
    assert guest.post("me/close").status_code == 204
    assert problem(guest.get("me")) == (401, "token_invalid")


def test_my_data_is_everything_that_is_kept_of_me(anna: Person, ben: Person, cleo: Person) -> None:
    match = begin_snap(anna, ben)
    private = cleo.post("matches", {"game": "snap", "seats": 2, "visibility": "private"}).json()
    anna.put(f"me/blocks/{cleo.id}")
    anna.post("reports", {"reason": "stalling", "player": ben.id, "match": match, "text": "slow"})
    data = anna.get("me/data").json()
    assert data["account"]["name"] == "anna"
    assert len(data["devices"]) == 1
    assert [(seat["match"], seat["game"], seat["seat"], seat["salt"]) for seat in data["seats"]] == [
        (match, "snap", 0, "")
    ]
    assert [player["name"] for player in data["blocked"]] == ["cleo"]
    assert [(report["reason"], report["text"]) for report in data["reports"]] == [("stalling", "slow")]
    assert private["id"] not in anna.get("me/data").content.decode()
    assert lobby.MOST_LOBBIES == 100
