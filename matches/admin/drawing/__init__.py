"""Draws what a viewer sees of a match, so that it looks like a table: seats around it, cards on it.

A game has a module here that is named like it and says where its cards lie; a game without one is drawn by what its
view holds. Nothing here knows a rule, and nothing is drawn that the view doesn't show.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import msgspec

from engine.core.viewing import TableView
from matches.admin.drawing import anything
from matches.admin.drawing.scene import Scene

__all__ = ["Scene", "draw"]

Draw = Callable[[Any, tuple[str, ...]], Scene]


def draw(game: str, table: TableView[Any, Any], names: tuple[str, ...]) -> Scene:
    """The scene of a table; `names` are those of the seats."""
    state = msgspec.to_builtins(table.state)
    return _drawer(game)(state, names)


def _drawer(game: str) -> Draw:
    name = f"{__name__}.{game}"
    drawer: Draw = anything.draw if find_spec(name) is None else import_module(name).draw
    return drawer
