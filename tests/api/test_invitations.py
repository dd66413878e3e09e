"""Who comes to a match: invited, declining, sent away; and what each adds to the deal."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from matches.models import Match
from matches.services import lobby
from tests.api.people import Person, begin_snap, person, problem

pytestmark = pytest.mark.django_db


def opens(host: Person, **fields: Any) -> str:
    """A lobby of Snap for three."""
    answer = host.post("matches", {"game": "snap", "seats": 3, **fields})
    assert answer.status_code == 201, answer.content
    return str(answer.json()["id"])


def names(players: list[dict[str, Any]]) -> list[str]:
    return [player["name"] for player in players]


def test_who_is_invited_joins_a_private_match_without_its_code(anna: Person, ben: Person, cleo: Person) -> None:
    match = opens(anna, visibility="private")
    assert names(anna.post(f"matches/{match}/invitations", {"name": "BEN"}).json()["invited"]) == ["ben"]
    assert [row["id"] for row in ben.get("me/invitations").json()["matches"]] == [match]
    seen = ben.get(f"matches/{match}").json()
    assert (seen["you_are_invited"], seen["invited"], seen["join_code"]) == (True, [], None)
    assert problem(cleo.get(f"matches/{match}")) == (404, "not_found")
    joined = ben.post(f"matches/{match}/join").json()
    assert (joined["your_seat"], joined["invited"], joined["you_are_invited"]) == (1, [], False)
    assert ben.get("me/invitations").json()["matches"] == []


def test_declining_ends_the_invitation_and_what_it_showed(anna: Person, ben: Person) -> None:
    match = opens(anna, visibility="private")
    anna.post(f"matches/{match}/invitations", {"name": "ben"})
    for _ in range(2):
        assert ben.post(f"matches/{match}/decline").status_code == 204
    assert ben.get("me/invitations").json()["matches"] == []
    assert problem(ben.get(f"matches/{match}")) == (404, "not_found")
    assert problem(ben.post(f"matches/{match}/join")) == (404, "not_found")
    assert anna.get(f"matches/{match}").json()["invited"] == []
    anna.post(f"matches/{match}/invitations", {"name": "ben"})
    assert ben.post(f"matches/{match}/join").json()["your_seat"] == 1


def test_only_who_is_invited_can_decline(anna: Person, ben: Person) -> None:
    match, private = opens(anna), opens(anna, visibility="private")
    assert problem(ben.post(f"matches/{match}/decline")) == (409, "not_invited")
    assert problem(ben.post(f"matches/{private}/decline")) == (404, "not_found")
    assert problem(anna.post(f"matches/{private}/decline")) == (409, "not_invited")


def test_only_the_host_invites_and_only_players(anna: Person, ben: Person, cleo: Person) -> None:
    match = opens(anna)
    assert problem(ben.post(f"matches/{match}/invitations", {"name": "cleo"})) == (403, "not_host")
    assert problem(anna.post(f"matches/{match}/invitations", {"name": "dora"})) == (422, "no_such_player")
    assert anna.get(f"matches/{match}").json()["invited"] == []
    assert anna.post(f"matches/{match}/invitations", {"name": "anna"}).json()["invited"] == []
    private = opens(anna, visibility="private")
    assert problem(ben.post(f"matches/{private}/invitations", {"name": "cleo"})) == (404, "not_found")


def test_an_invitation_is_taken_back(anna: Person, ben: Person) -> None:
    match = opens(anna, visibility="private")
    anna.post(f"matches/{match}/invitations", {"name": "ben"})
    for _ in range(2):
        assert anna.delete(f"matches/{match}/invitations/{ben.id}").json()["invited"] == []
    assert problem(ben.post(f"matches/{match}/join")) == (404, "not_found")


def test_a_match_that_has_begun_invites_nobody(anna: Person, ben: Person) -> None:
    match = begin_snap(anna, ben)
    person("dora")
    assert problem(anna.post(f"matches/{match}/invitations", {"name": "dora"})) == (409, "match_not_open")


def test_a_code_alone_leads_to_a_private_match(anna: Person, ben: Person, cleo: Person) -> None:
    made = anna.post("matches", {"game": "snap", "seats": 3, "visibility": "private"}).json()
    code = {"code": made["join_code"]}
    assert ben.post("codes", code).json()["id"] == made["id"]
    assert problem(ben.get(f"matches/{made['id']}")) == (404, "not_found")
    for _ in range(2):
        assert ben.post("codes/join", code).json()["your_seat"] == 1
    anna.post(f"matches/{made['id']}/kick", {"player": ben.id})
    assert problem(ben.post("codes/join", code)) == (403, "kicked")
    for wrong in ("x", made["join_code"][:-1], made["join_code"].upper()):
        assert problem(cleo.post("codes", {"code": wrong})) == (404, "not_found")
        assert problem(cleo.post("codes/join", {"code": wrong})) == (404, "not_found")
    assert len(anna.get(f"matches/{made['id']}").json()["seats"]) == 1


def test_an_empty_code_leads_to_no_public_match(anna: Person, ben: Person) -> None:
    opens(anna)
    for path in ("codes", "codes/join"):
        assert problem(ben.post(path, {"code": ""})) == (400, "malformed")


def test_who_is_sent_away_stays_away_until_invited_again(anna: Person, ben: Person, cleo: Person) -> None:
    match = opens(anna, autostart=False)
    for guest in (ben, cleo):
        guest.post(f"matches/{match}/join")
    after = anna.post(f"matches/{match}/kick", {"player": ben.id}).json()
    assert names([seat["player"] for seat in after["seats"]]) == ["anna", "cleo"]
    assert [seat["number"] for seat in after["seats"]] == [0, 1]
    assert problem(ben.post(f"matches/{match}/join")) == (403, "kicked")
    anna.post(f"matches/{match}/invitations", {"name": "ben"})
    assert ben.post(f"matches/{match}/join").json()["your_seat"] == 2


def test_who_is_sent_away_from_a_private_match_needs_more_than_its_code(anna: Person, ben: Person) -> None:
    made = anna.post("matches", {"game": "snap", "seats": 3, "visibility": "private"}).json()
    code = {"code": made["join_code"]}
    ben.post(f"matches/{made['id']}/join", code)
    anna.post(f"matches/{made['id']}/kick", {"player": ben.id})
    assert problem(ben.post(f"matches/{made['id']}/join", code)) == (403, "kicked")
    assert problem(ben.post(f"matches/{made['id']}/decline")) == (404, "not_found")
    assert problem(ben.post(f"matches/{made['id']}/join", code)) == (403, "kicked")


def test_only_the_host_sends_away_and_never_themself(anna: Person, ben: Person) -> None:
    match = opens(anna)
    ben.post(f"matches/{match}/join")
    assert problem(ben.post(f"matches/{match}/kick", {"player": anna.id})) == (403, "not_host")
    assert problem(anna.post(f"matches/{match}/kick", {"player": anna.id})) == (403, "forbidden")
    assert len(anna.get(f"matches/{match}").json()["seats"]) == 2
    assert anna.post(f"matches/{match}/kick", {"player": 999_999}).status_code == 200
    running = begin_snap(anna, ben)
    assert problem(anna.post(f"matches/{running}/kick", {"player": ben.id})) == (409, "match_not_open")


def test_a_salt_is_part_of_the_deal_and_of_the_export(anna: Person, ben: Person) -> None:
    match = anna.post("matches", {"game": "snap", "seats": 2}).json()["id"]
    assert anna.put(f"matches/{match}/salt", {"salt": "00ff"}).status_code == 200
    assert problem(ben.put(f"matches/{match}/salt", {"salt": "00"})) == (403, "not_seated")
    for bad in ("0", "xy", "00" * 65):
        assert problem(anna.put(f"matches/{match}/salt", {"salt": bad})) == (400, "malformed")
    ben.post(f"matches/{match}/join")
    assert problem(anna.put(f"matches/{match}/salt", {"salt": "aa"})) == (409, "match_not_open")
    anna.post(f"matches/{match}/resign")
    assert anna.get(f"matches/{match}/export").json()["salts"] == ["00ff", ""]
    assert anna.get("me/data").json()["seats"][0]["salt"] == "00ff"


def test_a_lobby_is_called_off_when_it_has_waited_long_enough(anna: Person, ben: Person) -> None:
    short, long = opens(anna, wait_s=60), opens(anna, wait_s=3600)
    Match.objects.filter(pk=short).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert problem(ben.post(f"matches/{short}/join")) == (409, "match_not_open")
    assert [row["id"] for row in ben.get("matches").json()["matches"]] == [long]
    assert lobby.lobbies_expire() == 1
    assert lobby.lobbies_expire() == 0
    assert anna.get(f"matches/{short}").json()["status"] == "cancelled"
    assert anna.get(f"matches/{long}").json()["status"] == "lobby"


def test_a_match_that_has_begun_never_expires(anna: Person, ben: Person) -> None:
    match = begin_snap(anna, ben, wait_s=60)
    Match.objects.filter(pk=match).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert lobby.lobbies_expire() == 0
    assert anna.get(f"matches/{match}").json()["status"] == "running"


def test_counts_are_what_a_badge_shows(anna: Person, ben: Person, cleo: Person) -> None:
    nothing = {"your_turn": 0, "running": 0, "lobbies": 0, "invitations": 0, "deadline": None, "unread": 0}
    assert anna.get("me/counts").json() == nothing
    match = begin_snap(anna, ben)
    invited = opens(cleo)
    cleo.post(f"matches/{invited}/invitations", {"name": "anna"})
    opens(anna)
    both = [who.get("me/counts").json() for who in (anna, ben)]
    assert [(count["running"], count["lobbies"], count["invitations"]) for count in both] == [(1, 1, 1), (1, 0, 0)]
    assert [count["your_turn"] for count in both] == [
        int(who.get(f"matches/{match}").json()["your_turn"]) for who in (anna, ben)
    ]
    assert sorted(count["deadline"] is not None for count in both) == [False, True]
