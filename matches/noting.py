"""What the seats of a match are to be told, read off the table: no state of its own, so that nothing is told twice."""

from __future__ import annotations

from msgspec import Struct

from engine.core.clock import SECOND, Fischer, PerMove, Total
from matches import bridge
from matches.bridge import AnyTable
from matches.models import NoticeKind

WARNING_SHARE = 5
"""A seat is warned when a fifth of its time, of the turn or of the bank, is left."""


class Told(Struct, frozen=True):
    """A notice as the write is told of it; `not_before` is UTC milliseconds, None while the clock stands.

    `about` is the seat that left.
    """

    seat: int
    kind: str
    occasion: str
    serial: int
    not_before: int | None
    about: int | None = None


def notices_after(before: AnyTable | None, table: AnyTable, seat: int) -> list[Told] | None:
    """What holds for this seat now, None when nothing of it has changed."""
    now = _notices(table, seat)
    was = [] if before is None else _notices(before, seat)
    return None if _timeless(was) == _timeless(now) else now


def news_after(before: AnyTable | None, table: AnyTable) -> list[Told]:
    """What has happened to the match, for every seat: that it began, that an opponent left, that it is over.

    Who leaves in a sealed race has left, for the others, when it is over.
    """
    seats = range(len(table.seats))
    if before is None:
        return [Told(seat, NoticeKind.STARTED, "started", table.number, table.at) for seat in seats]
    if table.is_over:
        return [Told(seat, NoticeKind.OVER, "over", table.number, table.at) for seat in seats]
    had_left = _shown_left(before)
    has_left = _shown_left(table)
    return [
        Told(seat, NoticeKind.LEFT, f"left/{gone}", table.number, table.at, about=gone)
        for gone in seats
        if has_left[gone] and not had_left[gone]
        for seat in seats
        if not has_left[seat]
    ]


def _shown_left(table: AnyTable) -> list[bool]:
    shown = table.seats if table.sealed is None else table.sealed.seats
    return [seat.has_left for seat in shown]


def _notices(table: AnyTable, seat: int) -> list[Told]:
    if table.is_over:
        return []
    return [*_of_the_turn(table, seat), *_of_an_offer(table, seat)]


def _of_the_turn(table: AnyTable, seat: int) -> list[Told]:
    at = table.seats[seat]
    if at.bot is not None or not at.clock.awaited or at.decision is None or at.clock.occasion is None:
        return []
    occasion = f"{at.clock.occasion.kind}/{at.clock.occasion.number}"
    told = [Told(seat, NoticeKind.TURN, occasion, at.decision.serial, table.at)]
    whole = _whole(table)
    if whole is not None:
        flag = bridge.flag_at(table, seat)
        warn_at = None if flag is None else flag - whole * SECOND // WARNING_SHARE
        told.append(Told(seat, NoticeKind.WARNING, occasion, at.decision.serial, warn_at))
    return told


def _of_an_offer(table: AnyTable, seat: int) -> list[Told]:
    offer = table.offer
    if offer is None or seat in offer.agreed or table.seats[seat].has_left:
        return []
    return [Told(seat, NoticeKind.OFFER, f"offer/{offer.number}", offer.number, table.at)]


def _whole(table: AnyTable) -> int | None:
    """The time, in seconds, of which a fifth is what a seat is warned at."""
    match table.control:
        case PerMove(move_s=seconds):
            return seconds
        case Fischer(bank_s=seconds) | Total(bank_s=seconds):
            return seconds
        case _:
            return None


def _timeless(told: list[Told]) -> list[tuple[str, str, int, int | None]]:
    """To compare: when a turn began doesn't change while it lasts, when its warning is due does."""
    return [
        (one.kind, one.occasion, one.serial, one.not_before if one.kind == NoticeKind.WARNING else None) for one in told
    ]
