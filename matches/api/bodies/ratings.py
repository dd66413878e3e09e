"""Ratings, and how they came about."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

Points = Annotated[int, Meta(description="1000 for newcomers; 200 more is won about three times of four.")]


class RatingBody(Struct, frozen=True):
    """How good a player is at a game, after so many rated matches.

    `mu` is the best guess and `sigma` its standard deviation; `rating` is 1000 + 30 · (`mu` - 3 · `sigma`), so it is
    almost certainly not too high, and grows as more is known. It is `provisional` for the first ten matches.
    """

    game: str
    rating: Points
    mu: float
    sigma: float
    matches: int
    provisional: bool


class ReliabilityBody(Struct, frozen=True):
    """How far one can rely on a player, from the latest 50 matches against people.

    `percent` is the smaller of two shares: turns made in time, and matches not left. `reply_ms` is the median time to
    think, without pauses, nights and vacations.
    """

    percent: int
    turns: int
    in_time: int
    matches: int
    left: int
    reply_ms: int | None


class ConductBody(Struct, frozen=True):
    """How you kept to a match: turns, those made in time, for how many milliseconds you thought about the latest."""

    match: UUID
    turns: int
    in_time: int
    replies: tuple[int, ...]
    has_left: bool


class RatingChangeBody(Struct, frozen=True):
    """What a match made of a rating. `match` is null if you may not know of the match.

    `place` is the one among the `people` who were rated, 1 the best: equal ones are ties, and whoever left comes below
    all others. A match that is noticed late changes what came after it.
    """

    match: UUID | None
    ended_at: datetime
    place: int
    people: int
    rating_before: Points
    rating: Points
    mu: float
    sigma: float


class RatingHistory(Struct, frozen=True):
    """Changes, the newest first; ask again with `after` = `next` for more, unless it is null."""

    changes: tuple[RatingChangeBody, ...]
    next: str | None
