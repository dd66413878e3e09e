"""Who is rated by which match, and what it makes of them."""

from __future__ import annotations

from typing import Any

import pytest

from matches.errors import ServiceError
from matches.models import Match, Player, Rating, RatingChange, Status
from matches.services import lobby, moderation, play, ratings, rematch, tallies
from matches.skill import NEWCOMER, Skill, after_match, points
from matches.timing import now_ms
from tests.matches.ended import ended, skill, tally
from tests.matches.factories import make_lobby, make_match, make_player, make_players, take

pytestmark = pytest.mark.django_db


def bot() -> Player:
    player = make_player()
    Player.objects.filter(pk=player.pk).update(is_bot=True)
    player.refresh_from_db()
    return player


def order(match: Match) -> list[int | None]:
    """The places of the match's players among those who were rated, by seat; None for who wasn't."""
    places = dict(RatingChange.objects.filter(match=match).values_list("player", "place"))
    return [None if seat.player_id is None else places.get(seat.player_id) for seat in match.seats.all()]


def test_the_winner_gains_and_the_loser_loses() -> None:
    anna, ben = make_players(2)
    tally(ended([anna, ben], [1, 2]))
    assert skill(anna)[0] > NEWCOMER.mu > skill(ben)[0]
    assert skill(anna)[1] < NEWCOMER.sigma
    # Two newcomers: what one gains the other loses.
    assert skill(anna)[0] - NEWCOMER.mu == pytest.approx(NEWCOMER.mu - skill(ben)[0])


def test_a_rating_is_kept_for_each_game() -> None:
    anna, ben = make_players(2)
    tally(ended([anna, ben], [1, 2]), ended([anna, ben], [2, 1], game="snap", minute=2))
    assert skill(anna) == skill(ben, "snap")
    assert Rating.objects.filter(player=anna).count() == 2


def test_a_change_says_what_was_before_and_after() -> None:
    anna, ben = make_players(2)
    first, second = ended([anna, ben], [1, 2]), ended([anna, ben], [1, 2], minute=2)
    tally(first, second)
    one, two = RatingChange.objects.filter(player=anna).order_by("ended_at")
    assert (one.mu_before, one.sigma_before) == NEWCOMER
    assert (one.match, two.match) == (first, second)
    assert (one.mu, one.sigma) == (two.mu_before, two.sigma_before)
    assert (two.mu, two.sigma) == skill(anna)
    assert (two.place, two.people) == (1, 2)


def test_who_ties_is_rated_alike() -> None:
    players = make_players(4)
    tally(ended(players, [2, 1, 2, 2]))
    for other in (players[2], players[3]):
        assert skill(other) == pytest.approx(skill(players[0]))
    assert skill(players[1])[0] > NEWCOMER.mu > skill(players[0])[0]


def test_a_tie_of_all_leaves_equal_ones_equal() -> None:
    players = make_players(3)
    tally(ended(players, [1, 1, 1]))
    assert [skill(player)[0] for player in players] == pytest.approx([NEWCOMER.mu] * 3)


def test_a_tie_is_better_for_the_weaker_one() -> None:
    anna, ben = make_players(2)
    tally(*(ended([anna, ben], [1, 2], minute=minute) for minute in range(1, 6)))
    before = skill(anna)[0], skill(ben)[0]
    tally(ended([anna, ben], [1, 1], minute=10))
    assert skill(anna)[0] < before[0]
    assert skill(ben)[0] > before[1]


def test_places_count_whatever_their_numbers() -> None:
    """The rules leave numbers out behind ties, and so do seats that aren't rated."""
    anna, ben, cleo = make_players(3)
    tally(ended([anna, None, ben, cleo], [1, 1, 3, 4]))
    expected = after_match({1: NEWCOMER, 2: NEWCOMER, 3: NEWCOMER}, {1: 1, 2: 2, 3: 3})
    assert [Skill(*skill(player)) for player in (anna, ben, cleo)] == [expected[1], expected[2], expected[3]]


def test_leavers_come_below_all_others_and_among_them_the_rules_decide() -> None:
    players = make_players(5)
    # Seat 0 was in front when it left; 2 and 4 left at the same moment.
    match = ended(players, [1, 2, 4, 3, 4], left=[0, 2, 4])
    tally(match)
    assert order(match) == [3, 1, 4, 2, 4]


def test_a_seat_that_a_bot_plays_in_the_end_has_left() -> None:
    match = ended(make_players(3), [1, 2, 3], bots=[0])
    tally(match)
    assert order(match) == [3, 1, 2]


def test_bots_are_not_rated() -> None:
    program = bot()
    match = ended([*make_players(2), None, program], [3, 4, 1, 2])
    tally(match)
    assert order(match) == [1, 2, None, None]
    assert not Rating.objects.filter(player=program).exists()


