"""What happens over HTTP when everybody clicks at the same moment: one defined outcome each."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from matches.models import Match, Seat
from matches.services import pairing, players
from tests.api.people import Answer, Person, begin_snap, problem
from tests.matches.factories import at_once, make_player

pytestmark = pytest.mark.django_db(transaction=True)


def people(number: int) -> list[Person]:
    """So many players who are logged in."""
    rows = [make_player() for _ in range(number)]
    return [Person(row.name, players.tokens_issue(player=row).access) for row in rows]


def outcomes(answers: list[Any]) -> Counter[str]:
    """How many answers of each kind: `ok`, or the code of the problem."""
    return Counter("ok" if answer.status_code < 300 else problem(answer)[1] for answer in answers)


def test_a_hundred_joins_at_once_fill_the_free_seats_and_no_more(anna: Person) -> None:
    match = anna.post("matches", {"game": "snap", "seats": 4, "autostart": False}).json()["id"]
    others = people(100)
    answers = at_once(100, lambda index: others[index].post(f"matches/{match}/join"))
    assert outcomes(answers) == {"ok": 3, "match_full": 97}
    assert [seat["number"] for seat in anna.get(f"matches/{match}").json()["seats"]] == [0, 1, 2, 3]


def test_the_last_seat_wanted_by_two_begins_one_match(anna: Person, ben: Person, cleo: Person) -> None:
    match = anna.post("matches", {"game": "snap", "seats": 2}).json()["id"]
    answers = at_once(2, lambda index: (ben, cleo)[index].post(f"matches/{match}/join"))
    assert outcomes(answers) == {"ok": 1, "match_not_open": 1}
    row = anna.get(f"matches/{match}").json()
    assert (row["status"], len(row["seats"])) == ("running", 2)


def test_repeated_clicks_on_join_are_one_seat(anna: Person, ben: Person) -> None:
    match = anna.post("matches", {"game": "snap", "seats": 3}).json()["id"]
    answers = at_once(20, lambda _: ben.post(f"matches/{match}/join"))
    assert outcomes(answers) == {"ok": 20}
    assert {answer.json()["your_seat"] for answer in answers} == {1}  # type: ignore[union-attr]
    assert len(anna.get(f"matches/{match}").json()["seats"]) == 2


def test_both_asking_for_a_rematch_at_once_play_one(anna: Person, ben: Person) -> None:
    match = begin_snap(anna, ben)
    ben.post(f"matches/{match}/resign")
    answers: list[Answer] = at_once(2, lambda index: (anna, ben)[index].post(f"matches/{match}/rematch"))
    assert outcomes(answers) == {"ok": 2}
    assert {answer.json()["id"] for answer in answers} == {str(Match.objects.get(rematch_of__id=match).pk)}
    assert Match.objects.get(rematch_of__id=match).status == "running"


def test_leaving_the_queue_while_being_paired_is_one_or_the_other(anna: Person, ben: Person) -> None:
    for who in (anna, ben):
        who.post("pairing", {"game": "snap", "seats": 2, "pace": "day"})

    def either(index: int) -> Any:
        return pairing.players_pair(seconds=20) if index else anna.delete("pairing")

    left = at_once(2, either)[0]
    assert not isinstance(left, Exception)
    is_paired = Seat.objects.filter(player=anna.id).exists()
    assert outcomes([left]) == {"already_paired" if is_paired else "ok": 1}
    assert Seat.objects.filter(player=ben.id).exists() is is_paired


def test_a_match_created_by_repeated_clicks_is_one(anna: Person) -> None:
    def create(_: int) -> Answer:
        return anna.post("matches", {"game": "snap", "seats": 2}, raw=None, **{"Idempotency-Key": "one"})

    answers: list[Answer] = at_once(10, create)
    assert outcomes(answers) == {"ok": 10}
    assert {answer.json()["id"] for answer in answers} == {str(Match.objects.get().pk)}
