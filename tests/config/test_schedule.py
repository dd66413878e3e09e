"""What happens by the clock is written in code."""

import pytest

from config.celery import app


def test_due_matches_are_settled_every_second_and_late_calls_expire() -> None:
    assert app.conf.beat_schedule["settle_due"] == {
        "task": "matches.settle_due",
        "schedule": 1.0,
        "options": {"expires": 1},
    }


def test_whatever_comes_again_expires_before_its_next_turn() -> None:
    for entry in app.conf.beat_schedule.values():
        assert 0 < entry["options"]["expires"] <= entry["schedule"]


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
