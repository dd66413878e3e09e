"""Every code with which the table itself refuses, and that a refusal changes nothing but what was due."""

from engine.core.clock import PerMove
from engine.core.errors import RefusalCode
from engine.core.table import Cause, EndedAs
from tests.engine.core.tables import Board
from tests.engine.core.toy import Ask, Bid, Call, Draw, Options, Play, Say


def test_a_serial_that_was_never_asked_is_unknown() -> None:
    board = Board()
    before = board.table
    assert board.move(0, Draw(), 10, serial=2) is RefusalCode.UNKNOWN_SERIAL
    assert board.move(0, Draw(), 10, serial=0) is RefusalCode.UNKNOWN_SERIAL
    assert board.move(0, Draw(), 10, serial=-1) is RefusalCode.UNKNOWN_SERIAL
    assert board.move(1, Draw(), 10, serial=1) is RefusalCode.UNKNOWN_SERIAL
    assert board.table == before


def test_a_move_sent_again_is_one_move() -> None:
    board = Board()
    assert board.move(0, Draw(), 10) is None
    before = board.table
    assert board.move(0, Draw(), 11, serial=1) is RefusalCode.LATE_MOVE
    assert board.table == before


def test_a_decision_is_asked_anew_after_each_move_of_its_seat() -> None:
    board = Board(hands=(("c4", "c8", "c1"), ()))
    assert (board.serial(0), board.serial(1)) == (1, None)
    board.move(0, Play("c4"), 10)
    assert (board.serial(0), board.serial(1)) == (2, None)
    board.move(0, Play("c1"), 20)
    assert (board.serial(0), board.serial(1)) == (None, 1)


def test_simultaneous_decisions_leave_each_others_serials_alone() -> None:
    board = Board(4)
    board.move(0, Ask(), 10)
    assert [board.serial(seat) for seat in range(4)] == [None, 1, 1, 1]
    board.move(2, Say(yes=True), 20)
    assert [board.serial(seat) for seat in range(4)] == [None, 1, None, 1]
    board.move(3, Say(yes=True), 30)
    board.move(1, Say(yes=True), 40)
    assert [board.serial(seat) for seat in range(4)] == [2, None, None, None]


def test_a_move_against_the_rules_is_refused_by_the_game() -> None:
    board = Board(hands=(("c1",), ("c2",)))
    before = board.table
    assert board.move(0, Play("c2"), 10) is RefusalCode.ILLEGAL_MOVE
    assert board.table == before


def test_a_refusal_keeps_what_was_settled_on_the_way() -> None:
    board = Board(control=PerMove(move_s=10))
    assert board.move(0, Draw(), 15_000, serial=1) is RefusalCode.LATE_MOVE
    assert board.causes() == [(Cause.FLAG, 10_000)]
    assert board.move(1, Play("c77"), 15_000) is RefusalCode.ILLEGAL_MOVE
    assert board.causes() == [(Cause.FLAG, 10_000)]


def test_nothing_is_taken_once_the_match_is_over() -> None:
    board = Board(hands=(("c11",), ("c10",)), options=Options(target=5))
    board.move(0, Play("c11"), 10)
    over = board.table
    assert over.ending is not None
    assert over.ending.status is EndedAs.FINISHED
    assert board.move(1, Draw(), 20) is RefusalCode.MATCH_OVER
    assert board.leave(1, at=20) is RefusalCode.MATCH_OVER
    assert board.stop("pause", 20) is RefusalCode.MATCH_OVER
    assert board.start("pause", 20) is RefusalCode.MATCH_OVER
    assert board.schedule("night", 30, 40, at=20) is RefusalCode.MATCH_OVER
    assert board.void(20) is RefusalCode.MATCH_OVER
    assert board.settle(10**12) == []
    assert board.due() is None
    assert board.table == over


def test_a_seat_that_left_may_not_move_nor_leave_again() -> None:
    board = Board(3)
    assert board.leave(0, at=10) is None
    before = board.table
    assert board.move(0, Draw(), 20, serial=1) is RefusalCode.SEAT_LEFT
    assert board.leave(0, at=20) is RefusalCode.SEAT_LEFT
    assert board.leave(0, 1, at=20) is RefusalCode.SEAT_LEFT
    assert board.table == before


def test_a_bid_in_an_open_race_after_the_own_is_late() -> None:
    board = Board(3)
    board.move(0, Call(), 10)
    board.move(1, Bid(3), 20)
    assert board.move(1, Bid(9), 30, serial=1) is RefusalCode.LATE_MOVE
    assert board.table.state.bids == (None, 3, None)
