"""Offers that need everybody's consent: to pause a match, to go on before its pause is over, to end it for nobody.

An offer is open until everybody in has agreed, one has declined, somebody leaves, or its end comes. Silence is no
consent. There is one at a time, so that nobody can be unsure what was agreed to.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from engine.core.clock import SECOND
from engine.core.errors import Refusal, RefusalCode
from engine.core.table import Cause, Entry, Offer, OfferKind, Table, Window

PAUSE = "pause"
SHORTEST_PAUSE_S = 60
LONGEST_PAUSE_S = 14 * 24 * 3600
LONGEST_OPEN_S = 3 * 24 * 3600
AGREED = "agreed"


def offer_of(
    table: Table[Any, Any], seat: int, kind: OfferKind, received: int, pause_s: int | None, open_s: int
) -> Offer:
    """The offer that `seat` makes at `received` (UTC); it has agreed already. It ends `open_s` seconds later."""
    pause_ms = None if pause_s is None else pause_s * SECOND
    return Offer(kind, table.offered + 1, seat, received + open_s * SECOND, pause_ms, (seat,))


def untimely_offer(table: Table[Any, Any], offer: Offer, received: int) -> Refusal | None:
    """Why this offer can't be made at `received`, or None."""
    if table.seats[offer.seat].has_left:
        return Refusal(RefusalCode.SEAT_LEFT, "this seat has left the match")
    if table.offer is not None:
        return Refusal(RefusalCode.OFFER_OPEN, f"offer {table.offer.number} is open: answer that one first")
    is_paused = PAUSE in table.stops
    if offer.kind is OfferKind.PAUSE and is_paused:
        return Refusal(RefusalCode.OFFER_IMPOSSIBLE, "the match is paused already")
    if offer.kind is OfferKind.RESUME and not is_paused:
        return Refusal(RefusalCode.OFFER_IMPOSSIBLE, "only a match that is paused can be resumed")
    return _faulty(offer, received)


def untimely_answer(table: Table[Any, Any], seat: int, number: int) -> Refusal | None:
    """Why `seat` can't answer the offer with this number, or None."""
    if table.seats[seat].has_left:
        return Refusal(RefusalCode.SEAT_LEFT, "this seat has left the match")
    if table.offer is None or table.offer.number != number:
        return Refusal(RefusalCode.NO_OFFER, f"there is no open offer {number}")
    return None


def answered(offer: Offer, seat: int, *, agrees: bool) -> Offer | None:
    """The offer with one more consent; None when it was declined."""
    return replace(offer, agreed=tuple(sorted({*offer.agreed, seat}))) if agrees else None


def is_agreed(table: Table[Any, Any]) -> bool:
    """Whether everybody in has agreed to the open offer, so that it is to be carried out.

    A bot agrees to everything; for a player whose seat it was lent it may not.
    """
    return table.offer is not None and all(
        at.has_left or (at.bot is not None and not at.lent) or seat in table.offer.agreed
        for seat, at in enumerate(table.seats)
    )


def pause_window(offer: Offer, received: int) -> Window:
    """The pause that was agreed to at `received`."""
    return Window(PAUSE, received, received + (offer.pause_ms or 0))


def carries_out(table: Table[Any, Any], entry: Entry[Any, Any]) -> bool:
    """Whether this entry is what everybody has agreed to."""
    offer = table.offer
    if offer is None:
        return False
    match offer.kind:
        case OfferKind.PAUSE:
            return entry.cause is Cause.SCHEDULE and entry.window == pause_window(offer, entry.received)
        case OfferKind.RESUME:
            return entry.cause is Cause.START and entry.key == PAUSE and not entry.seats
        case OfferKind.ABORT:
            return entry.cause is Cause.ABANDON and entry.key == AGREED


def _faulty(offer: Offer, received: int) -> Refusal | None:
    if not 0 < offer.ends - received <= LONGEST_OPEN_S * SECOND:
        return Refusal(RefusalCode.OFFER_IMPOSSIBLE, f"an offer is open for 1 to {LONGEST_OPEN_S} seconds")
    is_long = offer.pause_ms is not None
    if is_long != (offer.kind is OfferKind.PAUSE):
        return Refusal(RefusalCode.OFFER_IMPOSSIBLE, "a pause, and nothing else, says for how long")
    if is_long and not SHORTEST_PAUSE_S * SECOND <= (offer.pause_ms or 0) <= LONGEST_PAUSE_S * SECOND:
        return Refusal(RefusalCode.OFFER_IMPOSSIBLE, f"a pause lasts {SHORTEST_PAUSE_S} to {LONGEST_PAUSE_S} seconds")
    return None
