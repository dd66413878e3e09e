"""Announces to matches what the calendar holds for them: the next night of each seat, vacations, weekends.

Of each kind one window at a time is announced to a match: while one stands, the next waits for its end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from uuid import UUID

from engine.core.table import Step, Window
from engine.core.waits import LAG
from matches.bridge import AnyReferee, AnyStep, AnyTable
from matches.calendars import Night, Span, from_now, next_night, next_weekend
from matches.locking import Locked, lock_calendar, write_position
from matches.models import Habits, Seat, Vacation
from matches.services.upkeep import one_by_one
from matches.services.wake import wake_soon

NEVER = 9_000_000_000_000
SLACK_MS = LAG + 1_000
"""A window is looked at again when it has surely begun, or ended."""


class Plan(NamedTuple):
    """What is to be announced for some seats: a window, or none; `keeps_before`: what begins earlier stays as it is."""

    reason: str
    seats: tuple[int, ...]
    span: Span | None
    keeps_before: int = 0
    ends_early: bool = False


def calendars_tend(*, seconds: float = 0.5, now: int | None = None) -> int:
    """Announce what is missing, match by match, until none is left or the time is up; gives the number of entries."""

    def lock(skip: list[UUID]) -> Locked | None:
        return lock_calendar(skip=skip, now=now)

    return one_by_one(lock, _tend, seconds=seconds)


def _tend(locked: Locked) -> int:
    referee, table = locked.referee(), locked.table()
    step = referee.settle(table, locked.alive_until)
    now = locked.now if locked.alive_at is None else min(locked.now, locked.alive_at)
    plans = [] if step.table.is_over else list(_plans(locked.match_id, step.table, now))
    for plan in plans:
        step = _carry_out(referee, step, plan, now)
    looks = [at for plan in plans if (at := _look_again(step.table, plan)) is not None]
    due_at = write_position(locked, referee, table, step, calendar_at=min(looks, default=NEVER))
    wake_soon(match_id=locked.match_id, due_at=due_at, now=locked.now)
    return len(step.entries)


def _plans(match_id: UUID, table: AnyTable, now: int) -> Iterator[Plan]:
    seats = Seat.objects.filter(match_id=match_id, player__isnull=False).values_list("number", "player_id")
    inside = {number: player for number, player in seats if not table.seats[number].has_left}
    habits = {row.player_id: row for row in Habits.objects.filter(player_id__in=list(inside.values()))}
    away: dict[int, list[Span]] = {}
    for row in Vacation.objects.filter(player_id__in=list(habits), ends__gt=now):
        away.setdefault(row.player_id, []).append(Span(row.begins, row.ends))
    for number, player_id in inside.items():
        if player_id in habits:
            yield _night_plan(number, habits[player_id], now)
            yield _vacation_plan(number, away.get(player_id, []), now)
    if table.policy.weekends is not None:
        weekend = from_now(next_weekend(table.policy.weekends, now), now)
        yield Plan("weekend", tuple(range(len(table.seats))), weekend)


def _night_plan(seat: int, habits: Habits, now: int) -> Plan:
    if habits.night_begins is None or habits.night_ends is None:
        return Plan("night", (seat,), None, habits.counts_from)
    night = Night(habits.zone, habits.night_begins, habits.night_ends)
    span = next_night(night, now)
    while span.begins < habits.counts_from:
        span = next_night(night, span.ends)
    return Plan("night", (seat,), from_now(span, now), habits.counts_from)


def _vacation_plan(seat: int, spans: list[Span], now: int) -> Plan:
    span = from_now(spans[0], now) if spans else None
    return Plan("vacation", (seat,), span, ends_early=span is None or span.begins > now)


def _carry_out(referee: AnyReferee, step: AnyStep, plan: Plan, now: int) -> AnyStep:
    """The step with what is still missing of the plan."""
    table = step.table
    announced = _window(table, plan, has_begun=False)
    if _stands(table, plan):
        if not plan.ends_early:
            return step
        more = referee.start(table, plan.reason, received=now, now=now, seats=plan.seats)
    elif announced is not None and (announced.begins or 0) < plan.keeps_before:
        return step
    elif plan.span is None:
        if announced is None:
            return step
        more = referee.start(table, plan.reason, received=now, now=now, seats=plan.seats)
    else:
        window = Window(plan.reason, plan.span.begins, plan.span.ends, plan.seats)
        if announced == window:
            return step
        more = referee.schedule(table, window, received=now, now=now)
    return Step(more.table, step.entries + more.entries)


def _look_again(table: AnyTable, plan: Plan) -> int | None:
    """When this kind of window is to be looked at again: when it has begun, and when it is over."""
    window = _window(table, plan, has_begun=_stands(table, plan))
    if window is None:
        return None
    at = window.ends if window.begins is None else window.begins
    return None if at is None else at + SLACK_MS


def _stands(table: AnyTable, plan: Plan) -> bool:
    return any(plan.reason in table.seats[seat].clock.stops for seat in plan.seats)


def _window(table: AnyTable, plan: Plan, *, has_begun: bool) -> Window | None:
    return next(
        (
            window
            for window in table.windows
            if (window.reason, window.seats, window.begins is None) == (plan.reason, plan.seats, has_begun)
        ),
        None,
    )
