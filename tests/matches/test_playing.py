"""A move, from request to answer."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine.core.outcome import Outcome
from engine.core.referee import LAG
from engine.core.table import FORMAT
from matches import locking, timing
from matches.models import Match, MoveRecord, Position, Seat, Status
from matches.services import play, players
from tests.matches.factories import (
    MOVE_S,
    PER_MOVE,
    begin_ago,
    causes,
    make_lobby,
    make_match,
    make_players,
    refusal,
    replayed,
    stored,
    submit,
    table_of,
    take,
)
from tests.matches.toygame import HeapState, HeapView, Taken

pytestmark = pytest.mark.django_db
committed = pytest.mark.django_db(transaction=True)


def test_a_move_is_stored_with_its_entry() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    received = timing.now_ms()
    played = take(match, anna, 3, received=received)
    assert played.seat == 0
    assert played.table.state == HeapView(heap=7, turn=1)
    assert [event for entry in played.entries for event in entry.events] == [Taken(seat=0, count=3, left=7)]
    assert not played.repeated
    record = MoveRecord.objects.get(match=match, number=2)
    assert (record.seat, record.serial, record.cause, record.received) == (0, 1, "move", received)
    assert table_of(match).state == HeapState(heap=7, seats=2, turn=1, turns=1, limit=None)
    assert Position.objects.get(match=match).number == 2
    assert table_of(match) == replayed(match)


@committed
def test_a_move_costs_two_statements() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, control=PER_MOVE)
    received = timing.now_ms()
    with CaptureQueriesContext(
        connection,
    ) as queries:
        take(match, anna, 3, received=received)
    statements = [query["sql"].split()[0] for query in queries]
    assert statements == ["BEGIN", "WITH", "WITH", "COMMIT"]


@committed
def test_the_write_of_a_move_is_planned_once_and_not_for_each() -> None:
    plans = """
        SELECT COALESCE(sum(generic_plans), 0), COALESCE(sum(custom_plans), 0) FROM pg_prepared_statements
        WHERE statement LIKE %s
    """
    anna, ben = make_players(2)
    matches = [make_match(anna, ben, control=PER_MOVE) for _ in range(12)]
    found: list[tuple[int, int]] = []
    with connection.cursor() as cursor:
        for match in matches:
            take(match, anna, 1)
            cursor.execute(plans, ["%INSERT INTO matches_moverecord%"])
            found.append(cursor.fetchone())
        cursor.execute("SHOW plan_cache_mode")
        assert cursor.fetchone() == ("auto",)
    # A statement is prepared when a connection has had it five times; that the matches began counts as well.
    (before, customs), (after, customs_after) = found[5], found[-1]
    assert (after - before, customs_after - customs) == (6, 0)


@committed
def test_the_last_move_ends_the_match() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, preset="short")
    with CaptureQueriesContext(connection) as queries:
        played = take(match, anna, 2)
    assert [query["sql"].split()[0] for query in queries] == ["BEGIN", "WITH", "WITH", "COMMIT"]
    assert played.table.ending is not None
    assert played.table.ending.outcome == Outcome("last_taken", (1, 2), (1, 0))
    match.refresh_from_db()
    assert match.status == Status.FINISHED
    assert match.outcome == {"reason": "last_taken", "places": [1, 2], "scores": [1, 0]}
    assert match.ended_at == timing.moment(table_of(match).at)
    assert Position.objects.get(match=match).due_at is None
    assert list(match.seats.values_list("place", "score", "awaited_since")) == [(1, 1, None), (2, 0, None)]
    assert table_of(match) == replayed(match)


def test_seats_show_whom_the_match_waits_for() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, control=PER_MOVE)
    begun = timing.millis(Match.objects.get(pk=match.pk).started_at or timing.moment(0))
    assert list(match.seats.values_list("awaited_since", "deadline")) == [
        (timing.moment(begun), timing.moment(begun + MOVE_S * 1000)),
        (None, None),
    ]
    take(match, anna, 1)
    at = table_of(match).at
    assert list(Seat.objects.filter(match=match).values_list("awaited_since", "deadline")) == [
        (None, None),
        (timing.moment(at), timing.moment(at + MOVE_S * 1000)),
    ]


@pytest.mark.parametrize(
    ("move", "serial", "code", "status"),
    [
        (b'{"type":"take","count":4}', 1, "illegal_move", 422),
        (b'{"type":"take","count":1}', 2, "unknown_serial", 409),
        (b'{"type":"take","count":1}', 0, "unknown_serial", 409),
        (b'{"type":"take"}', 1, "malformed_move", 400),
        (b'{"type":"fly"}', 1, "malformed_move", 400),
        (b"{", 1, "malformed_move", 400),
        (b"\xff", 1, "malformed_move", 400),
    ],
)
def test_a_refusal_changes_nothing(move: bytes, serial: int, code: str, status: int) -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    before = stored(match)
    error = refusal(lambda: submit(match, anna, move, serial=serial))
    assert (error.code, error.status) == (code, status)
    assert stored(match) == before


def test_a_rule_that_forbids_a_move_is_named() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    assert refusal(lambda: take(match, anna, 4)).extra == {"rule": "HEAP-1"}


def test_who_may_not_move_changes_nothing() -> None:
    anna, ben, stranger = make_players(3)
    match = make_match(anna, ben)
    lobby = make_lobby(anna)
    before = stored(match)
    assert refusal(lambda: take(match, stranger, 1)).code == "not_seated"
    assert refusal(lambda: take(lobby, anna, 1)).code == "match_not_running"
    assert refusal(lambda: take(Match(game="heap", ruleset=1), anna, 1)).code == "not_found"
    assert stored(match) == before


def test_a_private_match_is_not_found_by_strangers() -> None:
    anna, ben, stranger = make_players(3)
    match = make_match(anna, ben, visibility="private")
    assert refusal(lambda: take(match, stranger, 1)).code == "not_found"
    take(match, anna, 1)


def test_a_token_of_an_old_epoch_is_refused() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    players.player_log_out_everywhere(player_id=anna.pk)
    before = stored(match)
    error = refusal(lambda: take(match, anna, 1, epoch=0))
    assert (error.code, error.status) == ("token_invalid", 401)
    assert stored(match) == before
    take(match, anna, 1, epoch=1)


def test_a_banned_player_is_refused() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    anna.is_active = False
    anna.save(update_fields=["is_active"])
    assert refusal(lambda: take(match, anna, 1)).code == "token_invalid"


def test_the_same_move_again_is_the_same_answer() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    first = take(match, anna, 3)
    before = stored(match)
    again = take(match, anna, 3)
    assert again.repeated
    assert again.entries == first.entries
    assert again.table == first.table
    assert stored(match) == before


def test_a_repeat_comes_with_the_table_as_it_is_now() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    take(match, anna, 3)
    take(match, ben, 2)
    again = take(match, anna, 3)
    assert again.repeated
    assert again.table.state == HeapView(heap=5, turn=0)
    assert causes(match) == [("open", None), ("move", 0), ("move", 1)]


def test_the_move_that_ended_a_match_may_be_repeated() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, preset="short")
    take(match, anna, 2)
    assert take(match, anna, 2).repeated
    assert refusal(lambda: take(match, ben, 1)).code == "match_over"


def test_another_move_for_a_decision_is_already_answered() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    take(match, anna, 3)
    before = stored(match)
    error = refusal(lambda: take(match, anna, 2))
    assert (error.code, error.status) == ("already_answered", 409)
    assert stored(match) == before


def test_a_move_received_in_time_counts_although_it_waited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Received a millisecond before the deadline, and locked a millisecond before the clock may be fired."""
    anna, ben = make_players(2)
    match = begin_ago(monkeypatch, 10 * MOVE_S * 1000, anna, ben, control=PER_MOVE)
    deadline = table_of(match).at + MOVE_S * 1000
    lock_at(monkeypatch, deadline + LAG - 1)
    take(match, anna, 3, received=deadline - 1)
    assert causes(match) == [("open", None), ("move", 0)]
    assert MoveRecord.objects.get(match=match, number=2).received == deadline - 1
    assert table_of(match) == replayed(match)


