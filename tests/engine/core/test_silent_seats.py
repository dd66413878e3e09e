"""What happens to a seat whose clock runs out: default moves, strikes, leaving; and to a match where nobody plays."""

import pytest

from engine.core.clock import SECOND, Fischer, OnTimeout, PerMove, Policy, Total, Unlimited
from engine.core.errors import RefusalCode
from engine.core.referee import LAG
from engine.core.table import Cause, EndedAs, Ending
from tests.engine.core.tables import BEGAN, Board
from tests.engine.core.toy import Ask, Call, Draw, Options, Play, Say

TEN_SECONDS = PerMove(move_s=10)


def strikes(board: Board) -> list[int]:
    return [seat.strikes for seat in board.table.seats]


def test_play_on_makes_default_moves_and_lets_the_seat_leave_after_its_strikes() -> None:
    board = Board(3, TEN_SECONDS, Policy(strikes=2))
    due = 0
    for turn in range(2):
        due += 10_000
        assert board.settle(due + LAG) == [(Cause.FLAG, due)]
        assert strikes(board) == [turn + 1, 0, 0]
        board.move(1, Draw(), due)
        board.move(2, Draw(), due)
    due += 10_000
    assert board.settle(due + LAG) == [(Cause.FLAG, due)]
    last = board.log[-1]
    assert (last.seats, last.key, last.move, last.seat) == ((0,), "timeout", None, None)
    assert board.table.seats[0].has_left
    assert not board.table.is_over


def test_a_move_of_its_own_clears_the_strikes() -> None:
    board = Board(2, TEN_SECONDS, Policy(strikes=2))
    board.settle(10_000 + LAG)
    assert strikes(board) == [1, 0]
    board.move(1, Draw(), 11_000)
    board.move(0, Draw(), 12_000)
    assert strikes(board) == [0, 0]


def test_a_turn_of_several_decisions_is_one_strike() -> None:
    # Asked, both others let their time pass: one strike each; then seat 0 lets its own turn pass.
    board = Board(3, TEN_SECONDS, hands=(("c1",), ("c2",), ("c3",)))
    board.move(0, Ask(), 4_000)
    assert board.settle(14_000 + LAG) == [(Cause.FLAG, 14_000), (Cause.FLAG, 14_000)]
    assert strikes(board) == [0, 1, 1]
    assert board.due() == 20_000


def test_a_turn_whose_time_is_up_is_played_to_its_end_at_once_as_one_strike() -> None:
    # With nothing to draw the default is the first card: c0 and c4 let the seat go on.
    hands = (("c0", "c4", "c1", "c2", "c3"), ("c5", "c6", "c7", "c8", "c9", "c10", "c11"))
    board = Board(2, TEN_SECONDS, Policy(strikes=1), hands=hands)
    assert board.settle(10_000 + LAG) == [(Cause.FLAG, 10_000)] * 3
    assert [entry.move for entry in board.log[-3:]] == [Play("c0"), Play("c4"), Play("c1")]
    assert strikes(board) == [1, 0]
    assert board.due() == 20_000


def test_leave_lets_the_seat_leave_at_once() -> None:
    board = Board(2, TEN_SECONDS, Policy(OnTimeout.LEAVE))
    board.move(0, Draw(), 0)
    board.move(1, Draw(), 0)
    assert board.settle(10_000 + LAG) == [(Cause.FLAG, 10_000)]
    ending = board.table.ending
    assert ending is not None
    assert ending.outcome is not None
    assert (ending.outcome.reason, ending.outcome.places) == ("last", (2, 1))


def test_seats_whose_clocks_run_out_at_the_same_moment_leave_together() -> None:
    board = Board(4, TEN_SECONDS, Policy(OnTimeout.LEAVE))
    board.move(0, Ask(), 1_000)
    board.move(2, Say(yes=True), 2_000)
    assert board.settle(11_000 + LAG) == [(Cause.FLAG, 11_000)]
    assert board.log[-1].seats == (1, 3)
    assert [seat.has_left for seat in board.table.seats] == [False, True, False, True]
    assert board.table.state.left == (0, 1, 0, 1)


def test_of_seats_that_run_out_together_only_those_out_of_strikes_leave() -> None:
    board = Board(3, TEN_SECONDS, Policy(strikes=1))
    board.move(0, Draw(), 0)
    board.settle(10_000 + LAG)
    board.move(2, Draw(), 11_000)
    assert strikes(board) == [0, 1, 0]
    board.move(0, Ask(), 12_000)
    assert board.settle(22_000 + LAG) == [(Cause.FLAG, 22_000), (Cause.FLAG, 22_000)]
    first, second = board.log[-2:]
    assert (first.seats, second.seat, second.move) == ((1,), 2, Say(yes=False))


@pytest.mark.rule("ALL-6")
def test_letting_a_race_pass_is_no_strike_and_ends_nobodys_match() -> None:
    board = Board(2, TEN_SECONDS, Policy(OnTimeout.LEAVE))
    board.move(0, Call(), 1_000)
    assert board.settle(2_000 + LAG) == [(Cause.TIMER, 2_000)]
    assert strikes(board) == [0, 0]
    assert not any(seat.has_left for seat in board.table.seats)


