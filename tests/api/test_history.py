"""The table as it was, entry by entry; and the table as spectators see it, who may be some time behind."""

from __future__ import annotations

import json
from typing import Any

import pytest

from matches import timing
from matches.api import play as endpoints
from matches.models import Match, MoveRecord
from matches.selectors import history
from matches.selectors import table as selector
from tests.api.people import Person, begin_snap, make_moves, person, problem, to_move

pytestmark = pytest.mark.django_db
TUD = {"game": "three_up_three_down"}


def view(who: Person, match: str, number: int | None = None, query: str = "") -> Any:
    """The table of a view, now or at an entry."""
    path = "view" if number is None else f"history/{number}{query}"
    answer = who.get(f"matches/{match}/{path}")
    assert answer.status_code == 200, answer.content
    return answer.json()["table"]


def last(match: str) -> int:
    return MoveRecord.objects.filter(match_id=match).count()


def test_each_entry_shows_what_the_view_showed_then(anna: Person, ben: Person) -> None:
    match = begin_snap(anna, ben, **TUD)
    seen = {1: view(anna, match)}
    for _ in range(12):
        make_moves(match, 1, anna, ben)
        seen[last(match)] = view(anna, match)
    assert len(seen) == 13
    for number, table in seen.items():
        assert view(anna, match, number) == table


def test_a_long_match_is_not_played_again_for_every_question(
    anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "STRIDE", 4)
    history._milestone.cache_clear()
    match = begin_snap(anna, ben, **TUD)
    seen = {1: view(anna, match)}
    for _ in range(10):
        make_moves(match, 1, anna, ben)
        seen[last(match)] = view(anna, match)
    assert [view(anna, match, number) for number in seen] == list(seen.values())
    read: list[int] = []
    logged = history._logged

    def counted(match: Match, after: int, upto: int) -> Any:
        read.append(upto - after)
        return logged(match, after, upto)

    monkeypatch.setattr(history, "_logged", counted)
    view(anna, match, 11)
    assert read == [2]


def test_entries_outside_of_the_log_are_not_found(anna: Person, ben: Person, match: str) -> None:
    horizon = anna.get(f"matches/{match}/log").json()["horizon"]
    for number in (0, horizon + 1, 10**15):
        assert problem(anna.get(f"matches/{match}/history/{number}")) == (404, "not_found")
    assert problem(anna.get(f"matches/{match}/history/-1")) == (404, "not_found")
    assert problem(anna.get(f"matches/{match}/history/1?seat=64")) == (400, "malformed")


def test_another_seat_is_shown_once_the_match_is_over(anna: Person, ben: Person, nobody: Person) -> None:
    match = begin_snap(anna, ben, **TUD)
    bens = view(ben, match)
    for who in (anna, nobody):
        assert problem(who.get(f"matches/{match}/history/1?seat=1")) == (409, "match_not_over")
    make_moves(match, 2, anna, ben)
    assert view(ben, match, 1, "?seat=1") == bens
    anna.post(f"matches/{match}/resign")
    for who in (anna, ben, nobody):
        assert view(who, match, 1, "?seat=1") == bens
    assert problem(anna.get(f"matches/{match}/history/1?seat=2")) == (404, "not_found")


def test_what_a_spectator_sees_of_the_past_is_what_was_public(anna: Person, ben: Person, nobody: Person) -> None:
    match = begin_snap(anna, ben, **TUD)
    public = view(nobody, match)
    make_moves(match, 1, anna, ben)
    assert view(nobody, match, 1) == public
    assert (public["seat"], public["decision"]) == (None, None)


def test_the_first_entry_tells_nothing_of_the_deck(anna: Person, ben: Person, nobody: Person) -> None:
    """All that is public of a deal of 3UP 3DOWN is who deals and how many cards lie where."""
    by_dealer: dict[int, set[str]] = {}
    for _ in range(5):
        match = begin_snap(anna, ben, **TUD)
        state = view(nobody, match, 1)["state"]
        events = nobody.get(f"matches/{match}/log").json()["entries"][0]["events"]
        by_dealer.setdefault(state["dealer"], set()).add(json.dumps([state, events]))
    assert [len(texts) for texts in by_dealer.values()] == [1] * len(by_dealer)


def test_the_past_stops_at_the_horizon_while_a_race_is_open(anna: Person, ben: Person) -> None:
    match = begin_snap(anna, ben, options={"race": {"mode": "reaction"}})
    who, asked = to_move(match, anna, ben)
    other = ben if who is anna else anna
    horizon = last(match)
    look = {"serial": asked["serial"], "move": {"type": "look"}}
    assert who.post(f"matches/{match}/moves", look).status_code == 200
    assert last(match) == horizon + 1
    for whoever in (who, other):
        assert problem(whoever.get(f"matches/{match}/history/{horizon + 1}")) == (404, "not_found")


def test_a_past_that_didnt_change_is_not_sent_again(anna: Person, ben: Person, match: str) -> None:
    first = anna.get(f"matches/{match}/history/1")
    make_moves(match, 1, anna, ben)
    again = anna.get(f"matches/{match}/history/1", if_none_match=first.headers["ETag"])
    assert (again.status_code, again.content) == (304, b"")


# Spectators


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let the time pass, for who reads."""

    def pass_s(seconds: int) -> None:
        for module in (selector, endpoints):
            monkeypatch.setattr(module, "now_ms", lambda: timing.now_ms() + 1000 * seconds)

    return pass_s


def test_spectators_are_behind_by_the_delay_of_the_match(anna: Person, ben: Person, cleo: Person, later: Any) -> None:
    match = begin_snap(anna, ben, spectator_delay_s=60)
    dealt = view(cleo, match)
    make_moves(match, 2, anna, ben)
    now = view(anna, match)["number"]
    assert (dealt["number"], now) == (1, 3)
    assert view(cleo, match) == dealt
    assert cleo.get(f"matches/{match}/log").json()["horizon"] == 1
    assert problem(cleo.get(f"matches/{match}/history/2")) == (404, "not_found")
    later(61)
    assert view(cleo, match)["number"] == 3
    assert cleo.get(f"matches/{match}/log").json()["horizon"] == 3


def test_players_are_never_behind(anna: Person, ben: Person) -> None:
    match = begin_snap(anna, ben, spectator_delay_s=60)
    make_moves(match, 1, anna, ben)
    assert [view(who, match)["number"] for who in (anna, ben)] == [2, 2]
    assert anna.get(f"matches/{match}").json()["spectator_delay_s"] == 60


def test_a_match_that_is_over_is_shown_at_once(anna: Person, ben: Person, nobody: Person) -> None:
    match = begin_snap(anna, ben, **TUD, spectator_delay_s=60)
    make_moves(match, 2, anna, ben)
    anna.post(f"matches/{match}/resign")
    assert view(nobody, match)["ending"]["outcome"]["places"] == [2, 1]


@pytest.mark.parametrize("delay", [-1, 86_401])
def test_the_delay_has_bounds(anna: Person, delay: int) -> None:
    answer = anna.post("matches", {"game": "snap", "seats": 2, "spectator_delay_s": delay})
    assert problem(answer) == (400, "malformed")
    assert Match.objects.count() == 0


def test_a_spectator_of_a_private_match_sees_nothing(anna: Person, ben: Person) -> None:
    match = begin_snap(anna, ben, visibility="private")
    assert problem(person("dora").get(f"matches/{match}/history/1")) == (404, "not_found")
