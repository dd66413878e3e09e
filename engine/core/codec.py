"""JSON for everything of one game that is stored or sent; the types are the format."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from engine.core.errors import NewerFormat
from engine.core.game import Game
from engine.core.table import FORMAT, Entry, Opening, Table

encode = msgspec.json.Encoder().encode
"""Any struct of the engine as JSON bytes."""


class Codec:
    """Decoders for one game. They raise msgspec.ValidationError, whose message names the faulty field."""

    def __init__(self, game: Game[Any, Any, Any, Any, Any]) -> None:
        table_type: Any = Table
        entry_type: Any = Entry
        opening_type: Any = Opening
        self._table = msgspec.json.Decoder(table_type[game.state_type, game.move_type])
        self.entry = msgspec.json.Decoder(entry_type[game.move_type, game.event_type]).decode
        self.opening = msgspec.json.Decoder(opening_type[game.options_type]).decode
        self.move = msgspec.json.Decoder(game.move_type).decode

    def table(self, data: bytes | str) -> Table[Any, Any]:
        """A stored table. Raises NewerFormat for one that a newer engine has written."""
        try:
            table: Table[Any, Any] = self._table.decode(data)
        except msgspec.ValidationError:
            if msgspec.json.decode(data, type=_Format).format > FORMAT:
                raise NewerFormat(f"written in a newer format than {FORMAT}") from None
            raise
        if table.format > FORMAT:
            raise NewerFormat(f"written in format {table.format}, the newest known here is {FORMAT}")
        return table


class _Format(msgspec.Struct):
    format: int = 1


@cache
def codec_for(game: Game[Any, Any, Any, Any, Any]) -> Codec:
    """The codec of a game, made once."""
    return Codec(game)
