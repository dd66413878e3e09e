"""Couriers die while a mail server has their mail in its hands: every mail arrives, repeats under the same id."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from pytest_django import Settings

from config.local.processes import wait_until
from matches.models import Delivery, Player
from tests.faults import matches as boards
from tests.faults.stage import Stage, stage_on
from tests.matches.receivers import Postbox, mail_server

pytestmark = pytest.mark.live
MATCHES = 3


class SlowPostbox(Postbox):
    """Keeps the first mail's sender waiting: before or after it has taken the mail, it says nothing until told to."""

    def __init__(self) -> None:
        super().__init__()
        self.came, self.go, self.takes_it = Event(), Event(), False

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        is_first = not self.came.is_set()
        if is_first and not self.takes_it:
            self.came.set()
            await asyncio.to_thread(self.go.wait, 60)
            return "451 nobody is there any more"
        answer = await super().handle_DATA(server, session, envelope)
        if is_first:
            self.came.set()
            await asyncio.to_thread(self.go.wait, 60)
        return answer


@pytest.fixture(scope="module")
def stage(data: Path, django_db_blocker: Any) -> Iterator[Stage]:
    """The servers, for all tests of this module."""
    with django_db_blocker.unblock(), stage_on(data) as found:
        yield found


@pytest.fixture
def box(stage: Stage, settings: Settings) -> Iterator[SlowPostbox]:
    """A mail server to which the stage's processes send."""
    boards.clear()
    stage.broker().flushall()
    found = SlowPostbox()
    with mail_server(settings, found):
        stage.environment |= {
            "EMAIL_HOST": "127.0.0.1",
            "EMAIL_PORT": str(settings.EMAIL_PORT),
            "EMAIL_SECURITY": "none",
            "MAIL_COLLECT_S": "3",
        }
        stage.beat()
        yield found
        found.go.set()
        stage.kill(*list(stage.processes))


def claims_are_over() -> None:
    """As if two minutes had passed."""
    Delivery.objects.filter(state="waiting").update(due_at=0)


@pytest.mark.parametrize("takes_it", [False, True], ids=["before the server has it", "after the server has it"])
def test_a_courier_killed_while_it_mails_loses_nothing(*, takes_it: bool, stage: Stage, box: SlowPostbox) -> None:
    box.takes_it = takes_it
    player, other = boards.people(2)
    address = "anna@mail.example"
    Player.objects.filter(pk=player.pk).update(email=address, confirmed_email=address)
    boards.begin(MATCHES, ago=5_000, players=[player, other], games=("splendor",), control={"type": "none"})
    courier = stage.courier()
    assert box.came.wait(60)
    stage.kill(courier)
    assert set(Delivery.objects.values_list("state", "attempts")) == {("waiting", 1)}
    box.go.set()
    stage.courier()
    claims_are_over()
    assert wait_until(lambda: not Delivery.objects.filter(state="waiting").exists(), 60)
    assert set(Delivery.objects.values_list("state", "attempts")) == {("sent", 2)}
    assert len(box.mails) == 1 + takes_it
    assert len({mail["Message-ID"] for mail in box.mails}) == 1
    assert len({mail.get_content() for mail in box.mails}) == 1
