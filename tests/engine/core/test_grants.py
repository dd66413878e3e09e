"""What operators give back: time on a clock, strikes, and the result of a match that should have had none."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.core.clock import Fischer, OnTimeout, PerMove, Policy, Total, Unlimited
from engine.core.errors import RefusalCode, ReplayMismatch
from engine.core.referee import LAG
from engine.core.table import Cause, EndedAs, Ending, Grant
from engine.core.viewing import view_entry
from tests.engine.core.tables import BEGAN, Board
from tests.engine.core.toy import Draw

TEN_SECONDS = PerMove(move_s=10)


def replays(board: Board) -> bool:
    """Whether the log leads to the table."""
    return board.referee.replay(board.opening, board.log) == board.table


def test_time_given_to_a_clock_that_runs_moves_its_end() -> None:
    board = Board(control=TEN_SECONDS)
    assert board.grant(0, 5_000, 4_000) is None
    assert (board.left_ms(0), board.runs(0), board.due()) == (15_000, True, 15_000)
    assert board.settle(15_000 + LAG) == [(Cause.FLAG, 15_000)]
    assert board.log[1].grant == Grant(0, 5_000)
    assert replays(board)


def test_a_move_that_would_have_been_late_is_in_time() -> None:
    board = Board(control=TEN_SECONDS)
    board.grant(0, 5_000, 9_999)
    assert board.move(0, Draw(), 14_999) is None


def test_time_can_be_given_while_the_match_stands() -> None:
    board = Board(control=Total(bank_s=10))
    board.stop("moderator", 4_000)
    assert board.grant(0, 5_000, 60_000) is None
    board.start("moderator", 100_000)
    assert board.due() == 111_000
    assert replays(board)


def test_a_bank_can_be_filled_past_its_cap_and_while_it_stands() -> None:
    board = Board(control=Fischer(bank_s=30, increment_s=5, cap_s=32))
    assert board.grant(1, 20_000, 1_000) is None
    assert board.left_ms(1) == 50_000
    board.move(0, Draw(), 2_000)
    assert (board.left_ms(1), board.runs(1)) == (50_000, True)
    assert replays(board)


def test_strikes_are_taken_back_and_the_turn_that_was_missed_stays_missed() -> None:
    board = Board(control=TEN_SECONDS, policy=Policy(strikes=1))
    board.settle(10_000 + LAG)
    board.move(1, Draw(), 11_000)
    assert board.table.seats[0].strikes == 1
    assert board.grant(0, 0, 12_000, forgives=True) is None
    assert board.table.seats[0].strikes == 0
    assert board.settle(21_000 + LAG) == [(Cause.FLAG, 21_000)]
    assert not board.table.seats[0].has_left
    assert replays(board)


@pytest.mark.parametrize(
    ("seat", "ms", "forgives"),
    [(2, 1_000, False), (-1, 1_000, False), (0, -1, False), (0, 0, False), (0, 0, True), (0, 10**11, False)],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(seat: int, ms: int, forgives: bool) -> None:  # noqa: FBT001
    board = Board(control=TEN_SECONDS)
    before = board.table
    assert board.grant(seat, ms, 1_000, forgives=forgives) is RefusalCode.GRANT_IMPOSSIBLE
    assert (board.table, len(board.log)) == (before, 1)


def test_there_must_be_a_clock_to_add_to() -> None:
    unlimited, resting = Board(control=Unlimited()), Board(control=TEN_SECONDS)
    assert unlimited.grant(0, 1_000, 1_000) is RefusalCode.GRANT_IMPOSSIBLE
    assert resting.grant(1, 1_000, 1_000) is RefusalCode.GRANT_IMPOSSIBLE


def test_a_clock_that_has_run_out_isnt_saved() -> None:
    board = Board(control=TEN_SECONDS)
    assert board.grant(0, 1_000, 10_000) is RefusalCode.GRANT_IMPOSSIBLE
    assert board.settle(10_000 + LAG) == [(Cause.FLAG, 10_000)]


def test_nothing_is_given_to_who_has_left_or_once_all_is_over() -> None:
    board = Board(3, control=TEN_SECONDS)
    board.leave(1, at=1_000)
    assert board.grant(1, 1_000, 2_000) is RefusalCode.SEAT_LEFT
    board.leave(2, at=3_000)
    assert board.grant(0, 1_000, 4_000) is RefusalCode.MATCH_OVER


def test_what_is_given_is_for_all_to_see() -> None:
    board = Board(control=TEN_SECONDS)
    board.grant(0, 5_000, 1_000)
    assert view_entry(board.log[-1], None, is_over=False).grant == Grant(0, 5_000)


def test_a_result_is_taken_back_by_one_more_entry() -> None:
    board = Board(control=TEN_SECONDS, policy=Policy(OnTimeout.LEAVE))
    board.move(0, Draw(), 1_000)
    board.move(1, Draw(), 2_000)
    board.settle(12_000 + LAG)
    assert board.table.ending is not None
    assert board.table.ending.status is EndedAs.FINISHED
    assert board.annul(50_000) is None
    assert board.table.ending == Ending(EndedAs.VOID)
    assert (board.log[-1].cause, board.log[-1].at) == (Cause.VOID, BEGAN + 50_000)
    assert board.due() is None
    assert replays(board)


def test_without_a_result_there_is_nothing_to_take_back() -> None:
    running, void, abandoned = Board(), Board(), Board()
    void.void(1_000)
    abandoned.leave(0, at=1_000)
    for board in (running, void, abandoned):
        before = board.table
        assert board.annul(2_000) is RefusalCode.MATCH_OVER
        assert board.table == before


def test_a_log_in_which_something_is_given_that_couldnt_be_doesnt_hold() -> None:
    board = Board(control=TEN_SECONDS)
    board.grant(0, 5_000, 1_000)
    for grant in (None, Grant(1, 5_000), Grant(0, 0), Grant(5, 5_000)):
        forged = [board.log[0], type(board.log[1])(2, BEGAN + 1_000, BEGAN + 1_000, Cause.GRANT, grant=grant)]
        with pytest.raises(ReplayMismatch, match="entry 2"):
            board.referee.replay(board.opening, forged)


def lend(board: Board, seat: int, at: int, bot: str = "hard") -> RefusalCode | None:
    """An operator puts a bot on a seat."""
    referee, now = board.referee, BEGAN + at
    return board._take(referee.lend(board.table, seat, bot, received=now, now=now, why="moderator"))


def test_a_bot_is_put_on_a_seat_until_its_player_moves() -> None:
    board = Board(control=TEN_SECONDS)
    assert lend(board, 0, 4_000) is None
    entry = board.log[-1]
    assert (entry.cause, entry.seat, entry.bot, entry.key) == (Cause.TAKE_OVER, 0, "hard", "moderator")
    assert (board.table.seats[0].bot, board.table.seats[0].lent, board.due()) == ("hard", True, None)
    assert board.move(0, Draw(), 30_000, by_bot=True) is None
    assert board.move(1, Draw(), 31_000) is None
    assert board.move(0, Draw(), 32_000) is None
    assert (board.table.seats[0].bot, board.table.seats[0].lent) == (None, False)
    assert replays(board)


def test_a_bot_is_put_on_a_seat_that_isnt_awaited_and_while_the_match_stands() -> None:
    board = Board(control=Total(bank_s=10))
    board.stop("moderator", 1_000)
    assert lend(board, 1, 2_000) is None
    board.start("moderator", 3_000)
    board.move(0, Draw(), 4_000)
    assert board.due() is None
    assert replays(board)


def test_no_bot_is_put_where_one_is_where_nobody_is_or_once_all_is_over() -> None:
    board = Board(3, control=TEN_SECONDS)
    lend(board, 0, 1_000)
    board.leave(1, at=2_000)
    before = board.table
    assert lend(board, 0, 3_000) is RefusalCode.GRANT_IMPOSSIBLE
    assert lend(board, 1, 3_000) is RefusalCode.SEAT_LEFT
    assert lend(board, 3, 3_000) is RefusalCode.GRANT_IMPOSSIBLE
    assert board.table == before
    board.void(4_000)
    assert lend(board, 2, 5_000) is RefusalCode.MATCH_OVER


def test_a_take_over_that_nobody_asked_for_and_that_wasnt_due_doesnt_hold() -> None:
    board = Board(control=TEN_SECONDS)
    lend(board, 0, 4_000)
    for fields in ({"key": None}, {"seat": 5}, {"seat": None}, {"bot": None}):
        forged = [board.log[0], replace(board.log[1], **fields)]
        with pytest.raises(ReplayMismatch, match="entry 2"):
            board.referee.replay(board.opening, forged)
