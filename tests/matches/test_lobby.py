"""Matches before they begin."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest

from engine.core.fairness import SALT_BYTES, commitment
from matches.models import Match, Position, Status
from matches.services import lobby
from tests.matches.factories import (
    PER_MOVE,
    causes,
    make_lobby,
    make_match,
    make_players,
    refusal,
    replayed,
    stored,
    table_of,
)

pytestmark = pytest.mark.django_db


def seated(match: Match) -> list[tuple[int, int | None]]:
    return list(match.seats.values_list("number", "player"))


def test_the_host_takes_the_first_seat() -> None:
    (host,) = make_players(1)
    match = make_lobby(host, 3)
    assert (match.status, match.seat_count, match.host_id) == (Status.LOBBY, 3, host.pk)
    assert seated(match) == [(0, host.pk)]


def test_options_are_kept_whole() -> None:
    (host,) = make_players(1)
    match = make_lobby(host, preset="short", options={"time_limit_s": 60}, control=PER_MOVE, policy={"strikes": 2})
    assert match.options == {"heap": 2, "time_limit_s": 60}
    assert match.control == {"type": "per_move", "move_s": 60}
    assert match.policy == {"on_timeout": "play_on", "strikes": 2, "weekends": None}


def test_the_deal_is_promised_when_the_match_is_created() -> None:
    (host,) = make_players(1)
    match = make_lobby(host)
    assert match.commitment == commitment(bytes(match.secret), str(match.pk))


@pytest.mark.parametrize(
    ("fields", "code", "said"),
    [
        ({"game": "chess"}, "unknown_game", "no game 'chess'"),
        ({"preset": "long"}, "bad_options", "no preset 'long'"),
        ({"options": {"heap": "big"}}, "bad_options", "$.heap"),
        ({"options": {"pile": 3}}, "bad_options", "pile"),
        ({"seats": 5}, "bad_options", "2 to 4 seats"),
        ({"seats": 1}, "bad_options", "2 to 4 seats"),
        ({"control": {"type": "per_move", "move_s": 1}}, "bad_options", "control: "),
        ({"policy": {"strikes": 0}}, "bad_options", "policy: "),
        ({"visibility": "hidden"}, "bad_options", "public, unlisted, private"),
    ],
)
def test_what_can_not_be_played_is_not_created(fields: dict[str, Any], code: str, said: str) -> None:
    (host,) = make_players(1)
    error = refusal(lambda: make_lobby(host, **fields))
    assert error.code == code
    assert said in error.message
    assert not Match.objects.exists()


def test_a_full_match_begins_by_itself() -> None:
    anna, ben = make_players(2)
    match = make_lobby(anna)
    match = lobby.match_join(match_id=match.pk, player_id=ben.pk)
    assert match.status == Status.RUNNING
    assert match.started_at is not None
    assert causes(match) == [("open", None)]
    assert table_of(match) == replayed(match)


def test_without_autostart_a_full_match_waits_for_its_host() -> None:
    anna, ben = make_players(2)
    match = make_lobby(anna, autostart=False)
    match = lobby.match_join(match_id=match.pk, player_id=ben.pk)
    assert match.status == Status.LOBBY
    assert refusal(lambda: lobby.match_start(match_id=match.pk, player_id=ben.pk)).code == "not_host"
    assert lobby.match_start(match_id=match.pk, player_id=anna.pk).status == Status.RUNNING


def test_joining_again_changes_nothing() -> None:
    anna, ben = make_players(2)
    match = make_lobby(anna, 3)
    lobby.match_join(match_id=match.pk, player_id=ben.pk)
    before = stored(match)
    again = lobby.match_join(match_id=match.pk, player_id=ben.pk)
    assert seated(again) == [(0, anna.pk), (1, ben.pk)]
    assert stored(match) == before


def test_a_running_match_takes_no_more_players() -> None:
    anna, ben, chris = make_players(3)
    match = make_match(anna, ben)
    before = stored(match)
    assert refusal(lambda: lobby.match_join(match_id=match.pk, player_id=chris.pk)).code == "match_not_open"
    assert refusal(lambda: lobby.match_leave_lobby(match_id=match.pk, player_id=ben.pk)).code == "match_not_open"
    assert refusal(lambda: lobby.match_start(match_id=match.pk, player_id=anna.pk)).code == "match_not_open"
    assert refusal(lambda: lobby.match_cancel(match_id=match.pk, player_id=anna.pk)).code == "match_not_open"
    assert stored(match) == before


def test_a_full_match_is_full() -> None:
    anna, ben, chris = make_players(3)
    match = make_lobby(anna, autostart=False)
    lobby.match_join(match_id=match.pk, player_id=ben.pk)
    before = stored(match)
    assert refusal(lambda: lobby.match_join(match_id=match.pk, player_id=chris.pk)).code == "match_full"
    assert stored(match) == before


def test_a_private_match_needs_its_code() -> None:
    anna, ben = make_players(2)
    match = make_lobby(anna, 3, visibility="private")
    before = stored(match)
    for code in (None, "", match.join_code[:-1]):
        error = refusal(lobby.match_join, match_id=match.pk, player_id=ben.pk, code=code)
        assert error.code == "not_found"
    assert stored(match) == before
    assert lobby.match_join(match_id=match.pk, player_id=ben.pk, code=match.join_code).seats.count() == 2


def test_strangers_learn_nothing_of_a_private_match() -> None:
    anna, ben = make_players(2)
    match = make_lobby(anna, visibility="private")
    for way in (lobby.match_leave_lobby, lobby.match_start, lobby.match_cancel):
        assert refusal(way, match_id=match.pk, player_id=ben.pk).code == "not_found"


def test_a_match_that_is_not_there_is_not_found() -> None:
    (anna,) = make_players(1)
    for way in (lobby.match_join, lobby.match_leave_lobby, lobby.match_start, lobby.match_cancel):
        assert refusal(way, match_id=uuid4(), player_id=anna.pk).code == "not_found"


def test_those_behind_a_leaver_move_up() -> None:
    anna, ben, chris = make_players(3)
    match = make_lobby(anna, 4)
    for player in (ben, chris):
        lobby.match_join(match_id=match.pk, player_id=player.pk)
    lobby.match_leave_lobby(match_id=match.pk, player_id=ben.pk)
    assert seated(match) == [(0, anna.pk), (1, chris.pk)]
    lobby.match_join(match_id=match.pk, player_id=ben.pk)
    assert seated(match) == [(0, anna.pk), (1, chris.pk), (2, ben.pk)]


def test_the_next_player_follows_a_host_who_leaves() -> None:
    anna, ben = make_players(2)
    match = make_lobby(anna, 3)
    lobby.match_join(match_id=match.pk, player_id=ben.pk)
    match = lobby.match_leave_lobby(match_id=match.pk, player_id=anna.pk)
    assert (match.host_id, seated(match)) == (ben.pk, [(0, ben.pk)])
    match = lobby.match_leave_lobby(match_id=match.pk, player_id=ben.pk)
    assert match.status == Status.CANCELLED
    assert match.ended_at is not None


def test_who_does_not_sit_there_can_not_leave() -> None:
    anna, ben = make_players(2)
    match = make_lobby(anna, 3)
    before = stored(match)
    assert refusal(lambda: lobby.match_leave_lobby(match_id=match.pk, player_id=ben.pk)).code == "not_seated"
    assert stored(match) == before


def test_seats_that_stay_empty_are_closed_at_the_start() -> None:
    anna, ben = make_players(2)
    match = make_lobby(anna, 4)
    lobby.match_join(match_id=match.pk, player_id=ben.pk)
    match = lobby.match_start(match_id=match.pk, player_id=anna.pk)
    assert (match.seat_count, seated(match)) == (2, [(0, anna.pk), (1, ben.pk)])
    assert table_of(match) == replayed(match)


def test_nobody_plays_alone() -> None:
    (anna,) = make_players(1)
    match = make_lobby(anna, 4)
    before = stored(match)
    error = refusal(lambda: lobby.match_start(match_id=match.pk, player_id=anna.pk))
    assert (error.code, error.status) == ("too_few_seats", 409)
    assert stored(match) == before
    assert not Position.objects.exists()


def test_a_cancelled_match_is_over() -> None:
    (anna,) = make_players(1)
    match = lobby.match_cancel(match_id=make_lobby(anna).pk, player_id=anna.pk)
    assert (match.status, match.is_over, match.started_at) == (Status.CANCELLED, True, None)


def test_a_salt_changes_the_deal_and_not_the_promise() -> None:
    anna, ben = make_players(2)
    match = make_lobby(anna)
    promised = match.commitment
    match = lobby.seat_salt(match_id=match.pk, player_id=anna.pk, salt=b"mine")
    assert [bytes(seat.salt) for seat in match.seats.all()] == [b"mine"]
    match = lobby.match_join(match_id=match.pk, player_id=ben.pk)
    assert match.commitment == promised
    assert table_of(match) == replayed(match)
    salted = match.log.get().entry
    match.seats.filter(number=0).update(salt=b"yours")
    with pytest.raises(Exception, match="entry 1: the log has"):
        replayed(match)
    assert match.log.get().entry == salted


def test_a_salt_has_its_bounds() -> None:
    anna, ben = make_players(2)
    match = make_lobby(anna)
    long = b"x" * (SALT_BYTES + 1)
    assert refusal(lambda: lobby.seat_salt(match_id=match.pk, player_id=anna.pk, salt=long)).code == "salt_too_long"
    lobby.match_join(match_id=match.pk, player_id=ben.pk)
    late = refusal(lambda: lobby.seat_salt(match_id=match.pk, player_id=anna.pk, salt=b"late"))
    assert late.code == "match_not_open"
    assert [bytes(salt) for salt in match.seats.values_list("salt", flat=True)] == [b"", b""]


def test_ids_are_of_version_seven_and_grow() -> None:
    (anna,) = make_players(1)
    first, second = make_lobby(anna).pk, make_lobby(anna).pk
    assert isinstance(first, UUID)
    assert (first.version, first.variant) == (7, "specified in RFC 4122")
    assert first.int >> 80 <= second.int >> 80
