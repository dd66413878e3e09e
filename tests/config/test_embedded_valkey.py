"""The embedded broker keeps what was queued."""

import os
import signal
from pathlib import Path

import pytest
from kombu import Connection

from config.local import places
from config.local.processes import wait_until
from config.local.valkey import Valkey


@pytest.fixture(scope="module")
def valkey(data: Path) -> Valkey:
    return Valkey(data, places.service_account())


def put(valkey: Valkey, numbers: range) -> None:
    with Connection(valkey.url) as connection, connection.SimpleQueue("kept") as queue:
        for number in numbers:
            queue.put(number)


def take(valkey: Valkey, count: int) -> list[int]:
    with Connection(valkey.url) as connection, connection.SimpleQueue("kept", no_ack=True) as queue:
        return [queue.get(timeout=5).payload for _ in range(count)]


def test_queued_messages_outlive_a_killed_broker(valkey: Valkey) -> None:
    valkey.ensure()
    put(valkey, range(20))
    pid = valkey.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    assert wait_until(lambda: valkey.pid is None, 10)
    valkey.ensure()
    assert valkey.pid not in {pid, None}
    assert take(valkey, 20) == list(range(20))


def test_queued_messages_outlive_a_stop(valkey: Valkey) -> None:
    valkey.ensure()
    put(valkey, range(3))
    valkey.stop()
    assert valkey.pid is None
    valkey.ensure()
    assert take(valkey, 3) == [0, 1, 2]


def test_a_running_broker_is_used_as_it_is(valkey: Valkey) -> None:
    valkey.ensure()
    before = valkey.pid
    valkey.ensure()
    assert valkey.pid == before
