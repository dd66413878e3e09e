"""Carrying deliveries out: at least once, by as many workers as there are, whenever one of them dies.

A worker claims what is due with SKIP LOCKED, and the claim itself puts off the next try; only then it sends, under no
lock, and writes down what came of it. So whoever dies in between, before or after the receiver has got it, leaves a
delivery that is tried again, under the same id, when the claim is over.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from random import uniform
from typing import NamedTuple

import structlog
from django.db import connection, transaction

from matches.models import Delivery, DeliveryState, Habits, Notice, NoticeKind, Receiver, Seat
from matches.outbox import lock_deliveries_together, lock_delivery
from matches.services import presence
from matches.services.deliveries.channels import CHANNELS
from matches.services.deliveries.contract import Channel, Outgoing, Result, again
from matches.services.receivers import quiet_until, wants
from matches.timing import millis, now_ms

CLAIM_MS = 120_000
"""For so long a claim holds: longer than any channel takes to send."""
ERROR_LENGTH = 200
COUNT = """
INSERT INTO matches_deliverytally AS t (channel, state, number) VALUES (%s, %s, %s)
ON CONFLICT (channel, state) DO UPDATE SET number = t.number + EXCLUDED.number
"""

log = structlog.get_logger()


class Claimed(NamedTuple):
    """Deliveries that are this worker's now, and those of them that are still to be told."""

    rows: list[Delivery]
    outgoing: list[Outgoing]


def deliveries_send(*, channel: str, seconds: float = 8.0) -> bool:
    """Send what is due by this channel; gives whether the time was up before everything was sent."""
    end = time.monotonic() + seconds
    way = CHANNELS[channel]
    while time.monotonic() < end:
        claimed = _claim(way)
        if claimed is None:
            return False
        if claimed.outgoing:
            _conclude(way, claimed, _sent(way, claimed.outgoing))
    return True


def _claim(channel: Channel) -> Claimed | None:
    """The next delivery that is due, with all that go with it; None when there is none."""
    now = now_ms()
    lock = lock_deliveries_together if channel.collects else lock_delivery
    with transaction.atomic():
        rows = lock(channel=channel.name, now=now)
        if not rows:
            return None
        until = _rests_until(channel, rows[0].player_id, now)
        if until is not None:
            Delivery.objects.filter(pk__in=[row.pk for row in rows]).update(due_at=until)
            return Claimed([], [])
        spent = [row for row in rows if row.attempts > len(channel.backoff_s)]
        _finish(channel, spent, DeliveryState.FAILED, "no try came to its end", now)
        outgoing, untrue = _still_true(channel, [row for row in rows if row not in spent])
        for why, gone in untrue.items():
            _finish(channel, gone, DeliveryState.DROPPED, why, now)
        told = {one.delivery_id for one in outgoing}
        rows = [row for row in rows if row.pk in told]
        for row in rows:
            row.attempts, row.due_at = row.attempts + 1, now + CLAIM_MS
        Delivery.objects.bulk_update(rows, ["attempts", "due_at"])
    return Claimed(rows, outgoing)


def _sent(channel: Channel, outgoing: Sequence[Outgoing]) -> Result:
    try:
        return channel.send(outgoing)
    except Exception as error:
        # Whatever is wrong with one delivery must not keep the others waiting.
        log.exception("a delivery failed", channel=channel.name, notice=str(outgoing[0].id))
        return again(type(error).__name__)


def _conclude(channel: Channel, claimed: Claimed, result: Result) -> None:
    now = now_ms()
    with transaction.atomic():
        if channel.collects and result.state == DeliveryState.SENT:
            # First, for whoever collects locks the receiver before the deliveries.
            Receiver.objects.filter(player=claimed.rows[0].player_id).update(mailed_at=now)
        if result.state != DeliveryState.WAITING:
            _finish(channel, claimed.rows, result.state, result.error, now)
            return
        for row in claimed.rows:
            row.error = result.error[:ERROR_LENGTH]
            if row.attempts > len(channel.backoff_s):
                _finish(channel, [row], DeliveryState.FAILED, result.error, now)
                continue
            usual = channel.backoff_s[row.attempts - 1] * uniform(0.9, 1.1)  # noqa: S311 - so that not all come at once
            row.due_at = now + round((usual if result.after_s is None else result.after_s) * 1000)
            Delivery.objects.filter(pk=row.pk, attempts=row.attempts).update(due_at=row.due_at, error=row.error)


def _finish(channel: Channel, rows: Sequence[Delivery], state: DeliveryState, error: str, now: int) -> None:
    if rows:
        done = Delivery.objects.filter(pk__in=[row.pk for row in rows], state=DeliveryState.WAITING).update(
            state=state, error=error[:ERROR_LENGTH], done_at=now
        )
        with connection.cursor() as cursor:
            cursor.execute(COUNT, [channel.name, state.value, done])


def _rests_until(channel: Channel, player_id: int, now: int) -> int | None:
    if not channel.rests:
        return None
    receiver = Receiver.objects.get(player=player_id)
    zone = Habits.objects.filter(player=player_id).values_list("zone", flat=True).first()
    return quiet_until(receiver, zone or "UTC", now)


def _still_true(channel: Channel, rows: Sequence[Delivery]) -> tuple[list[Outgoing], dict[str, list[Delivery]]]:
    """What is still to be told, and what isn't, by why."""
    found = Notice.objects.filter(pk__in=[row.notice_id for row in rows]).select_related("match", "player__receiver")
    notices = {notice.pk: notice for notice in found}
    outgoing: list[Outgoing] = []
    untrue: dict[str, list[Delivery]] = {}
    for row in rows:
        notice = notices.get(row.notice_id)
        why = "no longer true" if notice is None else _why_not(channel, notice)
        if notice is None or why:
            untrue.setdefault(why, []).append(row)
        else:
            outgoing.append(_outgoing(row, notice))
    return outgoing, untrue


def _why_not(channel: Channel, notice: Notice) -> str:
    """Why a notice that is true isn't to be told, empty if it is."""
    if not notice.player.is_active:
        return "the account is closed"
    if not wants(notice.player.receiver, channel.name, notice.kind):
        return "not wanted any more"
    if channel.rests and notice.read_at is not None:
        return "read already"
    if channel.rests and presence.is_watching(player_id=notice.player_id, match_id=notice.match_id):
        return "the player is looking at the match"
    return ""


def _outgoing(row: Delivery, notice: Notice) -> Outgoing:
    deadline = None
    if notice.kind in {NoticeKind.TURN, NoticeKind.WARNING}:
        seats = Seat.objects.filter(match=notice.match_id, player=notice.player_id)
        deadline = seats.values_list("deadline", flat=True).first()
    return Outgoing(
        id=notice.pk,
        delivery_id=row.pk,
        sequence=notice.sequence or 0,
        player_id=notice.player_id,
        target=row.target,
        kind=NoticeKind(notice.kind),
        match_id=notice.match_id,
        game=notice.match.game,
        seat=notice.seat,
        serial=notice.serial,
        about=notice.about,
        since=notice.not_before or 0,
        deadline=None if deadline is None else millis(deadline),
        attempt=row.attempts + 1,
    )
