"""Playing the same once more."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from matches.models import Match
from matches.services import lobby
from tests.api.people import Person, begin_snap, problem

pytestmark = pytest.mark.django_db


def played(*people: Person, **fields: Any) -> str:
    """A match that is over: all but the first have resigned."""
    match = begin_snap(*people, **fields)
    for other in people[1:]:
        assert other.post(f"matches/{match}/resign").status_code == 200
    return match


def names(row: dict[str, Any]) -> list[str]:
    return [seat["player"]["name"] for seat in row["seats"]]


def test_who_asks_first_opens_it_and_who_asks_second_begins_it(anna: Person, ben: Person) -> None:
    match = played(anna, ben, options={"turn_limit": 50}, pace="day", title="Once more")
    first = anna.post(f"matches/{match}/rematch").json()
    assert (first["status"], first["rematch_of"], names(first)) == ("lobby", match, ["anna"])
    assert (first["options"]["turn_limit"], first["pace"], first["title"]) == (50, "day", "Once more")
    assert [row["id"] for row in ben.get("me/invitations").json()["matches"]] == [first["id"]]
    second = ben.post(f"matches/{match}/rematch").json()
    assert (second["id"], second["status"]) == (first["id"], "running")
    assert anna.post(f"matches/{match}/rematch").json()["id"] == first["id"]
    assert Match.objects.count() == 2


@pytest.mark.parametrize("first", [0, 1])
def test_the_seats_change_whoever_asks_first(anna: Person, ben: Person, first: int) -> None:
    people = (anna, ben)
    match = played(anna, ben)
    people[first].post(f"matches/{match}/rematch")
    assert names(people[1 - first].post(f"matches/{match}/rematch").json()) == ["ben", "anna"]


def test_among_three_everybody_moves_up_one_seat(anna: Person, ben: Person, cleo: Person) -> None:
    match = played(anna, ben, cleo)
    for who in (cleo, anna):
        who.post(f"matches/{match}/rematch")
    row = ben.post(f"matches/{match}/rematch").json()
    assert (row["status"], names(row)) == ("running", ["ben", "cleo", "anna"])


def test_the_seats_are_kept_for_those_who_played(anna: Person, ben: Person, cleo: Person, nobody: Person) -> None:
    match = played(anna, ben)
    rematch = anna.post(f"matches/{match}/rematch").json()["id"]
    assert nobody.get("matches").json()["matches"] == []
    assert problem(cleo.post(f"matches/{rematch}/join")) == (409, "match_full")
    ben.post(f"matches/{rematch}/decline")
    assert cleo.post(f"matches/{rematch}/join").json()["status"] == "running"


def test_a_private_rematch_needs_no_code(anna: Person, ben: Person) -> None:
    match = played(anna, ben, visibility="private")
    rematch = anna.post(f"matches/{match}/rematch").json()
    assert rematch["visibility"] == "private"
    assert ben.post(f"matches/{rematch['id']}/join").json()["status"] == "running"


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_who_has_declined_or_left_may_think_again(anna: Person, ben: Person, cleo: Person, visibility: str) -> None:
    match = played(anna, ben, cleo, visibility=visibility)
    rematch = anna.post(f"matches/{match}/rematch").json()["id"]
    ben.post(f"matches/{rematch}/decline")
    cleo.post(f"matches/{match}/rematch")
    cleo.post(f"matches/{rematch}/leave")
    for who in (ben, cleo):
        assert who.post(f"matches/{match}/rematch").json()["id"] == rematch
    assert anna.get(f"matches/{rematch}").json()["status"] == "running"


def test_who_was_sent_away_from_a_rematch_stays_away(anna: Person, ben: Person, cleo: Person) -> None:
    match = played(anna, ben, cleo)
    rematch = anna.post(f"matches/{match}/rematch").json()["id"]
    ben.post(f"matches/{match}/rematch")
    anna.post(f"matches/{rematch}/kick", {"player": ben.id})
    assert problem(ben.post(f"matches/{match}/rematch")) == (403, "kicked")


def test_one_that_was_called_off_makes_room_for_another(anna: Person, ben: Person) -> None:
    match = played(anna, ben)
    first = anna.post(f"matches/{match}/rematch").json()["id"]
    Match.objects.filter(pk=first).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert lobby.lobbies_expire() == 1
    second = ben.post(f"matches/{match}/rematch").json()
    assert second["id"] != first
    assert names(second) == ["ben"]


def test_who_has_blocked_the_other_is_not_asked(anna: Person, ben: Person) -> None:
    match = played(anna, ben)
    ben.put(f"me/blocks/{anna.id}")
    rematch = anna.post(f"matches/{match}/rematch").json()
    assert rematch["invited"] == []
    assert problem(ben.post(f"matches/{match}/rematch")) == (403, "blocked")


def test_only_those_who_played_and_only_when_it_is_over(anna: Person, ben: Person, cleo: Person) -> None:
    running = begin_snap(anna, ben)
    assert problem(anna.post(f"matches/{running}/rematch")) == (409, "match_not_over")
    private = played(anna, ben, visibility="private")
    assert problem(cleo.post(f"matches/{private}/rematch")) == (404, "not_found")
    assert problem(cleo.post(f"matches/{played(anna, ben)}/rematch")) == (403, "not_seated")
    cancelled = anna.post("matches", {"game": "snap", "seats": 2}).json()["id"]
    anna.post(f"matches/{cancelled}/cancel")
    assert problem(anna.post(f"matches/{cancelled}/rematch")) == (409, "match_not_over")
    sandbox = played(anna, ben, seed="a seed")
    assert problem(anna.post(f"matches/{sandbox}/rematch")) == (422, "bad_options")
    assert not Match.objects.exclude(rematch_of=None).exists()
