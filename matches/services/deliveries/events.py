"""The events of webhooks: what a notice is to a receiver. Written in the transaction that spreads the notices.

An event is numbered when it is written and stays true of that moment, so none is dropped later: a receiver that sees
sequences 7 and 9 knows that 8 is missing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

import msgspec
from django.db.models import Min
from msgspec import Struct

from matches.hooklocks import lock_webhooks_of
from matches.ids import uuid7
from matches.models import EventState, Match, Notice, NoticeKind, Seat, Webhook, WebhookEvent
from matches.timing import millis

KEPT_MS = 14 * 86_400_000
"""No event is kept for longer."""


class Event(Struct, frozen=True):
    """What an event says besides its id and sequence, as in `matches.api.bodies.WebhookEventBody`."""

    kind: str
    time: int
    match: UUID | None = None
    game: str | None = None
    seat: int | None = None
    serial: int | None = None
    about: int | None = None
    deadline: int | None = None


def event_add(webhook: Webhook, event: Event, now: int) -> WebhookEvent:
    """Write an event for a webhook that is locked; `told` and `due_at` of the webhook are the caller's to save."""
    written = _next(webhook, event, now)
    written.save(force_insert=True)
    return written


def _next(webhook: Webhook, event: Event, now: int) -> WebhookEvent:
    webhook.told += 1
    due_at = max(now, webhook.paused_until, webhook.claimed_until)
    webhook.due_at = due_at if webhook.due_at is None else min(webhook.due_at, due_at)
    event_id = uuid7()
    body = {"id": event_id, "sequence": webhook.told, **msgspec.structs.asdict(event)}
    return WebhookEvent(
        pk=event_id,
        webhook=webhook,
        sequence=webhook.told,
        kind=event.kind,
        body=msgspec.json.encode(body).decode(),
        due_at=now,
        created_at=now,
    )


def due_again(webhook: Webhook) -> None:
    """Work out anew when the webhook's next attempt is to be made; the caller saves it."""
    earliest = None
    if webhook.is_enabled:
        waiting = webhook.events.filter(state=EventState.WAITING)
        earliest = waiting.aggregate(earliest=Min("due_at"))["earliest"]
    webhook.due_at = None if earliest is None else max(earliest, webhook.paused_until, webhook.claimed_until)


def hooks_of(player_ids: Collection[int]) -> dict[int, list[Webhook]]:
    """Lock the webhooks of these players that are switched on; before the notices, which moves wait for."""
    found: dict[int, list[Webhook]] = {}
    for webhook in lock_webhooks_of(player_ids):
        found.setdefault(webhook.player_id, []).append(webhook)
    return found


def events_write(hooks: Mapping[int, Sequence[Webhook]], notices: Sequence[Notice], now: int) -> int:
    """Write these notices, in this order, as events for the webhooks that want them; gives how many."""
    told = [
        (webhook, notice)
        for notice in notices
        for webhook in hooks.get(notice.player_id, ())
        if notice.kind in webhook.kinds
    ]
    if not told:
        return 0
    match_ids = {notice.match_id for _, notice in told}
    games = dict(Match.objects.filter(pk__in=match_ids).values_list("pk", "game"))
    seats = Seat.objects.filter(match__in=match_ids).values_list("match", "number", "deadline")
    deadlines: dict[tuple[UUID, int | None], int | None] = {}
    deadlines |= {(match, seat): None if at is None else millis(at) for match, seat, at in seats}
    events = []
    for webhook, notice in told:
        has_deadline = notice.kind in {NoticeKind.TURN, NoticeKind.WARNING}
        event = Event(
            kind=notice.kind,
            time=notice.not_before or now,
            match=notice.match_id,
            game=games.get(notice.match_id),
            seat=notice.seat,
            serial=notice.serial,
            about=notice.about,
            deadline=deadlines.get((notice.match_id, notice.seat)) if has_deadline else None,
        )
        events.append(_next(webhook, event, now))
    WebhookEvent.objects.bulk_create(events)
    Webhook.objects.bulk_update({webhook.pk: webhook for webhook, _ in told}.values(), ["told", "due_at"])
    return len(events)
