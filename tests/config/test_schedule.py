"""What happens by the clock is written in code."""

from __future__ import annotations

import time
from typing import Any

import pytest
from celery.utils.threads import LocalStack

from config.celery import app
from config.ticks import PERIOD, Task


def test_due_matches_are_settled_every_second() -> None:
    entry = app.conf.beat_schedule["settle_due"]
    assert (entry["task"], entry["schedule"]) == ("matches.settle_due", 1.0)


def test_nothing_expires_because_a_clock_is_a_minute_off_and_nothing_is_kept_for_long() -> None:
    for entry in app.conf.beat_schedule.values():
        assert 60 < entry["options"]["expires"] - entry["schedule"] <= 120


class Counted(Task):
    """Counts how often it is done."""

    name = "counted"

    def __init__(self) -> None:
        self.times = 0
        self.request_stack = LocalStack()

    def run(self) -> None:
        self.times += 1


def asked(task: Any, period: float | None) -> Any:
    """Run it as a worker does."""
    task.push_request(headers=None if period is None else {PERIOD: period})
    try:
        return task()
    finally:
        task.pop_request()


def test_what_beat_sends_is_passed_over_right_behind_the_same_and_what_others_send_is_not() -> None:
    count = Counted()
    for _ in range(5):
        asked(count, 3600)
    assert count.times == 1
    asked(count, None)
    asked(count, 0.0)
    count()
    assert count.times == 4


def test_what_beat_sends_is_done_again_in_its_next_turn() -> None:
    count = Counted()
    for _ in range(3):
        asked(count, 0.02)
        time.sleep(0.02)
    assert count.times == 3


def test_everything_in_the_schedule_is_a_task() -> None:
    app.loader.import_default_modules()
    assert {entry["task"] for entry in app.conf.beat_schedule.values()} <= set(app.tasks)


def test_a_task_is_lost_neither_with_its_worker_nor_handed_out_twice_while_it_runs() -> None:
    assert app.conf.task_acks_late is True
    assert app.conf.task_reject_on_worker_lost is True
    assert app.conf.worker_prefetch_multiplier == 1
    assert app.conf.broker_transport_options["visibility_timeout"] > app.conf.task_time_limit


def test_only_json_is_spoken(broker: str) -> None:
    assert app.conf.accept_content == ["json"]
    assert app.conf.task_serializer == "json"
    assert app.conf.broker_url == broker
    assert "settle_due" in app.conf.beat_schedule


@pytest.mark.django_db
def test_every_task_of_the_schedule_has_nothing_to_do_where_there_is_nothing() -> None:
    app.loader.import_default_modules()
    for entry in app.conf.beat_schedule.values():
        assert not app.tasks[entry["task"]](), entry["task"]