def test_the_turn_that_a_race_interrupted_goes_on_with_what_was_left() -> None:
    board = Board(2, TEN_SECONDS)
    board.move(0, Call(), 4_000)
    assert not board.runs(0)
    board.settle(5_000 + LAG)
    assert board.left_ms(0) == 6_000
    assert board.due() == 11_000


def test_an_empty_bank_lets_every_later_turn_pass_at_once() -> None:
    board = Board(2, Total(bank_s=10), Policy(strikes=2))
    board.settle(10_000 + LAG)
    board.move(1, Draw(), 12_000)
    assert board.due() == 12_000
    assert board.settle(12_000 + LAG) == [(Cause.FLAG, 12_000)]
    assert strikes(board) == [2, 0]


def test_the_mover_is_charged_until_its_move_came_in_and_the_next_from_the_entry_on() -> None:
    board = Board(3, Fischer(bank_s=60, increment_s=5))
    board.move(0, Ask(), 1_000)
    board.move(1, Say(yes=True), 3_000)
    board.move(2, Say(yes=True), 2_900, now=3_100)
    assert [board.left_ms(seat) for seat in range(3)] == [59_000, 58_000, 58_100]
    assert board.due() == 3_000 + 59_000


def test_a_match_in_which_nothing_happens_is_abandoned() -> None:
    board = Board(2, Unlimited(idle_limit_s=60))
    board.move(0, Draw(), 5_000)
    assert board.due() == 65_000
    assert board.settle(65_000 + LAG - 1) == []
    assert board.move(1, Draw(), 64_000, now=65_100) is None
    assert board.settle(124_000 + LAG) == [(Cause.ABANDON, 124_000)]
    ending = board.table.ending
    assert ending is not None
    assert (ending.status, ending.outcome) == (EndedAs.ABANDONED, None)
    assert board.log[-1].key == "idle"
    assert board.table.seats[0].decision is None


def test_a_match_with_clocks_is_never_idle() -> None:
    board = Board(2, TEN_SECONDS, Policy(OnTimeout.BOT))
    assert board.due() == 10 * SECOND


@pytest.mark.rule("ALL-4")
def test_seats_that_leave_at_the_same_moment_share_the_place() -> None:
    board = Board(4, options=Options())
    board.move(0, Draw(), 0)
    board.move(1, Draw(), 0)
    board.leave(3, at=1_000)
    board.leave(1, 2, at=2_000)
    ending = board.table.ending
    assert ending is not None
    assert ending.outcome is not None
    assert ending.outcome.places == (1, 2, 2, 4)
    assert [entry.at - BEGAN for entry in board.log[3:]] == [1_000, 2_000]


@pytest.mark.parametrize(("moves", "status"), [(0, "abandoned"), (1, "abandoned"), (2, "finished")])
def test_who_leaves_before_the_second_move_leaves_nobody_a_winner(moves: int, status: str) -> None:
    resigned, silent = Board(2, TEN_SECONDS), Board(2, TEN_SECONDS, Policy(OnTimeout.LEAVE))
    for board in (resigned, silent):
        for seat in range(moves):
            board.move(seat, Draw(), 1_000)
    resigned.leave(0, at=2_000)
    silent.settle(20_000)
    for board in (resigned, silent):
        ending = board.table.ending
        assert ending is not None
        assert ending.status == status
        assert (ending.outcome is None) == (status == "abandoned")
        assert board.referee.replay(board.opening, board.log) == board.table


def test_moves_made_for_silent_seats_are_no_moves_of_theirs() -> None:
    board = Board(2, TEN_SECONDS, Policy(strikes=1))
    board.settle(60_000)
    assert board.causes() == [(Cause.FLAG, 10_000), (Cause.FLAG, 20_000), (Cause.FLAG, 30_000)]
    assert board.table.ending == Ending(EndedAs.ABANDONED)


def test_a_match_that_goes_on_without_its_leaver_is_played_to_its_end() -> None:
    board = Board(3)
    board.leave(0, at=1_000)
    assert not board.table.is_over
    board.move(1, Draw(), 2_000)
    board.move(2, Draw(), 3_000)
    board.leave(1, at=4_000)
    ending = board.table.ending
    assert ending is not None
    assert ending.status == EndedAs.FINISHED


def test_an_operator_ends_a_match_without_a_result() -> None:
    board = Board(2, TEN_SECONDS)
    assert board.void(3_000) is None
    table = board.table
    assert table.ending is not None
    assert (table.ending.status, table.ending.outcome) == (EndedAs.VOID, None)
    assert [seat.clock.since for seat in table.seats] == [None, None]
    assert board.left_ms(0) == 7_000
    assert board.move(0, Draw(), 3_001, serial=1) is RefusalCode.MATCH_OVER
