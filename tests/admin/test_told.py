"""Operators see how telling players goes, without their addresses, and put it right with a reason."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail
from django.test import Client

from config import figures
from matches import selectors
from matches.admin.masks import host_of, masked
from matches.errors import ServiceError
from matches.models import AuditEntry, Delivery, Notice, Player, Receiver, Webhook, WebhookAttempt, WebhookEvent
from matches.services import webhooks
from matches.services.deliveries import carry, channels, webhook
from matches.services.deliveries.outgoing import Answer, Failure
from matches.services.players import Identity
from matches.timing import now_ms
from tests.admin.told import REASON, URL, make_delivery, make_event, make_hook
from tests.matches.couriers import Letterbox
from tests.matches.factories import make_match, make_player, make_players

pytestmark = pytest.mark.django_db

HOOKS, EVENTS, DELIVERIES = (f"/admin/matches/{table}/" for table in ("webhook", "webhookevent", "delivery"))
HIDDEN = ("secret-path", "key=hidden", "sealed-secret")


@pytest.fixture
def boss() -> Client:
    client = Client()
    client.force_login(Player.objects.create_superuser("boss"))
    return client


def do(boss: Client, page: str, row: Any, deed: str) -> str:
    return boss.post(f"{page}{row.pk}/do/{deed}/", REASON, follow=True).text


def written() -> list[tuple[str, str, str, dict[str, Any]]]:
    return list(AuditEntry.objects.order_by("pk").values_list("what", "target_kind", "target_id", "data"))


def listed(client: Client, page: str, **query: Any) -> list[Any]:
    return [row.pk for row in client.get(page, query).context["cl"].result_list]


def test_a_webhook_is_shown_by_owner_and_host_and_never_its_address_or_secret(boss: Client) -> None:
    anna = make_player("anna")
    hook = make_hook(anna, fails=4, failing_since=1_796_000_000_000)
    events = [make_event(hook, state=state) for state in ("sent", "waiting", "waiting")]
    WebhookAttempt.objects.create(event=events[0], at=now_ms(), took_ms=123, status=503)
    row = boss.get(HOOKS).context["cl"].result_list[0]
    assert row.waiting == 2
    for address in (HOOKS, f"{HOOKS}{hook.pk}/change/", EVENTS, f"{EVENTS}{events[0].pk}/change/"):
        page = boss.get(address).text
        assert "hook.example" in page
        assert [hidden for hidden in HIDDEN if hidden in page] == [], address
    page = boss.get(f"{HOOKS}{hook.pk}/change/").text
    assert "failed 4 times in a row" in page
    assert all(f"{EVENTS}{event.pk}/change/" in page for event in events)
    assert f"{EVENTS}?q={hook.pk}" in page
    attempts = boss.get(f"{EVENTS}{events[0].pk}/change/").text
    assert "503" in attempts
    assert "123" in attempts


def test_webhooks_and_events_are_found_and_filtered(boss: Client) -> None:
    anna, ben = make_players(2)
    well = make_hook(anna)
    failing = make_hook(ben, fails=1, failing_since=1)
    off = make_hook(ben, is_enabled=False)
    gone = make_hook(ben, is_enabled=False, stopped="gone")
    event, other = make_event(well), make_event(failing)
    for state, wanted in (("failing", [failing]), ("off", [gone, off]), ("gone", [gone]), ("staff", [])):
        assert listed(boss, HOOKS, state=state) == [hook.pk for hook in wanted]
    assert listed(boss, HOOKS, q=anna.name) == [well.pk]
    assert off.pk in listed(boss, HOOKS, q=off.pk)
    for term in (anna.name, well.pk, event.pk):
        assert listed(boss, EVENTS, q=term) == [event.pk]
    assert set(listed(boss, EVENTS)) == {event.pk, other.pk}
    assert listed(boss, EVENTS, q="nobody") == []


def test_what_waits_is_counted_up_to_a_bound(boss: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    hook = make_hook(make_player())
    for _ in range(4):
        make_event(hook)
    monkeypatch.setattr("matches.selectors.webhooks.MOST_SHOWN", 2)
    assert selectors.events_waiting([hook.pk]) == {hook.pk: 3}


def test_the_staff_stops_a_webhook_and_its_owner_is_mailed_and_cant_start_it(boss: Client) -> None:
    anna = make_player("anna")
    Player.objects.filter(pk=anna.pk).update(email="anna@mail.example")
    hook = make_hook(anna, stopped="", fails=0)
    make_event(hook)
    assert "is switched off" in do(boss, HOOKS, hook, "stop")
    hook.refresh_from_db()
    assert (hook.is_enabled, hook.stopped, hook.due_at) == (False, "staff", None)
    assert webhook.webhooks_tell() == 1
    (letter,) = mail.outbox
    assert (letter.to, "The staff has switched off" in letter.body) == (["anna@mail.example"], True)
    with pytest.raises(ServiceError, match="the staff has switched it off") as refused:
        webhooks.webhook_change(
            identity=Identity(anna.pk, anna.epoch), webhook_id=hook.pk, url=URL, kinds=["turn"], is_enabled=True
        )
    assert refused.value.code == "webhook_off"
    assert "not possible" in do(boss, HOOKS, hook, "stop")
    assert "is switched on" in do(boss, HOOKS, hook, "start")
    hook.refresh_from_db()
    assert (hook.is_enabled, hook.stopped, hook.due_at is not None) == (True, "", True)
    data = {"player": anna.pk}
    assert written() == [
        ("webhook_stopped", "webhook", str(hook.pk), data),
        ("webhook_started", "webhook", str(hook.pk), {**data, "was": "staff"}),
    ]


def test_what_its_owner_has_switched_off_is_not_switched_on(boss: Client) -> None:
    hook = make_hook(make_player(), is_enabled=False)
    assert "not possible" in do(boss, HOOKS, hook, "start")
    with pytest.raises(ServiceError):
        webhooks.webhook_start(webhook_id=hook.pk, actor_id=make_player().pk, reason="of a test")
    hook.refresh_from_db()
    assert (hook.is_enabled, written()) == (False, [])


def test_an_event_is_sent_again_with_a_reason(boss: Client) -> None:
    hook = make_hook(make_player(), paused_until=now_ms() + 60_000)
    event = make_event(hook, state="failed", attempts=8)
    assert "is sent again" in do(boss, EVENTS, event, "resend")
    event.refresh_from_db()
    hook.refresh_from_db()
    assert (event.state, event.attempts) == ("waiting", 0)
    assert hook.due_at is not None
    assert hook.due_at <= now_ms()
    data = {"player": hook.player_id, "event": str(event.pk), "sequence": 1}
    assert written() == [("webhook_event_resent", "webhook", str(hook.pk), data)]


def test_no_event_of_a_webhook_that_is_off_is_sent_again(boss: Client) -> None:
    hook = make_hook(make_player())
    event = make_event(hook, state="failed")
    Webhook.objects.update(is_enabled=False)
    assert "not possible" in do(boss, EVENTS, event, "resend")
    assert (WebhookEvent.objects.get().state, written()) == ("failed", [])


def test_what_cant_be_written_down_isnt_done() -> None:
    hook = make_hook(make_player())
    event = make_event(hook, state="failed")
    actor = make_player().pk
    with pytest.raises(ValueError, match="a reason has"):
        webhooks.webhook_stop(webhook_id=hook.pk, actor_id=actor, reason=" ")
    with pytest.raises(ValueError, match="a reason has"):
        webhooks.delivery_resend(event_id=event.pk, actor_id=actor, reason="")
    hook.refresh_from_db()
    assert (hook.is_enabled, WebhookEvent.objects.get().state, written()) == (True, "failed", [])


def test_a_failed_delivery_is_tried_again_under_its_id(boss: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    box = Letterbox("mail")
    for module in ("carry", "retry"):
        monkeypatch.setattr(f"matches.services.deliveries.{module}.CHANNELS", {"mail": box})
    monkeypatch.setattr(carry, "wants", lambda *_: True)
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    Notice.objects.update(sequence=1)
    for player in (anna, ben):
        Receiver.objects.get_or_create(player=player)
    row = make_delivery(anna, match, state="failed", attempts=7, error="status 500", done_at=now_ms())
    page = boss.get(DELIVERIES).text
    assert "status 500" in page
    assert "It is tried again." in do(boss, DELIVERIES, row, "retry")
    assert "not possible" in do(boss, DELIVERIES, row, "retry")
    carry.deliveries_send(channel="mail")
    assert box.ids == [str(row.notice_id)]
    row.refresh_from_db()
    assert (row.state, row.attempts) == ("sent", 1)
    data = {"player": anna.pk, "channel": "mail", "kind": row.kind}
    assert written() == [("delivery_retried", "delivery", str(row.pk), data)]


def test_what_isnt_true_any_more_isnt_tried_again(boss: Client) -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    row = make_delivery(anna, match, state="failed", attempts=7)
    Notice.objects.all().delete()
    assert "true any more" in do(boss, DELIVERIES, row, "retry")
    assert (Delivery.objects.get().state, written()) == ("failed", [])


def test_deliveries_are_found_and_filtered_and_hold_no_address(boss: Client) -> None:
    assert set(channels.CHANNELS) == {"mail", "push"}
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    mailed = make_delivery(anna, match, state="failed", error="550 <anna@mail.example> refused")
    pushed = make_delivery(ben, match, channel="push", target="b", error="https://push.example/secret-path said no")
    for term in (anna.name, mailed.pk, mailed.notice_id):
        assert listed(boss, DELIVERIES, q=term) == [mailed.pk]
    assert listed(boss, DELIVERIES, channel="push") == [pushed.pk]
    assert listed(boss, DELIVERIES, state__exact="failed") == [mailed.pk]
    for address in (DELIVERIES, *(f"{DELIVERIES}{row.pk}/change/" for row in (mailed, pushed))):
        page = boss.get(address).text
        assert "anna@" not in page
        assert "secret-path" not in page


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("550 <anna.b+x@mail.example> unknown", "550 <…@mail.example> unknown"),
        ("to https://me:pw@hook.example:8443/T0/secret?x=1 failed", "to https://hook.example:8443/… failed"),
        ("HTTP://HOOK.example?key=1", "HTTP://HOOK.example/…"),
        ("status 503", "status 503"),
    ],
)
def test_addresses_in_a_text_are_cut_short(text: str, shown: str) -> None:
    assert masked(text) == shown


@pytest.mark.parametrize(
    ("url", "host"),
    [(URL, "hook.example"), ("https://[2001:db8::1]:444/x", "2001:db8::1"), ("https://[", "–"), ("", "–")],
)
def test_of_an_address_the_host_is_shown(url: str, host: str) -> None:
    assert host_of(url) == host


def test_prometheus_hears_how_webhooks_do(settings: Any) -> None:
    settings.METRICS_TOKEN = "of the operators"
    figures.forget()
    anna = make_player()
    make_hook(anna, fails=2, failing_since=1)
    make_hook(anna, is_enabled=False, stopped="staff")
    make_hook(anna, is_enabled=False)
    hook = make_hook(anna)
    event = make_event(hook)
    make_event(hook)
    Webhook.objects.filter(pk=hook.pk).update(due_at=now_ms() - 9_000)
    # One that waits for an account that is closed is nobody's to send.
    closed = make_hook(make_player("closed"), due_at=1)
    Player.objects.filter(pk=closed.player_id).update(is_active=False)
    claim = webhook._claimed(hook, event, now_ms())
    for answer in (
        Answer(204, None, "", "", 5),
        Answer(404, None, "", "", 5),
        Answer(None, Failure.TIMEOUT, "x", "", 5),
    ):
        WebhookEvent.objects.update(attempts=1)
        webhook._conclude(claim, answer)
    Webhook.objects.filter(pk=hook.pk).update(fails=0, failing_since=None, due_at=now_ms() - 9_000)
    page = Client().get("/metrics", headers={"Authorization": "Bearer of the operators"}).text
    found = dict(line.rsplit(" ", 1) for line in page.splitlines() if not line.startswith("#"))
    assert found['listik_webhooks{state="failing"}'] == "1.0"
    assert found['listik_webhooks{state="stopped"}'] == "1.0"
    # The other one was taken at the first attempt.
    assert found["listik_webhook_events_waiting"] == "1.0"
    assert 9 <= float(found["listik_webhook_behind_seconds"]) < 60
    for result in ("taken", "status_4xx", "timeout"):
        assert found[f'listik_webhook_attempts_total{{result="{result}"}}'] == "1.0"
    assert "hook.example" not in page
    figures.forget()