def test_a_move_received_at_the_deadline_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    match = begin_ago(monkeypatch, 10 * MOVE_S * 1000, anna, ben, control=PER_MOVE)
    deadline = table_of(match).at + MOVE_S * 1000
    lock_at(monkeypatch, deadline + LAG - 1)
    before = stored(match)
    assert refusal(take, match=match, player=anna, number=3, received=deadline).code == "late_move"
    assert stored(match) == before


def lock_at(monkeypatch: pytest.MonkeyPatch, now: int) -> None:
    """The time read under the lock is this one."""

    def lock_seat(**arguments: Any) -> locking.Locked | None:
        locked = locking.lock_seat(**arguments)
        return None if locked is None else locked._replace(now=now)

    monkeypatch.setattr(play, "lock_seat", lock_seat)


def test_a_stamp_is_never_later_than_the_time_under_the_lock() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    take(match, anna, 1, received=timing.now_ms() + 3_600_000)
    assert MoveRecord.objects.get(match=match, number=2).received <= timing.now_ms() + 20


def test_a_move_stamped_at_its_answer_is_not_stamped_by_its_request() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    begun = table_of(match).at
    submit(match, anna, b'{"type":"wait"}', received=begun - 5_000)
    assert MoveRecord.objects.get(match=match, number=2).received >= begun


