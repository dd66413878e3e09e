"""A match over HTTP: views, moves, the log, the export."""

from __future__ import annotations

import json

import pytest

from engine.export import verify
from tests.api.people import Person, begin_snap, decision, make_moves, problem, to_move

pytestmark = pytest.mark.django_db


def play_to_the_end(match: str, *people: Person) -> None:
    """Everybody turns when asked and lets every race pass."""
    while True:
        for who in people:
            view = who.get(f"matches/{match}/view").json()["table"]
            if view["ending"] is not None:
                return
            while (asked := view["decision"]) is not None:
                move = next(move for move in asked["moves"] if move["type"] in {"turn", "pass"})
                answer = who.post(f"matches/{match}/moves", {"serial": asked["serial"], "move": move})
                assert answer.status_code == 200, answer.content
                view = answer.json()["view"]["table"]


def test_the_view_asks_the_seat_whose_turn_it_is(anna: Person, ben: Person, match: str) -> None:
    who, asked = to_move(match, anna, ben)
    assert asked["occasion"] == "turn"
    assert asked["moves"] == [{"type": "turn"}]
    assert asked["serial"] == 1
    other = ben if who is anna else anna
    assert decision(other, match) is None
    assert other.get(f"matches/{match}/legal-moves").json()["moves"] == []


def test_a_move_answers_with_what_happened_and_the_table(anna: Person, ben: Person, match: str) -> None:
    who, asked = to_move(match, anna, ben)
    answer = who.post(f"matches/{match}/moves", {"serial": asked["serial"], "move": {"type": "turn"}}).json()
    assert answer["repeated"] is False
    assert [entry["number"] for entry in answer["entries"]] == [2]
    assert answer["entries"][0]["move"] == {"type": "turn"}
    assert answer["view"]["table"]["decision"]["occasion"] == "race"


def test_a_move_sent_again_is_the_same_answer(anna: Person, ben: Person, match: str) -> None:
    who, asked = to_move(match, anna, ben)
    body = {"serial": asked["serial"], "move": {"type": "turn"}}
    first = who.post(f"matches/{match}/moves", body).json()
    again = [who.post(f"matches/{match}/moves", body).json() for _ in range(3)]
    assert [answer["repeated"] for answer in again] == [True] * 3
    assert all(answer["entries"] == first["entries"] for answer in again)
    assert who.get(f"matches/{match}/log").json()["horizon"] == 2


def test_another_move_for_the_same_decision_is_refused(anna: Person, ben: Person, match: str) -> None:
    who, asked = to_move(match, anna, ben)
    who.post(f"matches/{match}/moves", {"serial": asked["serial"], "move": {"type": "turn"}})
    other = {"serial": asked["serial"], "move": {"type": "pass"}}
    assert problem(who.post(f"matches/{match}/moves", other)) == (409, "already_answered")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"", (400, "malformed")),
        (b"{", (400, "malformed")),
        (b"[]", (400, "malformed")),
        (b'{"serial": 1}', (400, "malformed")),
        (b'{"serial": "1", "move": {"type": "turn"}}', (400, "malformed")),
        (b'{"serial": 1, "move": {"type": "turn"}, "more": 1}', (400, "malformed")),
        (b'{"serial": 1, "move": {"type": "nonsense"}}', (400, "malformed_move")),
        (b'{"serial": 1, "move": {"type": "turn", "more": 1}}', (400, "malformed_move")),
        (b'{"serial": 1, "move": 1}', (400, "malformed_move")),
        (b'{"serial": 99, "move": {"type": "turn"}}', (409, "unknown_serial")),
        (b'{"serial": 0, "move": {"type": "turn"}}', (409, "unknown_serial")),
        (b'{"serial": 1, "move": {"type": "pass"}}', (422, "illegal_move")),
        (b"\xff", (400, "malformed")),
    ],
)
def test_what_is_no_move_changes_nothing(
    anna: Person, ben: Person, match: str, body: bytes, expected: tuple[int, str]
) -> None:
    who, asked = to_move(match, anna, ben)
    before = who.get(f"matches/{match}/view").json()["table"]
    assert problem(who.post(f"matches/{match}/moves", raw=body)) == expected
    assert who.get(f"matches/{match}/view").json()["table"] == before
    assert asked["serial"] == 1


def test_a_body_without_end_is_refused(anna: Person, ben: Person, match: str) -> None:
    who, _ = to_move(match, anna, ben)
    answer = who.post(f"matches/{match}/moves", raw=b'{"serial": 1, "move": {"type": "' + b"x" * 70_000 + b'"}}')
    assert problem(answer) == (413, "too_large")


