"""Ratings over HTTP: on a profile, as a history, in leaderboards, and which matches are rated."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.models import Match, Player, Rating
from matches.services import pairing, tallies
from matches.skill import NEWCOMER, SETTLED_MATCHES
from tests.api.people import PASSWORD, Person, begin_snap, make_moves, problem

pytestmark = pytest.mark.django_db


def play(winner: Person, loser: Person, **fields: Any) -> str:
    """A match of 3UP 3DOWN that is over because the second one resigned."""
    match = begin_snap(winner, loser, game="three_up_three_down", **fields)
    make_moves(match, 2, winner, loser)
    assert loser.post(f"matches/{match}/resign").status_code == 200
    return match


def rated(number: int, **fields: Any) -> list[Rating]:
    """So many players with a settled rating of Snap, the best first."""
    rows = []
    for place in range(number):
        player = Player.objects.create_player(f"player {place:02}", **fields)
        mu = 30.0 - place / 7
        rating = Rating(player=player, game="snap", mu=mu, sigma=2.0, ordinal=mu - 6, matches=SETTLED_MATCHES)
        rows.append(rating)
    return Rating.objects.bulk_create(rows)


def leaders(who: Person, query: str = "") -> Any:
    answer = who.get(f"leaderboards/snap?{query}")
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_a_profile_shows_ratings_once_a_match_is_over(anna: Person, ben: Person, nobody: Person) -> None:
    match = begin_snap(anna, ben, game="three_up_three_down")
    make_moves(match, 2, anna, ben)
    tallies.tallies_write()
    assert nobody.get(f"players/{anna.id}").json()["ratings"] == []
    ben.post(f"matches/{match}/resign")
    tallies.tallies_write()
    (rating,) = nobody.get("names/anna").json()["ratings"]
    assert (rating["game"], rating["matches"], rating["provisional"]) == ("three_up_three_down", 1, True)
    assert rating["mu"] > NEWCOMER.mu
    assert rating["rating"] == round(1000 + 30 * (rating["mu"] - 3 * rating["sigma"]))
    assert nobody.get(f"players/{ben.id}").json()["ratings"][0]["mu"] < NEWCOMER.mu


def test_a_history_tells_how_a_rating_came_about(anna: Person, ben: Person, nobody: Person) -> None:
    matches = [play(anna, ben), play(ben, anna), play(anna, ben)]
    tallies.tallies_write()
    path = f"players/{anna.id}/ratings/three_up_three_down"
    first = nobody.get(f"{path}?limit=2").json()
    rest = nobody.get(f"{path}?limit=2&after={first['next']}").json()
    changes = first["changes"] + rest["changes"]
    assert [change["match"] for change in changes] == matches[::-1]
    assert [(change["place"], change["people"]) for change in changes] == [(1, 2), (2, 2), (1, 2)]
    assert rest["next"] is None
    assert changes[2]["rating_before"] == 1000
    assert [change["rating_before"] for change in changes[:2]] == [change["rating"] for change in changes[1:]]
    profile = nobody.get(f"players/{anna.id}").json()["ratings"][0]
    assert (changes[0]["mu"], changes[0]["sigma"]) == (profile["mu"], profile["sigma"])


def test_a_history_names_no_match_that_its_reader_may_not_know_of(
    anna: Person, ben: Person, cleo: Person, nobody: Person
) -> None:
    private, unlisted = play(anna, ben, visibility="private"), play(anna, ben, visibility="unlisted")
    tallies.tallies_write()
    path = f"players/{anna.id}/ratings/three_up_three_down"
    shown = {who.name: [change["match"] for change in who.get(path).json()["changes"]] for who in (ben, cleo, nobody)}
    assert shown == {"ben": [unlisted, private], "cleo": [unlisted, None], "nobody": [unlisted, None]}


@pytest.mark.parametrize("query", ["limit=0", "limit=101", "after=0", "after=x"])
def test_a_page_of_a_history_that_cannot_be(query: str, anna: Person) -> None:
    answer = anna.get(f"players/{anna.id}/ratings/snap?{query}")
    assert problem(answer) == (400, "malformed")


def test_there_is_no_history_of_nobody_and_of_no_game(anna: Person, ben: Person) -> None:
    play(anna, ben)
    tallies.tallies_write()
    assert problem(anna.get("players/999999999/ratings/snap")) == (404, "not_found")
    assert problem(anna.get(f"players/{anna.id}/ratings/chess")) == (404, "not_found")
    assert anna.get(f"players/{anna.id}/ratings/snap").json() == {"changes": [], "next": None}
    # Nor behind another list's page.
    change = ben.get(f"players/{ben.id}/ratings/three_up_three_down?limit=1").json()
    assert change["next"] is None
    assert problem(anna.get(f"players/{anna.id}/ratings/snap?after=1")) == (404, "not_found")


def test_leaders_come_page_by_page_in_order(nobody: Person) -> None:
    names = [rating.player.name for rating in rated(7)]
    pages, after = [], ""
    while True:
        page = leaders(nobody, f"limit=3{after}")
        pages.append(page["leaders"])
        if page["next"] is None:
            break
        after = f"&after={page['next']}"
    assert [len(page) for page in pages] == [3, 3, 1]
    shown = [line for page in pages for line in page]
    assert [(line["place"], line["player"]["name"]) for line in shown] == list(enumerate(names, 1))
    assert [line["rating"]["rating"] for line in shown] == sorted(
        (line["rating"]["rating"] for line in shown), reverse=True
    )
    assert page["least_matches"] == SETTLED_MATCHES
    assert not shown[0]["rating"]["provisional"]


def test_equal_ratings_are_all_listed_once(nobody: Person) -> None:
    rated(6)
    Rating.objects.update(ordinal=12.345678901234567)
    first = leaders(nobody, "limit=4")
    second = leaders(nobody, f"limit=4&after={first['next']}")
    names = [line["player"]["name"] for page in (first, second) for line in page["leaders"]]
    assert names == [f"player {place:02}" for place in range(6)]


def test_leaders_have_an_account_and_matches_enough(nobody: Person) -> None:
    closed, banned, guest, beginner, other, leader = rated(6)
    Player.objects.filter(pk=closed.player_id).update(is_active=False, deleted_at="2026-01-01T00:00Z")
    Player.objects.filter(pk=banned.player_id).update(is_active=False)
    Player.objects.filter(pk=guest.player_id).update(is_guest=True)
    Rating.objects.filter(pk=beginner.pk).update(matches=SETTLED_MATCHES - 1)
    Rating.objects.filter(pk=other.pk).update(game="slamwich")
    assert [(line["place"], line["player"]["id"]) for line in leaders(nobody)["leaders"]] == [(1, leader.player_id)]


@pytest.mark.parametrize("after", ["x", "1_2", "1_nan_3", "1_1e999_3", "-1_2.0_3", "1_2.0_9999999999999999999"])
def test_a_page_of_leaders_that_cannot_be(after: str, nobody: Person) -> None:
    assert problem(nobody.get(f"leaderboards/snap?after={after}")) == (400, "malformed")


def test_there_are_no_leaders_of_no_game(nobody: Person) -> None:
    assert problem(nobody.get("leaderboards/chess")) == (404, "not_found")


def test_a_leaderboard_is_one_query_that_an_index_answers(nobody: Person) -> None:
    rated(3)
    with CaptureQueriesContext(connection) as queries:
        leaders(nobody)
    (query,) = [query["sql"] for query in queries if "matches_rating" in query["sql"]]
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_sort = off")
        cursor.execute(f"EXPLAIN {query}")
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "rating_leaders" in plan
    assert "Sort" not in plan


def test_matches_say_whether_they_are_rated_and_can_be_looked_for_by_it(anna: Person, nobody: Person) -> None:
    usual, other = (
        anna.post("matches", {"game": "snap", "seats": 2, **fields}).json() for fields in ({}, {"rated": False})
    )
    assert (usual["rated"], usual["rates_bots"], other["rated"]) == (True, False, False)
    sandbox = anna.post("matches", {"game": "snap", "seats": 2, "seed": "one", "rated": True}).json()
    assert sandbox["rated"] is False
    found = {
        query: [row["id"] for row in nobody.get(f"matches?{query}").json()["matches"]]
        for query in ("rated=true", "rated=false", "")
    }
    assert found == {"rated=true": [usual["id"]], "rated=false": [other["id"]], "": [other["id"], usual["id"]]}
    assert problem(nobody.get("matches?rated=maybe")) == (400, "malformed")


def test_who_is_paired_is_rated(anna: Person, ben: Person) -> None:
    for who in (anna, ben):
        who.post("pairing", {"game": "snap", "seats": 2, "pace": "day"})
    assert pairing.players_pair() == 1
    match = anna.get("pairing").json()["match"]
    assert anna.get(f"matches/{match}").json()["rated"] is True


def test_ones_data_has_ones_ratings(anna: Person, ben: Person) -> None:
    match = play(anna, ben, visibility="private")
    tallies.tallies_write()
    data = anna.get("me/data").json()
    assert data["ratings"] == anna.get(f"players/{anna.id}").json()["ratings"]
    assert [change["match"] for change in data["rating_changes"]] == [match]


def test_a_closed_account_shows_no_rating_and_its_opponents_keep_theirs(
    anna: Person, ben: Person, nobody: Person
) -> None:
    play(anna, ben)
    tallies.tallies_write()
    before, anna_id = nobody.get(f"players/{ben.id}").json()["ratings"], anna.id
    assert anna.post("me/close", {"password": PASSWORD}).status_code == 204
    assert problem(nobody.get(f"players/{anna_id}")) == (404, "not_found")
    assert problem(nobody.get(f"players/{anna_id}/ratings/three_up_three_down")) == (404, "not_found")
    assert nobody.get(f"players/{ben.id}").json()["ratings"] == before
    assert Match.objects.filter(tallied=True).count() == 1
