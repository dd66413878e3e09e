"""Workers that send at once, die and come back late; receivers that are silent or flooded keep nobody else waiting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from django.db import connection

from matches.hooklocks import lock_webhooks_due
from matches.models import Webhook
from matches.services.deliveries import outgoing, webhook
from tests.deliveries.hooks import Clock, add_events, make_webhook, sequences, states
from tests.deliveries.receiver import Receiver, receiving
from tests.matches.factories import elsewhere

pytestmark = pytest.mark.django_db
WITH_OTHERS = pytest.mark.django_db(transaction=True)
DAY_S = 86_400


def test_who_dies_between_sending_and_writing_it_down_leaves_an_event_that_comes_again(
    receiver: Receiver, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook, _ = make_webhook(receiver)
    add_events(hook, 2)
    with monkeypatch.context() as dying:
        dying.setattr(webhook, "_conclude", dies)
        with pytest.raises(MemoryError):
            clock.send_after(0)
    assert sequences(receiver) == [1]
    assert clock.send_after(webhook.CLAIM_MS / 1000 - 0.001) == 0
    assert clock.send_after(0.001) == 2
    assert sequences(receiver) == [1, 1, 2]
    assert receiver.seen[0].headers["webhook-id"] == receiver.seen[1].headers["webhook-id"]
    assert receiver.seen[0].body == receiver.seen[1].body


def dies(*_: Any) -> None:
    raise MemoryError


def test_a_worker_that_comes_back_late_spoils_nothing(receiver: Receiver, clock: Clock) -> None:
    """Its claim is over, another one has sent the event and is at the next one."""
    hook, _ = make_webhook(receiver)
    add_events(hook, 2)
    (late,) = webhook._claim(1, is_slow=False)
    clock.now += webhook.CLAIM_MS
    (second,) = webhook._claim(1, is_slow=False)
    assert late.event_id == second.event_id
    webhook._conclude(second, webhook._send(second))
    (third,) = webhook._claim(1, is_slow=False)
    webhook._conclude(late, webhook._send(late))
    hook.refresh_from_db()
    assert hook.claimed_until == third.until
    assert webhook._claim(1, is_slow=False) == []
    webhook._conclude(third, webhook._send(third))
    assert states(hook) == ["sent", "sent"]


@WITH_OTHERS
def test_what_is_being_claimed_is_passed_over_by_others(receiver: Receiver, clock: Clock) -> None:
    hook, _ = make_webhook(receiver)
    other, _ = make_webhook(receiver)
    add_events(hook, 1)
    add_events(other, 1)
    found: list[int] = []
    truth = lock_webhooks_due

    def stop_there(**given: Any) -> list[Webhook]:
        locked = truth(**{**given, "most": 1})
        found.extend(claim.webhook_id for claim in elsewhere(lambda: without_stop(truth)))
        return locked

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(webhook, "lock_webhooks_due", stop_there)
        first = webhook._claim(1, is_slow=False)
    assert sorted([first[0].webhook_id, *found]) == sorted([hook.pk, other.pk])


def without_stop(truth: Callable[..., list[Webhook]]) -> list[webhook.Claim]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(webhook, "lock_webhooks_due", truth)
        return webhook._claim(5, is_slow=False)


def test_a_receiver_is_never_asked_twice_at_once(receiver: Receiver, clock: Clock) -> None:
    hook, _ = make_webhook(receiver)
    receiver.usual = 0.05
    add_events(hook, 10)
    assert clock.send_after(0) == 10
    assert (sequences(receiver), receiver.most_at_once) == (list(range(1, 11)), 1)


@pytest.fixture
def silent_receivers(receiver: Receiver) -> Iterator[list[Receiver]]:
    """More of them than there are threads for receivers that are slow."""
    with ExitStack() as stack:
        made = [stack.enter_context(receiving()) for _ in range(webhook.LANES[True] + 4)]
        for one in made:
            one.usual = "silent"
        yield made


def test_receivers_that_are_silent_keep_nobody_else_waiting(
    receiver: Receiver, silent_receivers: list[Receiver], clock: Clock, hurried: None
) -> None:
    """They have shown it before, so they wait in their own lane: the event for another one comes in between."""
    silent = [make_webhook(one).webhook for one in silent_receivers]
    Webhook.objects.filter(pk__in=[hook.pk for hook in silent]).update(is_slow=True)
    for hook in silent:
        add_events(hook, 5)
    hook, _ = make_webhook(receiver)
    add_events(hook, 3)
    order = []
    concluded = webhook._conclude

    def note(claim: webhook.Claim, answer: outgoing.Answer) -> None:
        order.append(claim.webhook_id)
        concluded(claim, answer)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(webhook, "_conclude", note)
        assert clock.send_after(0) == 3 + len(silent)
    assert order[:3] == [hook.pk] * 3


def test_a_flood_for_one_receiver_does_not_starve_another(receiver: Receiver, clock: Clock) -> None:
    flooded, _ = make_webhook(receiver)
    add_events(flooded, 60)
    with receiving() as second:
        quiet, _ = make_webhook(second)
        add_events(quiet, 1, at=clock.now + 1)
        clock.now += 1
        order: list[int] = []
        claimed = webhook._claimed

        def note(hook: Webhook, *rest: Any) -> webhook.Claim:
            order.append(hook.pk)
            return claimed(hook, *rest)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(webhook, "_claimed", note)
            assert clock.send_after(0) == 61
    assert order.index(quiet.pk) <= 1
    assert sequences(receiver) == list(range(1, 61))


def test_one_thread_of_a_process_looks_for_what_is_due(receiver: Receiver, clock: Clock) -> None:
    hook, _ = make_webhook(receiver)
    add_events(hook, 1)
    with webhook._looking:
        assert clock.send_after(0) == 0
    assert clock.send_after(0) == 1


@WITH_OTHERS
def test_nothing_is_locked_while_a_request_is_under_way(receiver: Receiver, clock: Clock) -> None:
    hook, _ = make_webhook(receiver)
    add_events(hook, 1)
    locked: list[bool] = []
    truth = webhook._send

    def look(claim: webhook.Claim) -> outgoing.Answer:
        locked.append(connection.in_atomic_block)
        # Another worker may write, at once.
        elsewhere(lambda: add_events(hook, 1))
        return truth(claim)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(webhook, "_send", look)
        patch.setattr(webhook, "LANES", {False: 1, True: 1})
        webhook.webhooks_send(seconds=0.05)
    assert locked
    assert not any(locked)
    hook.refresh_from_db()
    assert hook.told == 1 + len(locked)
