"""Seats that bots play: what the table has drawn for them in races, ahead of its time.

No bot is known here. How one answers a race is asked of the `React` that a referee is handed, once, when the answer is
first owed; it is recorded in the entry that made it owed and lies in the table until its time. So it comes in exactly
then whoever settles however late, and a replay needs no bot.

All other decisions of bots are asked for from outside, like anybody's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any, TypeAlias, TypeVar

from engine.core.game import LOOK, RACE, Game
from engine.core.rng import Rng, Seed
from engine.core.table import Plan, SeatState

S = TypeVar("S")
M = TypeVar("M")

React: TypeAlias = Callable[[Any, int, str, Rng], tuple[Any, int] | None]
"""How a bot answers a race whose card it sees: state, seat, level, chance; the move and the milliseconds it takes.

None when it has no answer: then its time is up like anybody's.
"""

TAKES_OVER = "normal"
"""The level at which a bot plays the seat of somebody whose clock has run out."""
SOONEST_LOOK_MS = 400
LATEST_LOOK_MS = 2400
"""Between these a bot looks at a card that was turned."""

_DOMAIN = b"listik bot"


def bot_rng(seed: Seed, seat: int, serial: int, tried: int = 0) -> Rng:
    """The chance of one decision of a bot: of its own, so that it neither uses nor tells any of the match's.

    Another one each time that it is `tried` again.
    """
    place = seat.to_bytes(4, "big") + serial.to_bytes(4, "big") + tried.to_bytes(4, "big")
    return Rng(Seed(sha256(_DOMAIN + seed.reveal() + place).digest()))


def is_drawn(at: SeatState) -> bool:
    """Whether what this seat is asked is a bot's to answer and is drawn ahead of its time."""
    return at.bot is not None and at.decision is not None and at.decision.occasion.kind in {RACE, LOOK}


def draw_plan(
    game: Game[S, M, Any, Any, Any], state: S, seat: int, at: SeatState, seed: Seed, since: int, react: React | None
) -> Plan[M] | None:
    """What a bot will do about its race decision, which is owed since `since` (match time); None: nothing.

    The table lets it look; only what it then does is asked of the bot.
    """
    if at.decision is None or at.bot is None:
        return None
    rng = bot_rng(seed, seat, at.decision.serial)
    look = next((move for move in game.legal_moves(state, seat) if game.stamped_at_commit(move)), None)
    if look is not None:
        after = SOONEST_LOOK_MS + rng.below(LATEST_LOOK_MS - SOONEST_LOOK_MS + 1)
        return Plan(seat, at.decision.serial, look, since + after)
    reaction = None if react is None else react(state, seat, at.bot, rng)
    return None if reaction is None else Plan(seat, at.decision.serial, reaction[0], since + max(0, reaction[1]))


def recorded_plan(plans: Iterable[Plan[M]], seat: int, at: SeatState) -> Plan[M] | None:
    """What a log says was drawn for this decision."""
    serial = None if at.decision is None else at.decision.serial
    return next((plan for plan in plans if (plan.seat, plan.serial) == (seat, serial)), None)


def is_fit(game: Game[S, M, Any, Any, Any], state: S, plan: Plan[M], since: int) -> bool:
    """Whether this is something that the seat may do, and not before it was asked."""
    return plan.due >= since and game.refuse(state, plan.seat, plan.move) is None
