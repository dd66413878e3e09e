"""The best of a game."""

from __future__ import annotations

from msgspec import Struct

from matches.api.bodies.accounts import PlayerBody
from matches.api.bodies.ratings import RatingBody


class LeaderBody(Struct, frozen=True):
    """A place of a leaderboard."""

    place: int
    player: PlayerBody
    rating: RatingBody


class LeaderPage(Struct, frozen=True):
    """Some of the best; ask again with `after` = `next` for more, unless it is null.

    Whoever has played fewer than `least_matches` rated matches of the game isn't in it.
    """

    game: str
    least_matches: int
    leaders: tuple[LeaderBody, ...]
    next: str | None
