"""What is due happens although nobody looks."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from django.db import OperationalError

from engine.core.fairness import derive_seed
from engine.core.referee import LAG, Referee
from matches import tasks
from matches.locking import FIRST_RETRY_MS, LONGEST_RETRY_MS
from matches.models import Match, MoveRecord, Position, Status
from matches.services import upkeep
from matches.services.moderation import match_void
from tests.matches.factories import (
    MOVE_S,
    PER_MOVE,
    begin_ago,
    causes,
    make_lobby,
    make_match,
    make_player,
    make_players,
    refusal,
    replayed,
    stored,
    table_of,
    take,
)

pytestmark = pytest.mark.django_db

MOVE_MS = MOVE_S * 1000


def due_at(match: Match) -> int | None:
    return Position.objects.get(match=match).due_at


def test_a_match_is_due_a_lag_after_its_clock() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, control=PER_MOVE)
    assert due_at(match) == table_of(match).at + MOVE_MS + LAG


def test_nothing_is_settled_before_it_is_due() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, control=PER_MOVE)
    due = table_of(match).at + MOVE_MS + LAG
    before = stored(match)
    assert upkeep.settle_due(now=due - 1) == 0
    assert stored(match) == before
    assert upkeep.settle_due(now=due) == 1
    assert causes(match) == [("open", None), ("flag", 0)]


def test_what_fires_late_is_logged_at_its_time() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, control=PER_MOVE)
    begun = table_of(match).at
    assert upkeep.settle_due(now=begun + 3 * MOVE_MS + 10_000) == 3
    assert list(MoveRecord.objects.filter(match=match, number__gt=1).values_list("at", "received", "seat")) == [
        (begun + n * MOVE_MS, begun + n * MOVE_MS, (n - 1) % 2) for n in (1, 2, 3)
    ]
    assert table_of(match) == replayed(match)


def test_a_match_that_nobody_touches_ends_by_itself() -> None:
    """Three turns missed each, then seat 0 leaves when its clock runs out once more."""
    anna, ben = make_players(2)
    match = make_match(anna, ben, control=PER_MOVE, options={"heap": 100})
    take(match, anna, 1)
    take(match, ben, 1)
    now, settled = table_of(match).at, 0
    for _ in range(20):
        now += MOVE_MS
        settled += upkeep.settle_due(now=now)
    match.refresh_from_db()
    assert match.status == Status.FINISHED
    assert match.outcome == {"reason": "others_left", "places": [2, 1], "scores": [0, 1]}
    assert settled == 7
    moves = [("move", 0), ("move", 1)]
    assert causes(match) == [("open", None), *moves, *[("flag", 0), ("flag", 1)] * 3, ("flag", None)]
    assert due_at(match) is None
    assert table_of(match) == replayed(match)


def test_a_match_that_nobody_has_ever_touched_is_abandoned() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, control=PER_MOVE, policy={"on_timeout": "leave"})
    assert upkeep.settle_due(now=table_of(match).at + MOVE_MS + LAG) == 1
    match.refresh_from_db()
    assert (match.status, match.outcome) == (Status.ABANDONED, None)
    assert table_of(match) == replayed(match)


def test_a_timer_of_the_rules_ends_a_match() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, options={"time_limit_s": 30})
    begun = table_of(match).at
    assert upkeep.settle_due(now=begun + 30_000 + LAG) == 1
    match.refresh_from_db()
    assert match.outcome == {"reason": "time_limit", "places": [1, 1], "scores": [0, 0]}
    assert causes(match) == [("open", None), ("timer", None)]


def test_a_match_without_clocks_is_abandoned_in_the_end() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, control={"type": "none", "idle_limit_s": 3600})
    begun = table_of(match).at
    assert upkeep.settle_due(now=begun + 3_600_000 + LAG) == 1
    match.refresh_from_db()
    assert (match.status, match.outcome) == (Status.ABANDONED, None)
    assert causes(match) == [("open", None), ("abandon", None)]
    assert table_of(match) == replayed(match)


def test_settling_twice_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    match = begin_ago(monkeypatch, MOVE_MS + 1_000, anna, ben, control=PER_MOVE)
    assert tasks.settle_match(str(match.pk)) == 1
    before = stored(match)
    assert tasks.settle_match(str(match.pk)) == 0
    assert tasks.settle_due() == 0
    assert stored(match) == before


def test_a_match_that_is_no_more_or_has_not_begun_is_no_error() -> None:
    assert upkeep.match_settle(match_id=UUID(int=0)) == 0


@pytest.fixture
def breaks(monkeypatch: pytest.MonkeyPatch) -> list[UUID]:
    """The matches whose settling fails."""
    broken: list[UUID] = []
    settle = Referee.settle

    def fail(referee: Referee[Any, Any, Any, Any, Any], table: Any, now: int) -> Any:
        if any(referee.seed == seed_of(match_id) for match_id in broken):
            raise ZeroDivisionError("broken")
        return settle(referee, table, now)

    monkeypatch.setattr(Referee, "settle", fail)
    return broken


def seed_of(match_id: UUID) -> Any:
    match = Match.objects.get(pk=match_id)
    return derive_seed(bytes(match.secret), str(match_id), [bytes(seat.salt) for seat in match.seats.all()])


def test_a_match_whose_settling_fails_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch, breaks: list[UUID]) -> None:
    anna, ben = make_players(2)
    stuck, other = (begin_ago(monkeypatch, MOVE_MS + ago, anna, ben, control=PER_MOVE) for ago in (9_000, 5_000))
    breaks.append(stuck.pk)
    log = causes(stuck)
    now = (due_at(other) or 0) + 1_000
    assert upkeep.settle_due(now=now) == 1
    position = Position.objects.get(match=stuck)
    assert (position.fails, position.retry_at) == (1, now + FIRST_RETRY_MS)
    assert position.last_error == "ZeroDivisionError: broken"
    assert causes(stuck) == log
    assert causes(other) == [("open", None), ("flag", 0)]


def test_a_stuck_match_is_tried_again_less_and_less_often(monkeypatch: pytest.MonkeyPatch, breaks: list[UUID]) -> None:
    anna, ben = make_players(2)
    match = begin_ago(monkeypatch, MOVE_MS + 1_000, anna, ben, control=PER_MOVE)
    breaks.append(match.pk)
    now, waits = due_at(match) or 0, []
    for _ in range(12):
        upkeep.settle_due(now=now)
        assert upkeep.settle_due(now=now) == 0
        retry_at = Position.objects.get(match=match).retry_at or 0
        waits.append(retry_at - now)
        now = retry_at
    assert waits == [*(FIRST_RETRY_MS * 2**n for n in range(10)), LONGEST_RETRY_MS, LONGEST_RETRY_MS]


def test_a_stuck_match_refuses_moves_until_it_is_settled(monkeypatch: pytest.MonkeyPatch, breaks: list[UUID]) -> None:
    anna, ben = make_players(2)
    match = begin_ago(monkeypatch, MOVE_MS + 1_000, anna, ben, control=PER_MOVE)
    breaks.append(match.pk)
    upkeep.settle_due()
    before = stored(match)
    error = refusal(lambda: take(match, ben, 1))
    assert (error.code, error.status) == ("match_stuck", 503)
    assert upkeep.match_settle(match_id=match.pk) == 0
    assert stored(match) == before
    breaks.clear()
    assert upkeep.settle_due(now=(due_at(match) or 0) + FIRST_RETRY_MS + 5_000) == 1
    position = Position.objects.get(match=match)
    assert (position.fails, position.retry_at, position.last_error) == (0, None, "")
    assert take(match, ben, 1, serial=1).table.state.heap == 8


def test_a_match_of_a_newer_process_is_left_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    newer, other = (begin_ago(monkeypatch, MOVE_MS + ago, anna, ben, control=PER_MOVE) for ago in (9_000, 5_000))
    Match.objects.filter(pk=newer.pk).update(ruleset=9)
    before = stored(newer)
    assert upkeep.settle_due() == 1
    assert stored(newer) == before
    assert causes(other) == [("open", None), ("flag", 0)]


def test_a_worker_stops_when_its_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    for _ in range(3):
        begin_ago(monkeypatch, MOVE_MS + 1_000, anna, ben, control=PER_MOVE)
    assert upkeep.settle_due(seconds=0) == 1
    assert upkeep.settle_due(seconds=20) == 2


def test_a_log_that_does_not_fit_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the database refuses of one match is that match's trouble."""
    anna, ben = make_players(2)
    odd, other = (begin_ago(monkeypatch, MOVE_MS + ago, anna, ben, control=PER_MOVE) for ago in (9_000, 5_000))
    MoveRecord.objects.create(match=odd, number=2, at=0, received=0, cause="stop", entry="{}")
    assert upkeep.settle_due() == 1
    assert Position.objects.get(match=odd).fails == 1
    assert "moverecord_pkey" in Position.objects.get(match=odd).last_error
    assert causes(other) == [("open", None), ("flag", 0)]


def test_a_database_out_of_order_is_no_fault_of_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    match = begin_ago(monkeypatch, MOVE_MS + 1_000, anna, ben, control=PER_MOVE)

    def fail(*arguments: Any) -> None:
        raise OperationalError("the disk is full")

    before = stored(match)
    with monkeypatch.context() as patch:
        patch.setattr(upkeep, "write_position", fail)
        with pytest.raises(OperationalError):
            upkeep.settle_due()
    assert stored(match) == before
    assert upkeep.settle_due() == 1


def test_a_match_can_be_made_void() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    take(match, anna, 3)
    by: dict[str, Any] = {"actor_id": make_player().pk, "reason": "a fault of ours"}
    match_void(match_id=match.pk, **by)
    match.refresh_from_db()
    assert (match.status, match.outcome, due_at(match)) == (Status.VOID, None, None)
    assert causes(match) == [("open", None), ("move", 0), ("void", None)]
    assert table_of(match) == replayed(match)
    before = stored(match)
    assert refusal(match_void, match_id=match.pk, **by).code == "match_over"
    assert refusal(match_void, match_id=make_lobby(anna).pk, **by).code == "match_not_running"
    assert stored(match) == before
