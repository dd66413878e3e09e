"""Whom a host lets in: at the door, by invitation, in the queue, and in the list of what one may join."""

from __future__ import annotations

from typing import Any

import pytest

from matches.models import Conduct, Match, Player, Rating, Reliability
from matches.services import pairing, tallies
from tests.api.people import PASSWORD, Person, begin_snap, make_moves, problem

pytestmark = pytest.mark.django_db


def rate(who: Person, rating: int, *, game: str = "snap", matches: int = 30) -> None:
    """From now on this is the person's rating."""
    ordinal = (rating - 1000) / 30
    Rating.objects.update_or_create(
        player_id=who.id,
        game=game,
        defaults={"mu": ordinal + 3, "sigma": 1.0, "ordinal": ordinal, "matches": matches},
    )


def rely(who: Person, percent: int | None) -> None:
    """From now on this is the person's reliability."""
    fields = {"matches": 10, "left": 0, "turns": 100, "in_time": percent or 0, "percent": percent}
    Reliability.objects.update_or_create(player_id=who.id, defaults=fields)


def opens(host: Person, **gate: Any) -> str:
    answer = host.post("matches", {"game": "snap", "seats": 3, "gate": gate})
    assert answer.status_code == 201, answer.content
    return str(answer.json()["id"])


GATES = [
    ({"least_rating": 1200}, 1200, 1199),
    ({"most_rating": 1200}, 1200, 1201),
    ({"least_rating": 1100, "most_rating": 1300}, 1100, 1400),
]


@pytest.mark.parametrize(("gate", "inside", "outside"), GATES)
def test_a_range_of_ratings(gate: dict[str, int], inside: int, outside: int, anna: Person, ben: Person) -> None:
    rate(anna, inside)
    match = opens(anna, **gate)
    rate(ben, outside)
    answer = ben.post(f"matches/{match}/join")
    assert problem(answer) == (403, "gate_closed")
    assert str(outside) in answer.json()["detail"]
    assert Match.objects.get(pk=match).seats.count() == 1
    rate(ben, inside)
    assert ben.post(f"matches/{match}/join").status_code == 200


def test_a_newcomer_has_the_rating_that_newcomers_begin_with(anna: Person, ben: Person) -> None:
    assert ben.post(f"matches/{opens(anna, least_rating=1000, most_rating=1000)}/join").status_code == 200
    rate(anna, 1300)
    assert problem(ben.post(f"matches/{opens(anna, least_rating=1001)}/join")) == (403, "gate_closed")


def test_it_is_the_rating_of_the_matchs_own_game(anna: Person, ben: Person) -> None:
    rate(anna, 1500)
    rate(ben, 1500, game="splendor")
    assert problem(ben.post(f"matches/{opens(anna, least_rating=1100)}/join")) == (403, "gate_closed")


def test_some_experience(anna: Person, ben: Person) -> None:
    rate(anna, 1000, matches=5)
    match = opens(anna, least_matches=5)
    assert problem(ben.post(f"matches/{match}/join")) == (403, "gate_closed")
    rate(ben, 1000, matches=5)
    assert ben.post(f"matches/{match}/join").status_code == 200


def test_a_reliability_that_is_known_and_too_low(anna: Person, ben: Person, cleo: Person) -> None:
    match = opens(anna, least_reliability=90)
    rely(ben, 89)
    assert problem(ben.post(f"matches/{match}/join")) == (403, "gate_closed")
    rely(ben, 90)
    assert ben.post(f"matches/{match}/join").status_code == 200
    assert cleo.post(f"matches/{match}/join").status_code == 200


def test_a_host_passes_the_own_gate(anna: Person) -> None:
    answer = anna.post("matches", {"game": "snap", "seats": 2, "gate": {"least_rating": 1001}})
    assert problem(answer) == (403, "gate_closed")
    assert not Match.objects.exists()


@pytest.mark.parametrize(
    ("gate", "code"),
    [
        ({"least_rating": 1200, "most_rating": 1100}, (422, "bad_options")),
        ({"least_reliability": 101}, (400, "malformed")),
        ({"least_rating": "high"}, (400, "malformed")),
        ({"something": 1}, (400, "malformed")),
    ],
)
def test_a_gate_that_cannot_be(gate: dict[str, Any], code: tuple[int, str], anna: Person) -> None:
    assert problem(anna.post("matches", {"game": "snap", "seats": 2, "gate": gate})) == code
    wish = {"game": "snap", "seats": 2, "pace": "day", "gate": gate}
    assert problem(anna.post("pairing", wish)) == code
    assert not Match.objects.exists()


def test_a_gate_is_shown_and_one_without_limits_is_none(anna: Person, nobody: Person) -> None:
    match = opens(anna, least_reliability=50)
    assert nobody.get(f"matches/{match}").json()["gate"] == {
        "least_rating": None,
        "most_rating": None,
        "least_matches": None,
        "least_reliability": 50,
    }
    assert nobody.get(f"matches/{opens(anna)}").json()["gate"] is None


