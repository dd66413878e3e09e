"""What a bot is given and what it gives back: it sees what its seat sees, and nothing holds the true state."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from engine.core.errors import EngineError
from engine.core.game import Game
from engine.core.rng import Rng

S = TypeVar("S")
M = TypeVar("M")
V = TypeVar("V")

AnyGame: TypeAlias = Game[Any, Any, Any, Any, Any]
Clock: TypeAlias = Callable[[], int]
"""Milliseconds that only ever go forward, from any beginning: what a search looks at to come to an end."""


class Level(StrEnum):
    """How well a bot plays."""

    EASY = "easy"
    NORMAL = "normal"
    HARD = "hard"


class UnknownLevel(EngineError):
    """There are no bots of this level."""


class Sight(Struct, Generic[V, M, S], frozen=True):
    """All that a bot may know when it decides for `seat`.

    `moves` are the legal ones; free fields are left out of them. `imagine` gives a state that the seat can't tell from
    the true one, another one each time. `seats` is how many the match has.
    """

    seat: int
    view: V
    moves: tuple[M, ...]
    imagine: Callable[[Rng], S]
    seats: int
    options: Any


class Reaction(Struct, Generic[M], frozen=True):
    """A bot's answer to a race: `move` is the claim or the pass.

    `after_ms` have passed then since the card was turned (`arrival`) or since the seat's look (`reaction`). It may be
    past the end of the race: then the bot was too slow. Claims and passes take equally long.
    """

    move: M
    after_ms: int


class Bot(Protocol[V, M, S]):
    """Decides for a seat. It keeps nothing from one decision to the next, and all its chance is the `Rng` it is handed:
    the same sight and stream give the same answer, unless a clock ends a search early.
    """

    def choose(self, sight: Sight[V, M, S], rng: Rng) -> M:
        """One of the sight's moves, which are not empty; a second of thinking at the most."""
        ...

    def react(self, sight: Sight[V, M, S], rng: Rng) -> Reaction[M]:
        """An answer to a race whose card the seat sees."""
        ...


AnyBot: TypeAlias = Bot[Any, Any, Any]


def sight_of(
    game: Game[S, M, Any, Any, V], state: S, seat: int, *, seats: int, options: Any, rng: Rng
) -> Sight[V, M, S]:
    """What `seat` may know of `state`.

    The state is replaced by an imagined one first, so that not even what `imagine` holds on to is the true one.
    """
    imagined = game.shuffle_hidden(state, seat, rng)
    return Sight(
        seat=seat,
        view=game.view(imagined, seat),
        moves=tuple(game.legal_moves(imagined, seat)),
        imagine=partial(game.shuffle_hidden, imagined, seat),
        seats=seats,
        options=options,
    )
