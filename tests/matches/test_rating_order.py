"""Ratings are made in the order in which matches ended, whoever notices what when; a recomputation gives the same."""

from __future__ import annotations

import itertools
from io import StringIO
from random import Random
from unittest.mock import patch

import pytest
from django.core.management import call_command
from django.db import transaction

from matches.locking import lock_ratings
from matches.models import Match, Rating, RatingChange, Status
from matches.services import ratings as service
from matches.services import tallies
from tests.matches import ended as made
from tests.matches.ended import any_ended, ended, tally
from tests.matches.factories import at_once, elsewhere, make_players

GAMES = ("heap", "snap", "splendor", "gnoming_a_round")


def recomputed() -> int:
    """The number of rows that a recomputation puts right."""
    return sum(service.ratings_recompute(game=game).corrected for game in service.games_rated())


@pytest.mark.django_db
def test_a_few_hundred_matches_give_the_same_again_to_the_last_bit() -> None:
    chance = Random(1)
    matches = any_ended(chance, make_players(16), 200, GAMES)
    chance.shuffle(matches)
    tally(*matches)
    live = made.ratings(), made.changes()
    assert len(live[1]) > 400
    assert {change[5] for change in live[1]} == {2, 3, 4, 5, 6}
    assert recomputed() == 0
    assert (made.ratings(), made.changes()) == live
    Rating.objects.all().delete()
    RatingChange.objects.all().delete()
    assert recomputed() == len(live[0]) + len(live[1])
    assert (made.ratings(), made.changes()) == live


@pytest.mark.django_db
def test_every_order_of_noticing_matches_of_one_moment_gives_the_same() -> None:
    players = make_players(4)
    matches = [ended(players[n % 3 : n % 3 + 2], [1 + n % 2, 2 - n % 2]) for n in range(3)]
    seen = set()
    for order in itertools.permutations(matches):
        with transaction.atomic():
            tally(*order)
            seen.add((tuple(made.ratings()), tuple(made.changes())))
            transaction.set_rollback(True)
    assert len(seen) == 1
    # It isn't that the order makes no difference at all.
    tally(*matches)
    live = made.ratings()
    Match.objects.filter(pk=matches[0].pk).update(ended_at=made.BEGUN.replace(hour=5))
    assert recomputed() > 0
    assert made.ratings() != live


@pytest.mark.django_db
def test_one_that_is_noticed_late_is_put_where_it_belongs() -> None:
    anna, ben, cleo, dora = make_players(4)
    late = ended([anna, ben], [1, 2], minute=1)
    apart = ended([dora, anna], [1, 2], minute=2, game="snap")
    then = ended([ben, cleo], [1, 2], minute=3)
    after = ended([cleo, dora], [1, 2], minute=4)
    tally(apart, then, after)
    untouched = made.ratings("snap")
    tally(late)
    first, second = RatingChange.objects.filter(player=ben).order_by("ended_at")
    assert (first.match, second.match) == (late, then)
    assert second.mu_before == first.mu
    assert made.ratings("snap") == untouched
    assert recomputed() == 0


@pytest.mark.django_db
def test_a_match_that_counts_no_more_takes_its_rating_back() -> None:
    players = make_players(6)
    matches = any_ended(Random(2), players, 60, ["heap"])
    rest = [match for match in matches if match.status == Status.FINISHED and match.rated]
    gone = rest.pop(3)
    with transaction.atomic():
        tally(*rest)
        without = made.ratings(), made.changes()
        transaction.set_rollback(True)
    tally(*matches)
    assert (made.ratings(), made.changes()) != without
    service.match_unrate(match_id=gone.pk)
    assert tallies.tallies_write() == 1
    assert (made.ratings(), made.changes()) == without
    assert recomputed() == 0


@pytest.mark.django_db
def test_a_player_whose_only_match_counts_no_more_has_no_rating() -> None:
    match = ended(make_players(2), [1, 2])
    tally(match)
    service.match_unrate(match_id=match.pk)
    tallies.tallies_write()
    assert made.ratings() == []


