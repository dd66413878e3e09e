"""What the workers of the deliveries do: a little at a time, again and again."""

from __future__ import annotations

from matches.models import Delivery, DeliveryState
from matches.services.deliveries import webhook
from matches.services.deliveries.carry import deliveries_send
from matches.services.deliveries.channels import CHANNELS
from matches.services.deliveries.spread import notices_spread
from matches.services.wake import deliveries_on
from matches.timing import now_ms


def spread() -> int:
    """Hand over what is to be told now, and have it sent; gives the number of deliveries."""
    made = notices_spread()
    for channel in made:
        deliveries_on(channel=channel)
    return sum(made.values())


def carry(channel: str) -> None:
    """Send what is due by a channel; when the time isn't enough another worker goes on."""
    if channel == webhook.NAME:
        webhook.webhooks_send()
        webhook.webhooks_tell()
    elif channel in CHANNELS and deliveries_send(channel=channel):
        deliveries_on(channel=channel)


def carry_all() -> int:
    """Have each channel by which something is due sent; gives how many there are."""
    due = Delivery.objects.filter(state=DeliveryState.WAITING, due_at__lte=now_ms())
    behind = [name for name in CHANNELS if due.filter(channel=name).exists()]
    behind += [webhook.NAME] * webhook.is_behind()
    for name in behind:
        deliveries_on(channel=name)
    return len(behind)
