"""How far one can rely on a player: what is read off a log, and what it comes to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from matches.bridge import AnyReferee, AnyStep, AnyTable
from matches.locking import lock_position, write_position
from matches.models import Conduct, Match, MoveRecord, Player, Reliability
from matches.services import play, ratings, reliability, tallies, upkeep
from matches.skill import NEWCOMER
from matches.timing import millis, now_ms
from tests.matches import ended as made
from tests.matches.ended import ended, tally
from tests.matches.factories import (
    MOVE_S,
    PER_MOVE,
    begin_ago,
    elsewhere,
    make_match,
    make_player,
    make_players,
    submit,
    take,
)
from tests.matches.toygame import Take

pytestmark = pytest.mark.django_db
MOVE_MS = MOVE_S * 1000


def conduct(match: Match, player: Player) -> tuple[int, int, list[int], bool]:
    row = Conduct.objects.get(match=match, player=player)
    return row.turns, row.in_time, row.replies, row.has_left


def note(player: Player, minute: int, **fields: Any) -> None:
    """What a match that was over so many minutes after the others' begin showed of a player."""
    match = ended([player, make_player()], [1, 2], minute=minute, tallied=True)
    given = {"turns": 10, "in_time": 10, "replies": [1000], "has_left": False, **fields}
    assert match.ended_at is not None
    reliability.conducts_write(match, [Conduct(match=match, player=player, ended_at=match.ended_at, **given)])


def summed(player: Player) -> tuple[Any, ...]:
    fields = ("matches", "left", "turns", "in_time", "reply_ms", "percent")
    return tuple(Reliability.objects.values_list(*fields).get(player=player))


def test_turns_in_time_and_how_long_they_took(monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    match = begin_ago(monkeypatch, 30_000, anna, ben, control=PER_MOVE, options={"heap": 6})
    begun = millis(Match.objects.get(pk=match.pk).started_at)  # type: ignore[arg-type]
    for player, serial, after in ((anna, 1, 4_000), (ben, 1, 10_000), (anna, 2, 11_000)):
        take(match, player, 2, serial=serial, received=begun + after)
    tallies.tallies_write()
    assert conduct(match, anna) == (2, 2, [4_000, 1_000], False)
    assert conduct(match, ben) == (1, 1, [6_000], False)


def test_turns_that_were_missed_and_a_seat_that_left_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    policy = {"on_timeout": "play_on", "strikes": 1}
    match = begin_ago(monkeypatch, 5 * MOVE_MS, anna, ben, control=PER_MOVE, policy=policy)
    begun = millis(Match.objects.get(pk=match.pk).started_at)  # type: ignore[arg-type]
    for seat in (0, 1):
        takes_one(match, seat, begun + 1_000 * (seat + 1))
    # Two turns are missed, and the third one by who has missed one already.
    upkeep.match_settle(match_id=match.pk)
    tallies.tallies_write()
    assert conduct(match, anna) == (3, 1, [1_000], True)
    assert conduct(match, ben) == (2, 1, [1_000], False)


def test_a_bot_at_the_seat_is_a_turn_that_was_missed_and_in_the_end_it_is_leaving(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    anna, ben = make_players(2)
    match = begin_ago(monkeypatch, 70_000, anna, ben, control=PER_MOVE, policy={"on_timeout": "bot"})
    begun = millis(Match.objects.get(pk=match.pk).started_at)  # type: ignore[arg-type]
    for seat in (0, 1):
        takes_one(match, seat, begun + 1_000 * (seat + 1))
    over = begun + MOVE_MS + 3_000
    happens(match, lambda referee, table: referee.settle(table, over))
    happens(match, lambda referee, table: referee.leave(table, (1,), received=over, now=over))
    tallies.tallies_write()
    assert conduct(match, anna) == (2, 1, [1_000], True)
    assert conduct(match, ben) == (1, 1, [1_000], False)
    assert [change[5] for change in made.changes()] == [2, 2]


def test_resigning_is_leaving_only_with_more_than_two() -> None:
    anna, ben, cleo = make_players(3)
    two, three = make_match(anna, ben), make_match(anna, ben, cleo)
    for match in (two, three):
        for player in (anna, ben):
            take(match, player, 1)
        play.match_resign(match_id=match.pk, player_id=ben.pk, epoch=0, received=now_ms())
    play.match_resign(match_id=three.pk, player_id=cleo.pk, epoch=0, received=now_ms())
    tallies.tallies_write()
    assert [conduct(match, ben)[3] for match in (two, three)] == [False, True]
    assert not conduct(three, anna)[3]


def test_while_the_match_stands_nobody_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    match = begin_ago(monkeypatch, 50_000, anna, ben, control=PER_MOVE, options={"heap": 3})
    begun = millis(Match.objects.get(pk=match.pk).started_at)  # type: ignore[arg-type]
    stands(match, begun + 5_000, begun + 15_000, 0)
    stands(match, begun + 20_000, begun + 40_000)
    take(match, anna, 3, received=begun + 42_000)
    tallies.tallies_write()
    assert conduct(match, anna) == (1, 1, [12_000], False)


def happens(match: Match, ask: Callable[[AnyReferee, AnyTable], AnyStep]) -> None:
    """Ask the referee, at any moment."""
    with transaction.atomic():
        locked = lock_position(match_id=match.pk)
        assert locked is not None
        referee, table = locked.referee(), locked.table()
        step = ask(referee, table)
        assert step.refusal is None
        write_position(locked, referee, table, step)


def takes_one(match: Match, seat: int, at: int) -> None:
    """The first move of a seat, at this moment (UTC milliseconds)."""
    happens(
        match,
        lambda referee, table: referee.submit(table, seat=seat, serial=1, move=Take(1), received=at, now=at),
    )


def stands(match: Match, begins: int, ends: int, *seats: int) -> None:
    """The clocks of these seats, or the whole match, stand from then to then (UTC milliseconds)."""
    happens(match, lambda referee, table: referee.stop(table, "moderator", received=begins, now=begins, seats=seats))
    happens(match, lambda referee, table: referee.start(table, "moderator", received=ends, now=ends, seats=seats))


def test_a_race_is_no_turn() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, game="snap", options={"race": {"mode": "reaction", "react_ms": 60_000}})
    for serial in (1, 2):
        for player in (anna, ben):
            submit(match, player, b'{"type": "pass"}', serial=serial)
    play.match_resign(match_id=match.pk, player_id=anna.pk, epoch=0, received=now_ms())
    tallies.tallies_write()
    assert MoveRecord.objects.filter(match=match, cause="move").count() == 4
    assert [conduct(match, player)[:2] for player in (anna, ben)] == [(0, 0), (0, 0)]


def test_bots_void_matches_sandboxes_and_matches_against_bots_show_nothing() -> None:
    anna, ben = make_players(2)
    ended([anna, None], [1, 2])
    ended([anna, ben], [1, 2], sandbox=True, rated=False)
    ended([anna, ben], [1, 2], status="void")
    ended([anna, ben], [1, 2], status="abandoned")
    assert tallies.tallies_write() == 4
    assert not Conduct.objects.exists()


def test_what_the_latest_matches_come_to() -> None:
    anna = make_player()
    note(anna, 1, replies=[5_000, 1_000])
    note(anna, 2, in_time=9, replies=[2_000, 8_000, 3_000])
    assert summed(anna) == (2, 0, 20, 19, 3_000, 95)
    note(anna, 3, has_left=True)
    assert summed(anna) == (3, 1, 30, 29, 2_500, 66)


def test_too_few_turns_say_nothing() -> None:
    anna = make_player()
    note(anna, 1, turns=reliability.FEWEST_TURNS - 1, in_time=0)
    assert summed(anna)[-1] is None


def test_only_the_latest_count_and_are_kept() -> None:
    anna = make_player()
    for minute in range(2, reliability.WINDOW + 2):
        note(anna, minute)
    note(anna, 1, in_time=0, has_left=True)
    assert summed(anna) == (50, 0, 500, 500, 1_000, 100)
    note(anna, 99, in_time=0)
    assert summed(anna) == (50, 0, 500, 490, 1_000, 98)
    assert Conduct.objects.filter(player=anna).count() == reliability.WINDOW


def test_once_is_as_good_as_twice() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, options={"heap": 3})
    take(match, anna, 3)
    for _ in range(2):
        Match.objects.update(tallied=False)
        tally(match)
    assert Conduct.objects.count() == 2
    assert summed(anna)[:4] == (1, 0, 1, 1)


