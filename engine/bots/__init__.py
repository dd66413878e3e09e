"""Built-in players: three levels for each game; where a game has no bots of its own, they only know the contract.

A game's own bots are in the module that has its key as its name, and come from its `bot_of`.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from engine.bots.anygame import AnyMove
from engine.bots.contract import AnyBot, AnyGame, Bot, Clock, Level, Reaction, Sight, UnknownLevel, sight_of

__all__ = ["AnyBot", "Bot", "Clock", "Level", "Reaction", "Sight", "UnknownLevel", "bot_for", "sight_of"]


def bot_for(game: AnyGame, level: Level | str, *, clock: Clock | None = None) -> AnyBot:
    """A bot of this level; without a clock only the number of positions it looks at ends its searches.

    Raises UnknownLevel.
    """
    try:
        known = Level(level)
    except ValueError:
        raise UnknownLevel(f"no bots are {level!r}; they are {', '.join(Level)}") from None
    if find_spec(f"engine.bots.{game.key}") is not None:
        bot: AnyBot = import_module(f"engine.bots.{game.key}").bot_of(game, known, clock)
        return bot
    return AnyMove(known)
