"""Bots for Splendor: `normal` goes for the card that is worth most for its turns, `hard` looks how that works out."""

from __future__ import annotations

from functools import partial
from typing import TypeAlias

from engine.bots.anygame import AnyMove
from engine.bots.contract import AnyBot, AnyGame, Clock, Level, Sight
from engine.bots.search import Budget, Search
from engine.bots.splendor.greedy import greedy_move
from engine.bots.splendor.lookahead import Lookahead, worth_a_try
from engine.bots.splendor.worth import Weights
from engine.bots.turnwise import Turnwise
from engine.core.rng import Rng
from engine.games.splendor.moves import SplendorMove
from engine.games.splendor.state import State
from engine.games.splendor.view import SplendorView

SplendorSight: TypeAlias = Sight[SplendorView, SplendorMove, State]

WEIGHTS = Weights()
TURNS = 10
DEALS = 16


def bot_of(game: AnyGame, level: Level, clock: Clock | None) -> AnyBot:
    """A bot of this level."""
    if level is Level.EASY:
        return AnyMove(level)
    if level is Level.NORMAL:
        return Turnwise[SplendorView, SplendorMove, State](_greedy)
    ahead = Lookahead(game, WEIGHTS, TURNS)
    return Turnwise[SplendorView, SplendorMove, State](partial(_searched, ahead, Search(Budget(DEALS), clock)))


def _greedy(sight: SplendorSight, rng: Rng) -> SplendorMove:
    return greedy_move(sight.imagine(rng), WEIGHTS)


def _searched(ahead: Lookahead, search: Search, sight: SplendorSight, rng: Rng) -> SplendorMove:
    moves = worth_a_try(sight.imagine(rng), WEIGHTS)
    return search.best(moves, sight.imagine, partial(ahead.play_on, sight.seat), rng)
