"""Each event reaches its receiver, in order, whatever the receiver does meanwhile; nobody waits for somebody else's."""

from __future__ import annotations

import pytest
from django.core import mail
from msgspec import json

from matches.models import EventState, Stopped, Webhook, WebhookAttempt, WebhookEvent
from matches.selectors import webhook_failures
from matches.services import webhooks
from matches.services.deliveries import webhook
from matches.services.deliveries.events import KEPT_MS
from matches.services.players import Identity
from tests.deliveries.hooks import SECOND, Clock, add_events, is_signed, log_of, make_webhook, sequences, states
from tests.deliveries.receiver import Receiver
from tests.matches.factories import make_player

pytestmark = pytest.mark.django_db
WITH_OTHERS = pytest.mark.django_db(transaction=True)
DAY_S = 86_400


def test_an_event_comes_once_signed_with_all_that_it_says(receiver: Receiver, clock: Clock) -> None:
    hook, secret = make_webhook(receiver)
    (event,) = add_events(hook, 1)
    assert clock.send_after(1) == 1
    assert clock.send_after(DAY_S) == 0
    (request,) = receiver.seen
    assert is_signed(request, secret)
    assert request.headers["webhook-id"] == str(event.pk)
    assert request.headers["webhook-timestamp"] == str((clock.now - DAY_S * SECOND) // 1000)
    assert request.headers["content-type"] == "application/json"
    assert json.decode(request.body) == {
        "id": str(event.pk),
        "sequence": 1,
        "kind": "turn",
        "time": event.created_at,
        "match": None,
        "game": None,
        "seat": 1,
        "serial": None,
        "about": None,
        "deadline": None,
    }
    assert (states(hook), log_of(event)) == (["sent"], [(204, "")])


def test_nobody_elses_secret_fits(receiver: Receiver, clock: Clock) -> None:
    hook, secret = make_webhook(receiver)
    other = make_webhook(receiver).secret
    add_events(hook, 1)
    clock.send_after(0)
    assert (is_signed(receiver.seen[0], secret), is_signed(receiver.seen[0], other)) == (True, False)


def test_both_secrets_sign_for_a_day(receiver: Receiver, clock: Clock) -> None:
    hook, first = make_webhook(receiver)
    rotated = webhooks.secret_rotate(
        identity=Identity(hook.player_id, 0),
        webhook_id=hook.pk,
    )
    for seconds in (0, DAY_S):
        add_events(hook, 1)
        clock.send_after(seconds)
    during, after = receiver.seen
    assert (is_signed(during, first), is_signed(during, rotated.secret)) == (True, True)
    assert (is_signed(after, first), is_signed(after, rotated.secret)) == (False, True)


def test_a_receiver_that_fails_times_out_and_repeats_gets_each_event_in_order(
    receiver: Receiver, clock: Clock, hurried: None
) -> None:
    hook, _ = make_webhook(receiver)
    receiver.script = [500, "silent", 204, "dripping", "dead", 503, 200]
    add_events(hook, 3)
    # 500, then the retry after 5 s in silence, then after 30 s; the second fails thrice.
    waits = [0, 5, 30, 5, 30, 120]
    assert [clock.send_after(seconds) for seconds in waits] == [1, 1, 2, 1, 1, 2]
    assert sequences(receiver) == [1, 1, 1, 2, 2, 2, 2, 3]
    assert states(hook) == ["sent", "sent", "sent"]
    ids = [request.headers["webhook-id"] for request in receiver.seen]
    assert len(set(ids)) == 3
    bodies = [request.body for request in receiver.seen]
    assert len(set(bodies)) == 3
    first, second, _ = hook.events.order_by("sequence")
    assert log_of(first) == [(500, ""), (None, "timeout"), (204, "")]
    assert log_of(second) == [(None, "timeout"), (None, "broken_answer"), (503, ""), (200, "")]


def test_no_attempt_is_made_before_its_time(receiver: Receiver, clock: Clock) -> None:
    hook, _ = make_webhook(receiver)
    receiver.usual = 500
    add_events(hook, 1)
    for wait in webhook.RETRIES_S:
        assert clock.send_after(0) == 1
        assert clock.send_after(wait - 0.001) == 0
        clock.now += 1
    assert states(hook) == ["waiting"]
    assert clock.send_after(0) == 1
    assert states(hook) == ["failed"]
    assert clock.send_after(10 * DAY_S) == 0
    assert len(receiver.seen) == len(webhook.RETRIES_S) + 1


def test_one_event_that_is_never_taken_lets_the_others_by(receiver: Receiver, clock: Clock) -> None:
    hook, _ = make_webhook(receiver)
    add_events(hook, 3)
    receiver.script = [400] * 4 + [204, 400]
    assert [clock.send_after(seconds) for seconds in (0, 5, 30, 120, 120, 5)] == [1, 1, 1, 1, 2, 1]
    # Where the receiver is well again all that waits is tried once, and then keeps to its own time.
    assert sequences(receiver) == [1, 1, 1, 1, 2, 1, 3]
    assert clock.send_after(3600 - 6) == 0
    assert clock.send_after(1) == 1
    assert states(hook) == ["sent", "sent", "sent"]


@pytest.mark.parametrize(("asked", "waits"), [("7", 7), ("1", 5), ("99999", 3600), ("tomorrow", 5), ("-3", 5)])
def test_a_receiver_that_says_when_to_come_again_is_heard_within_bounds(
    receiver: Receiver, clock: Clock, asked: str, waits: int
) -> None:
    hook, _ = make_webhook(receiver)
    add_events(hook, 2)
    receiver.script = [(429, f"Retry-After: {asked}")]
    assert clock.send_after(0) == 1
    assert clock.send_after(waits - 0.001) == 0
    assert clock.send_after(0.001) == 2
    assert sequences(receiver) == [1, 1, 2]


def test_who_answers_410_is_told_nothing_more_until_it_is_switched_on(receiver: Receiver, clock: Clock) -> None:
    hook, _ = make_webhook(receiver)
    add_events(hook, 2)
    receiver.script = [410]
    assert clock.send_after(0) == 1
    assert clock.send_after(10) == 0
    hook.refresh_from_db()
    assert (hook.is_enabled, hook.stopped, hook.due_at) == (False, Stopped.GONE, None)
    assert list(webhook_failures().stopped) == [hook]
    switch_on(hook)
    assert clock.send_after(0) == 2
    assert sequences(receiver) == [1, 1, 2]


def switch_on(hook: Webhook) -> Webhook:
    identity = Identity(hook.player_id, 0)
    return webhooks.webhook_change(
        identity=identity, webhook_id=hook.pk, url=hook.url, kinds=hook.kinds, is_enabled=True
    )


def test_who_fails_for_days_is_switched_off_and_mailed_once(receiver: Receiver, clock: Clock) -> None:
    owner = make_player()
    owner.email = "owner@mail.example"
    owner.save(update_fields=["email"])
    hook, secret = make_webhook(receiver, owner)
    receiver.usual = 500
    add_events(hook, 20)
    clock.send_after(0)
    while clock.now < hook.created_at + webhook.PATIENCE_MS - 3600 * SECOND:
        clock.send_after(3600)
    hook.refresh_from_db()
    assert (hook.is_enabled, hook.fails >= webhook.FAILS_AT_LEAST) == (True, True)
    assert [row.pk for row in webhook_failures().failing] == [hook.pk]
    clock.send_after(7200)
    hook.refresh_from_db()
    assert (hook.is_enabled, hook.stopped) == (False, Stopped.FAILING)
    assert [webhook.webhooks_tell(), webhook.webhooks_tell()] == [1, 0]
    (letter,) = mail.outbox
    assert letter.to == ["owner@mail.example"]
    assert hook.url in letter.body
    assert secret not in letter.body
    seen = len(receiver.seen)
    assert clock.send_after(3600) == 0
    assert len(receiver.seen) == seen


def test_one_failure_after_days_of_silence_switches_nothing_off(receiver: Receiver, clock: Clock) -> None:
    hook, _ = make_webhook(receiver)
    receiver.script = [500, 500]
    add_events(hook, 1)
    clock.send_after(0)
    clock.send_after(10 * DAY_S)
    hook.refresh_from_db()
    assert hook.is_enabled


def test_a_receiver_that_is_well_again_gets_at_once_what_waits(receiver: Receiver, clock: Clock) -> None:
    hook, _ = make_webhook(receiver)
    receiver.script = [500] * 5
    add_events(hook, 3)
    for wait in (0, 5, 30, 120, 120):
        clock.send_after(wait)
    assert len(receiver.seen) == 5
    clock.send_after(120)
    assert states(hook) == ["sent", "sent", "sent"]


def test_a_redirect_leads_nowhere(receiver: Receiver, clock: Clock) -> None:
    hook, _ = make_webhook(receiver)
    (event,) = add_events(hook, 1)
    receiver.script = [(302, f"Location: {receiver.url('/inside')}")]
    clock.send_after(0)
    assert [request.target for request in receiver.seen] == ["/hook"]
    assert log_of(event) == [(302, "")]
    assert states(hook) == ["waiting"]


def test_of_what_is_answered_nothing_is_kept(receiver: Receiver, clock: Clock) -> None:
    hook, secret = make_webhook(receiver)
    receiver.script = [(500, "X-Told: a-word-of-the-receiver"), "noise", 204]
    add_events(hook, 1)
    for wait in (0, 5, 30):
        clock.send_after(wait)
    rows = str([*WebhookAttempt.objects.values(), *WebhookEvent.objects.values()])
    assert WebhookAttempt.objects.count() == 3
    assert "a-word-of-the-receiver" not in rows
    assert "mail.example ESMTP" not in rows
    assert secret not in rows


def test_a_secret_that_is_lost_stops_the_webhook_and_sends_nothing(receiver: Receiver, clock: Clock) -> None:
    hook, _ = make_webhook(receiver)
    Webhook.objects.update(secret=b"made with a key that nobody has")
    (event,) = add_events(hook, 1)
    clock.send_after(0)
    hook.refresh_from_db()
    assert (receiver.seen, hook.stopped, log_of(event)) == ([], Stopped.SECRET_LOST, [(None, "secret_lost")])
    _, secret = webhooks.secret_rotate(identity=Identity(hook.player_id, 0), webhook_id=hook.pk)
    switch_on(hook)
    clock.send_after(0)
    assert is_signed(receiver.seen[0], secret)


def test_a_webhook_that_is_removed_meanwhile_is_gone(receiver: Receiver, clock: Clock) -> None:
    hook, _ = make_webhook(receiver)
    add_events(hook, 1)
    (claim,) = webhook._claim(1, is_slow=False)
    webhooks.webhook_remove(identity=Identity(hook.player_id, 0), webhook_id=hook.pk)
    webhook._conclude(claim, webhook._send(claim))
    assert (WebhookEvent.objects.count(), WebhookAttempt.objects.count()) == (0, 0)


def test_an_account_that_is_closed_is_told_nothing(receiver: Receiver, clock: Clock) -> None:
    hook, _ = make_webhook(receiver)
    add_events(hook, 1)
    hook.player.is_active = False
    hook.player.save(update_fields=["is_active"])
    assert (clock.send_after(0), receiver.seen) == (0, [])


def test_an_operator_sends_an_event_again(receiver: Receiver, clock: Clock) -> None:
    hook, _ = make_webhook(receiver)
    (event,) = add_events(hook, 1)
    WebhookEvent.objects.update(state=EventState.FAILED, attempts=8)
    Webhook.objects.update(due_at=None)
    assert [row.pk for row in webhook_failures().given_up] == [event.pk]
    webhooks.delivery_resend(event_id=event.pk, actor_id=make_player().pk, reason="the receiver is well again")
    assert clock.send_after(0) == 1
    assert (states(hook), webhook_failures().given_up_number) == (["sent"], 0)


def test_what_is_old_or_too_much_is_forgotten_with_its_log(
    receiver: Receiver, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhooks, "MOST_KEPT", 3)
    hook, _ = make_webhook(receiver)
    add_events(hook, 5)
    clock.send_after(0)
    webhooks.events_drop()
    assert [event.sequence for event in hook.events.order_by("sequence")] == [3, 4, 5]
    clock.now += KEPT_MS
    webhooks.events_drop()
    assert (hook.events.count(), WebhookAttempt.objects.count()) == (3, 3)
    clock.now += 1
    webhooks.events_drop()
    assert (hook.events.count(), WebhookAttempt.objects.count()) == (0, 0)
    # The numbers go on.
    (event,) = add_events(hook, 1)
    assert event.sequence == 6
