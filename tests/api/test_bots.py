"""Bots over the interface: in matches and lobbies, for practice, and seats taken back from them."""

from __future__ import annotations

from typing import Any

import pytest

from matches import timing
from matches.models import Match
from matches.services import lobby, upkeep
from tests.api.people import PASSWORD, Person, begin_snap, problem

pytestmark = pytest.mark.django_db


def seated(row: dict[str, Any]) -> list[tuple[str | None, str | None]]:
    """Who sits where: the player's name, the bot's level."""
    return [(seat["player"] and seat["player"]["name"], seat["bot"]) for seat in row["seats"]]


def test_practice_begins_at_once_against_bots_of_the_level(anna: Person) -> None:
    answer = anna.post("practice", {"game": "splendor", "level": "hard"})
    assert answer.status_code == 201
    match = answer.json()
    assert (match["status"], match["your_seat"]) == ("running", 0)
    assert seated(match) == [("anna", None), (None, "hard")]
    assert match["control"]["type"] == "none"
    view = anna.get(f"matches/{match['id']}/view").json()["table"]
    assert view["bots"] == [None, "hard"]
    # Who begins is drawn.
    assert (view["decision"] is not None) == match["your_turn"]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"game": "chess"}, "unknown_game"),
        ({"level": "god"}, "malformed"),
        ({"seats": 9}, "bad_options"),
        ({"seats": 1}, "malformed"),
        ({"preset": "x"}, "bad_options"),
        ({"options": {"x": 1}}, "bad_options"),
    ],
)
def test_practice_that_cannot_be_is_refused(anna: Person, fields: dict[str, Any], code: str) -> None:
    assert problem(anna.post("practice", {"game": "splendor", "level": "easy", **fields}))[1] == code
    assert anna.get("me/matches").json()["matches"] == []


def test_a_match_is_created_with_bots_and_filled_up_with_people(anna: Person, ben: Person) -> None:
    fields = {"game": "three_up_three_down", "seats": 3, "bots": ["normal"]}
    match = anna.post("matches", fields).json()
    assert (match["status"], seated(match)) == ("lobby", [("anna", None), (None, "normal")])
    joined = ben.post(f"matches/{match['id']}/join").json()
    assert (joined["status"], seated(joined)[2]) == ("running", ("ben", None))


def test_a_host_adds_bots_to_a_lobby_and_sends_them_away(anna: Person, ben: Person, cleo: Person) -> None:
    match = anna.post("matches", {"game": "snap", "seats": 4, "autostart": False}).json()["id"]
    ben.post(f"matches/{match}/join")
    assert seated(anna.post(f"matches/{match}/bots", {"level": "easy"}).json())[2] == (None, "easy")
    assert problem(ben.post(f"matches/{match}/bots", {"level": "easy"})) == (403, "not_host")
    assert problem(anna.post(f"matches/{match}/bots", {"level": "x"})) == (400, "malformed")
    assert problem(anna.delete(f"matches/{match}/bots/1")) == (422, "no_such_player")
    assert len(seated(anna.delete(f"matches/{match}/bots/2").json())) == 2
    for _ in range(2):
        anna.post(f"matches/{match}/bots", {"level": "hard"})
    assert problem(anna.post(f"matches/{match}/bots", {"level": "hard"})) == (409, "match_full")
    begun = anna.post(f"matches/{match}/start").json()
    assert seated(begun) == [("anna", None), ("ben", None), (None, "hard"), (None, "hard")]
    assert problem(anna.post(f"matches/{match}/bots", {"level": "hard"})) == (409, "match_not_open")
    assert problem(anna.delete(f"matches/{match}/bots/2")) == (409, "match_not_open")


def test_a_host_watches_bots_among_themselves(anna: Person, ben: Person) -> None:
    fields = {"game": "snap", "seats": 2, "bots": ["easy", "hard"], "visibility": "private"}
    match = anna.post("matches", fields).json()
    assert (match["status"], match["your_seat"], seated(match)) == ("running", None, [(None, "easy"), (None, "hard")])
    assert anna.get(f"matches/{match['id']}/view").status_code == 200
    assert ben.get(f"matches/{match['id']}/view").status_code == 404


def test_a_seat_that_was_taken_over_is_taken_back(anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = timing.now_ms() - 90_000
    with monkeypatch.context() as patch:
        patch.setattr(lobby, "now_ms", lambda: begun)
        fields = {"control": {"type": "per_move", "move_s": 60}, "policy": {"on_timeout": "bot"}}
        match = begin_snap(anna, ben, **fields)
    upkeep.match_settle(match_id=Match.objects.get().pk)
    lent = [level for _, level in seated(anna.get(f"matches/{match}").json())].index("normal")
    who, other = (anna, ben) if lent == 0 else (ben, anna)
    row = who.get(f"matches/{match}").json()
    assert (seated(row)[lent], row["your_turn"], row["deadline"]) == ((who.name, "normal"), False, None)
    assert who.get(f"matches/{match}/view").json()["table"]["decision"]["moves"]
    answer = who.post(f"matches/{match}/return")
    assert [entry["cause"] for entry in answer.json()["entries"]] == ["return"]
    row = who.get(f"matches/{match}").json()
    assert (seated(row)[lent], row["your_turn"]) == ((who.name, None), True)
    assert who.post(f"matches/{match}/return").json()["entries"] == []
    causes = [entry["cause"] for entry in other.get(f"matches/{match}/log").json()["entries"]]
    assert causes == ["open", "take_over", "return"]


def test_a_program_plays_by_the_same_interface_and_is_seen_to_be_one(anna: Person) -> None:
    visitor = Person("marvin")
    made = visitor.post("players", {"name": "marvin", "password": PASSWORD, "is_bot": True}).json()
    assert made["is_bot"]
    access = visitor.post("tokens", {"name": "marvin", "password": PASSWORD}).json()["access"]
    marvin = Person("marvin", access)
    assert problem(marvin.post("pairing", {"game": "snap", "seats": 2, "pace": "day"})) == (403, "not_for_bots")
    match = anna.post("matches", {"game": "snap", "seats": 2}).json()["id"]
    row = marvin.post(f"matches/{match}/join").json()
    assert row["status"] == "running"
    assert [seat["player"]["is_bot"] for seat in row["seats"]] == [False, True]
