"""What a player has said of their calendar, and how punctual the service is."""

from __future__ import annotations

from datetime import time
from typing import NamedTuple

from django.db.models import Q

from matches.calendars import ALLOWANCE_MS, Span, used_in
from matches.models import Habits, Outage, Position, Vacation
from matches.timing import behind_ms, moment, now_ms

MOST_COUNTED = 10_000


class Calendar(NamedTuple):
    """Where a player lives and when they sleep; a night that was changed counts from `counts_from` (UTC milliseconds).

    `vacations` are (id, begin, end); `vacation_left_ms` is what may still be taken in this year.
    """

    zone: str
    night: tuple[time, time] | None
    counts_from: int
    vacations: tuple[tuple[int, int, int], ...]
    year: int
    vacation_left_ms: int


class Punctuality(NamedTuple):
    """How far the sweep is behind: matches overdue (no more than `MOST_COUNTED` are counted), and by how much at most.

    `stuck` are matches that are set aside because settling them fails; `outages` those that were measured.
    """

    overdue: int
    behind_ms: int
    stuck: int
    outages: int


def calendar_of(*, player_id: int) -> Calendar:
    """The calendar of a player; without any word of theirs there are no nights."""
    habits = Habits.objects.filter(player_id=player_id).first() or Habits(player_id=player_id)
    night = None
    if habits.night_begins is not None and habits.night_ends is not None:
        night = (habits.night_begins, habits.night_ends)
    rows = Vacation.objects.filter(player_id=player_id).order_by("begins")
    vacations = tuple(rows.values_list("pk", "begins", "ends"))
    year = moment(now_ms()).year
    spans = [Span(begins, ends) for _, begins, ends in vacations]
    left = max(0, ALLOWANCE_MS - used_in(year, spans))
    return Calendar(habits.zone, night, habits.counts_from, vacations, year, left)


def punctuality() -> Punctuality:
    """How far behind the sweep is; for the operators."""
    now = now_ms()
    due = Position.objects.filter(due_at__lte=now, retry_at__isnull=True)
    return Punctuality(
        overdue=due[:MOST_COUNTED].count(),
        behind_ms=behind_ms(),
        stuck=Position.objects.filter(~Q(retry_at=None), due_at__isnull=False)[:MOST_COUNTED].count(),
        outages=Outage.objects.count(),
    )
