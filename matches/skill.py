"""How good somebody is at a game: a belief, and what a match makes of it. Pure arithmetic, the same anywhere.

The model is Plackett and Luce's with Bayesian updates (Weng and Lin), by the library openskill.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from openskill.models import PlackettLuce

_MODEL = PlackettLuce()
CERTAINTY = 3.0
"""A rating is so many deviations below the best guess: it is almost certainly not too high."""
ORIGIN, UNIT = 1000, 30
"""The scale: where newcomers begin, and the points of a step of `mu`."""
SETTLED_MATCHES = 10
"""With fewer matches a rating is provisional, and in no leaderboard."""


class Skill(NamedTuple):
    """The belief about a player: the best guess, and its standard deviation."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """By which players are ordered."""
        return self.mu - CERTAINTY * self.sigma


NEWCOMER = Skill(_MODEL.mu, _MODEL.sigma)


def points(ordinal: float) -> int:
    """An ordinal as people are shown it: newcomers begin at `ORIGIN`; 200 more is won about three times of four."""
    return round(ORIGIN + UNIT * ordinal)


def after_match(skills: Mapping[int, Skill], places: Mapping[int, int]) -> dict[int, Skill]:
    """What a match makes of its players, by player; of places the lower is the better, equal ones are ties.

    Its sums are made in the order of the players' ids, so that equal input gives equal bits.
    """
    order = sorted(places)
    before = [[_MODEL.rating(skills[player].mu, skills[player].sigma)] for player in order]
    after = _MODEL.rate(before, ranks=[float(places[player]) for player in order])
    return {player: Skill(rating.mu, rating.sigma) for player, (rating,) in zip(order, after, strict=True)}
