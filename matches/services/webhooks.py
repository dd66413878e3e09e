"""Webhooks of players: making, changing, trying out, and sending events again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

import structlog
from django.db import transaction

from matches.errors import ServiceError
from matches.hooklocks import lock_webhook
from matches.locking import lock_player
from matches.models import PING, EventState, NoticeKind, Stopped, Webhook, WebhookEvent
from matches.services.audit import audit_write
from matches.services.deliveries.addresses import AddressRefusedError, place_read
from matches.services.deliveries.events import KEPT_MS, Event, due_again, event_add
from matches.services.deliveries.signing import SecretLostError, seal, secret_make, secret_text, unseal
from matches.services.players import Identity
from matches.timing import now_ms

MOST_WEBHOOKS = 5
OVERLAP_MS = 24 * 3_600_000
"""For so long after a secret was changed events are signed with the former one too."""
MOST_KEPT = 1_000
"""So many events of a webhook are kept that have been dealt with."""
BATCH = 5_000

log = structlog.get_logger()


class WithSecret(NamedTuple):
    """A webhook and its secret, which is told this once."""

    webhook: Webhook
    secret: str


def webhook_create(*, identity: Identity, url: str, kinds: Sequence[str], is_enabled: bool = True) -> WithSecret:
    """Have events of these kinds sent to an address."""
    _must_be_fine(url)
    with transaction.atomic():
        player = lock_player(player_id=identity.player_id, epoch=identity.epoch)
        if player.is_guest:
            raise ServiceError("forbidden", "a guest has no webhooks; become a full player at /me/upgrade first")
        if Webhook.objects.filter(player=player).count() >= MOST_WEBHOOKS:
            raise ServiceError("too_many", f"a player has at most {MOST_WEBHOOKS} webhooks; remove one first")
        secret = secret_make()
        webhook = Webhook.objects.create(
            player=player,
            url=url,
            kinds=_sorted(kinds),
            secret=seal(secret),
            is_enabled=is_enabled,
            created_at=now_ms(),
        )
    return WithSecret(webhook, secret_text(secret))


def webhook_change(*, identity: Identity, webhook_id: int, url: str, kinds: Sequence[str], is_enabled: bool) -> Webhook:
    """Set address, kinds, and whether events are sent. One that is switched on begins anew, as if it had never failed.

    What waits goes to the new address. What the staff has switched off stays off.
    """
    _must_be_fine(url)
    with transaction.atomic():
        webhook = _locked(identity, webhook_id)
        if is_enabled and not webhook.is_enabled:
            if webhook.stopped == Stopped.STAFF:
                raise ServiceError("webhook_off", "the staff has switched it off, and can switch it on again")
            _begin_anew(webhook)
        webhook.url, webhook.kinds, webhook.is_enabled = url, _sorted(kinds), is_enabled
        due_again(webhook)
        webhook.save()
    return webhook


def webhook_remove(*, identity: Identity, webhook_id: int) -> None:
    """Forget a webhook, its events and its log."""
    with transaction.atomic():
        _locked(identity, webhook_id).delete()


def secret_rotate(*, identity: Identity, webhook_id: int) -> WithSecret:
    """Another secret; the former one signs too for a day, and one that was changed before that no more."""
    with transaction.atomic():
        webhook = _locked(identity, webhook_id)
        secret = secret_make()
        webhook.former_secret, webhook.former_until = _readable(bytes(webhook.secret)), now_ms() + OVERLAP_MS
        webhook.secret = seal(secret)
        webhook.save(update_fields=["secret", "former_secret", "former_until"])
    return WithSecret(webhook, secret_text(secret))


def webhook_ping(*, identity: Identity, webhook_id: int) -> WebhookEvent:
    """Send an event that says nothing, to try the webhook out; one at a time."""
    with transaction.atomic():
        webhook = _locked(identity, webhook_id)
        _must_be_on(webhook)
        if webhook.events.filter(kind=PING, state=EventState.WAITING).exists():
            raise ServiceError("too_many", "a ping is under way; its attempts are among the webhook's events")
        now = now_ms()
        event = event_add(webhook, Event(kind=PING, time=now), now)
        webhook.save(update_fields=["told", "due_at"])
    return event


def event_resend(*, identity: Identity, webhook_id: int, sequence: int) -> WebhookEvent:
    """Send an event again, under the id and with the content it had; with one that waits it is done at once."""
    with transaction.atomic():
        webhook = _locked(identity, webhook_id)
        _must_be_on(webhook)
        event = webhook.events.filter(sequence=sequence).first()
        if event is None:
            raise ServiceError("not_found", "the webhook has no such event, or not any more")
        return _resend(webhook, event)


def delivery_resend(*, event_id: UUID, actor_id: int, reason: str) -> WebhookEvent:
    """The same for an operator, for any webhook."""
    with transaction.atomic():
        known = WebhookEvent.objects.filter(pk=event_id).first()
        webhook = None if known is None else lock_webhook(webhook_id=known.webhook_id)
        event = None if webhook is None else webhook.events.filter(pk=event_id).first()
        if webhook is None or event is None:
            raise ServiceError("not_found", "there is no such event")
        _must_be_on(webhook)
        sent = {"event": str(event.pk), "sequence": event.sequence}
        _write_down(actor_id, webhook, "webhook_event_resent", reason, sent)
        return _resend(webhook, event)


def webhook_stop(*, webhook_id: int, actor_id: int, reason: str) -> Webhook:
    """Switch a webhook off so that only the staff can switch it on again; its owner gets a mail."""
    with transaction.atomic():
        webhook = _any_locked(webhook_id)
        if webhook.stopped == Stopped.STAFF:
            raise ServiceError("webhook_off", "the staff has switched it off already")
        webhook.is_enabled, webhook.stopped, webhook.is_to_be_mailed = False, Stopped.STAFF, True
        due_again(webhook)
        webhook.save(update_fields=["is_enabled", "stopped", "is_to_be_mailed", "due_at"])
        _write_down(actor_id, webhook, "webhook_stopped", reason, {})
    return webhook


def webhook_start(*, webhook_id: int, actor_id: int, reason: str) -> Webhook:
    """Switch a webhook on that the service or the staff has switched off, never one that its owner doesn't want."""
    with transaction.atomic():
        webhook = _any_locked(webhook_id)
        if not webhook.stopped:
            raise ServiceError("forbidden", "only what the service or the staff has switched off is switched on again")
        was = webhook.stopped
        _begin_anew(webhook)
        webhook.is_enabled = True
        due_again(webhook)
        webhook.save()
        _write_down(actor_id, webhook, "webhook_started", reason, {"was": was})
    return webhook


