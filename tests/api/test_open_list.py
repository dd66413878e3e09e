"""Finding a match to join."""

from __future__ import annotations

from typing import Any

import pytest

from matches.services import lobby
from tests.api.people import Person, problem

pytestmark = pytest.mark.django_db


def opens(host: Person, **fields: Any) -> str:
    answer = host.post("matches", {"game": "snap", "seats": 2, **fields})
    assert answer.status_code == 201, answer.content
    return str(answer.json()["id"])


def listed(who: Person, query: str = "") -> list[str]:
    return [row["id"] for row in who.get(f"matches?{query}").json()["matches"]]


def test_the_named_time_controls_are_listed(nobody: Person) -> None:
    paces = {pace["name"]: pace["control"] for pace in nobody.get("paces").json()}
    assert list(paces) == ["blitz", "live", "day", "three_days", "week"]
    assert paces["blitz"] == {"type": "fischer", "bank_s": 180, "increment_s": 5, "cap_s": None}
    assert paces["week"] == {"type": "per_move", "move_s": 604_800}


def test_a_match_has_the_time_control_that_is_named(anna: Person) -> None:
    row = anna.post("matches", {"game": "snap", "seats": 2, "pace": "day"}).json()
    assert (row["pace"], row["control"]) == ("day", {"type": "per_move", "move_s": 86_400})
    usual = anna.post("matches", {"game": "snap", "seats": 2}).json()
    assert (usual["pace"], usual["control"]) == ("three_days", {"type": "per_move", "move_s": 259_200})
    spelled = anna.post("matches", {"game": "snap", "seats": 2, "control": {"type": "per_move", "move_s": 604_800}})
    assert spelled.json()["pace"] == "week"
    both = {"game": "snap", "seats": 2, "pace": "day", "control": {"type": "none"}}
    assert problem(anna.post("matches", both)) == (422, "bad_options")


def test_matches_are_found_by_pace(anna: Person, nobody: Person) -> None:
    blitz, day = opens(anna, pace="blitz"), opens(anna, pace="day")
    slow, own = opens(anna, control={"type": "none"}), opens(anna, control={"type": "total", "bank_s": 77})
    assert listed(nobody, "pace=blitz") == [blitz]
    assert listed(nobody, "pace=day") == [day]
    assert listed(nobody, "pace=unlimited") == [slow]
    assert listed(nobody, "pace=other") == [own]


def test_lobbies_are_found_by_free_seats(anna: Person, ben: Person, nobody: Person) -> None:
    two, four = opens(anna), opens(anna, seats=4)
    ben.post(f"matches/{four}/join")
    full = opens(anna, autostart=False)
    ben.post(f"matches/{full}/join")
    assert listed(nobody) == [full, four, two]
    assert listed(nobody, "free=1") == [four, two]
    assert listed(nobody, "free=2") == [four]
    assert listed(nobody, "free=3") == []


def test_lobbies_are_found_by_title_and_host(anna: Person, ben: Person, nobody: Person) -> None:
    titled, plain = opens(anna, title="Friday  night"), opens(ben)
    assert nobody.get(f"matches/{titled}").json()["title"] == "Friday night"
    assert listed(nobody, "text=NIGHT") == [titled]
    assert listed(nobody, "text=ben") == [plain]
    assert listed(nobody, "text=%25") == []


@pytest.mark.parametrize("title", ["x" * 61, "a\u202eb", "a\u200bb"])
def test_a_title_is_short_and_all_of_it_is_seen(anna: Person, title: str) -> None:
    assert anna.post("matches", {"game": "snap", "seats": 2, "title": title}).json()["code"] in {
        "bad_options",
        "malformed",
    }
    assert listed(anna) == []


@pytest.mark.parametrize("query", ["pace=nonsense", "free=0", "free=x", "text=", f"text={'x' * 101}", "game="])
def test_a_filter_that_cant_be_read_is_malformed(nobody: Person, query: str) -> None:
    assert problem(nobody.get(f"matches?{query}")) == (400, "malformed")


@pytest.mark.parametrize(
    ("query", "code"),
    [("text=%00", "text_invalid"), ("game=%00", "text_invalid"), ("status=running&free=1", "bad_options")],
)
def test_a_filter_that_makes_no_sense_is_refused(nobody: Person, query: str, code: str) -> None:
    assert problem(nobody.get(f"matches?{query}")) == (422, code)


def test_who_is_blocked_isnt_shown_the_lobby_nor_the_other_way_round(
    anna: Person, ben: Person, cleo: Person, nobody: Person
) -> None:
    of_anna, of_ben = opens(anna), opens(ben)
    anna.put(f"me/blocks/{ben.id}")
    assert listed(ben) == [of_ben]
    assert listed(anna) == [of_anna]
    assert listed(cleo) == listed(nobody) == [of_ben, of_anna]


def test_a_host_has_only_so_many_lobbies(anna: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "MOST_LOBBIES", 2)
    first, _ = opens(anna), opens(anna)
    assert problem(anna.post("matches", {"game": "snap", "seats": 2})) == (409, "too_many")
    assert len(listed(anna)) == 2
    anna.post(f"matches/{first}/cancel")
    opens(anna)


@pytest.mark.parametrize("wait_s", [59, 30 * 24 * 3600 + 1])
def test_a_lobby_waits_a_minute_to_a_month(anna: Person, wait_s: int) -> None:
    assert problem(anna.post("matches", {"game": "snap", "seats": 2, "wait_s": wait_s})) == (400, "malformed")
