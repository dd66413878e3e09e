"""Sending the events of webhooks: at least once, to each receiver one at a time and in order, to many at once.

A claim of a webhook is a transaction of its own and holds for `CLAIM_MS`; what comes of the attempt is another. Between
them nothing is locked: who dies there leaves a claim that ends, and the event is sent again under the same id.

While a receiver fails it is asked less and less often, at least every two minutes as long as something waits. An event
that it doesn't take has its own, longer waits (`RETRIES_S`): so a single event that is never taken lets the others by
after a few minutes.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from http import HTTPStatus
from typing import NamedTuple
from uuid import UUID

import structlog
from django.core.mail import send_mail
from django.db import transaction

from config import figures
from matches.hooklocks import lock_webhook, lock_webhook_to_mail, lock_webhooks_due
from matches.models import EventState, Stopped, Webhook, WebhookAttempt, WebhookEvent
from matches.services.deliveries import outgoing
from matches.services.deliveries.events import KEPT_MS, due_again
from matches.services.deliveries.outgoing import Answer
from matches.services.deliveries.signing import SecretLostError, headers_of
from matches.services.wake import deliveries_on
from matches.timing import now_ms

NAME = "webhook"
RETRIES_S = (5, 30, 120, 600, 3_600, 6 * 3_600, 24 * 3_600)
"""How long an event waits after each attempt that failed, in seconds; after the next one it is given up."""
LONGEST_PAUSE_S = 120
"""A receiver that fails is asked again after so many seconds at the latest, if something waits for it."""
LONGEST_RETRY_AFTER_S = 3_600
CLAIM_MS = 30_000
"""For so long a claim holds: longer than any attempt takes."""
LANES = {False: 16, True: 8}
"""So many requests a process makes at once: to receivers that are well, and to those that are slow or fail."""
SLOW_MS = 2_000
RECOVERED_AFTER = 3
"""When a receiver takes an event after so many attempts that failed, all that waits is sent at once."""
PATIENCE_MS = 3 * 86_400_000
FAILS_AT_LEAST = 10
"""A receiver is given up when so many attempts in a row have failed, the first of them `PATIENCE_MS` ago."""
LOOK_S = 0.2

TEXT = """Your webhook {url} has failed for days, and was switched off. What it was to be told is kept for {days} days.

Once the receiver is well again, switch the webhook on again; then what waits is sent.
"""
STAFFS_TEXT = """The staff has switched off your webhook {url}. What it was to be told is kept for {days} days.

Only the staff can switch it on again: ask them why.
"""

log = structlog.get_logger()
_looking = threading.Lock()


class Claim(NamedTuple):
    """An event that is this worker's to send now, with all that the request needs."""

    webhook_id: int
    event_id: UUID
    url: str
    body: bytes
    secrets: tuple[bytes, ...]
    is_slow: bool
    at: int
    until: int


def webhooks_send(*, seconds: float = 20.0) -> int:
    """Send what is due; gives the number of attempts. Of a process one thread at a time looks for what is due."""
    if not _looking.acquire(blocking=False):
        return 0
    with ThreadPoolExecutor(sum(LANES.values()), thread_name_prefix="webhook") as pool:
        under_way: dict[Future[Answer], Claim] = {}
        try:
            done = _send_until(time.monotonic() + seconds, pool, under_way)
        finally:
            _looking.release()
        if under_way:
            # Nobody waits for what is still under way here.
            deliveries_on(channel=NAME)
        while under_way:
            done += _concluded(under_way)
    return done


def is_behind() -> bool:
    """Whether something is to be sent now, or somebody to be mailed."""
    due = Webhook.objects.filter(due_at__lte=now_ms(), player__is_active=True)
    return due.exists() or Webhook.objects.filter(is_to_be_mailed=True).exists()


