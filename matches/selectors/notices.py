"""What a player is to be told, and how well telling works."""

from __future__ import annotations

import re
from typing import NamedTuple
from uuid import UUID

from django.db.models import Count, Min, OuterRef, Q, QuerySet, Subquery

from matches.errors import ServiceError
from matches.models import (
    Delivery,
    DeliveryState,
    DeliveryTally,
    Notice,
    NoticeKind,
    Receiver,
    Seat,
)
from matches.timing import millis, now_ms

IN_APP = "in_app"
_ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
CURSOR = re.compile(rf"([0-9]{{1,15}})\.({'|'.join(NoticeKind.values)})\.({_ID})")
"""When a notice was told, its kind and its id: behind which one a page begins."""
WITH_DEADLINE = frozenset({NoticeKind.TURN, NoticeKind.WARNING})


class Told(NamedTuple):
    """Something that a player is to be told now: `serial` is the decision to answer, the number of the offer or entry.

    `about` is the seat that left. Times are UTC milliseconds; `read_at` is None for what wasn't read.
    """

    id: UUID
    match_id: UUID
    game: str
    seat: int | None
    kind: str
    serial: int
    about: int | None
    since: int
    deadline: int | None
    read_at: int | None


class Deliveries(NamedTuple):
    """What became of telling. `counts` are (channel, state, number) since the beginning.

    `waiting` are (channel, number, milliseconds for which the oldest has been due, below 0 if none is due yet).
    `unspread` is for how long the oldest notice that no channel has got could have been told, in milliseconds.
    """

    counts: tuple[tuple[str, str, int], ...]
    waiting: tuple[tuple[str, int, int], ...]
    unspread: int


def notices_of(
    *, player_id: int, limit: int, after: str | None = None, unread: bool = False
) -> tuple[list[Told], str | None]:
    """What is to be told now to a player, the newest first, behind `after`, and what to pass as that for more."""
    rows = _told(player_id)
    if unread:
        rows = rows.filter(read_at=None)
    if after is not None:
        rows = rows.filter(_behind(after))
    deadlines = Seat.objects.filter(match=OuterRef("match"), player=player_id).values("deadline")
    rows = rows.annotate(deadline=Subquery(deadlines[:1])).select_related("match")
    found = list(rows.order_by("-not_before", "-kind", "-pk")[: limit + 1])
    last = found[limit - 1] if len(found) > limit else None
    return (
        [_as_told(row) for row in found[:limit]],
        None if last is None else f"{last.not_before}.{last.kind}.{last.pk}",
    )


def unread_count(*, player_id: int) -> int:
    """How much there is that a player hasn't read."""
    return _told(player_id).filter(read_at=None).count()


def deliveries_summary() -> Deliveries:
    """How well telling works; for the operators."""
    now = now_ms()
    waiting = Delivery.objects.filter(state=DeliveryState.WAITING).values("channel").order_by("channel")
    oldest = Notice.objects.filter(sequence=None, not_before__lte=now).aggregate(at=Min("not_before"))["at"]
    return Deliveries(
        counts=tuple(DeliveryTally.objects.order_by("channel", "state").values_list("channel", "state", "number")),
        waiting=tuple(
            (row["channel"], row["number"], now - row["oldest"])
            for row in waiting.annotate(number=Count("pk"), oldest=Min("due_at"))
        ),
        unspread=0 if oldest is None else now - oldest,
    )


def _told(player_id: int) -> QuerySet[Notice]:
    """What holds now, save the kinds that the player doesn't want in the list."""
    wanted = Receiver.objects.filter(player=player_id).values_list("wanted", flat=True).first() or {}
    hidden = [kind for kind, is_wanted in wanted.get(IN_APP, {}).items() if not is_wanted]
    return Notice.objects.filter(player=player_id, not_before__lte=now_ms()).exclude(kind__in=hidden)


def _behind(after: str) -> Q:
    found = CURSOR.fullmatch(after)
    if found is None:
        raise ServiceError("malformed", f"after must be the next of a page before, not {after[:50]!r}")
    at, kind, pk = int(found[1]), found[2], UUID(found[3])
    return Q(not_before__lt=at) | Q(not_before=at, kind__lt=kind) | Q(not_before=at, kind=kind, pk__lt=pk)


def _as_told(row: Notice) -> Told:
    deadline = getattr(row, "deadline", None) if row.kind in WITH_DEADLINE else None
    return Told(
        id=row.pk,
        match_id=row.match_id,
        game=row.match.game,
        seat=row.seat,
        kind=row.kind,
        serial=row.serial,
        about=row.about,
        since=row.not_before or 0,
        deadline=None if deadline is None else millis(deadline),
        read_at=row.read_at,
    )
