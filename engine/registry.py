"""Finds the games: every package under `engine.games` that has a `GAME`, and its frozen older rulesets (`v<n>`)."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from typing import Any

import engine.games
from engine.core.errors import UnknownGame
from engine.core.game import Game

AnyGame = Game[Any, Any, Any, Any, Any]


@cache
def _rulebooks() -> dict[tuple[str, int], AnyGame]:
    found: dict[tuple[str, int], AnyGame] = {}
    for module in pkgutil.walk_packages(engine.games.__path__, "engine.games."):
        if module.ispkg:
            game = getattr(import_module(module.name), "GAME", None)
            if game is not None:
                found[game.key, game.ruleset] = game
    return found


@cache
def games() -> dict[str, AnyGame]:
    """The newest ruleset of every game, by key."""
    newest: dict[str, AnyGame] = {}
    for (key, _), game in sorted(_rulebooks().items()):
        newest[key] = game
    return newest


def find(key: str, ruleset: int | None = None) -> AnyGame:
    """The game with this key, in this ruleset or the newest one. Raises UnknownGame."""
    game = games().get(key) if ruleset is None else _rulebooks().get((key, ruleset))
    if game is None:
        known = ", ".join(sorted(games()))
        wanted = f"{key!r}" if ruleset is None else f"{key!r} with ruleset {ruleset}"
        raise UnknownGame(f"no game {wanted}; there are {known}")
    return game
