"""Whether something may happen to a table now, by the rules of time and of the game: for requests and for replays."""

from __future__ import annotations

from typing import Any

from engine.core import clock as clocks
from engine.core.bots import is_drawn
from engine.core.errors import Refusal, RefusalCode
from engine.core.game import Game
from engine.core.grants import untimely_grant, untimely_loan
from engine.core.offers import carries_out, is_agreed, untimely_answer, untimely_offer
from engine.core.table import Cause, EndedAs, Entry, Grant, Offer, Table
from engine.core.waits import LAG, Wait, WaitKind, waits

AnyGame = Game[Any, Any, Any, Any, Any]


def untimely(game: AnyGame, table: Table[Any, Any], seat: int, serial: int, received: int) -> Refusal | None:
    """Why a move of `seat` that names `serial` and came in at `received` (UTC) isn't one for this moment, or None."""
    at = table.seats[seat]
    if at.has_left:
        return Refusal(RefusalCode.SEAT_LEFT, "this seat has left the match")
    if table.closed is not None and received >= table.closed:
        return Refusal(RefusalCode.MATCH_PAUSED, f"the match stands ({', '.join(table.stops)})")
    if serial > at.asked or serial < 1:
        return Refusal(RefusalCode.UNKNOWN_SERIAL, f"this seat was never asked a decision {serial}")
    if at.decision is None or at.decision.serial != serial:
        return Refusal(RefusalCode.LATE_MOVE, f"decision {serial} is over")
    if _is_late(game, table, seat, received):
        return Refusal(RefusalCode.LATE_MOVE, f"the time for decision {serial} was up before the move came in")
    if _is_to_stand(game, table, seat, received):
        return Refusal(RefusalCode.MATCH_PAUSED, "the match stands as soon as no look is running; answer after that")
    return None


def not_for(table: Table[Any, Any], seat: int, *, by_bot: bool) -> Refusal | None:
    """Why whoever asks isn't the one to move for `seat`: a bot or its player; a player may always come back."""
    at = table.seats[seat]
    if by_bot and at.bot is None:
        return Refusal(RefusalCode.LATE_MOVE, "the player of this seat is back")
    if by_bot and is_drawn(at):
        return Refusal(RefusalCode.LATE_MOVE, "what a bot answers in a race is drawn when it is asked")
    if not by_bot and at.bot is not None and not at.lent:
        return Refusal(RefusalCode.NOT_YOUR_TURN, "a bot plays this seat")
    return None


def is_possible(game: AnyGame, table: Table[Any, Any], entry: Entry[Any, Any]) -> bool:
    """Whether the rules, of time as well, allow what this entry says was asked for or came due."""
    seats = range(len(table.seats))
    if table.is_over:
        return entry.cause is Cause.VOID and has_result(table)
    if any(seat not in seats for seat in entry.seats) or len(set(entry.seats)) < len(entry.seats):
        return False
    if is_agreed(table):
        return carries_out(table, entry)
    match entry:
        case Entry(cause=Cause.OFFER | Cause.ANSWER):
            return _is_possible_of_an_offer(table, entry) and not _overtakes(game, table, entry)
        case Entry(cause=Cause.MOVE, seat=int(seat), serial=int(serial), move=move) if move is not None:
            return (
                seat in seats
                and not _overtakes(game, table, entry)
                and _is_timely(game, table, entry, seat, serial)
                and game.refuse(table.state, seat, move) is None
            )
        case Entry(cause=Cause.GRANT) | Entry(cause=Cause.TAKE_OVER, key=str()):
            return _is_possible_of_an_operator(table, entry) and not _overtakes(game, table, entry)
        case Entry(cause=Cause.TIMER | Cause.FLAG | Cause.TAKE_OVER | Cause.ABANDON | Cause.LAPSE):
            return _wait_of(game, table, entry) is not None and not _overtakes(game, table, entry)
        case Entry(cause=Cause.RETURN, seat=int(seat)):
            return seat in seats and table.seats[seat].lent and not _overtakes(game, table, entry)
        case Entry(cause=Cause.LEAVE):
            leaves = bool(entry.seats) and not any(table.seats[seat].has_left for seat in entry.seats)
            return leaves and not _overtakes(game, table, entry)
        case _:
            return not _overtakes(game, table, entry)


