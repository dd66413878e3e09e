"""The games, as clients need them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from matches import bridge
from matches.bridge import AnyGame
from matches.errors import ServiceError

RULES = Path(__file__).resolve().parents[2] / "docs" / "rules"


class GameInfo(NamedTuple):
    """A game as clients need it: rules in Markdown, and the JSON Schema of everything that they send and are sent."""

    key: str
    title: str
    ruleset: int
    min_seats: int
    max_seats: int
    preset_options: dict[str, dict[str, Any]]
    rules: str
    options_schema: dict[str, Any]
    move_schema: dict[str, Any]
    event_schema: dict[str, Any]
    view_schema: dict[str, Any]
    reasons: tuple[str, ...]
    catalogue: dict[str, Any]


def games_all() -> list[GameInfo]:
    """The newest ruleset of every game."""
    return [_info(game) for game in bridge.games().values()]


def game_get(*, key: str) -> GameInfo:
    """One game."""
    game = bridge.games().get(key)
    if game is None:
        raise ServiceError("not_found", f"there is no game {key!r}; there are {', '.join(bridge.games())}")
    return _info(game)


def game_types() -> dict[str, dict[str, Any]]:
    """The types of every game by the letters of `engine.core.game.Game`: moves M, events E, options O, view V."""
    return {
        key: {"M": game.move_type, "E": game.event_type, "O": game.options_type, "V": game.view_type}
        for key, game in bridge.games().items()
    }


@cache
def _info(game: AnyGame) -> GameInfo:
    ranges = [game.seat_range(options) for options in game.presets.values()]
    rules = RULES / f"{game.key}.md"
    return GameInfo(
        key=game.key,
        title=game.title,
        ruleset=game.ruleset,
        min_seats=min(allowed[0] for allowed in ranges),
        max_seats=max(allowed[-1] for allowed in ranges),
        preset_options={name: msgspec.to_builtins(options) for name, options in game.presets.items()},
        rules=rules.read_text(encoding="utf-8") if rules.exists() else "",
        options_schema=msgspec.json.schema(game.options_type),
        move_schema=msgspec.json.schema(game.move_type),
        event_schema=msgspec.json.schema(game.event_type),
        view_schema=msgspec.json.schema(game.view_type),
        reasons=game.reasons,
        catalogue=getattr(game, "catalogue", dict)(),
    )