def events_drop() -> int:
    """Forget the events that are old or too many, with the log of their attempts; gives how many."""
    old = WebhookEvent.objects.filter(created_at__lt=now_ms() - KEPT_MS).order_by("created_at")[:BATCH]
    dropped = WebhookEvent.objects.filter(pk__in=list(old.values_list("pk", flat=True))).delete()[0]
    for webhook_id, told in Webhook.objects.filter(told__gt=MOST_KEPT).values_list("pk", "told"):
        done = WebhookEvent.objects.filter(webhook=webhook_id, sequence__lte=told - MOST_KEPT)
        dropped += done.exclude(state=EventState.WAITING).delete()[0]
    return dropped


def _resend(webhook: Webhook, event: WebhookEvent) -> WebhookEvent:
    event.state, event.attempts, event.due_at = EventState.WAITING, 0, now_ms()
    event.save(update_fields=["state", "attempts", "due_at"])
    # Whoever asks for it thinks that the receiver is well again.
    webhook.paused_until = 0
    due_again(webhook)
    webhook.save(update_fields=["paused_until", "due_at"])
    log.info("an event is sent again", webhook=webhook.pk, sequence=event.sequence)
    return event


def _locked(identity: Identity, webhook_id: int) -> Webhook:
    lock_player(player_id=identity.player_id, epoch=identity.epoch)
    webhook = lock_webhook(webhook_id=webhook_id, player_id=identity.player_id)
    if webhook is None:
        raise ServiceError("not_found", "you have no such webhook")
    return webhook


def _any_locked(webhook_id: int) -> Webhook:
    webhook = lock_webhook(webhook_id=webhook_id)
    if webhook is None:
        raise ServiceError("not_found", "there is no such webhook")
    return webhook


def _begin_anew(webhook: Webhook) -> None:
    """As if it had never failed; what waits is due. The caller saves it."""
    webhook.stopped, webhook.is_to_be_mailed, webhook.is_slow = "", False, False
    webhook.fails, webhook.failing_since, webhook.paused_until = 0, None, 0
    webhook.events.filter(state=EventState.WAITING).update(due_at=now_ms())


def _write_down(actor_id: int, webhook: Webhook, what: str, reason: str, data: dict[str, Any]) -> None:
    audit_write(
        actor_id=actor_id,
        what=what,
        target_kind="webhook",
        target_id=webhook.pk,
        reason=reason,
        data={"player": webhook.player_id, **data},
    )


def _readable(sealed: bytes) -> bytes | None:
    try:
        unseal(sealed)
    except SecretLostError:
        return None
    return sealed


def _must_be_on(webhook: Webhook) -> None:
    if not webhook.is_enabled:
        raise ServiceError("webhook_off", "switch the webhook on first")


def _must_be_fine(url: str) -> None:
    """What can be told without looking the name up; the rest is told by the attempts."""
    try:
        place_read(url)
    except AddressRefusedError as error:
        raise ServiceError("webhook_url", str(error)) from None


def _sorted(kinds: Sequence[str]) -> list[str]:
    return [kind.value for kind in NoticeKind if kind in kinds]
