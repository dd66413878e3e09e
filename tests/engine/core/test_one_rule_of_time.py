"""Deadlines are exclusive, nothing fires before its due and the lag, and what fires late is logged when it was due."""

import pytest

from engine.core.clock import PerMove
from engine.core.errors import RefusalCode
from engine.core.referee import LAG
from engine.core.table import Cause
from tests.engine.core.tables import BEGAN, Board
from tests.engine.core.toy import Bid, Call, Draw, Options, Play

TEN_SECONDS = PerMove(move_s=10)


def test_a_move_one_millisecond_before_the_deadline_counts() -> None:
    board = Board(control=TEN_SECONDS)
    assert board.move(0, Draw(), 9_999) is None
    assert board.causes() == [(Cause.MOVE, 9_999)]


@pytest.mark.parametrize("received", [10_000, 10_001])
def test_a_move_at_the_deadline_or_after_it_is_late_though_the_flag_has_not_fallen(received: int) -> None:
    board = Board(control=TEN_SECONDS)
    before = board.table
    assert board.move(0, Draw(), received) is RefusalCode.LATE_MOVE
    assert board.table == before


def test_a_move_in_time_that_waited_for_its_turn_is_not_overtaken_by_the_flag() -> None:
    board = Board(control=TEN_SECONDS)
    assert board.settle(10_000 + LAG - 1) == []
    assert board.move(0, Draw(), 9_999, now=10_000 + LAG - 1) is None
    assert board.causes() == [(Cause.MOVE, 9_999)]


def test_the_flag_falls_a_lag_after_its_due_and_is_logged_at_its_due() -> None:
    board = Board(control=TEN_SECONDS)
    assert board.settle(10_000 + LAG) == [(Cause.FLAG, 10_000)]
    flag = board.log[-1]
    assert (flag.seat, flag.serial, flag.move, flag.received) == (0, 1, Draw(), BEGAN + 10_000)


def test_a_worker_that_comes_late_logs_what_was_due_when_it_was_due_in_order() -> None:
    board = Board(control=TEN_SECONDS)
    assert board.settle(3_600_000)[:3] == [(Cause.FLAG, 10_000), (Cause.FLAG, 20_000), (Cause.FLAG, 30_000)]


def test_a_request_after_the_lag_finds_the_flag_fallen() -> None:
    board = Board(control=TEN_SECONDS)
    assert board.move(0, Draw(), 9_999, now=10_000 + LAG) is RefusalCode.LATE_MOVE
    assert board.causes() == [(Cause.FLAG, 10_000)]


def test_an_entry_is_never_before_the_one_above_it_but_keeps_when_it_was_received() -> None:
    board = Board(3)
    board.move(0, Call(), 1_000)
    board.move(1, Bid(1), 1_200)
    board.move(2, Bid(2), 1_100, now=1_250)
    assert [(entry.at - BEGAN, entry.received - BEGAN) for entry in board.log[-2:]] == [(1_200, 1_200), (1_200, 1_100)]


def test_a_bid_is_late_from_the_moment_at_which_the_bidding_ends() -> None:
    board = Board()
    board.move(0, Call(), 1_000)
    assert board.move(1, Bid(1), 2_000) is RefusalCode.LATE_MOVE
    assert board.move(1, Bid(1), 1_999, now=2_100) is None


def test_the_bidding_ends_at_its_due_whoever_notices() -> None:
    board = Board()
    board.move(0, Call(), 1_000)
    assert board.due() == 2_000
    assert board.settle(1_999 + LAG) == []
    assert board.settle(2_000 + LAG) == [(Cause.TIMER, 2_000)]
    assert board.log[-1].key == "bids"


def test_at_one_moment_rule_timers_come_before_flags() -> None:
    # Seat 0 draws at 0; seat 1's clock and the time limit are both up at 10,000.
    board = Board(control=TEN_SECONDS, options=Options(time_limit_s=10))
    board.move(0, Draw(), 0)
    assert board.settle(10_000 + LAG) == [(Cause.TIMER, 10_000), (Cause.FLAG, 10_000)]
    ending = board.table.ending
    assert ending is not None
    assert ending.outcome is not None
    assert ending.outcome.reason == "time"


def test_a_limit_that_ends_nobodys_decision_is_seen_by_the_first_request_after_it() -> None:
    board = Board(options=Options(time_limit_s=10))
    assert board.move(0, Draw(), 10_000) is None
    assert board.causes() == [(Cause.TIMER, 10_000), (Cause.MOVE, 10_000)]
    assert board.table.is_over


def test_a_request_just_before_such_a_limit_is_played_before_it() -> None:
    board = Board(options=Options(time_limit_s=10))
    assert board.move(0, Draw(), 9_999, now=10_200) is None
    assert board.causes() == [(Cause.MOVE, 9_999)]


def test_after_each_firing_everything_is_looked_at_afresh() -> None:
    # Seat 1 lays c4 and goes on; its flag lets it draw, and only then the clock of seat 0 runs.
    board = Board(control=TEN_SECONDS, hands=(("c1",), ("c4", "c2")))
    board.move(0, Draw(), 0)
    board.move(1, Play("c4"), 4_000)
    assert board.due() == 10_000
    assert board.settle(20_000 + LAG) == [(Cause.FLAG, 10_000), (Cause.FLAG, 20_000)]
    assert [entry.seat for entry in board.log[-2:]] == [1, 0]


def test_one_call_writes_at_most_a_hundred_entries_and_the_next_goes_on() -> None:
    board = Board(4, options=Options(time_limit_s=1))
    for night in range(120):
        board.schedule(f"night {night}", 1_000 + night, None, at=0)
    assert len(board.settle(10_000)) == 100
    assert board.move(0, Draw(), 10_000) is RefusalCode.MATCH_PAUSED
    assert board.table.number == 1 + 120 + 121
    assert board.settle(20_000) == []


def test_a_request_that_finds_more_than_a_hundred_things_due_is_to_be_sent_again() -> None:
    board = Board()
    for night in range(120):
        board.schedule(f"night {night}", 1_000 + night, None, at=0)
    assert board.move(0, Draw(), 10_000) is RefusalCode.TRY_AGAIN
    assert board.table.number == 1 + 120 + 100
