"""Clocks that stand: agreed pauses, vacations, nights, outages, one upon the other."""

import pytest

from engine.core.clock import OnTimeout, PerMove, Policy, Unlimited
from engine.core.errors import RefusalCode
from engine.core.referee import LAG
from engine.core.table import Cause
from tests.engine.core.tables import BEGAN, Board
from tests.engine.core.toy import Ask, Bid, Call, Draw, Options, Say

TEN_SECONDS = PerMove(move_s=10)


def test_while_the_match_stands_nothing_is_due_and_nobody_may_move() -> None:
    board = Board(control=TEN_SECONDS, options=Options(time_limit_s=60))
    board.stop("pause", 4_000)
    assert board.due() is None
    assert board.settle(1_000_000) == []
    before = board.table
    assert board.move(0, Draw(), 5_000) is RefusalCode.MATCH_PAUSED
    assert board.move(0, Draw(), 4_000) is RefusalCode.MATCH_PAUSED
    assert board.table == before


def test_a_move_from_before_the_stop_still_counts() -> None:
    board = Board(control=TEN_SECONDS)
    board.stop("pause", 4_000)
    assert board.move(0, Draw(), 3_900, now=4_100) is None
    assert board.left_ms(0) == 6_100
    board.start("pause", 60_000)
    assert board.due() == 70_000


def test_clocks_and_limits_go_on_with_what_was_left() -> None:
    board = Board(control=TEN_SECONDS, options=Options(time_limit_s=9))
    board.stop("pause", 4_000)
    board.start("pause", 104_000)
    assert board.settle(110_000 + LAG) == [(Cause.TIMER, 109_000), (Cause.FLAG, 110_000)]


def test_match_time_leaves_out_every_stop() -> None:
    board = Board(control=TEN_SECONDS)
    board.stop("pause", 1_000)
    board.start("pause", 11_000)
    board.move(0, Draw(), 12_000)
    board.stop("moderator", 14_000)
    board.start("moderator", 34_000)
    assert board.table.lost == 30_000
    assert board.table.match_time(BEGAN + 40_000) == BEGAN + 10_000
    assert board.due() == 12_000 + 10_000 + 20_000


def test_the_match_stands_until_the_last_of_its_reasons_is_gone() -> None:
    board = Board(control=TEN_SECONDS)
    board.stop("pause", 4_000)
    board.stop("outage", 5_000)
    board.start("pause", 6_000)
    assert (board.table.stops, board.due()) == (("outage",), None)
    board.start("outage", 8_000)
    assert (board.table.stops, board.table.lost, board.due()) == ((), 4_000, 14_000)


def test_the_same_reason_twice_is_one_and_an_unknown_one_is_none() -> None:
    board = Board(control=TEN_SECONDS)
    board.start("pause", 1_000)
    board.stop("pause", 4_000)
    board.stop("pause", 5_000)
    assert board.table.stops == ("pause",)
    board.start("night", 6_000)
    assert board.table.stops == ("pause",)
    board.start("pause", 7_000)
    assert board.due() == 13_000


def test_a_clock_that_ran_out_before_the_stop_is_not_saved_by_it() -> None:
    board = Board(control=TEN_SECONDS)
    board.stop("pause", 10_100)
    assert board.settle(10_000 + LAG) == [(Cause.FLAG, 10_000 + 100)]
    assert board.log[-1].received == BEGAN + 10_000
    board.start("pause", 60_000)
    assert board.due() == 60_000 + 10_000


def test_a_clock_that_runs_out_with_the_stop_is_not_saved_but_one_millisecond_later_it_is() -> None:
    board = Board(control=TEN_SECONDS)
    board.stop("pause", 10_000)
    assert board.due() == 10_000
    saved = Board(control=TEN_SECONDS)
    saved.stop("pause", 9_999)
    assert saved.due() is None


def test_an_overdue_clock_falls_at_its_due_though_a_stop_came_and_went_within_the_lag() -> None:
    board = Board(3, TEN_SECONDS, Policy(OnTimeout.LEAVE))
    board.stop("outage", 10_050)
    board.start("outage", 10_150)
    assert board.due() == 10_000
    assert board.settle(10_300) == [(Cause.FLAG, 10_150)]
    assert board.log[-1].seats == (0,)
    assert board.log[-1].received == BEGAN + 10_000


