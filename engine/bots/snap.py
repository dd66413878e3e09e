"""Bots for Snap: they see whether the turned card matches another pile's top card or the pot's."""

from __future__ import annotations

from functools import partial
from typing import TypeAlias

from engine.bots.contract import AnyBot, AnyGame, Clock, Level, Sight
from engine.bots.racing import Claims, Racer
from engine.games.snap.moves import Call, Claim, Look, Pass, SnapMove, Turn
from engine.games.snap.state import State
from engine.games.snap.view import View

SnapSight: TypeAlias = Sight[View, SnapMove, State]


def bot_of(game: AnyGame, level: Level, clock: Clock | None) -> AnyBot:
    """A bot of this level."""
    return Racer[View, SnapMove, State](level, forced=(Turn, Look), passing=Pass(), claims=claims_on)


def claims_on(sight: SnapSight) -> Claims[SnapMove]:
    """What may be called of the open card: the pot rather than the piles, for it brings these too (SNP-12, SNP-13)."""
    view = sight.view
    if view.card is None or view.race is None:
        return Claims(None, ())
    right = _best(view, view.card, view.race.turner)
    calls = [move for move in sight.moves if isinstance(move, Call)]
    wrong = tuple(move for move in calls if move.claim != right and (view.pot or move.claim != Claim.SNAP_POT))
    return Claims(None if right is None else Call(right), wrong)


def _best(view: View, card: str, turner: int) -> Claim | None:
    is_like = partial(_same_rank, card)
    if is_like(view.pot_top):
        return Claim.SNAP_POT
    if any(is_like(seat.top) for seat in view.seats if seat.seat != turner):
        return Claim.SNAP if Claim.SNAP in view.claims else Claim.HAND
    return None


def _same_rank(card: str, other: str | None) -> bool:
    return other is not None and card[:-1] == other[:-1]
