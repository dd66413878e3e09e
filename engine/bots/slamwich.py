"""Bots for Slamwich: they see sandwiches and Thieves among the top three cards."""

from __future__ import annotations

from typing import TypeAlias

from engine.bots.contract import AnyBot, AnyGame, Clock, Level, Sight
from engine.bots.racing import Claims, Racer
from engine.games.slamwich.cards import THIEVES
from engine.games.slamwich.moves import Look, Pass, SlamwichMove, Slap, Turn
from engine.games.slamwich.state import State
from engine.games.slamwich.view import View

SlamwichSight: TypeAlias = Sight[View, SlamwichMove, State]


def bot_of(game: AnyGame, level: Level, clock: Clock | None) -> AnyBot:
    """A bot of this level."""
    return Racer[View, SlamwichMove, State](level, forced=(Turn, Look), passing=Pass(), claims=claims_on)


def claims_on(sight: SlamwichSight) -> Claims[SlamwichMove]:
    """A slap on a sandwich, with the shout on a Thief; the mistake is to muddle these two (SLM-8 to SLM-14)."""
    slap, shout = Slap(), Slap(shout=True)
    card, *under = sight.view.top or (None,)
    if card is None:
        return Claims(None, ())
    if card in THIEVES:
        return Claims(shout, (slap,))
    return Claims(slap, (shout,)) if card in under else Claims(None, (slap, shout))
