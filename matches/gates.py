"""Whom a host wants to play with: a range of ratings, a reliability, some experience."""

from __future__ import annotations

from typing import NamedTuple

from matches.skill import NEWCOMER, points


class Standing(NamedTuple):
    """What a gate looks at: rating and number of rated matches of a game, and a reliability in percent if known."""

    rating: int = points(NEWCOMER.ordinal)
    matches: int = 0
    reliability: int | None = None


class Gate(NamedTuple):
    """Who may join; None where everybody may. `least_reliability` is in percent."""

    least_rating: int | None = None
    most_rating: int | None = None
    least_matches: int | None = None
    least_reliability: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether it lets everybody in."""
        return self == Gate()

    def fault(self) -> str | None:
        """What is wrong with the gate itself."""
        if self.least_rating is not None and self.most_rating is not None and self.least_rating > self.most_rating:
            return "least_rating is above most_rating: nobody could join"
        return None

    def refusal(self, standing: Standing) -> str | None:
        """Why somebody isn't let in. Whose reliability isn't known yet is: nobody begins with a bad name."""
        if self.least_rating is not None and standing.rating < self.least_rating:
            return f"a rating of {self.least_rating} is wanted, and it is {standing.rating}"
        if self.most_rating is not None and standing.rating > self.most_rating:
            return f"a rating of at most {self.most_rating} is wanted, and it is {standing.rating}"
        if self.least_matches is not None and standing.matches < self.least_matches:
            return f"{self.least_matches} rated matches are wanted, and there are {standing.matches}"
        known = standing.reliability
        if self.least_reliability is not None and known is not None and known < self.least_reliability:
            return f"a reliability of {self.least_reliability} % is wanted, and it is {known} %"
        return None


OPEN = Gate()
"""Everybody may join."""
