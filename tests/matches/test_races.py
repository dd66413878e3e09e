"""Requests that exclude each other, at the same moment."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, connections

from engine.core.waits import LAG
from matches import locking
from matches.errors import ServiceError
from matches.locking import write_position
from matches.models import Seat, Status
from matches.services import lobby, play, upkeep
from matches.services.play import Played
from matches.timing import now_ms
from tests.matches.factories import (
    MOVE_S,
    PER_MOVE,
    at_once,
    begin_ago,
    causes,
    elsewhere,
    held,
    make_lobby,
    make_match,
    make_players,
    refusal,
    replayed,
    table_of,
    take,
)
from tests.matches.toygame import HeapView

pytestmark = pytest.mark.django_db(transaction=True)


def codes(answers: list[Any]) -> list[str]:
    """The refusals among the answers."""
    return sorted(answer.code for answer in answers if isinstance(answer, ServiceError))


def test_the_same_submission_at_once_is_one_move() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    answers: list[Any] = at_once(8, lambda _: take(match, anna, 3))
    assert sorted(answer.repeated for answer in answers) == [False] + [True] * 7
    assert {answer.table.state for answer in answers} == {HeapView(heap=7, turn=1)}
    assert causes(match) == [("open", None), ("move", 0)]
    assert table_of(match) == replayed(match)


def test_of_two_moves_at_once_one_wins() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    answers: list[Any] = at_once(2, lambda index: take(match, anna, 1 + index))
    lost = [answer for answer in answers if isinstance(answer, Exception)]
    won = [answer for answer in answers if not isinstance(answer, Exception)]
    assert [error.code for error in lost] == ["already_answered"]  # type: ignore[attr-defined]
    assert [len(answer.entries) for answer in won] == [1]
    assert causes(match) == [("open", None), ("move", 0)]
    assert table_of(match) == replayed(match)


def test_a_move_waits_for_the_lock_only_so_long() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    with held(match):
        error = elsewhere(lambda: refusal(lambda: take(match, anna, 1)))
    assert (error.code, error.status, error.extra) == ("try_again", 503, {"retry_after": 1})
    assert causes(match) == [("open", None)]
    take(match, anna, 1)


def test_a_move_that_waited_sees_what_it_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Staged: while a move holds the lock and has not committed yet, its repeat begins to read."""
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    repeats: list[Future[Played]] = []

    def write(*arguments: Any) -> int | None:
        monkeypatch.setattr(play, "write_position", write_position)
        due_at = write_position(*arguments)
        repeats.append(workers.submit(repeat))
        wait_for_a_lock()
        return due_at

    def repeat() -> Played:
        try:
            return take(match, anna, 3)
        finally:
            connections.close_all()

    monkeypatch.setattr(locking, "PATIENCE_MS", 20_000)
    monkeypatch.setattr(play, "write_position", write)
    with ThreadPoolExecutor(1) as workers:
        first = take(match, anna, 3)
        second = repeats[0].result(timeout=30)
    assert (first.repeated, second.repeated) == (False, True)
    assert second.entries == first.entries
    assert causes(match) == [("open", None), ("move", 0)]


def wait_for_a_lock() -> None:
    """Until some other connection waits for a lock."""
    with connection.cursor() as cursor:
        for _ in range(3_000):
            cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
            if cursor.fetchone()[0]:
                return
            cursor.execute("SELECT pg_sleep(0.01)")
    raise AssertionError("nobody waits for the lock")


def test_strangers_never_wait_for_a_lock() -> None:
    anna, ben, stranger = make_players(3)
    match = make_match(anna, ben)
    with held(match):
        assert elsewhere(lambda: refusal(lambda: take(match, stranger, 1))).code == "not_seated"


def test_of_a_move_and_a_resignation_at_once_both_or_the_latter_count() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)

    def either(index: int) -> Any:
        if index:
            return take(match, anna, 3)
        return play.match_resign(match_id=match.pk, player_id=anna.pk, epoch=0, received=now_ms())

    refused = codes(at_once(2, either))
    moves = [("move", 0)] if not refused else []
    assert refused in ([], ["match_over"])
    assert causes(match) == [("open", None), *moves, ("leave", None)]
    assert table_of(match) == replayed(match)


def test_the_last_seat_is_taken_once() -> None:
    host, *others = make_players(21)
    match = make_lobby(host, 2, autostart=False)
    answers = at_once(20, lambda index: lobby.match_join(match_id=match.pk, player_id=others[index].pk))
    assert codes(answers) == ["match_full"] * 19
    assert Seat.objects.filter(match=match).count() == 2


