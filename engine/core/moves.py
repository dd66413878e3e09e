"""What a move is: a small frozen value, one class a kind, told apart by its `type`."""

from __future__ import annotations

import re

from msgspec import Struct

_WORD_START = re.compile(r"(?<!^)(?=[A-Z])")


def type_name(class_name: str) -> str:
    """The `type` under which a class travels: `TakeGems` is `take_gems`."""
    return _WORD_START.sub("_", class_name).lower()


class Move(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=type_name):
    """Base of every move of every game; a game's moves are a union of subclasses."""
