"""Clocks as arithmetic: banks, increments, caps, stops, occasions that go on."""

import pytest

from engine.core import clock as clocks
from engine.core.clock import Clock, Fischer, PerMove, TimeControl, Total, Unlimited
from engine.core.game import Occasion

FIRST, SECOND, THIRD = (Occasion("turn", number) for number in (1, 2, 3))


def asked(control: TimeControl, occasion: Occasion = FIRST, at: int = 0) -> Clock:
    return clocks.ask(clocks.opening(control), control, occasion, at)


def test_without_a_control_nothing_is_ever_due() -> None:
    clock = asked(Unlimited())
    assert (clock.left, clock.since, clocks.due(clock), clocks.left_at(clock, 99)) == (None, None, None, None)
    assert clock.occasion == FIRST


def test_a_clock_runs_from_when_it_was_asked() -> None:
    clock = asked(PerMove(move_s=10), at=500)
    assert clocks.due(clock) == 10_500
    assert clocks.left_at(clock, 500) == 10_000
    assert clocks.left_at(clock, 3_500) == 7_000
    assert clocks.left_at(clock, 10_500) == 0
    assert clocks.left_at(clock, 99_999) == 0


def test_a_request_stamped_before_the_clock_began_costs_nothing() -> None:
    assert clocks.left_at(asked(PerMove(move_s=10), at=500), 400) == 10_000


def test_a_known_occasion_goes_on_after_an_interruption() -> None:
    control = PerMove(move_s=10)
    rested = clocks.rest(asked(control), 4_000)
    assert (rested.left, clocks.due(rested), rested.awaited) == (6_000, None, False)
    assert clocks.due(clocks.ask(rested, control, FIRST, 9_000)) == 15_000


def test_asking_for_the_same_again_changes_nothing() -> None:
    control = PerMove(move_s=10)
    clock = asked(control)
    assert clocks.ask(clock, control, FIRST, 4_000) is clock


def test_per_move_starts_a_new_clock_for_a_new_occasion() -> None:
    control = PerMove(move_s=10)
    rested = clocks.rest(asked(control), 9_999)
    assert clocks.due(clocks.ask(rested, control, SECOND, 20_000)) == 30_000


def test_fischer_earns_with_each_occasion_but_the_first() -> None:
    control = Fischer(bank_s=60, increment_s=5)
    first = asked(control)
    assert first.left == 60_000
    rested = clocks.rest(first, 20_000)
    second = clocks.ask(rested, control, SECOND, 30_000)
    assert second.left == 45_000
    third = clocks.ask(clocks.rest(second, 31_000), control, THIRD, 40_000)
    assert third.left == 49_000


def test_fischer_earns_nothing_for_an_occasion_that_goes_on() -> None:
    control = Fischer(bank_s=60, increment_s=5)
    rested = clocks.rest(asked(control), 20_000)
    assert clocks.ask(rested, control, FIRST, 30_000).left == 40_000


@pytest.mark.parametrize(
    ("used", "left"),
    [(0, 12_000), (1_000, 12_000), (3_000, 12_000), (3_001, 11_999), (10_000, 5_000)],
)
def test_fischer_earns_up_to_its_cap(used: int, left: int) -> None:
    control = Fischer(bank_s=10, increment_s=5, cap_s=12)
    rested = clocks.rest(asked(control), used)
    assert clocks.ask(rested, control, SECOND, 90_000).left == left


def test_a_bank_above_the_cap_is_kept_and_earns_nothing() -> None:
    control = Fischer(bank_s=20, increment_s=5, cap_s=12)
    rested = clocks.rest(asked(control), 1_000)
    assert clocks.ask(rested, control, SECOND, 90_000).left == 19_000


def test_total_earns_nothing() -> None:
    control = Total(bank_s=60)
    rested = clocks.rest(asked(control), 20_000)
    assert clocks.ask(rested, control, SECOND, 90_000).left == 40_000


def test_a_stopped_clock_keeps_what_it_held_until_the_last_reason_is_gone() -> None:
    clock = clocks.stop(asked(PerMove(move_s=10)), "night", 4_000)
    assert (clock.left, clocks.due(clock)) == (6_000, None)
    both = clocks.stop(clock, "vacation", 5_000)
    assert both.stops == ("night", "vacation")
    still = clocks.start(both, "night", 6_000)
    assert (still.left, clocks.due(still), still.stops) == (6_000, None, ("vacation",))
    assert clocks.due(clocks.start(still, "vacation", 8_000)) == 14_000


def test_a_reason_twice_is_one_and_clearing_an_unknown_one_changes_nothing() -> None:
    running = asked(PerMove(move_s=10))
    stopped = clocks.stop(running, "night", 4_000)
    assert clocks.stop(stopped, "night", 5_000) == stopped
    assert clocks.start(running, "night", 5_000) == running


def test_a_stop_does_not_save_a_clock_that_has_run_out() -> None:
    clock = clocks.stop(asked(PerMove(move_s=10)), "vacation", 10_000)
    assert clocks.due(clock) == 10_000
    assert clock.stops == ("vacation",)
    saved = clocks.stop(asked(PerMove(move_s=10)), "vacation", 9_999)
    assert (clocks.due(saved), saved.left) == (None, 1)


def test_a_seat_asked_while_its_clock_is_stopped_gets_its_time_when_the_stop_ends() -> None:
    control = PerMove(move_s=10)
    stopped = clocks.stop(clocks.opening(control), "vacation", 0)
    clock = clocks.ask(stopped, control, FIRST, 1_000)
    assert (clock.left, clocks.due(clock), clock.awaited) == (10_000, None, True)
    assert clocks.due(clocks.start(clock, "vacation", 5_000)) == 15_000


def test_a_seat_that_is_not_awaited_does_not_run_when_a_stop_ends() -> None:
    clock = clocks.start(clocks.stop(clocks.opening(Total(bank_s=60)), "night", 0), "night", 10)
    assert (clock.left, clocks.due(clock)) == (60_000, None)


def test_resting_twice_is_resting_once() -> None:
    rested = clocks.rest(asked(PerMove(move_s=10)), 4_000)
    assert clocks.rest(rested, 9_000) is rested