def test_who_does_not_pass_cannot_be_invited(anna: Person, ben: Person) -> None:
    match = opens(anna, most_rating=1000)
    rate(ben, 1100)
    assert problem(anna.post(f"matches/{match}/invitations", {"name": "ben"})) == (403, "gate_closed")
    assert ben.get("me/invitations").json()["matches"] == []
    rate(ben, 900)
    assert anna.post(f"matches/{match}/invitations", {"name": "ben"}).status_code == 200
    rate(ben, 1100)
    assert problem(ben.post(f"matches/{match}/join")) == (403, "gate_closed")


def test_who_sits_inside_stays_whatever_becomes_of_the_rating(anna: Person, ben: Person) -> None:
    match = opens(anna, most_rating=1000)
    assert ben.post(f"matches/{match}/join").status_code == 200
    rate(ben, 1100)
    assert ben.post(f"matches/{match}/join").status_code == 200


def test_the_list_of_what_one_may_join(anna: Person, ben: Person, nobody: Person) -> None:
    rate(anna, 1200)
    rely(anna, 95)
    free, high, low, sure = (
        opens(anna, **gate)
        for gate in ({}, {"least_rating": 1100}, {"most_rating": 1250, "least_matches": 1}, {"least_reliability": 80})
    )

    def listed(who: Person) -> set[str]:
        return {row["id"] for row in who.get("matches?joinable=true").json()["matches"]}

    assert listed(ben) == {free, sure}
    rely(ben, 70)
    assert listed(ben) == {free}
    rate(ben, 1150)
    assert listed(ben) == {free, high, low}
    rate(ben, 1150, game="splendor")
    Rating.objects.filter(player=ben.id, game="snap").delete()
    assert listed(ben) == {free}
    assert problem(nobody.get("matches?joinable=true")) == (401, "not_authenticated")
    assert problem(ben.get("matches?joinable=true&status=running")) == (422, "bad_options")


def test_the_queue_brings_nobody_together_whom_a_gate_keeps_apart(anna: Person, ben: Person, cleo: Person) -> None:
    rate(anna, 1300)
    rate(cleo, 1250)
    wish = {"game": "snap", "seats": 2, "pace": "day"}
    ticket = anna.post("pairing", {**wish, "gate": {"least_rating": 1200}})
    assert ticket.json()["gate"]["least_rating"] == 1200
    ben.post("pairing", wish)
    assert pairing.players_pair() == 0
    cleo.post("pairing", wish)
    assert pairing.players_pair() == 1
    assert anna.get("pairing").json()["match"] == cleo.get("pairing").json()["match"] is not None
    assert ben.get("pairing").json()["match"] is None


def test_one_keeps_ones_place_in_the_queue_with_another_gate(anna: Person) -> None:
    wish = {"game": "snap", "seats": 2, "pace": "day"}
    first = anna.post("pairing", {**wish, "gate": {"most_rating": 1000}}).json()
    second = anna.post("pairing", wish).json()
    assert (second["since"], second["gate"]) == (first["since"], None)


def test_a_rematch_has_no_gate(anna: Person, ben: Person) -> None:
    match = begin_snap(anna, ben, game="three_up_three_down", gate={"most_rating": 1000})
    make_moves(match, 2, anna, ben)
    ben.post(f"matches/{match}/resign")
    rate(anna, 2000, game="three_up_three_down")
    again = anna.post(f"matches/{match}/rematch").json()
    assert again["gate"] is None
    assert ben.post(f"matches/{match}/rematch").status_code == 200


def test_a_profile_shows_a_reliability_once_there_is_enough_to_tell_by(anna: Person, ben: Person) -> None:
    assert anna.get(f"players/{ben.id}").json()["reliability"] is None
    rely(ben, None)
    assert anna.get(f"players/{ben.id}").json()["reliability"] is None
    rely(ben, 93)
    assert anna.get(f"players/{ben.id}").json()["reliability"] == {
        "percent": 93,
        "turns": 100,
        "in_time": 93,
        "matches": 10,
        "left": 0,
        "reply_ms": None,
    }


def test_how_one_kept_to_matches_is_ones_own_data_and_goes_with_the_account(anna: Person, ben: Person) -> None:
    match = begin_snap(anna, ben, game="three_up_three_down")
    make_moves(match, 2, anna, ben)
    assert ben.post(f"matches/{match}/resign").status_code == 200
    tallies.tallies_write()
    (shown,) = anna.get("me/data").json()["conducts"]
    assert (shown["match"], shown["turns"], shown["in_time"], shown["has_left"]) == (match, 1, 1, False)
    player = Player.objects.get(name="anna")
    assert anna.post("me/close", {"password": PASSWORD}).status_code == 204
    assert not Conduct.objects.filter(player=player).exists()
    assert not Reliability.objects.filter(player=player).exists()
    assert Conduct.objects.count() == 1