def test_a_request_from_before_a_stop_that_is_over_already_has_its_own_time() -> None:
    board = Board(3)
    board.move(0, Ask(), 0)
    board.stop("outage", 10_050)
    board.start("outage", 10_150)
    table = board.table
    times = [table.match_time(BEGAN + at) - BEGAN for at in (10_000, 10_050, 10_100, 10_150, 10_200)]
    assert times == [10_000, 10_050, 10_050, 10_050, 10_100]
    assert [table.utc(BEGAN + at) - BEGAN for at in (10_000, 10_050, 10_051)] == [10_000, 10_050, 10_151]


def test_an_outage_is_made_good_before_anything_that_was_due_in_it() -> None:
    board = Board(control=TEN_SECONDS)
    board.stop("outage", 4_000, now=4_000)
    board.start("outage", 3_600_000)
    assert board.due() == 3_606_000
    assert board.causes() == [(Cause.STOP, 4_000), (Cause.START, 3_600_000)]


def test_a_vacation_stops_one_clock_and_its_seat_may_move_all_the_same() -> None:
    board = Board(3, TEN_SECONDS)
    board.stop("vacation", 4_000, 0)
    assert board.due() is None
    assert board.move(0, Ask(), 5_000) is None
    assert board.due() == 15_000
    board.move(1, Say(yes=True), 6_000)
    board.move(2, Say(yes=True), 7_000)
    assert (board.left_ms(0), board.due()) == (6_000, None)
    board.start("vacation", 8_000, 0)
    assert board.due() == 14_000


def test_a_vacation_does_not_save_a_clock_that_has_run_out() -> None:
    board = Board(control=TEN_SECONDS)
    board.stop("vacation", 10_000, 0)
    assert board.settle(10_000 + LAG) == [(Cause.FLAG, 10_000)]


def test_a_vacation_in_a_pause_counts_only_once_both_are_over() -> None:
    board = Board(control=TEN_SECONDS)
    board.stop("pause", 2_000)
    board.stop("vacation", 3_000, 0)
    board.start("pause", 5_000)
    assert board.due() is None
    board.start("vacation", 7_000, 0)
    assert board.due() == 15_000


def test_a_stop_in_a_race_begins_when_the_race_is_over() -> None:
    board = Board(control=TEN_SECONDS)
    board.move(0, Call(), 1_000)
    assert board.stop("pause", 1_500) is None
    assert board.table.halted is None
    assert board.due() == 2_000
    assert board.move(1, Bid(1), 1_900) is None
    assert board.settle(2_000 + LAG) == [(Cause.TIMER, 2_000), (Cause.STOP, 2_000)]
    assert board.table.stops == ("pause",)
    board.start("pause", 60_000)
    assert board.due() == 69_000


def test_a_stop_in_a_race_begins_at_once_when_the_last_answer_comes_in() -> None:
    board = Board(control=TEN_SECONDS)
    board.move(0, Call(), 1_000)
    board.stop("pause", 1_500)
    board.move(1, Bid(1), 1_600)
    board.move(0, Bid(2), 1_700)
    assert board.due() == 1_500
    assert board.settle(1_700 + LAG) == [(Cause.STOP, 1_700)]
    assert board.log[-1].received == BEGAN + 1_500
    assert board.table.halted == BEGAN + 1_700


def test_a_night_announced_for_the_middle_of_a_race_waits_for_its_end() -> None:
    board = Board(control=TEN_SECONDS)
    board.schedule("night", 1_500, 60_000)
    board.move(0, Call(), 1_000)
    assert board.move(1, Bid(1), 1_800) is None
    assert board.settle(61_000) == [(Cause.TIMER, 2_000), (Cause.STOP, 2_000), (Cause.START, 60_000)]
    assert board.due() == 69_000


