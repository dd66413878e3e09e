"""Webhooks as their owner sees them; what is sent is in `tests/deliveries`."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from pytest_django import Settings

from matches.api.bodies.webhooks import EVERY_KIND
from matches.models import NoticeKind, Webhook, WebhookAttempt, WebhookEvent
from matches.services import webhooks
from matches.services.deliveries.signing import unseal
from tests.api.people import PASSWORD, Person, problem

HOOK = {"url": "https://bot.example/listik"}


def made(who: Person, **fields: Any) -> Any:
    """A new webhook, and its secret."""
    answer = who.post("me/webhooks", {**HOOK, **fields})
    assert answer.status_code == 201, answer.content
    return answer.json()


def test_a_webhook_is_made_and_its_secret_told_once(anna: Person) -> None:
    answer = anna.post("me/webhooks", HOOK)
    assert (answer.status_code, answer.headers["Cache-Control"]) == (201, "no-store")
    told = answer.json()
    assert told["secret"].startswith("whsec_")
    assert len(base64.b64decode(told["secret"].removeprefix("whsec_"))) == 32
    webhook = told["webhook"]
    assert webhook["kinds"] == list(EVERY_KIND)
    assert (webhook["url"], webhook["enabled"], webhook["stopped"]) == (HOOK["url"], True, None)
    assert anna.get("me/webhooks").json() == [webhook]
    assert anna.get(f"me/webhooks/{webhook['id']}").json() == webhook
    kept = anna.get("me/data")
    assert kept.json()["webhooks"] == [webhook]
    assert told["secret"] not in kept.content.decode()


def test_every_kind_of_notice_can_be_had() -> None:
    assert tuple(NoticeKind.values) == EVERY_KIND


@pytest.mark.parametrize(
    "url",
    ["http://bot.example/", "https://127.0.0.1/", "https://[::1]/", "https://u:p@bot.example/", "https://2130706433/"],
)
def test_an_address_that_nothing_is_sent_to_is_refused(anna: Person, url: str) -> None:
    assert problem(anna.post("me/webhooks", {"url": url})) == (422, "webhook_url")
    assert anna.get("me/webhooks").json() == []
    webhook = made(anna)["webhook"]
    changed = {"url": url, "kinds": [], "enabled": False}
    assert problem(anna.put(f"me/webhooks/{webhook['id']}", changed)) == (422, "webhook_url")
    assert anna.get("me/webhooks").json() == [webhook]


@pytest.mark.parametrize("body", [{}, {**HOOK, "kinds": ["ping"]}, {**HOOK, "secret": "x"}, {"url": "x" * 1001}])
def test_what_is_no_webhook_is_malformed(anna: Person, body: dict[str, Any]) -> None:
    assert problem(anna.post("me/webhooks", body)) == (400, "malformed")


def test_a_player_has_five_and_a_guest_none(anna: Person, nobody: Person) -> None:
    for _ in range(webhooks.MOST_WEBHOOKS):
        made(anna)
    assert problem(anna.post("me/webhooks", HOOK)) == (409, "too_many")
    assert len(anna.get("me/webhooks").json()) == webhooks.MOST_WEBHOOKS
    guest = Person("guest", nobody.post("guests").json()["session"]["access"])
    assert problem(guest.post("me/webhooks", HOOK)) == (403, "forbidden")


def test_it_is_changed_and_removed(anna: Person) -> None:
    number = made(anna)["webhook"]["id"]
    changed = {"url": "https://other.example:8443/x?y=z", "kinds": ["over", "turn", "turn"], "enabled": False}
    answer = anna.put(f"me/webhooks/{number}", changed)
    assert answer.status_code == 200
    assert answer.json() | changed == answer.json() | {**changed, "kinds": ["over", "turn", "turn"]}
    assert answer.json()["kinds"] == ["turn", "over"]
    assert anna.delete(f"me/webhooks/{number}").status_code == 204
    assert problem(anna.get(f"me/webhooks/{number}")) == (404, "not_found")


def test_nobody_has_a_hand_in_somebody_elses(anna: Person, ben: Person) -> None:
    number = made(anna)["webhook"]["id"]
    anna.post(f"me/webhooks/{number}/ping")
    before = list(Webhook.objects.values()), list(WebhookEvent.objects.values())
    body = {**HOOK, "kinds": [], "enabled": False}
    for answer in (
        ben.get(f"me/webhooks/{number}"),
        ben.put(f"me/webhooks/{number}", body),
        ben.delete(f"me/webhooks/{number}"),
        ben.post(f"me/webhooks/{number}/secret"),
        ben.post(f"me/webhooks/{number}/ping"),
        ben.get(f"me/webhooks/{number}/events"),
        ben.post(f"me/webhooks/{number}/events/1/resend"),
    ):
        assert problem(answer) == (404, "not_found")
    assert (list(Webhook.objects.values()), list(WebhookEvent.objects.values())) == before
    assert ben.get("me/webhooks").json() == []


def test_a_token_from_before_a_log_out_changes_nothing(anna: Person) -> None:
    number = made(anna)["webhook"]["id"]
    assert anna.post("tokens/revoke-all").status_code == 204
    assert problem(anna.post("me/webhooks", HOOK)) == (401, "token_invalid")
    assert problem(anna.post(f"me/webhooks/{number}/secret")) == (401, "token_invalid")


def test_a_new_secret_leaves_the_former_one_in_force_for_a_day(anna: Person) -> None:
    first = made(anna)
    answer = anna.post(f"me/webhooks/{first['webhook']['id']}/secret")
    second = answer.json()
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    assert second["secret"] != first["secret"]
    row = Webhook.objects.get()
    assert row.former_secret is not None
    kept = [base64.b64encode(unseal(bytes(it))).decode() for it in (row.secret, row.former_secret)]
    assert kept == [told["secret"].removeprefix("whsec_") for told in (second, first)]
    assert second["webhook"]["former_secret_until"] == row.former_until
    assert webhooks.OVERLAP_MS == 86_400_000


def test_a_secret_that_was_lost_with_its_key_is_changed_without_an_overlap(anna: Person, settings: Settings) -> None:
    number = made(anna)["webhook"]["id"]
    with_key, settings.SECRET_KEY_FALLBACKS = settings.SECRET_KEY, []
    Webhook.objects.update(secret=b"sealed with a key that nobody has")
    assert with_key == settings.SECRET_KEY
    assert anna.post(f"me/webhooks/{number}/secret").json()["webhook"]["former_secret_until"] is None


def test_a_ping_is_an_event_and_one_at_a_time(anna: Person) -> None:
    number = made(anna)["webhook"]["id"]
    answer = anna.post(f"me/webhooks/{number}/ping")
    assert answer.status_code == 202
    told = answer.json()
    assert (told["event"]["kind"], told["event"]["sequence"], told["state"]) == ("ping", 1, "waiting")
    assert told["event"]["match"] is None
    assert problem(anna.post(f"me/webhooks/{number}/ping")) == (409, "too_many")
    anna.put(f"me/webhooks/{number}", {**HOOK, "kinds": [], "enabled": False})
    assert problem(anna.post(f"me/webhooks/{number}/ping")) == (409, "webhook_off")
    assert problem(anna.post(f"me/webhooks/{number}/events/1/resend")) == (409, "webhook_off")


def test_events_are_listed_with_their_attempts_newest_first(anna: Person) -> None:
    number = made(anna)["webhook"]["id"]
    for _ in range(3):
        anna.post(f"me/webhooks/{number}/ping")
        event = WebhookEvent.objects.order_by("-sequence")[0]
        WebhookAttempt.objects.create(event=event, at=1_790_000_000_000, took_ms=4_000, failure="timeout", reason="no")
        WebhookAttempt.objects.create(event=event, at=1_790_000_005_000, took_ms=20, status=204)
        WebhookEvent.objects.filter(pk=event.pk).update(state="sent")
    first = anna.get(f"me/webhooks/{number}/events?limit=2").json()
    assert [told["event"]["sequence"] for told in first["events"]] == [3, 2]
    second = anna.get(f"me/webhooks/{number}/events?limit=2&before={first['next']}").json()
    assert ([told["event"]["sequence"] for told in second["events"]], second["next"]) == ([1], None)
    (told,) = second["events"]
    assert (told["state"], told["due_at"]) == ("sent", None)
    assert told["attempts"] == [
        {"at": 1_790_000_000_000, "took_ms": 4000, "status": None, "failure": "timeout", "reason": "no"},
        {"at": 1_790_000_005_000, "took_ms": 20, "status": 204, "failure": None, "reason": ""},
    ]
    assert problem(anna.get(f"me/webhooks/{number}/events?before=x")) == (400, "malformed")


def test_an_event_is_sent_again_under_its_id(anna: Person) -> None:
    number = made(anna)["webhook"]["id"]
    first = anna.post(f"me/webhooks/{number}/ping").json()
    WebhookEvent.objects.update(state="failed", attempts=8)
    again = anna.post(f"me/webhooks/{number}/events/1/resend")
    assert again.status_code == 202
    assert again.json()["event"] == first["event"]
    assert again.json()["state"] == "waiting"
    assert problem(anna.post(f"me/webhooks/{number}/events/2/resend")) == (404, "not_found")


def test_of_a_closed_account_no_webhook_is_kept(anna: Person) -> None:
    number = made(anna)["webhook"]["id"]
    anna.post(f"me/webhooks/{number}/ping")
    assert anna.post("me/close", {"password": PASSWORD}).status_code == 204
    assert (Webhook.objects.count(), WebhookEvent.objects.count()) == (0, 0)