def test_a_late_move_is_refused_and_what_was_due_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    match = begin_ago(monkeypatch, MOVE_S * 1000 + 5_000, anna, ben, control=PER_MOVE)
    begun = table_of(match).at
    error = refusal(lambda: take(match, anna, 3))
    assert (error.code, error.status) == ("late_move", 409)
    assert causes(match) == [("open", None), ("flag", 0)]
    assert MoveRecord.objects.get(match=match, number=2).at == begun + MOVE_S * 1000
    assert table_of(match).state.heap == 9
    assert table_of(match) == replayed(match)


def test_resigning_ends_a_match_of_two() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    take(match, anna, 1)
    take(match, ben, 1)
    played = play.match_resign(match_id=match.pk, player_id=anna.pk, epoch=0, received=timing.now_ms())
    assert played.table.left == (0,)
    match.refresh_from_db()
    assert match.outcome == {"reason": "others_left", "places": [2, 1], "scores": [0, 1]}
    assert list(match.seats.values_list("has_left", "place")) == [(True, 2), (False, 1)]
    again = refusal(lambda: play.match_resign(match_id=match.pk, player_id=anna.pk, epoch=0, received=timing.now_ms()))
    assert again.code == "match_over"
    assert table_of(match) == replayed(match)


def test_a_seat_that_left_moves_no_more() -> None:
    anna, ben, chris = make_players(3)
    match = make_match(anna, ben, chris)
    play.match_resign(match_id=match.pk, player_id=ben.pk, epoch=0, received=timing.now_ms())
    before = stored(match)
    assert refusal(lambda: take(match, ben, 1)).code == "seat_left"
    assert stored(match) == before
    take(match, anna, 1)
    take(match, chris, 1)
    assert table_of(match) == replayed(match)


def test_a_match_of_a_newer_format_is_left_alone() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    position = Position.objects.get(match=match)
    position.snapshot = position.snapshot.replace(f'"format":{FORMAT}', f'"format":{FORMAT + 1},"news":1')
    position.save(update_fields=["snapshot"])
    before = stored(match)
    error = refusal(lambda: take(match, anna, 1))
    assert (error.code, error.status) == ("newer_format", 503)
    assert stored(match) == before


def test_a_match_of_an_unknown_ruleset_is_left_alone() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    Match.objects.filter(pk=match.pk).update(ruleset=9)
    before = stored(match)
    assert refusal(lambda: take(match, anna, 1)).code == "newer_format"
    assert stored(match) == before


@committed
def test_a_worker_is_called_for_what_is_due_soon(wakes: list[tuple[str, int]]) -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, control={"type": "per_move", "move_s": 9})
    take(match, anna, 1)
    assert [match_id for match_id, _ in wakes] == [str(match.pk), str(match.pk)]
    assert all(0 < delay <= 9_300 for _, delay in wakes)


@committed
def test_no_worker_is_called_for_what_is_due_later(wakes: list[tuple[str, int]]) -> None:
    anna, ben = make_players(2)
    take(make_match(anna, ben, control=PER_MOVE), anna, 1)
    assert wakes == []