def test_programs_are_rated_where_the_match_says_so() -> None:
    program = bot()
    match = ended([make_player(), program, None], [2, 1, 3], rates_bots=True)
    tally(match)
    assert order(match) == [2, 1, None]


@pytest.mark.parametrize(
    "fields",
    [
        {"rated": False},
        {"rated": False, "sandbox": True},
        {"status": Status.ABANDONED},
        {"status": Status.VOID},
    ],
    ids=["not rated", "sandbox", "abandoned", "void"],
)
def test_what_counts_for_nobody_rates_nobody(fields: dict[str, Any]) -> None:
    match = ended(make_players(2), [1, 2], **fields)
    tally(match)
    match.refresh_from_db()
    assert match.tallied
    assert not Rating.objects.exists()
    assert not RatingChange.objects.exists()


def test_with_fewer_than_two_people_nobody_is_rated() -> None:
    tally(ended([make_player()], [1]), ended([make_player(), None], [1, 2]), ended([make_player(), bot()], [1, 2]))
    assert not Rating.objects.exists()


def test_a_guest_is_rated_and_keeps_it_as_a_full_player() -> None:
    guest, other = make_players(2)
    Player.objects.filter(pk=guest.pk).update(is_guest=True)
    tally(ended([guest, other], [1, 2]))
    assert points(Rating.objects.get(player=guest).ordinal) > points(NEWCOMER.ordinal)


def test_once_is_as_good_as_twice() -> None:
    match = ended(make_players(2), [1, 2])
    tally(match)
    before = list(Rating.objects.values()), list(RatingChange.objects.values())
    tally(match)
    Match.objects.update(tallied=False)
    tally(match)
    assert (list(Rating.objects.values()), list(RatingChange.objects.values())) == before


def test_a_played_match_is_rated_when_it_is_over_and_not_before() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, options={"heap": 5})
    take(match, anna, 3)
    assert tallies.tallies_write() == 0
    assert not RatingChange.objects.exists()
    take(match, ben, 2)
    assert tallies.tallies_write() == 1
    assert tallies.tallies_write() == 0
    match.refresh_from_db()
    assert order(match) == [2, 1]
    assert {change.ended_at for change in match.rating_changes.all()} == {match.ended_at}


def test_who_resigns_has_left() -> None:
    anna, ben, cleo = make_players(3)
    match = make_match(anna, ben, cleo)
    take(match, anna, 1)
    take(match, ben, 1)
    for player in (anna, ben):
        play.match_resign(match_id=match.pk, player_id=player.pk, epoch=0, received=now_ms())
    tallies.tallies_write()
    # Heap knows the winner, and the others.
    assert order(match) == [2, 2, 1]


def test_a_match_that_an_operator_ends_rates_nobody() -> None:
    match = make_match(*make_players(2))
    moderation.match_void(match_id=match.pk, actor_id=make_player().pk, reason="a fault")
    assert tallies.tallies_write() == 1
    assert not Rating.objects.exists()


def test_a_result_that_an_operator_takes_back_is_taken_out_at_its_place() -> None:
    anna, ben = make_players(2)
    matches = [make_match(anna, ben) for _ in range(2)]
    for match in matches:
        take(match, anna, 1)
        take(match, ben, 1)
        play.match_resign(match_id=match.pk, player_id=ben.pk, epoch=0, received=now_ms())
    tallies.tallies_write()
    assert list(Rating.objects.values_list("matches", flat=True)) == [2, 2]
    moderation.result_void(match_id=matches[0].pk, actor_id=make_player().pk, reason="a fault")
    assert tallies.tallies_write() == 1
    assert list(Rating.objects.values_list("matches", flat=True)) == [1, 1]
    assert ratings.ratings_recompute(game="heap").corrected == 0


def test_matches_are_rated_unless_somebody_says_otherwise_and_sandboxes_never() -> None:
    anna = make_player()
    assert make_lobby(anna).rated
    assert not make_lobby(anna, rated=False).rated
    assert not make_lobby(anna, rated=True, seed="a seed").rated
    assert not make_lobby(anna).rates_bots


@pytest.mark.parametrize("rated", [True, False])
def test_a_rematch_is_rated_like_the_first_match(*, rated: bool) -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, options={"heap": 3}, rated=rated, rates_bots=not rated)
    take(match, anna, 3)
    again = rematch.match_rematch(match_id=match.pk, player_id=ben.pk)
    assert (again.rated, again.rates_bots) == (rated, not rated)


def test_a_match_that_is_not_over_cannot_lose_its_rating() -> None:
    match = make_match(*make_players(2))
    with pytest.raises(ServiceError, match="match_not_over"):
        ratings.match_unrate(match_id=match.pk)
    match.refresh_from_db()
    assert match.rated


def test_a_cancelled_lobby_is_nothing_to_tally() -> None:
    anna = make_player()
    match = make_lobby(anna)
    lobby.match_cancel(match_id=match.pk, player_id=anna.pk)
    assert tallies.tallies_write() == 0
