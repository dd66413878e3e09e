"""The games."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class GameBody(Struct, frozen=True):
    """A game, in short."""

    key: str
    title: str
    ruleset: int
    min_seats: int
    max_seats: int
    presets: tuple[str, ...]


class GameDetail(GameBody, frozen=True, kw_only=True):
    """A game with its rules and the JSON Schemas of its options, moves, events and view.

    `rules` is Markdown; `presets_options` the option values of each preset; `catalogue` the game's tables of cards, for
    games that have them.
    """

    rules: str
    preset_options: dict[str, dict[str, Any]]
    options_schema: dict[str, Any]
    move_schema: dict[str, Any]
    event_schema: dict[str, Any]
    view_schema: dict[str, Any]
    reasons: tuple[str, ...]
    catalogue: dict[str, Any]
