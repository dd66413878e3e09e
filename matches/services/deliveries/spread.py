"""From the outbox into the channels: each notice once, as soon as its time has come.

One worker at a time does this, which an advisory lock decides. A move may be answered meanwhile, and take its notice
back: so the notices are locked last, without waiting for any, and for no longer than it takes to write.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from uuid import UUID

from django.conf import settings
from django.db import transaction

from matches.models import LASTING, Delivery, Notice, NoticeKind, Player, Receiver
from matches.outbox import lock_receivers, lock_ripe_notices, lock_spreading
from matches.services.deliveries import webhook
from matches.services.deliveries.channels import CHANNELS
from matches.services.deliveries.contract import Channel
from matches.services.deliveries.events import events_write, hooks_of
from matches.services.receivers import wants
from matches.timing import now_ms

BATCH = 100

Targets = Mapping[str, Mapping[int, Sequence[str]]]


def notices_spread(*, seconds: float = 1.0, now: int | None = None) -> dict[str, int]:
    """Hand what is to be told now over to the channels, batch by batch; gives the number of deliveries by channel."""
    end = time.monotonic() + seconds
    made: Counter[str] = Counter()
    while True:
        notices, channels = _spread_some(now_ms() if now is None else now)
        made += Counter(channels)
        if notices < BATCH or time.monotonic() >= end:
            return made


def _spread_some(now: int) -> tuple[int, list[str]]:
    """Gives the number of notices, and the channel of each delivery."""
    with transaction.atomic():
        if not lock_spreading():
            return 0, []
        ripe = Notice.objects.filter(sequence=None, not_before__lte=now).order_by("not_before", "pk")[:BATCH]
        ids = [notice.pk for notice in ripe]
        people = sorted({notice.player_id for notice in ripe})
        if not ids:
            return 0, []
        reached = set(Player.objects.filter(pk__in=people, is_active=True).values_list("pk", flat=True))
        targets = {name: channel.targets(reached) for name, channel in CHANNELS.items()}
        receivers = {receiver.player_id: receiver for receiver in lock_receivers(people)}
        hooks = hooks_of(reached)
        notices = sorted(lock_ripe_notices(ids), key=_order)
        deliveries = []
        for notice in notices:
            receiver = receivers[notice.player_id]
            receiver.told += 1
            notice.sequence = receiver.told
            deliveries += _deliveries(notice, receiver, targets, now)
        Delivery.objects.bulk_create(deliveries, ignore_conflicts=True)
        Receiver.objects.bulk_update(receivers.values(), ["told"])
        Notice.objects.bulk_update(notices, ["sequence"])
        events = events_write(hooks, notices, now)
    return len(ids), [delivery.channel for delivery in deliveries] + [webhook.NAME] * events


def _order(notice: Notice) -> tuple[int, bool, UUID]:
    """What has happened comes before what follows from it at the same moment."""
    return notice.not_before or 0, notice.kind not in LASTING, notice.pk


def _deliveries(notice: Notice, receiver: Receiver, targets: Targets, now: int) -> list[Delivery]:
    return [
        Delivery(
            notice_id=notice.pk,
            player_id=notice.player_id,
            match_id=notice.match_id,
            kind=notice.kind,
            sequence=receiver.told,
            channel=name,
            target=target,
            due_at=_due_at(channel, NoticeKind(notice.kind), receiver, now),
        )
        for name, channel in CHANNELS.items()
        if wants(receiver, name, notice.kind)
        for target in targets[name].get(notice.player_id, ())
    ]


def _due_at(channel: Channel, kind: NoticeKind, receiver: Receiver, now: int) -> int:
    """What is collected isn't sent soon after the last time, unless time runs out."""
    due_at = now + channel.wait_s(kind) * 1000
    if channel.collects and kind != NoticeKind.WARNING:
        due_at = max(due_at, receiver.mailed_at + settings.MAIL_PAUSE_S * 1000)
    return due_at
