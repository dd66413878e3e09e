"""Quick pairing: say what you want to play, and be seated."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from matches.models import Match, PairingTicket
from matches.services import pairing
from tests.api.people import Person, problem

pytestmark = pytest.mark.django_db

WISH = {"game": "snap", "seats": 2, "pace": "day"}


def waits(who: Person, **wish: Any) -> dict[str, Any]:
    answer = who.post("pairing", {**WISH, **wish})
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


def seated(match: str) -> set[str]:
    return set(Match.objects.get(pk=match).seats.values_list("player__name", flat=True))


def test_two_who_want_the_same_are_seated_together(anna: Person, ben: Person) -> None:
    assert waits(anna)["match"] is None
    assert pairing.players_pair() == 0
    waits(ben)
    assert pairing.players_pair() == 1
    match = anna.get("pairing").json()["match"]
    assert match == ben.get("pairing").json()["match"]
    row = anna.get(f"matches/{match}").json()
    assert (row["status"], row["game"], row["pace"]) == ("running", "snap", "day")
    assert seated(match) == {"anna", "ben"}
    assert pairing.players_pair() == 0


@pytest.mark.parametrize("other", [{"pace": "week"}, {"seats": 3}, {"game": "splendor"}])
def test_who_want_something_else_are_not(anna: Person, ben: Person, other: dict[str, Any]) -> None:
    waits(anna)
    waits(ben, **other)
    assert pairing.players_pair() == 0
    assert not Match.objects.exists()


def test_as_many_as_there_are_seats(anna: Person, ben: Person, cleo: Person) -> None:
    for who in (anna, ben, cleo):
        waits(who, seats=3)
    assert pairing.players_pair() == 1
    assert seated(anna.get("pairing").json()["match"]) == {"anna", "ben", "cleo"}


def test_who_waits_longest_is_paired_first(anna: Person, ben: Person, cleo: Person) -> None:
    for who in (cleo, ben, anna):
        waits(who)
    assert pairing.players_pair() == 1
    assert seated(ben.get("pairing").json()["match"]) == {"cleo", "ben"}
    assert anna.get("pairing").json()["match"] is None


def test_asking_again_keeps_the_place_and_another_wish_takes_a_new_one(anna: Person) -> None:
    first = waits(anna)
    again = waits(anna)
    assert again["since"] == first["since"]
    assert again["expires_at"] > first["expires_at"]
    other = waits(anna, pace="week")
    assert other["since"] > first["since"]
    assert PairingTicket.objects.count() == 1


def test_who_have_blocked_each_other_are_passed_over(anna: Person, ben: Person, cleo: Person) -> None:
    ben.put(f"me/blocks/{anna.id}")
    waits(anna)
    waits(ben)
    assert pairing.players_pair() == 0
    waits(cleo)
    assert pairing.players_pair() == 1
    assert seated(anna.get("pairing").json()["match"]) == {"anna", "cleo"}
    assert ben.get("pairing").json()["match"] is None


def test_leaving_is_safe_at_any_time(anna: Person, ben: Person) -> None:
    waits(anna)
    for _ in range(2):
        assert anna.delete("pairing").status_code == 204
    assert problem(anna.get("pairing")) == (404, "not_found")
    waits(ben)
    assert pairing.players_pair() == 0


def test_leaving_too_late_says_where_one_sits(anna: Person, ben: Person) -> None:
    waits(anna)
    waits(ben)
    pairing.players_pair()
    answer = anna.delete("pairing")
    assert problem(answer) == (409, "already_paired")
    assert anna.get("pairing").json()["match"] in answer.json()["detail"]
    assert waits(anna)["match"] is None


def test_who_doesnt_ask_again_is_forgotten(anna: Person, ben: Person) -> None:
    waits(anna, pace="blitz")
    PairingTicket.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    waits(ben, pace="blitz")
    assert pairing.players_pair() == 0
    assert problem(anna.get("pairing")) == (404, "not_found")
    assert pairing.tickets_drop() == 1
    waits(anna, pace="blitz")
    assert pairing.players_pair() == 1


@pytest.mark.parametrize(
    ("wish", "expected"),
    [
        ({"game": "chess"}, (422, "unknown_game")),
        ({"seats": 13}, (422, "bad_options")),
        ({"preset": "nonsense"}, (422, "bad_options")),
        ({"pace": "nonsense"}, (400, "malformed")),
        ({"seats": 1}, (400, "malformed")),
    ],
)
def test_a_wish_that_cant_be_is_refused(anna: Person, wish: dict[str, Any], expected: tuple[int, str]) -> None:
    assert problem(anna.post("pairing", {**WISH, **wish})) == expected
    assert not PairingTicket.objects.exists()


def test_pairing_needs_a_token(nobody: Person) -> None:
    for answer in (nobody.get("pairing"), nobody.post("pairing", WISH), nobody.delete("pairing")):
        assert problem(answer) == (401, "not_authenticated")
