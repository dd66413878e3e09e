"""Calling a worker for what is due soon, which must never hurt a move."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from celery import current_app
from kombu import Connection

from matches.broker import PATIENCE_S, QUIET_S, _Broker
from matches.services import wake

settle_later = wake.settle_later


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    _Broker.quiet_until = 0.0
    yield
    _Broker.quiet_until = 0.0


def test_the_task_is_sent_with_its_delay(broker: str) -> None:
    match_id = uuid4()
    settle_later(match_id=match_id, delay_ms=1_500)
    with Connection(broker) as connection, connection.SimpleQueue(current_app.conf.task_default_queue) as queue:
        message = queue.get(timeout=5)
        message.ack()
    assert message.headers["task"] == "matches.settle_match"
    assert message.payload[0] == [str(match_id)]
    assert message.headers["eta"] is not None


def test_a_connection_that_broke_is_made_anew(broker: str) -> None:
    with Connection(broker) as connection, connection.SimpleQueue(current_app.conf.task_default_queue) as queue:
        settle_later(match_id=uuid4(), delay_ms=0)
        queue.get(timeout=5).ack()
        connection.default_channel.client.client_kill_filter(_type="normal", skipme=True)
        match_id = uuid4()
        settle_later(match_id=match_id, delay_ms=0)
        message = queue.get(timeout=5)
        message.ack()
    assert message.payload[0] == [str(match_id)]


def test_a_broker_that_is_down_is_left_alone_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tried: list[Connection] = []
    connection_for_write = current_app.connection_for_write

    def counted(**options: Any) -> Connection:
        connection = connection_for_write(f"redis+socket://{tmp_path}/nothing", **options)
        if options:  # Celery makes some without any, once in a process, and opens none of them.
            tried.append(connection)
        return connection

    monkeypatch.setattr(current_app, "connection_for_write", counted)
    begun = time.monotonic()
    settle_later(match_id=uuid4(), delay_ms=0)
    settle_later(match_id=uuid4(), delay_ms=0)
    assert len(tried) == 1
    assert _Broker.quiet_until >= begun + QUIET_S
    assert "broker is down" in caplog.text
    assert tried[0].transport_options["max_retries"] == 1
    assert tried[0].transport_options["socket_connect_timeout"] == PATIENCE_S
