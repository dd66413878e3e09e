"""Nights and vacations of players, weekends of matches: what the engine is told of the calendar, and when.

What a player changes is stored at once and marked as news; `news_spread` then has every match of that player looked at
(`calendar_at` = 0), and `calendars_tend` announces the next window of each kind to the matches that want looking at.
A night is announced when the one before it is over, so half a day before its time: a worker that is late changes
nothing. Each step can be repeated, by as many workers as there are.
"""

from __future__ import annotations

import time
from datetime import time as wall_time

import structlog
from django.db import transaction
from django.db.models import F

from matches.calendars import (
    ALLOWANCE_MS,
    DAY_MS,
    LONGEST_NIGHT_MIN,
    NOTICE_OF_A_CHANGE_MS,
    NOTICE_OF_A_VACATION_MS,
    SHORTEST_NIGHT_MIN,
    Night,
    Span,
    next_night,
    night_minutes,
    used_in,
    years_of,
    zones,
)
from matches.errors import ServiceError
from matches.locking import lock_player
from matches.models import Habits, Position, Seat, Status, Vacation
from matches.timing import now_ms

SHORTEST_VACATION_MS = DAY_MS
MOST_ANNOUNCED = 20

log = structlog.get_logger()


def habits_set(*, player_id: int, zone: str, night: tuple[wall_time, wall_time] | None) -> Habits:
    """Say where a player lives and when they sleep; it counts from twelve hours after the next night as it was."""
    if zone not in zones():
        raise ServiceError("bad_calendar", f"a time zone is a name such as Europe/Berlin, not {zone[:50]!r}")
    begins, ends = night or (None, None)
    if begins is not None and ends is not None:
        minutes = night_minutes(Night(zone, begins, ends))
        if not SHORTEST_NIGHT_MIN <= minutes <= LONGEST_NIGHT_MIN:
            raise ServiceError("bad_calendar", "a night lasts one to ten hours")
    with transaction.atomic():
        lock_player(player_id=player_id)
        habits, _ = Habits.objects.get_or_create(player_id=player_id)
        if (habits.zone, habits.night_begins, habits.night_ends) == (zone, begins, ends):
            return habits
        habits.counts_from = _counts_from(habits, now_ms())
        habits.zone, habits.night_begins, habits.night_ends = zone, begins, ends
        habits.save(update_fields=["zone", "night_begins", "night_ends", "counts_from"])
        _mark_as_news(player_id)
    return habits


def vacation_announce(*, player_id: int, begins: int, ends: int) -> Vacation:
    """Announce to be away (UTC milliseconds); the clocks of this player's seats stand meanwhile."""
    with transaction.atomic():
        lock_player(player_id=player_id)
        _must_be_possible(player_id, Span(begins, ends), now_ms())
        vacation = Vacation.objects.create(player_id=player_id, begins=begins, ends=ends)
        _mark_as_news(player_id)
    return vacation


def vacation_end(*, player_id: int, vacation_id: int) -> None:
    """Be back: a vacation that runs ends now, one that hasn't begun is called off, one that is over stays as it was."""
    with transaction.atomic():
        lock_player(player_id=player_id)
        vacation = Vacation.objects.filter(player_id=player_id, pk=vacation_id).first()
        if vacation is None:
            raise ServiceError("not_found", "you have announced no such vacation")
        now = now_ms()
        if vacation.begins >= now:
            vacation.delete()
        elif vacation.ends > now:
            vacation.ends = now
            vacation.save(update_fields=["ends"])
        _mark_as_news(player_id)


def news_spread(*, seconds: float = 0.5) -> int:
    """Have the matches of everybody who has changed something looked at; gives the number of players."""
    end = time.monotonic() + seconds
    spread = 0
    for player_id, revision in Habits.objects.filter(is_news=True).values_list("player_id", "revision")[:100]:
        seats = Seat.objects.filter(player_id=player_id, has_left=False, match__status=Status.RUNNING)
        for match_id in seats.values_list("match_id", flat=True):
            # One at a time: nobody holds two of these locks.
            Position.objects.filter(pk=match_id, calendar_at__isnull=False).update(calendar_at=0)
        Habits.objects.filter(player_id=player_id, revision=revision).update(is_news=False)
        spread += 1
        if time.monotonic() >= end:
            break
    return spread


def _counts_from(habits: Habits, now: int) -> int:
    """When a change of these habits counts. The night that was announced by them is over by then, half a day ago."""
    last = now
    if habits.night_begins is not None and habits.night_ends is not None:
        last = next_night(Night(habits.zone, habits.night_begins, habits.night_ends), now).ends
    return max(last + NOTICE_OF_A_CHANGE_MS, habits.counts_from)


def _mark_as_news(player_id: int) -> None:
    Habits.objects.get_or_create(player_id=player_id)
    Habits.objects.filter(player_id=player_id).update(is_news=True, revision=F("revision") + 1)


def _must_be_possible(player_id: int, wanted: Span, now: int) -> None:
    if wanted.begins < now + NOTICE_OF_A_VACATION_MS:
        raise ServiceError("bad_calendar", "a vacation is announced an hour before it begins, or earlier")
    if wanted.begins > now + 366 * DAY_MS:
        raise ServiceError("bad_calendar", "a vacation begins within a year")
    if not SHORTEST_VACATION_MS <= wanted.ends - wanted.begins <= ALLOWANCE_MS:
        raise ServiceError("bad_calendar", f"a vacation lasts 1 to {ALLOWANCE_MS // DAY_MS} days")
    known = vacations_of(player_id)
    if any(span.begins < wanted.ends and wanted.begins < span.ends for span in known):
        raise ServiceError("vacation_taken", "you have announced a vacation for that time already")
    if sum(span.ends > now for span in known) >= MOST_ANNOUNCED:
        raise ServiceError("vacation_spent", f"no more than {MOST_ANNOUNCED} vacations can be announced at once")
    for year in years_of(wanted):
        left = ALLOWANCE_MS - used_in(year, known)
        if used_in(year, [wanted]) > left:
            raise ServiceError("vacation_spent", f"of your vacation in {year} there are {left / DAY_MS:.1f} days left")


def vacations_of(player_id: int) -> list[Span]:
    """What a player has announced and taken."""
    return [Span(*row) for row in Vacation.objects.filter(player_id=player_id).values_list("begins", "ends")]