@pytest.mark.django_db
def test_a_void_after_the_end_is_taken_back_by_recomputing() -> None:
    players = make_players(3)
    first, second = ended(players, [1, 2, 3]), ended(players, [2, 1, 3], minute=2)
    tally(first, second)
    Match.objects.filter(pk=first.pk).update(status=Status.VOID, outcome=None)
    assert recomputed() == 9
    assert [change[:2] for change in made.changes()] == [(second.pk, player.pk) for player in players]


@pytest.mark.django_db
def test_the_command_says_what_it_put_right() -> None:
    tally(ended(make_players(2), [1, 2]), ended(make_players(3), [1, 2, 3], game="snap"))
    Rating.objects.filter(game="heap").update(mu=0)
    said = StringIO()
    call_command("recompute_ratings", stdout=said)
    assert said.getvalue().splitlines() == [
        "heap: 1 matches, 2 players, 2 rows put right",
        "snap: 1 matches, 3 players, 0 rows put right",
    ]
    said = StringIO()
    call_command("recompute_ratings", "--game", "heap", stdout=said)
    assert said.getvalue() == "heap: 1 matches, 2 players, 0 rows put right\n"


@pytest.mark.django_db
def test_what_lies_too_far_back_is_left_to_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MOST_AGAIN", 3)
    players = make_players(2)
    matches = [ended(players, [1, 2], minute=minute) for minute in (1, 2, 3)]
    other = ended(players, [1, 2], minute=4, game="snap")
    tally(*matches[1:])
    live = made.changes()
    assert tallies.tallies_write() == 1
    assert [change for change in made.changes() if change[2] == "heap"] == live
    other.refresh_from_db()
    assert other.tallied
    assert service.ratings_recompute(game="heap").corrected == 8
    assert tallies.tallies_write() == 1
    assert recomputed() == 0


@pytest.mark.django_db
def test_one_that_fails_keeps_no_other_waiting() -> None:
    bad, good = ended(make_players(2), [1, 2]), ended(make_players(2), [1, 2], minute=2)
    usual = service.places_in

    def fail(match: Match) -> dict[int, int]:
        if match.pk == bad.pk:
            raise RuntimeError("a fault")
        return usual(match)

    with patch.object(service, "places_in", fail):
        assert tallies.tallies_write() == 1
    assert {change[0] for change in made.changes()} == {good.pk}
    assert tallies.tallies_write() == 1
    assert recomputed() == 0


@pytest.mark.django_db(transaction=True)
def test_a_game_that_another_worker_is_at_is_left_and_the_others_go_on() -> None:
    players = make_players(2)
    heap, snap = ended(players, [1, 2]), ended(players, [1, 2], game="snap")
    with transaction.atomic():
        assert lock_ratings(game="heap")
        assert elsewhere(tallies.tallies_write) == 1
        assert not elsewhere(lambda: tallies.match_tally(match_id=heap.pk, game="heap"))
    assert {change[0] for change in made.changes()} == {snap.pk}
    assert tallies.tallies_write() == 1


@pytest.mark.django_db(transaction=True)
def test_a_correction_while_a_worker_rates_the_match_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    match = ended(make_players(2), [1, 2])
    usual = service.match_rate

    def correct_meanwhile(seen: Match) -> None:
        usual(seen)
        monkeypatch.setattr(tallies, "match_rate", usual)
        elsewhere(lambda: service.match_unrate(match_id=match.pk))

    monkeypatch.setattr(tallies, "match_rate", correct_meanwhile)
    tallies.match_tally(match_id=match.pk, game="heap")
    match.refresh_from_db()
    assert not match.tallied
    tallies.tallies_write()
    assert made.ratings() == []


@pytest.mark.django_db(transaction=True)
def test_workers_at_once_write_each_match_once() -> None:
    players = make_players(8)
    any_ended(Random(3), players, 60, ["heap", "snap"])

    def work(index: int) -> None:
        if index == 3:
            service.ratings_recompute(game="heap")
        while Match.objects.filter(tallied=False).exists():
            tallies.tallies_write()

    assert at_once(4, work) == [None] * 4
    assert recomputed() == 0
    assert len(made.changes()) == len({change[:2] for change in made.changes()}) > 100
