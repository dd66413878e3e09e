"""Clocks: how long a seat may think, as arithmetic on values. All times are milliseconds of match time."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.core.game import Occasion

SECOND = 1000
LONGEST_S = 30 * 24 * 3600
IDLE_LIMIT_S = LONGEST_S
BOT = "bot"
"""Why the clock of a seat that a bot plays stands."""
RETURNING = 10
"""Who comes back after a bot has played for it has at least the tenth part of the bank."""

Seconds = Annotated[int, Meta(ge=5, le=LONGEST_S)]
Increment = Annotated[int, Meta(ge=0, le=LONGEST_S)]


class Control(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Base of the time controls; a match has one."""


class Unlimited(Control, frozen=True, tag="none"):
    """No clock; a match in which nothing happens for `idle_limit_s` is abandoned."""

    idle_limit_s: Seconds = IDLE_LIMIT_S


class PerMove(Control, frozen=True, tag="per_move"):
    """A new clock of `move_s` for each occasion."""

    move_s: Seconds


class Fischer(Control, frozen=True, tag="fischer"):
    """A bank for the match; each occasion adds `increment_s`, up to `cap_s`."""

    bank_s: Seconds
    increment_s: Increment
    cap_s: Seconds | None = None


class Total(Control, frozen=True, tag="total"):
    """A bank for the whole match and nothing more."""

    bank_s: Seconds


TimeControl = Unlimited | PerMove | Fischer | Total


class OnTimeout(StrEnum):
    """What happens when a clock has run out."""

    PLAY_ON = "play_on"
    LEAVE = "leave"
    BOT = "bot"


class Policy(Struct, frozen=True, forbid_unknown_fields=True):
    """What a match does with a silent seat.

    `play_on` makes its default move and lets it leave when its clock runs out once more after `strikes` turns missed in
    a row; `leave` lets it leave at once; `bot` lets a bot play it until its player returns. `weekends` is the time zone
    in which clocks stand on Saturdays and Sundays (`Europe/Berlin`), None for a match that knows no weekends.
    """

    on_timeout: OnTimeout = OnTimeout.PLAY_ON
    strikes: Annotated[int, Meta(ge=1, le=100)] = 3
    weekends: Annotated[str, Meta(max_length=64)] | None = None


class Clock(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One seat's clock.

    `left` is what it held when it last stood (None: no clock in this match); `since` is when it began to run, None
    while it stands. It runs while the seat is awaited for its `occasion` and no stop reason is set.
    """

    left: int | None = None
    since: int | None = None
    occasion: Occasion | None = None
    awaited: bool = False
    stops: tuple[str, ...] = ()


def opening(control: TimeControl, *, is_bot: bool = False) -> Clock:
    """The clock of a seat that hasn't been asked anything yet. A bot's never runs."""
    stops = (BOT,) if is_bot else ()
    match control:
        case Unlimited():
            return Clock(stops=stops)
        case PerMove(move_s=seconds):
            return Clock(left=seconds * SECOND, stops=stops)
        case Fischer(bank_s=seconds) | Total(bank_s=seconds):
            return Clock(left=seconds * SECOND, stops=stops)


def left_at(clock: Clock, at: int) -> int | None:
    """What the clock shows at this time; never below zero."""
    if clock.left is None or clock.since is None:
        return clock.left
    return max(0, clock.left - max(0, at - clock.since))


def due(clock: Clock) -> int | None:
    """When the clock runs out, None while it stands."""
    return None if clock.left is None or clock.since is None else clock.since + clock.left


def ask(clock: Clock, control: TimeControl, occasion: Occasion, at: int) -> Clock:
    """The seat is awaited from `at` on: a known occasion goes on, a new one starts a clock or earns the increment."""
    known = clock.occasion == occasion
    if known and clock.awaited:
        return clock
    left = left_at(clock, at) if known else _allot(clock, control, at)
    return replace(clock, left=left, since=_running(left, clock.stops, at), occasion=occasion, awaited=True)


def rest(clock: Clock, at: int) -> Clock:
    """The seat isn't awaited any more from `at` on."""
    if not clock.awaited:
        return clock
    return replace(clock, left=left_at(clock, at), since=None, awaited=False)


def stop(clock: Clock, reason: str, at: int) -> Clock:
    """Another reason why the clock stands; one that has run out already isn't saved by it, its flag still falls."""
    if reason in clock.stops:
        return clock
    flag = due(clock)
    if flag is not None and flag <= at:
        return replace(clock, stops=(*clock.stops, reason))
    return replace(clock, left=left_at(clock, at), since=None, stops=(*clock.stops, reason))


def give(clock: Clock, ms: int) -> Clock:
    """So many milliseconds more, running or not; a seat without a clock has none to be given."""
    return clock if clock.left is None else replace(clock, left=clock.left + ms)


def start(clock: Clock, reason: str, at: int) -> Clock:
    """A stop reason is gone; the clock runs again when it was the last one and the seat is awaited."""
    stops = tuple(other for other in clock.stops if other != reason)
    since = _running(clock.left, stops, at) if clock.awaited and clock.since is None else clock.since
    return replace(clock, stops=stops, since=since)


def lend(clock: Clock, at: int) -> Clock:
    """A bot plays the seat from now on: its clock stands, so that nothing more happens to its player."""
    return replace(clock, left=left_at(clock, at), since=None, stops=(*clock.stops, BOT))


def regain(clock: Clock, control: TimeControl, at: int) -> Clock:
    """The player is back: the time of a whole turn, or at least a tenth of the bank and the increment."""
    match control:
        case PerMove(move_s=seconds):
            least = seconds * SECOND
        case Fischer(bank_s=seconds, increment_s=increment):
            least = max(seconds * SECOND // RETURNING, increment * SECOND)
        case Total(bank_s=seconds):
            least = seconds * SECOND // RETURNING
        case _:
            return start(clock, BOT, at)
    return start(replace(clock, left=max(clock.left or 0, least)), BOT, at)


def _allot(clock: Clock, control: TimeControl, at: int) -> int | None:
    left = left_at(clock, at)
    match control:
        case PerMove(move_s=seconds):
            return seconds * SECOND
        case Fischer(increment_s=increment, cap_s=cap):
            earned = (left or 0) + (increment * SECOND if clock.occasion is not None else 0)
            return earned if cap is None else max(left or 0, min(earned, cap * SECOND))
        case _:
            return left


def _running(left: int | None, stops: tuple[str, ...], at: int) -> int | None:
    return at if left is not None and not stops else None