def _is_possible_of_an_operator(table: Table[Any, Any], entry: Entry[Any, Any]) -> bool:
    match entry:
        case Entry(cause=Cause.GRANT, grant=Grant() as grant):
            return untimely_grant(table, grant, entry.received) is None
        case Entry(cause=Cause.TAKE_OVER, seat=int(seat), bot=str()):
            return untimely_loan(table, seat) is None
        case _:
            return False


def has_result(table: Table[Any, Any]) -> bool:
    """Whether the match is over and has a result: the one thing of it that can still be taken back."""
    return table.ending is not None and table.ending.status is EndedAs.FINISHED


def _is_timely(game: AnyGame, table: Table[Any, Any], entry: Entry[Any, Any], seat: int, serial: int) -> bool:
    """Whether a move was in time; what was drawn for a bot is, exactly when it is due."""
    if is_drawn(table.seats[seat]):
        return _wait_of(game, table, entry) is not None
    return untimely(game, table, seat, serial, entry.received) is None


def _is_possible_of_an_offer(table: Table[Any, Any], entry: Entry[Any, Any]) -> bool:
    match entry:
        case Entry(cause=Cause.OFFER, seat=int(seat), offer=Offer() as offer) if seat in range(len(table.seats)):
            opens = (offer.number, offer.seat, offer.agreed) == (table.offered + 1, seat, (seat,))
            return opens and untimely_offer(table, offer, entry.received) is None
        case Entry(cause=Cause.ANSWER, seat=int(seat), agrees=bool()) if seat in range(len(table.seats)):
            return table.offer is not None and untimely_answer(table, seat, table.offer.number) is None
        case _:
            return False


def _is_to_stand(game: AnyGame, table: Table[Any, Any], seat: int, received: int) -> bool:
    """Whether a stop waits for a look or a race to end, and not for this seat: only whom it waits for may still move.

    Otherwise it would depend on the order of arrival whether a move came before the stop.
    """
    if not any(w.begins is not None and w.begins <= received and not w.seats for w in table.windows):
        return False
    return not any(seat in timer.seats for timer in game.timers(table.state))


def _is_late(game: AnyGame, table: Table[Any, Any], seat: int, received: int) -> bool:
    """Deadlines are exclusive: received at the due time is late."""
    at = table.match_time(received)
    flag = clocks.due(table.seats[seat].clock)
    if flag is not None and flag <= at:
        return True
    return any(timer.due <= at and seat in timer.seats for timer in game.timers(table.state))


def _overtakes(game: AnyGame, table: Table[Any, Any], entry: Entry[Any, Any]) -> bool:
    """Whether something else had to happen before this entry could."""
    own = _wait_of(game, table, entry)
    if own is None:
        received = entry.received
        return any(w.due + LAG <= received or (w.is_harmless and w.due <= received) for w in waits(game, table))
    earlier = [wait for wait in waits(game, table) if wait < own]
    return any(wait.is_harmless or not own.is_harmless or wait.due + LAG <= own.due for wait in earlier)


def _wait_of(game: AnyGame, table: Table[Any, Any], entry: Entry[Any, Any]) -> Wait | None:
    """What came due in this entry; None when it was asked for."""
    return next((w for w in waits(game, table) if w.due == entry.received and _causes(table, w, entry)), None)


def _causes(table: Table[Any, Any], wait: Wait, entry: Entry[Any, Any]) -> bool:
    match wait.kind:
        case WaitKind.RULE:
            return entry.cause is Cause.TIMER and entry.key == wait.key
        case WaitKind.BOT:
            plan = next(plan for plan in table.plans if plan.seat == wait.place)
            return entry.cause is Cause.MOVE and (entry.seat, entry.serial, entry.move) == (
                plan.seat,
                plan.serial,
                plan.move,
            )
        case WaitKind.FLAG:
            return entry.cause in {Cause.FLAG, Cause.TAKE_OVER} and wait.place == (
                entry.seats[0] if entry.seats else entry.seat
            )
        case WaitKind.IDLE:
            return entry.cause is Cause.ABANDON
        case WaitKind.LAPSE:
            return entry.cause is Cause.LAPSE
        case WaitKind.BEGINS | WaitKind.ENDS:
            window = table.windows[wait.place]
            cause = Cause.STOP if wait.kind is WaitKind.BEGINS else Cause.START
            return entry.cause is cause and entry.key == window.reason and entry.seats == window.seats