def webhooks_tell() -> int:
    """Mail the owners of webhooks that were switched off; gives how many."""
    told = 0
    while True:
        with transaction.atomic():
            webhook = lock_webhook_to_mail()
            if webhook is None:
                return told
            if webhook.player.email:
                said = STAFFS_TEXT if webhook.stopped == Stopped.STAFF else TEXT
                text = said.format(url=webhook.url, days=KEPT_MS // 86_400_000)
                try:
                    send_mail("Your webhook was switched off", text, None, [webhook.player.email])
                except OSError as error:
                    log.warning("no mail can be sent", error=type(error).__name__)
                    return told
            webhook.is_to_be_mailed = False
            webhook.save(update_fields=["is_to_be_mailed"])
        told += 1


def _send_until(end: float, pool: ThreadPoolExecutor, under_way: dict[Future[Answer], Claim]) -> int:
    done = 0
    while time.monotonic() < end:
        for is_slow, most in LANES.items():
            free = most - sum(claim.is_slow == is_slow for claim in under_way.values())
            under_way |= {pool.submit(_send, claim): claim for claim in _claim(free, is_slow=is_slow)}
        if not under_way:
            break
        done += _concluded(under_way)
    return done


def _concluded(under_way: dict[Future[Answer], Claim]) -> int:
    """Wait for some of them, not for long: others become due meanwhile."""
    finished, _ = wait(under_way, timeout=LOOK_S, return_when=FIRST_COMPLETED)
    for future in finished:
        _conclude(under_way.pop(future), future.result())
    return len(finished)


def _claim(most: int, *, is_slow: bool) -> list[Claim]:
    if most == 0:
        return []
    now = now_ms()
    claims = []
    with transaction.atomic():
        webhooks = lock_webhooks_due(now=now, most=most, is_slow=is_slow)
        if not webhooks:
            return []
        waiting = WebhookEvent.objects.filter(webhook__in=webhooks, state=EventState.WAITING, due_at__lte=now)
        first = {event.webhook_id: event for event in waiting.order_by("webhook", "sequence").distinct("webhook")}
        for webhook in webhooks:
            event = first.get(webhook.pk)
            if event is None:
                due_again(webhook)
                continue
            event.attempts += 1
            webhook.due_at = webhook.claimed_until = now + CLAIM_MS
            claims.append(_claimed(webhook, event, now))
        WebhookEvent.objects.bulk_update(first.values(), ["attempts"])
        Webhook.objects.bulk_update(webhooks, ["due_at", "claimed_until"])
    return claims


def _claimed(webhook: Webhook, event: WebhookEvent, now: int) -> Claim:
    secrets = [bytes(webhook.secret)]
    if webhook.former_secret is not None and now < webhook.former_until:
        secrets.append(bytes(webhook.former_secret))
    return Claim(
        webhook_id=webhook.pk,
        event_id=event.pk,
        url=webhook.url,
        body=event.body.encode(),
        secrets=tuple(secrets),
        is_slow=webhook.is_slow,
        at=now,
        until=now + CLAIM_MS,
    )


def _send(claim: Claim) -> Answer:
    """One attempt, in a thread that doesn't touch the database."""
    try:
        headers = headers_of(claim.secrets, event_id=claim.event_id, at_s=claim.at // 1000, body=claim.body)
    except SecretLostError:
        return Answer(None, outgoing.Failure.UNSIGNED, "the secret can't be read; change it", "", 0)
    return outgoing.post(claim.url, body=claim.body, headers=headers)


def _conclude(claim: Claim, answer: Answer) -> None:
    now = now_ms()
    with transaction.atomic():
        webhook = lock_webhook(webhook_id=claim.webhook_id)
        event = None if webhook is None else webhook.events.filter(pk=claim.event_id).first()
        if webhook is None or event is None:
            return
        _log(event, claim, answer)
        figures.count("webhook", _end(answer))
        if webhook.claimed_until == claim.until:
            webhook.claimed_until = 0
        webhook.is_slow = not answer.is_taken or answer.took_ms > SLOW_MS
        if answer.is_taken:
            _taken(webhook, event, now)
        else:
            _not_taken(webhook, event, answer, now)
        event.save(update_fields=["state", "due_at"])
        due_again(webhook)
        webhook.save(
            update_fields=[
                *("due_at", "claimed_until", "paused_until", "is_slow", "fails", "failing_since"),
                *("is_enabled", "stopped", "is_to_be_mailed"),
            ]
        )


def _log(event: WebhookEvent, claim: Claim, answer: Answer) -> None:
    WebhookAttempt.objects.create(
        event=event,
        at=claim.at,
        took_ms=answer.took_ms,
        status=answer.status,
        failure=answer.failure or "",
        reason=answer.reason[:200],
    )


def _end(answer: Answer) -> str:
    """How the attempt ended, for the figures: one of few words."""
    if answer.status is None:
        return answer.failure or outgoing.Failure.BROKEN
    return "taken" if answer.is_taken else f"status_{answer.status // 100}xx"


def _taken(webhook: Webhook, event: WebhookEvent, now: int) -> None:
    event.state = EventState.SENT
    if webhook.fails >= RECOVERED_AFTER:
        webhook.events.filter(state=EventState.WAITING, due_at__gt=now).exclude(pk=event.pk).update(due_at=now)
    webhook.fails, webhook.failing_since, webhook.paused_until = 0, None, 0


def _not_taken(webhook: Webhook, event: WebhookEvent, answer: Answer, now: int) -> None:
    webhook.fails += 1
    webhook.failing_since = webhook.failing_since or now
    retry_after_s = _retry_after(answer.retry_after)
    pause_s = min(RETRIES_S[min(webhook.fails, len(RETRIES_S)) - 1], LONGEST_PAUSE_S)
    webhook.paused_until = now + max(pause_s, retry_after_s) * 1000
    if event.attempts > len(RETRIES_S):
        event.state = EventState.FAILED
    else:
        event.due_at = now + max(RETRIES_S[event.attempts - 1], retry_after_s) * 1000
    why = _reason_to_stop(webhook, answer, now)
    if why is not None and webhook.is_enabled:
        webhook.is_enabled, webhook.stopped = False, why
        webhook.is_to_be_mailed = why is Stopped.FAILING
        log.info("a webhook is switched off", webhook=webhook.pk, why=why.value)


def _reason_to_stop(webhook: Webhook, answer: Answer, now: int) -> Stopped | None:
    if answer.status == HTTPStatus.GONE:
        return Stopped.GONE
    if answer.failure is outgoing.Failure.UNSIGNED:
        return Stopped.SECRET_LOST
    is_hopeless = webhook.fails >= FAILS_AT_LEAST and now - (webhook.failing_since or now) >= PATIENCE_MS
    return Stopped.FAILING if is_hopeless else None


def _retry_after(text: str) -> int:
    """Seconds that the receiver asked for, within bounds; a date or nonsense counts for nothing."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        return 0
    return min(int(text), LONGEST_RETRY_AFTER_S)
