"""Locks of webhooks, the last that anybody takes: after an account or the receivers of notices, never before them."""

from __future__ import annotations

from collections.abc import Collection

from matches.models import Webhook


def lock_webhook(*, webhook_id: int, player_id: int | None = None) -> Webhook | None:
    """Lock a webhook, if there is one and it is this player's; after the account, never before it."""
    webhooks = Webhook.objects.select_for_update(no_key=True).filter(pk=webhook_id)
    return (webhooks if player_id is None else webhooks.filter(player=player_id)).first()


def lock_webhooks_of(player_ids: Collection[int]) -> list[Webhook]:
    """Lock the webhooks of these players that are switched on, in the order of their ids."""
    webhooks = Webhook.objects.select_for_update(no_key=True).filter(player__in=player_ids, is_enabled=True)
    return list(webhooks.order_by("pk"))


def lock_webhooks_due(*, now: int, most: int, is_slow: bool) -> list[Webhook]:
    """Lock webhooks that have waited longest for an attempt that is due, of those that nobody else has locked."""
    due = Webhook.objects.filter(is_slow=is_slow, due_at__lte=now, player__is_active=True).order_by("due_at")
    return list(due.select_for_update(no_key=True, skip_locked=True, of=("self",))[:most])


def lock_webhook_to_mail() -> Webhook | None:
    """Lock a webhook whose owner is to be told that it was switched off."""
    webhooks = Webhook.objects.filter(is_to_be_mailed=True).select_related("player")
    return webhooks.select_for_update(no_key=True, skip_locked=True, of=("self",)).order_by("pk").first()
