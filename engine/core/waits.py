"""What a match waits for by itself: the moments at which something is due."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Any, NamedTuple

from engine.core import clock as clocks
from engine.core.clock import SECOND, Unlimited
from engine.core.game import Game
from engine.core.table import Table

LAG = 300
"""Milliseconds for which a request may wait between its reception and its turn."""


class WaitKind(IntEnum):
    """What is due; of several at the same time, in this order."""

    RULE = 0
    BOT = 1
    FLAG = 2
    IDLE = 3
    BEGINS = 4
    ENDS = 5
    LAPSE = 6


class Wait(NamedTuple):
    """Something due at `due` (UTC). Waits sort in the order in which they fire.

    `place` is the seat of a flag or a bot, or the index of a window; `is_harmless` says that firing it ends nobody's
    decision, so that it can't overtake a move which was received before.
    """

    due: int
    kind: WaitKind
    place: int = 0
    key: str = ""
    is_harmless: bool = False


def waits(game: Game[Any, Any, Any, Any, Any], table: Table[Any, Any]) -> list[Wait]:
    """Everything that runs now; once the match is over nothing does.

    While it stands, that is its windows and what was due before it stopped. A stop of the whole match doesn't begin in
    the middle of a look or a race: it waits for the last of their timers.
    """
    if table.is_over:
        return []
    timers = game.timers(table.state)
    found = [Wait(table.utc(timer.due), WaitKind.RULE, 0, timer.key, not timer.seats) for timer in timers]
    racing = max((wait.due for wait in found if not wait.is_harmless), default=0)
    found += [Wait(table.utc(plan.due), WaitKind.BOT, plan.seat) for plan in table.plans]
    for seat, at in enumerate(table.seats):
        due = clocks.due(at.clock)
        if due is not None:
            found.append(Wait(table.utc(due), WaitKind.FLAG, seat))
    if isinstance(table.control, Unlimited):
        found.append(Wait(table.at + table.control.idle_limit_s * SECOND, WaitKind.IDLE))
    if table.halted is not None:
        found = [wait for wait in found if wait.due <= table.halted]
    if table.offer is not None:
        found.append(Wait(table.offer.ends, WaitKind.LAPSE, is_harmless=True))
    return found + list(_windows(table, racing if table.halted is None else 0))


def _windows(table: Table[Any, Any], racing: int) -> Iterator[Wait]:
    for place, window in enumerate(table.windows):
        if window.begins is not None:
            begins = window.begins if window.seats else max(window.begins, racing)
            yield Wait(begins, WaitKind.BEGINS, place, is_harmless=True)
        elif window.ends is not None:
            yield Wait(window.ends, WaitKind.ENDS, place, is_harmless=True)
