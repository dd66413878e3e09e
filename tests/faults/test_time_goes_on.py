"""Workers, beats, broker and database die, are late, and do things twice: after all of it the logs are the same."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.local.processes import wait_until
from matches.models import Match, MoveRecord, Outage
from tests.faults import matches as boards
from tests.faults.stage import Stage, stage_on
from tests.ports import free_port

pytestmark = pytest.mark.live

MINUTE, HOUR = 60_000, 3_600_000
MATCHES = 150


@pytest.fixture(scope="module")
def stage(data: Path, django_db_blocker: pytest.FixtureRequest) -> Iterator[Stage]:
    """The servers, for all tests of this module."""
    with django_db_blocker.unblock(), stage_on(data) as found:  # type: ignore[attr-defined]
        yield found


@pytest.fixture(autouse=True)
def clean(stage: Stage) -> Iterator[None]:
    """Every test begins with no match, no message and no process."""
    boards.clear()
    stage.broker().flushall()
    yield
    stage.kill(*list(stage.processes))


@pytest.fixture
def overdue(stage: Stage, clean: None) -> list[Match]:
    """Matches in which twenty minutes have passed that nobody has noticed."""
    found = boards.begin(MATCHES, ago=20 * MINUTE)
    assert boards.logged() == MATCHES
    return found


def wait_for_the_middle() -> None:
    """Until some of the matches were settled and others were not."""
    boards.wait_for_more_than(MATCHES)
    assert boards.are_overdue()


def test_a_worker_that_is_killed_in_the_middle_of_a_batch(stage: Stage, overdue: list[Match]) -> None:
    stage.beat()
    for _ in range(3):
        worker = stage.worker()
        before = boards.logged()
        boards.wait_for_more_than(before)
        stage.kill(worker)
    stage.worker()
    boards.wait_for_all()
    assert boards.must_be_undisturbed(overdue) > 10 * MATCHES


def test_two_beats_and_two_workers_at_once(stage: Stage, overdue: list[Match]) -> None:
    for _ in range(2):
        stage.beat()
        stage.worker(2)
    boards.wait_for_all()
    assert boards.must_be_undisturbed(overdue) > 10 * MATCHES


def test_a_broker_that_is_emptied_and_restarted(stage: Stage, overdue: list[Match]) -> None:
    stage.beat()
    stage.worker()
    wait_for_the_middle()
    stage.restart_broker()
    boards.wait_for_all()
    assert boards.must_be_undisturbed(overdue) > 10 * MATCHES


def test_a_database_that_is_restarted(stage: Stage, overdue: list[Match]) -> None:
    stage.beat()
    stage.worker()
    wait_for_the_middle()
    stage.restart_database()
    boards.wait_for_all()
    assert boards.must_be_undisturbed(overdue) > 10 * MATCHES


def test_a_worker_that_is_an_hour_late(stage: Stage) -> None:
    found = boards.begin(MATCHES // 3, ago=HOUR + MINUTE, policy={"on_timeout": "play_on", "strikes": 100})
    stage.beat()
    stage.worker()
    boards.wait_for_all()
    assert boards.must_be_undisturbed(found) > 10 * len(found)


def test_every_task_delivered_three_times(stage: Stage, overdue: list[Match]) -> None:
    for match in overdue:
        stage.send("matches.settle_match", [str(match.pk)], times=3)
    stage.send("matches.settle_due", times=3)
    stage.worker(2)
    boards.wait_for_all()
    assert wait_until(lambda: stage.broker().llen("celery") == 0, 60)
    assert boards.must_be_undisturbed(overdue) > 10 * MATCHES


def test_nobody_loses_on_time_while_the_whole_service_is_down_for_three_hours(stage: Stage) -> None:
    hour = {"type": "per_move", "move_s": 3_600}
    found = boards.begin(200, ago=3 * HOUR + 5 * MINUTE, control=hour, policy={"on_timeout": "leave"})
    begins = boards.no_heartbeat_since(3 * HOUR)
    stage.beat()
    stage.worker()
    # The worker is there first, and waits for the web.
    time.sleep(3)
    assert boards.logged() == 200
    stage.web(free_port())
    assert wait_until(lambda: MoveRecord.objects.filter(cause="start").count() == 200, 60)
    outage = Outage.objects.get()
    assert outage.begins == begins
    assert outage.ends - outage.begins >= 3 * HOUR
    assert boards.lost_on_time(found) == []
    assert boards.must_be_undisturbed(found) == 3 * 200
