"""Well-typed moves that nobody listed: every type of a game's moves with ordinary and absurd values."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import msgspec
from msgspec import inspect

from engine.core.codec import codec_for, encode
from tests.engine.driver import AnyGame

INTEGERS = (-1, 0, 1, 2, 3, 4, 5, 6, 8, 9, 11, 12, 100, -(2**31), 2**31, 2**63)
TEXTS = ("", "x", "0", "\x00", "ß" * 300)
TRIES = 20


def any_move(game: AnyGame, random: Random) -> Any:
    """A move that could come in as JSON, whatever the game thinks of it."""
    kinds = _kinds(game)
    for _ in range(TRIES):
        kind = random.choice(kinds)
        move = kind.cls(**{field.name: _value(field.type, game, random) for field in kind.fields})
        if _is_well_typed(game, move):
            return move
    kind = random.choice([kind for kind in kinds if not kind.fields] or kinds)
    return kind.cls(**{field.name: field.default for field in kind.fields if field.default is not msgspec.NODEFAULT})


@cache
def _kinds(game: AnyGame) -> list[Any]:
    info: Any = inspect.type_info(game.move_type)
    return list(info.types) if isinstance(info, inspect.UnionType) else [info]


@cache
def _texts(game: AnyGame) -> tuple[str, ...]:
    return (*TEXTS, *sorted(game.card_names))


def _is_well_typed(game: AnyGame, move: Any) -> bool:
    try:
        return bool(codec_for(game).move(encode(move)) == move)
    except (msgspec.MsgspecError, OverflowError):
        return False


def _value(kind: Any, game: AnyGame, random: Random) -> Any:  # noqa: C901 - one case a type
    match kind:
        case inspect.Metadata(type=inner):
            return _value(inner, game, random)
        case inspect.NoneType():
            return None
        case inspect.BoolType():
            return random.random() < 0.5
        case inspect.IntType():
            return random.choice(INTEGERS)
        case inspect.StrType():
            return random.choice(_texts(game))
        case inspect.EnumType(cls=cls):
            return random.choice(list(cls))
        case inspect.LiteralType(values=values):
            return random.choice(values)
        case inspect.UnionType(types=types):
            return _value(random.choice(types), game, random)
        case inspect.TupleType(item_types=items):
            return tuple(_value(item, game, random) for item in items)
        case inspect.VarTupleType(item_type=item):
            return tuple(_value(item, game, random) for _ in range(random.choice((0, 1, 2, 3, 5, 40))))
        case inspect.StructType(cls=cls, fields=fields):
            return cls(**{field.name: _value(field.type, game, random) for field in fields})
        case _:
            raise AssertionError(f"moves of {game.title} have a field of type {kind!r}")
