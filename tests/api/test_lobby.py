"""Matches before they begin, over HTTP."""

from __future__ import annotations

import pytest

from tests.api.people import Person, begin_snap, problem

pytestmark = pytest.mark.django_db


def test_creating_a_match_seats_its_host(anna: Person) -> None:
    answer = anna.post("matches", {"game": "snap", "seats": 2, "options": {"turn_limit": 50}})
    body = answer.json()
    assert answer.status_code == 201
    assert body["status"] == "lobby"
    assert body["your_seat"] == 0
    assert [seat["player"] and seat["player"]["name"] for seat in body["seats"]] == ["anna"]
    assert body["options"]["turn_limit"] == 50
    assert len(body["commitment"]) == 64


def test_the_last_seat_starts_the_match(anna: Person, ben: Person, match: str) -> None:
    body = ben.get(f"matches/{match}").json()
    assert body["status"] == "running"
    assert [seat["player"]["name"] for seat in body["seats"]] == ["anna", "ben"]
    assert body["your_seat"] == 1


def test_joining_again_is_the_same_seat(anna: Person, ben: Person) -> None:
    lobby = anna.post("matches", {"game": "snap", "seats": 3}).json()["id"]
    first = ben.post(f"matches/{lobby}/join").json()
    again = ben.post(f"matches/{lobby}/join").json()
    assert first["your_seat"] == again["your_seat"] == 1
    assert len(again["seats"]) == 2


def test_a_full_match_takes_nobody(anna: Person, ben: Person, cleo: Person) -> None:
    lobby = anna.post("matches", {"game": "snap", "seats": 2, "autostart": False}).json()["id"]
    ben.post(f"matches/{lobby}/join")
    assert problem(cleo.post(f"matches/{lobby}/join")) == (409, "match_full")


def test_only_the_host_starts(anna: Person, ben: Person) -> None:
    lobby = anna.post("matches", {"game": "snap", "seats": 3}).json()["id"]
    assert problem(anna.post(f"matches/{lobby}/start")) == (409, "too_few_seats")
    ben.post(f"matches/{lobby}/join")
    assert problem(ben.post(f"matches/{lobby}/start")) == (403, "not_host")
    started = anna.post(f"matches/{lobby}/start").json()
    assert (started["status"], len(started["seats"])) == ("running", 2)
    assert problem(anna.post(f"matches/{lobby}/start")) == (409, "match_not_open")


def test_when_the_host_leaves_the_next_one_is_host(anna: Person, ben: Person) -> None:
    lobby = anna.post("matches", {"game": "snap", "seats": 3}).json()["id"]
    ben.post(f"matches/{lobby}/join")
    anna.post(f"matches/{lobby}/leave")
    body = ben.get(f"matches/{lobby}").json()
    assert (body["host"], body["your_seat"]) == (ben.get("me").json()["id"], 0)
    assert ben.post(f"matches/{lobby}/leave").json()["status"] == "cancelled"


def test_the_open_list_shows_public_lobbies_and_no_others(anna: Person, nobody: Person) -> None:
    shown = anna.post("matches", {"game": "snap", "seats": 2}).json()["id"]
    anna.post("matches", {"game": "snap", "seats": 2, "visibility": "unlisted"})
    anna.post("matches", {"game": "snap", "seats": 2, "visibility": "private"})
    assert [row["id"] for row in nobody.get("matches").json()["matches"]] == [shown]
    assert nobody.get("matches?game=splendor").json()["matches"] == []


def test_a_list_goes_on_where_its_page_ended(anna: Person) -> None:
    made = [anna.post("matches", {"game": "snap", "seats": 2}).json()["id"] for _ in range(3)]
    first = anna.get("matches?limit=2").json()
    assert [row["id"] for row in first["matches"]] == [made[2], made[1]]
    rest = anna.get(f"matches?limit=2&after={first['next']}").json()
    assert ([row["id"] for row in rest["matches"]], rest["next"]) == ([made[0]], None)


@pytest.mark.parametrize("query", ["limit=0", "limit=101", "limit=x", "after=x", "status=nonsense", "limit=٣"])
def test_a_list_refuses_what_it_cant_read(nobody: Person, query: str) -> None:
    assert problem(nobody.get(f"matches?{query}")) == (400, "malformed")


def test_a_private_match_is_not_there_for_strangers(anna: Person, cleo: Person, nobody: Person) -> None:
    made = anna.post("matches", {"game": "snap", "seats": 3, "visibility": "private"}).json()
    for stranger in (cleo, nobody):
        assert problem(stranger.get(f"matches/{made['id']}")) == (404, "not_found")
    assert problem(cleo.post(f"matches/{made['id']}/join", {"code": "wrong"})) == (404, "not_found")
    assert cleo.post(f"matches/{made['id']}/join", {"code": made["join_code"]}).json()["your_seat"] == 1


def test_my_matches_begin_with_those_that_wait_for_me(anna: Person, ben: Person, match: str) -> None:
    later = anna.post("matches", {"game": "snap", "seats": 2}).json()["id"]
    rows = ben.get("me/matches").json()["matches"] + anna.get("me/matches").json()["matches"]
    waiting = [row for row in rows if row["your_turn"]]
    assert [row["id"] for row in waiting] == [match]
    assert waiting[0]["deadline"] > waiting[0]["started_at"]
    whoever = anna if anna.get("me/matches").json()["matches"][0]["your_turn"] else ben
    if whoever is anna:
        assert [row["id"] for row in anna.get("me/matches").json()["matches"]] == [match, later]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"game": "chess"}, (422, "unknown_game")),
        ({"seats": 13}, (422, "bad_options")),
        ({"seats": 1}, (422, "bad_options")),
        ({"options": {"turn_limit": -1}}, (422, "bad_options")),
        ({"options": {"nonsense": 1}}, (422, "bad_options")),
        ({"preset": "nonsense"}, (422, "bad_options")),
        ({"control": {"type": "per_move", "move_s": 1}}, (400, "malformed")),
        ({"visibility": "nonsense"}, (400, "malformed")),
        ({"nonsense": 1}, (400, "malformed")),
    ],
)
def test_a_match_that_cant_be_is_refused(anna: Person, change: dict[str, object], expected: tuple[int, str]) -> None:
    assert problem(anna.post("matches", {"game": "snap", "seats": 2, **change})) == expected
    assert anna.get("me/matches").json()["matches"] == []


def test_creating_needs_a_token(nobody: Person) -> None:
    assert problem(nobody.post("matches", {"game": "snap", "seats": 2})) == (401, "not_authenticated")


def test_an_unlisted_match_is_found_by_its_id(anna: Person, ben: Person, nobody: Person) -> None:
    match = begin_snap(anna, ben, visibility="unlisted")
    assert nobody.get(f"matches/{match}").json()["status"] == "running"


def test_the_host_may_call_it_off(anna: Person, ben: Person) -> None:
    lobby = anna.post("matches", {"game": "snap", "seats": 3}).json()["id"]
    ben.post(f"matches/{lobby}/join")
    assert problem(ben.post(f"matches/{lobby}/cancel")) == (403, "not_host")
    assert anna.post(f"matches/{lobby}/cancel").json()["status"] == "cancelled"
    assert problem(anna.post(f"matches/{lobby}/start")) == (409, "match_not_open")
