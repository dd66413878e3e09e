"""Time controls with a name, so that people can look for a match by how much time they have."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from engine.core.clock import LONGEST_S

HOUR_S = 3600
DAY_S = 24 * HOUR_S


class Pace(NamedTuple):
    """A named time control. `waits_s`: how long a lobby of this pace waits for players, in seconds, if nothing is said;
    `stays_s`: how long somebody who wants to be paired stays in the queue without asking again.
    """

    control: Mapping[str, Any]
    waits_s: int
    stays_s: int


PACES: Mapping[str, Pace] = MappingProxyType(
    {
        "blitz": Pace({"type": "fischer", "bank_s": 180, "increment_s": 5, "cap_s": None}, HOUR_S, 120),
        "live": Pace({"type": "fischer", "bank_s": 600, "increment_s": 20, "cap_s": None}, HOUR_S, 120),
        "day": Pace({"type": "per_move", "move_s": DAY_S}, 7 * DAY_S, 7 * DAY_S),
        "three_days": Pace({"type": "per_move", "move_s": 3 * DAY_S}, 7 * DAY_S, 14 * DAY_S),
        "week": Pace({"type": "per_move", "move_s": 7 * DAY_S}, 14 * DAY_S, 30 * DAY_S),
    }
)
UNLIMITED, OTHER = "unlimited", "other"
"""How matches without a clock, and matches with any other time control, are listed."""
USUAL_WAIT_S = 7 * DAY_S
SHORTEST_WAIT_S = 60
LONGEST_WAIT_S = LONGEST_S


def pace_of(control: Mapping[str, Any]) -> str:
    """The name of a time control (with all its fields), or `unlimited` or `other`."""
    if control["type"] == "none":
        return UNLIMITED
    return next((name for name, pace in PACES.items() if pace.control == control), OTHER)


def wait_of(pace: str) -> int:
    """For how many seconds a lobby waits for players if its host doesn't say."""
    return PACES[pace].waits_s if pace in PACES else USUAL_WAIT_S
