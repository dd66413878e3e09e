"""Getting along: blocks and reports."""

from __future__ import annotations

import pytest

from matches.models import Block, Report
from matches.services import conduct
from tests.api.people import Person, begin_snap, problem

pytestmark = pytest.mark.django_db


def test_a_block_is_made_listed_and_taken_back(anna: Person, ben: Person) -> None:
    for _ in range(2):
        assert anna.put(f"me/blocks/{ben.id}").status_code == 204
    assert [player["name"] for player in anna.get("me/blocks").json()] == ["ben"]
    assert ben.get("me/blocks").json() == []
    for _ in range(2):
        assert anna.delete(f"me/blocks/{ben.id}").status_code == 204
    assert anna.get("me/blocks").json() == []


@pytest.mark.parametrize("blocker", ["host", "guest"])
def test_neither_joins_where_the_other_sits(anna: Person, ben: Person, cleo: Person, blocker: str) -> None:
    one, other = (anna, ben) if blocker == "host" else (ben, anna)
    one.put(f"me/blocks/{other.id}")
    match = anna.post("matches", {"game": "snap", "seats": 3}).json()["id"]
    assert problem(ben.post(f"matches/{match}/join")) == (403, "blocked")
    assert cleo.post(f"matches/{match}/join").status_code == 200
    hosted = cleo.post("matches", {"game": "snap", "seats": 4}).json()["id"]
    anna.post(f"matches/{hosted}/join")
    assert problem(ben.post(f"matches/{hosted}/join")) == (403, "blocked")
    one.delete(f"me/blocks/{other.id}")
    assert ben.post(f"matches/{hosted}/join").status_code == 200


def test_nobody_is_invited_by_whom_they_have_blocked(anna: Person, ben: Person) -> None:
    match = anna.post("matches", {"game": "snap", "seats": 3}).json()["id"]
    anna.post(f"matches/{match}/invitations", {"name": "ben"})
    ben.put(f"me/blocks/{anna.id}")
    assert ben.get("me/invitations").json()["matches"] == []
    assert problem(anna.post(f"matches/{match}/invitations", {"name": "ben"})) == (403, "blocked")


def test_what_has_begun_goes_on(anna: Person, ben: Person) -> None:
    match = begin_snap(anna, ben)
    anna.put(f"me/blocks/{ben.id}")
    assert ben.get(f"matches/{match}/view").status_code == 200
    assert ben.post(f"matches/{match}/resign").status_code == 200


def test_a_block_that_cant_be_is_refused(anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    assert problem(anna.put(f"me/blocks/{anna.id}")) == (403, "forbidden")
    assert problem(anna.put("me/blocks/999999999")) == (404, "not_found")
    monkeypatch.setattr(conduct, "MOST_BLOCKED", 0)
    assert problem(anna.put(f"me/blocks/{ben.id}")) == (409, "too_many")
    assert not Block.objects.exists()


def test_a_report_reaches_the_operators_once(anna: Person, ben: Person) -> None:
    match = begin_snap(anna, ben)
    report = {"reason": "cheating", "player": ben.id, "match": match, "text": "how does he know?"}
    for _ in range(2):
        assert anna.post("reports", report).status_code == 204
    row = Report.objects.get()
    assert (row.reporter_id, row.player_id, str(row.match_id), row.reason, row.name) == (
        *(anna.id, ben.id, match, "cheating", "ben"),
    )
    anna.post("reports", {"reason": "name", "player": ben.id})
    anna.post("reports", {"reason": "title", "match": match})
    assert Report.objects.count() == 3


def test_a_report_that_says_nothing_is_refused(anna: Person, ben: Person, cleo: Person) -> None:
    private = begin_snap(anna, ben, visibility="private")
    assert problem(cleo.post("reports", {"reason": "other"})) == (422, "report_invalid")
    assert problem(cleo.post("reports", {"reason": "nonsense", "player": ben.id})) == (400, "malformed")
    assert problem(cleo.post("reports", {"reason": "other", "player": 999_999_999})) == (404, "not_found")
    assert problem(cleo.post("reports", {"reason": "other", "match": private})) == (404, "not_found")
    assert not Report.objects.exists()
    assert ben.post("reports", {"reason": "other", "match": private}).status_code == 204


def test_reports_are_not_without_end(anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conduct, "MOST_REPORTS", 1)
    anna.post("reports", {"reason": "name", "player": ben.id})
    assert problem(anna.post("reports", {"reason": "other", "player": ben.id})) == (409, "too_many")
    assert Report.objects.count() == 1


def test_all_of_it_needs_a_token(nobody: Person) -> None:
    for answer in (nobody.get("me/blocks"), nobody.put("me/blocks/1"), nobody.delete("me/blocks/1")):
        assert problem(answer) == (401, "not_authenticated")
    assert problem(nobody.post("reports", {"reason": "other", "player": 1})) == (401, "not_authenticated")


def test_a_report_that_is_handled_makes_room_for_another(anna: Person, ben: Person) -> None:
    anna.post("reports", {"reason": "name", "player": ben.id})
    conduct.report_handle(report_id=Report.objects.get().pk, actor_id=ben.id, reason="looked into it")
    handled = Report.objects.get().handled_at
    conduct.report_handle(report_id=Report.objects.get().pk, actor_id=ben.id, reason="looked into it")
    assert Report.objects.get().handled_at == handled is not None
    anna.post("reports", {"reason": "name", "player": ben.id})
    assert Report.objects.filter(handled_at=None).count() == 1
