"""A whole match of the toy game with a bit of everything in its log, for the tests of replays and exports."""

from __future__ import annotations

from engine.core.clock import PerMove, Policy
from tests.engine.core.tables import Board
from tests.engine.core.toy import Ask, Bid, Call, Draw, Options, Say


def eventful() -> Board:
    """Moves, a race, flags, a pause, a night, a vacation, a leaver; three seats; it ends by the last one left.

    With seed 1 the entries are: 1 open, 2 ask, 3 and 4 say, 5 call, 6 bid, 7 timer, 8 draw, 9 stop, 10 start,
    11 schedule, 12 flag, 13 stop, 14 start, 15 stop, 16 draw, 17 start, 18 leave, 19 flag.
    """
    board = Board(3, PerMove(move_s=10), Policy(strikes=1), options=Options(time_limit_s=86_400))
    board.move(0, Ask(), 1_000)
    board.move(1, Say(yes=True), 2_000)
    board.move(2, Say(yes=False), 2_500)
    board.move(0, Call(), 3_000)
    board.move(1, Bid(3), 3_500)
    board.settle(4_400)
    board.move(0, Draw(), 5_000)
    board.stop("pause", 6_000)
    board.start("pause", 16_000)
    board.schedule("night", 30_000, 40_000, at=17_000)
    board.settle(41_000)
    board.stop("vacation", 42_000, 2)
    board.move(2, Draw(), 45_000)
    board.start("vacation", 46_000, 2)
    board.leave(0, at=47_000)
    board.settle(57_500)
    return board