@pytest.mark.django_db(transaction=True)
def test_two_games_of_one_player_ending_at_once_are_both_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """While one worker is about to sum up, another one has summed up without what the first is writing."""
    anna, ben = make_players(2)
    heap, snap = ended([anna, ben], [1, 2]), ended([anna, ben], [1, 2], game="snap")
    usual = reliability.conducts_write

    def other_first(match: Match, rows: list[Conduct]) -> None:
        monkeypatch.setattr(tallies, "conducts_write", usual)
        elsewhere(lambda: tallies.match_tally(match_id=snap.pk, game="snap"))
        usual(match, rows)

    monkeypatch.setattr(tallies, "conducts_write", other_first)
    with transaction.atomic():
        tally(heap)
    assert summed(anna)[0] == summed(ben)[0] == 2
    assert len(made.changes()) == 4


def test_a_result_that_is_taken_back_shows_nothing_and_rates_nobody() -> None:
    anna, ben = make_players(2)
    match, after = make_match(anna, ben, options={"heap": 3}), make_match(anna, ben, options={"heap": 3})
    for one in (match, after):
        take(one, anna, 3)
        tallies.tallies_write()
    happens(match, lambda referee, table: referee.annul(table, received=now_ms(), why="a fault"))
    assert tallies.tallies_write() == 1
    assert Conduct.objects.filter(match=match).count() == 0
    assert summed(anna)[:4] == (1, 0, 1, 1)
    assert {change[0] for change in made.changes()} == {after.pk}
    assert {change[6:8] for change in made.changes()} == {tuple(NEWCOMER)}
    assert [rating[-1] for rating in made.ratings()] == [1, 1]
    assert ratings.ratings_recompute(game="heap").corrected == 0