def test_a_view_that_didnt_change_is_not_sent_again(anna: Person, ben: Person, match: str) -> None:
    first = anna.get(f"matches/{match}/view")
    again = anna.get(f"matches/{match}/view", if_none_match=first.headers["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    who, asked = to_move(match, anna, ben)
    who.post(f"matches/{match}/moves", {"serial": asked["serial"], "move": {"type": "turn"}})
    assert anna.get(f"matches/{match}/view", if_none_match=first.headers["ETag"]).status_code == 200
    assert first.headers["Cache-Control"] == "private, no-cache"


def test_a_spectator_sees_what_is_public_and_may_do_nothing(
    anna: Person, ben: Person, cleo: Person, nobody: Person, match: str
) -> None:
    for stranger in (cleo, nobody):
        table = stranger.get(f"matches/{match}/view").json()["table"]
        assert (table["seat"], table["decision"]) == (None, None)
    move = {"serial": 1, "move": {"type": "turn"}}
    assert problem(cleo.post(f"matches/{match}/moves", move)) == (403, "not_seated")
    assert problem(cleo.get(f"matches/{match}/legal-moves")) == (403, "not_seated")
    assert problem(cleo.post(f"matches/{match}/resign")) == (403, "not_seated")
    assert problem(nobody.post(f"matches/{match}/moves", move)) == (401, "not_authenticated")


def test_nothing_of_a_private_match_is_shown_to_strangers(anna: Person, ben: Person, cleo: Person) -> None:
    match = begin_snap(anna, ben, visibility="private")
    for path in ("", "/view", "/log", "/legal-moves", "/export"):
        assert problem(cleo.get(f"matches/{match}{path}")) == (404, "not_found"), path
    for path in ("/moves", "/resign"):
        answer = cleo.post(
            f"matches/{match}{path}", {"serial": 1, "move": {"type": "turn"}} if path == "/moves" else {}
        )
        assert problem(answer) == (404, "not_found"), path
    assert anna.get(f"matches/{match}/view").status_code == 200


def test_a_lobby_has_no_table_yet(anna: Person) -> None:
    lobby = anna.post("matches", {"game": "snap", "seats": 2}).json()["id"]
    assert anna.get(f"matches/{lobby}/view").status_code == 409
    assert anna.post(f"matches/{lobby}/moves", {"serial": 1, "move": {"type": "turn"}}).status_code == 409


def test_resigning_ends_a_match_of_two(anna: Person, ben: Person) -> None:
    match = begin_snap(anna, ben, game="three_up_three_down")
    make_moves(match, 2, anna, ben)
    answer = anna.post(f"matches/{match}/resign").json()
    assert answer["view"]["table"]["ending"]["outcome"]["places"] == [2, 1]
    body = ben.get(f"matches/{match}").json()
    assert (body["status"], [seat["place"] for seat in body["seats"]]) == ("finished", [2, 1])
    assert problem(anna.post(f"matches/{match}/resign")) == (409, "match_over")


def test_the_log_is_read_in_pages_without_a_gap(anna: Person, ben: Person) -> None:
    match = begin_snap(anna, ben, options={"turn_limit": 3})
    play_to_the_end(match, anna, ben)
    horizon = anna.get(f"matches/{match}/log").json()["horizon"]
    numbers: list[int] = []
    while len(numbers) < horizon:
        page = anna.get(f"matches/{match}/log?after={len(numbers)}&limit=4").json()
        numbers += [entry["number"] for entry in page["entries"]]
    assert numbers == list(range(1, horizon + 1))


def test_an_export_is_for_matches_that_are_over_and_holds(anna: Person, ben: Person, nobody: Person) -> None:
    match = begin_snap(anna, ben, options={"turn_limit": 3})
    assert problem(anna.get(f"matches/{match}/export")) == (409, "match_not_over")
    play_to_the_end(match, anna, ben)
    document = nobody.get(f"matches/{match}/export").content
    table = verify(document)
    assert table.ending is not None
    assert json.loads(document)["commitment"] == nobody.get(f"matches/{match}").json()["commitment"]


def test_no_answer_shows_the_secret_of_a_running_match(anna: Person, ben: Person, match: str) -> None:
    for path in ("", "/view", "/log", "/legal-moves"):
        assert b"secret" not in anna.get(f"matches/{match}{path}").content