def test_a_request_after_the_end_of_a_race_finds_the_stop_begun_and_the_race_still_to_be_closed() -> None:
    board = Board(control=TEN_SECONDS)
    board.move(0, Call(), 1_000)
    board.stop("pause", 1_500)
    assert board.move(0, Draw(), 2_100) is RefusalCode.MATCH_PAUSED
    assert board.move(1, Bid(3), 1_999, now=2_200) is None
    assert board.settle(2_000 + LAG) == [(Cause.TIMER, 2_000)]
    assert board.table.state.scores == (0, 5)


def test_a_stop_that_has_not_begun_can_be_called_off() -> None:
    board = Board(control=TEN_SECONDS)
    board.move(0, Call(), 1_000)
    board.stop("pause", 1_500)
    board.start("pause", 1_600)
    assert board.settle(2_000 + LAG) == [(Cause.TIMER, 2_000)]
    assert board.table.stops == ()


def test_an_announced_window_begins_and_ends_at_its_times_however_late_that_is_noticed() -> None:
    board = Board(control=TEN_SECONDS)
    board.schedule("night", 4_000, 64_000)
    assert board.due() == 4_000
    assert board.settle(70_000 + LAG) == [(Cause.STOP, 4_000), (Cause.START, 64_000), (Cause.FLAG, 70_000)]


def test_the_first_request_in_a_window_finds_it_begun() -> None:
    board = Board(control=TEN_SECONDS)
    board.schedule("night", 4_000, 64_000)
    assert board.move(0, Draw(), 4_000) is RefusalCode.MATCH_PAUSED
    assert board.move(0, Draw(), 64_000) is None


def test_a_window_for_one_seat_stops_its_clock_only() -> None:
    board = Board(2, TEN_SECONDS)
    board.schedule("night", 4_000, 64_000, 0)
    assert board.settle(9_000) == [(Cause.STOP, 4_000)]
    assert board.log[-1].seats == (0,)
    assert board.due() == 64_000
    assert board.move(0, Draw(), 9_000) is None
    assert board.due() == 19_000


def test_announcing_again_takes_the_place_of_what_was_still_to_begin() -> None:
    board = Board(control=TEN_SECONDS)
    board.schedule("night", 4_000, 64_000)
    board.schedule("night", 8_000, 64_000)
    assert board.due() == 8_000


def test_the_next_night_may_be_announced_in_this_one() -> None:
    board = Board(control=TEN_SECONDS)
    board.schedule("night", 4_000, 64_000)
    board.settle(4_000 + LAG)
    board.schedule("night", 70_000, 90_000, at=5_000)
    assert board.settle(65_000) == [(Cause.START, 64_000)]
    assert board.settle(80_000) == [(Cause.FLAG, 70_000), (Cause.STOP, 70_000)]


def test_a_window_that_ends_early_does_not_end_a_second_time() -> None:
    board = Board(control=TEN_SECONDS)
    board.schedule("night", 4_000, 64_000)
    board.settle(4_000 + LAG)
    board.start("night", 10_000)
    assert board.due() == 16_000
    assert board.table.windows == ()


def test_of_two_windows_that_overlap_the_later_end_counts() -> None:
    board = Board(control=TEN_SECONDS)
    board.schedule("night", 4_000, 20_000)
    board.settle(4_000 + LAG)
    board.schedule("night", 10_000, 30_000, at=5_000)
    assert board.settle(40_000 + LAG) == [(Cause.STOP, 10_000), (Cause.START, 30_000), (Cause.FLAG, 36_000)]


def test_a_match_that_stands_is_not_idle() -> None:
    board = Board(control=Unlimited(idle_limit_s=60))
    board.stop("moderator", 10_000)
    assert board.settle(10_000_000) == []
    board.start("moderator", 10_000_000)
    assert board.due() == 10_060_000


@pytest.mark.parametrize("stands", [True, False])
def test_a_seat_may_leave_while_the_match_stands(*, stands: bool) -> None:
    board = Board(3, TEN_SECONDS)
    if stands:
        board.stop("pause", 1_000)
    assert board.leave(0, at=2_000) is None
    assert board.due() == (None if stands else 12_000)
