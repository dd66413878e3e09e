"""An increment can't be farmed: decisions inside one occasion share its clock and earn one increment, in every game."""

from __future__ import annotations

import pytest

from engine.core.clock import SECOND, Clock, Fischer, Policy, TimeControl, left_at
from engine.core.game import Occasion
from tests.engine.cases import all_cases
from tests.engine.driver import Case, Playing, Temper

BANK = Fischer(bank_s=600, increment_s=7)
MATCHES = 3
MOST = 300


class Timed(Playing):
    """A match of brisk players with banks and increments."""

    def _manners(self) -> tuple[TimeControl, Policy]:
        return BANK, Policy()


def earned(was: Clock, clock: Clock, seen: list[Occasion]) -> int:
    """The increment that this change of a clock is worth: one an occasion, none for the first."""
    if clock.occasion is None or clock.occasion == was.occasion:
        return 0
    assert clock.occasion not in seen, clock.occasion
    seen.append(clock.occasion)
    return 7 * SECOND if len(seen) > 1 else 0


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.text)
def test_each_occasion_earns_one_increment_whatever_is_decided_in_it(case: Case) -> None:
    for number in range(MATCHES):
        playing = Timed(case, number, Temper.BRISK)
        seen = [[at.clock.occasion] if at.clock.occasion else [] for at in playing.table.seats]
        for moment in playing.moments(MOST):
            at = moment.after.match_time(moment.after.at)
            for seat, after in enumerate(moment.after.seats):
                was = moment.before.seats[seat].clock
                had, has = left_at(was, at), left_at(after.clock, at)
                assert had is not None
                assert has is not None
                # A seat is charged until its move came in, which may be before the entry.
                back = moment.entry.at - moment.entry.received if moment.entry.seat == seat else 0
                gain = has - had - earned(was, after.clock, seen[seat])
                assert 0 <= gain <= back, (str(playing), seat, moment.entry)
