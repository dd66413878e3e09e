"""Workers and receivers die, fail and time out: each event of real matches comes, in order, under one id."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from msgspec import json
from pytest_django import Settings

from config.local.processes import wait_until
from matches.models import Player, Webhook
from matches.services import webhooks
from matches.services.deliveries.webhook import CLAIM_MS
from matches.services.players import Identity
from tests.deliveries.hooks import is_signed
from tests.deliveries.receiver import Request
from tests.faults import matches as boards
from tests.faults.stage import Process, Stage, stage_on
from tests.ports import free_port

pytestmark = pytest.mark.live
MATCHES = 6


class Hook(NamedTuple):
    """A webhook, its secret, and the receiver's port and file."""

    webhook: Webhook
    secret: str
    port: int
    file: Path

    def came(self) -> list[Request]:
        """What the receiver has got so far."""
        if not self.file.exists():
            return []
        return [json.decode(line, type=Request) for line in self.file.read_bytes().splitlines()]

    def start(self, stage: Stage, *script: str) -> Process:
        """The receiver, in a process of its own."""
        return stage.start("tests.faults.receiver", str(self.port), str(self.file), *script)


@pytest.fixture(scope="module")
def stage(data: Path, django_db_blocker: Any) -> Iterator[Stage]:
    """The servers, which may reach the loopback."""
    with django_db_blocker.unblock(), stage_on(data) as found:
        found.environment |= {"OUTGOING_NETWORKS": "127.0.0.0/8", "OUTGOING_HTTP": "true"}
        yield found


@pytest.fixture
def hook(stage: Stage, settings: Settings, tmp_path: Path) -> Iterator[Hook]:
    """A webhook of somebody who then begins matches; a beat runs."""
    settings.OUTGOING_NETWORKS, settings.OUTGOING_HTTP = ["127.0.0.0/8"], True
    settings.SECRET_KEY = stage.environment["SECRET_KEY"]
    boards.clear()
    stage.broker().flushall()
    owner = Player.objects.create_player("owner")
    port = free_port()
    made = webhooks.webhook_create(
        identity=Identity(owner.pk, 0), url=f"http://127.0.0.1:{port}/hook", kinds=["started"]
    )
    stage.beat()
    yield Hook(made.webhook, made.secret, port, tmp_path / "came")
    stage.kill(*list(stage.processes))


def begin(hook: Hook) -> None:
    """Matches of the owner: of each there is an event."""
    boards.begin(MATCHES, ago=5_000, players=[hook.webhook.player, *boards.people(1)], games=("splendor",))


def must_have_come(hook: Hook, number: int) -> None:
    """Every event came, at first in order, signed, and repeats are the same to the byte."""
    assert wait_until(lambda: len({one.headers["webhook-id"] for one in hook.came()}) == number, 90), hook.came()
    assert wait_until(lambda: not hook.webhook.events.filter(state="waiting").exists(), 30)
    came = hook.came()
    assert all(is_signed(one, hook.secret) for one in came)
    first = {one.headers["webhook-id"]: one.body for one in reversed(came)}
    assert all(first[one.headers["webhook-id"]] == one.body for one in came)
    order = list(dict.fromkeys(json.decode(one.body)["sequence"] for one in came))
    assert order == list(range(1, number + 1))


def test_a_receiver_that_fails_times_out_and_drops_connections(stage: Stage, hook: Hook) -> None:
    hook.start(stage, "500", "204", "dead", "204", "silent", "204")
    stage.courier()
    begin(hook)
    must_have_come(hook, MATCHES)
    assert len(hook.came()) == MATCHES + 3


def test_a_worker_that_is_killed_while_the_receiver_has_the_event(stage: Stage, hook: Hook) -> None:
    hook.start(stage, "204", "3.5")
    courier = stage.courier()
    begin(hook)
    assert wait_until(lambda: len(hook.came()) == 2, 60)
    stage.kill(courier)
    stage.courier()
    must_have_come(hook, MATCHES)
    second, third = hook.came()[1:3]
    assert (second.headers["webhook-id"], second.body) == (third.headers["webhook-id"], third.body)
    assert int(third.headers["webhook-timestamp"]) - int(second.headers["webhook-timestamp"]) >= CLAIM_MS / 1000 - 1


def test_a_receiver_that_is_killed_and_comes_again(stage: Stage, hook: Hook) -> None:
    receiver = hook.start(stage, "204", "silent")
    stage.courier()
    begin(hook)
    assert wait_until(lambda: len(hook.came()) == 2, 60)
    stage.kill(receiver)
    hook.start(stage)
    must_have_come(hook, MATCHES)


def test_a_broker_and_a_database_that_are_restarted(stage: Stage, hook: Hook) -> None:
    hook.start(stage, *["0.3"] * 20)
    stage.courier()
    begin(hook)
    assert wait_until(lambda: len(hook.came()) >= 1, 60)
    stage.restart_broker()
    stage.restart_database()
    must_have_come(hook, MATCHES)
