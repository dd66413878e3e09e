"""Bots for Gnoming A Round: `normal` counts what lies, `hard` also what may come of it and what others make of it."""

from __future__ import annotations

from functools import partial
from typing import TypeAlias

from engine.bots.anygame import AnyMove as AnyOfAll
from engine.bots.contract import AnyBot, AnyGame, Clock, Level, Sight
from engine.bots.gnoming_a_round.taste import KEEN, PLAIN, Taste, decide
from engine.bots.turnwise import Turnwise
from engine.core.rng import Rng
from engine.games.gnoming_a_round.moves import AnyMove
from engine.games.gnoming_a_round.state import State
from engine.games.gnoming_a_round.view import View

GnomeSight: TypeAlias = Sight[View, AnyMove, State]

TASTES = {Level.NORMAL: PLAIN, Level.HARD: KEEN}


def bot_of(game: AnyGame, level: Level, clock: Clock | None) -> AnyBot:
    """A bot of this level."""
    if level is Level.EASY:
        return AnyOfAll(level)
    return Turnwise[View, AnyMove, State](partial(_decided, TASTES[level]))


def _decided(taste: Taste, sight: GnomeSight, rng: Rng) -> AnyMove:
    return decide(sight.imagine(rng), sight.seat, sight.moves, taste)