def test_a_match_that_fills_up_begins_once() -> None:
    host, *others = make_players(6)
    match = make_lobby(host, 2)
    answers = at_once(5, lambda index: lobby.match_join(match_id=match.pk, player_id=others[index].pk))
    assert codes(answers) == ["match_not_open"] * 4
    assert causes(match) == [("open", None)]
    assert table_of(match) == replayed(match)


def test_one_player_at_many_doors_sits_down_once() -> None:
    host, anna = make_players(2)
    match = make_lobby(host, 4)
    assert codes(at_once(8, lambda _: lobby.match_join(match_id=match.pk, player_id=anna.pk))) == []
    assert list(match.seats.values_list("number", "player")) == [(0, host.pk), (1, anna.pk)]


def test_a_start_and_a_cancellation_at_once_exclude_each_other() -> None:
    host, anna = make_players(2)
    match = make_lobby(host, 2, autostart=False)
    lobby.match_join(match_id=match.pk, player_id=anna.pk)
    ways = (lobby.match_start, lobby.match_cancel)
    answers = at_once(2, lambda index: ways[index](match_id=match.pk, player_id=host.pk))
    assert codes(answers) == ["match_not_open"]
    match.refresh_from_db()
    assert causes(match) == ([("open", None)] if match.status == Status.RUNNING else [])


def test_two_workers_at_once_write_one_log(monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    matches = [begin_ago(monkeypatch, MOVE_S * 1000 + 1_000, anna, ben, control=PER_MOVE) for _ in range(6)]
    answers: list[Any] = at_once(2, lambda _: upkeep.settle_due(seconds=20))
    assert sum(answers) == 6
    for match in matches:
        assert causes(match) == [("open", None), ("flag", 0)]
        assert table_of(match) == replayed(match)


def test_a_worker_passes_by_a_match_that_is_locked(monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    busy, free = (begin_ago(monkeypatch, MOVE_S * 1000 + ago, anna, ben, control=PER_MOVE) for ago in (9_000, 5_000))
    with held(busy):
        assert elsewhere(lambda: upkeep.settle_due(seconds=20)) == 1
        assert elsewhere(lambda: upkeep.match_settle(match_id=busy.pk)) == 0
    assert (causes(busy), causes(free)) == ([("open", None)], [("open", None), ("flag", 0)])


def test_a_move_and_a_worker_at_once_give_a_log_that_replays(monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    match = begin_ago(monkeypatch, MOVE_S * 1000 + 1_000, anna, ben, control=PER_MOVE)
    answers = at_once(2, lambda index: take(match, anna, 3) if index else upkeep.match_settle(match_id=match.pk))
    assert codes(answers) == ["late_move"]
    assert causes(match) == [("open", None), ("flag", 0)]
    assert table_of(match) == replayed(match)


@pytest.mark.parametrize(
    ("offset", "code", "log"), [(-1, None, "move"), (0, "late_move", None), (1, "late_move", None)]
)
def test_around_a_deadline_while_the_sweep_runs_there_is_one_outcome(
    monkeypatch: pytest.MonkeyPatch, offset: int, code: str | None, log: str | None
) -> None:
    """A move received a millisecond before, at and after the deadline, which gets the lock at the end of the lag."""
    anna, ben = make_players(2)
    match = begin_ago(monkeypatch, MOVE_S * 1000 + 5_000, anna, ben, control=PER_MOVE, policy={"on_timeout": "leave"})
    deadline = table_of(match).at + MOVE_S * 1000
    lock = locking._lock

    def lock_within_the_lag(statement: str, **arguments: Any) -> Any:
        return lock(statement, **{**arguments, "now": arguments.get("now") or deadline + LAG - 1})

    monkeypatch.setattr(locking, "_lock", lock_within_the_lag)
    monkeypatch.setattr(locking, "PATIENCE_MS", 20_000)

    def either(index: int) -> Any:
        if index == 0:
            return take(match, anna, 3, received=deadline + offset)
        return [upkeep.settle_due(now=deadline + LAG - 1) for _ in range(20)]

    answers = at_once(4, either)
    assert codes(answers) == ([] if code is None else [code])
    assert causes(match) == [("open", None)] + ([(log, 0)] if log else [])
    upkeep.settle_due(now=deadline + LAG)
    # Ben, whose move it is or isn't, never loses by it.
    assert [seat.has_left for seat in table_of(match).seats] == [log is None, False]
    assert table_of(match) == replayed(match)
