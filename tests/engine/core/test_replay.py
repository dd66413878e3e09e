"""A log leads to its table, and one that was tampered with in any way doesn't."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from engine.core.clock import OnTimeout, PerMove, Policy
from engine.core.errors import NewerFormat, ReplayMismatch
from engine.core.referee import LAG, Referee
from engine.core.rng import Seed
from engine.core.table import FORMAT, Cause, EndedAs, Entry, Window
from tests.engine.core.histories import eventful
from tests.engine.core.tables import BEGAN, Board
from tests.engine.core.toy import TOY, Ask, Bid, Call, Draw, Play, Say

AnyEntry = Entry[Any, Any]


def test_the_history_is_what_it_says() -> None:
    board = eventful()
    causes = [entry.cause for entry in board.log]
    assert causes == [
        Cause.OPEN,
        *[Cause.MOVE] * 5,
        Cause.TIMER,
        Cause.MOVE,
        Cause.STOP,
        Cause.START,
        Cause.SCHEDULE,
        Cause.FLAG,
        Cause.STOP,
        Cause.START,
        Cause.STOP,
        Cause.MOVE,
        Cause.START,
        Cause.LEAVE,
        Cause.FLAG,
    ]
    assert [entry.number for entry in board.log] == list(range(1, 20))


def test_a_log_leads_to_its_table() -> None:
    board = eventful()
    assert board.referee.replay(board.opening, board.log) == board.table


@pytest.mark.parametrize("length", range(1, 20))
def test_every_part_of_a_log_from_its_beginning_does_too(length: int) -> None:
    board = eventful()
    assert board.referee.replay(board.opening, board.log[:length]).number == length


def test_every_kind_of_leaving_and_ending_can_be_replayed() -> None:
    leaving = Board(4, PerMove(move_s=10), Policy(OnTimeout.LEAVE))
    for seat in range(4):
        leaving.move(seat, Draw(), 500)
    leaving.move(0, Ask(), 1_000)
    leaving.settle(11_000 + LAG)
    assert leaving.log[-1].seats == (1, 2, 3)
    void, idle, racing = Board(), Board(), Board()
    void.void(1_000)
    idle.settle(10**11)
    racing.move(0, Call(), 1_000)
    racing.stop("pause", 1_500)
    racing.settle(9_000)
    racing.start("pause", 10_000)
    for board in (leaving, void, idle, racing):
        assert board.referee.replay(board.opening, board.log) == board.table
    assert [board.table.ending and board.table.ending.status for board in (leaving, void, idle, racing)] == [
        EndedAs.FINISHED,
        EndedAs.VOID,
        EndedAs.ABANDONED,
        None,
    ]


def changed(which: int, **fields: Any) -> Callable[[list[AnyEntry]], list[AnyEntry]]:
    """Tamper with one entry."""

    def tamper(log: list[AnyEntry]) -> list[AnyEntry]:
        return [replace(entry, **fields) if entry.number == which else entry for entry in log]

    return tamper


def dropped(number: int) -> Callable[[list[AnyEntry]], list[AnyEntry]]:
    """Take one entry out and close the gap in the numbers."""

    def tamper(log: list[AnyEntry]) -> list[AnyEntry]:
        kept = [entry for entry in log if entry.number != number]
        return [replace(entry, number=place) for place, entry in enumerate(kept, 1)]

    return tamper


@pytest.mark.parametrize(
    ("tamper", "at"),
    [
        pytest.param(changed(3, move=Say(yes=False), seat=2), "entry 3", id="another seat's answer"),
        pytest.param(changed(6, move=Bid(4)), "entry 7", id="a higher bid"),
        pytest.param(changed(6, move=Bid(10)), "entry 6", id="an illegal bid"),
        pytest.param(changed(8, move=Play("c0")), "entry 8", id="a card that isn't held"),
        pytest.param(changed(8, serial=1), "entry 8", id="another decision"),
        pytest.param(changed(8, seat=7), "entry 8", id="a seat that isn't there"),
        pytest.param(changed(8, seat=None), "entry 8", id="no seat"),
        pytest.param(changed(8, move=None), "entry 8", id="no move"),
        pytest.param(changed(8, events=()), "entry 8", id="untold events"),
        pytest.param(changed(8, number=9), "entry 8", id="another number"),
        pytest.param(changed(8, at=BEGAN + 5_001), "entry 8", id="another time"),
        pytest.param(changed(8, received=BEGAN + 4_999), "entry 8", id="another time of reception"),
        pytest.param(changed(6, received=BEGAN + 4_000, at=BEGAN + 4_000), "entry 6", id="a bid after the end"),
        pytest.param(changed(7, received=BEGAN + 3_999, at=BEGAN + 3_999), "entry 7", id="a timer before its due"),
        pytest.param(changed(7, key="limit"), "entry 7", id="a timer that isn't due"),
        pytest.param(changed(7, cause=Cause.START), "entry 7", id="another cause"),
        pytest.param(changed(7, cause=Cause.OPEN), "entry 7", id="a second opening"),
        pytest.param(changed(9, received=BEGAN + 5_500, at=BEGAN + 5_500), "entry 12", id="an earlier pause"),
        pytest.param(changed(9, seats=(0,)), "entry 10", id="a pause for one seat only"),
        pytest.param(changed(9, seats=(3,)), "entry 9", id="a pause for a seat that isn't there"),
        pytest.param(changed(11, window=None), "entry 11", id="a night that isn't there"),
        pytest.param(
            changed(11, window=Window("night", BEGAN + 31_000, BEGAN + 40_000)), "entry 14", id="a later night"
        ),
        pytest.param(changed(12, move=Play("c0")), "entry 12", id="another default move"),
        pytest.param(changed(12, seat=None, seats=(1,), move=None), "entry 12", id="leaving instead of a strike"),
        pytest.param(changed(12, seat=2), "entry 12", id="another seat's flag"),
        pytest.param(changed(18, seats=(0, 2)), "entry 18", id="one more leaver"),
        pytest.param(changed(18, seats=(0, 0)), "entry 18", id="a leaver twice"),
        pytest.param(changed(18, seats=()), "entry 18", id="no leaver"),
        pytest.param(changed(18, key="timeout"), None, id="why is the operator's word"),
        pytest.param(changed(19, seats=(1, 2)), "entry 19", id="one more flag"),
        pytest.param(changed(1, at=BEGAN + 1), "entry 1", id="another beginning"),
        pytest.param(changed(1, events=()), "entry 1", id="another deal"),
        pytest.param(dropped(1), "entry 1", id="no opening"),
        pytest.param(dropped(4), "entry 4", id="an answer left out"),
        pytest.param(dropped(7), "entry 7", id="a timer left out"),
        pytest.param(dropped(9), "entry", id="a pause left out"),
        pytest.param(dropped(12), "entry 12", id="a flag left out"),
        pytest.param(dropped(14), "entry 14", id="the end of a night left out"),
        pytest.param(lambda log: [*log, replace(log[7], number=20)], "entry 20", id="a move after the end"),
        pytest.param(lambda log: [log[0], log[2], log[1], *log[3:]], "entry 3", id="two entries exchanged"),
        pytest.param(lambda log: [], "entry 1", id="nothing at all"),
    ],
)
def test_tampering_is_found(tamper: Callable[[list[AnyEntry]], list[AnyEntry]], at: str | None) -> None:
    board = eventful()
    log = tamper(board.log)
    if at is None:
        assert board.referee.replay(board.opening, log) == board.table
        return
    with pytest.raises(ReplayMismatch, match=f"{at}\\b" if at[-1].isdigit() else at):
        board.referee.replay(board.opening, log)


def test_another_seed_is_another_deal() -> None:
    board = eventful()
    with pytest.raises(ReplayMismatch, match="entry 1:"):
        Referee(TOY, Seed.from_number(2)).replay(board.opening, board.log)


@pytest.mark.parametrize("fields", [{"at": BEGAN + 1}, {"seats": 2}, {"control": PerMove(move_s=11)}])
def test_another_opening_is_another_match(fields: dict[str, Any]) -> None:
    board = eventful()
    with pytest.raises(ReplayMismatch):
        board.referee.replay(replace(board.opening, **fields), board.log)


def test_an_overdue_flag_cannot_be_left_out_by_stopping_the_log_early_and_going_on() -> None:
    board = Board(3, PerMove(move_s=10), Policy(strikes=100))
    board.move(0, Ask(), 1_000)
    board.settle(11_000 + LAG)
    late: AnyEntry = Entry(3, BEGAN + 12_000, BEGAN + 12_000, Cause.LEAVE, key="resigned", seats=(0,))
    with pytest.raises(ReplayMismatch, match="entry 3 couldn't have happened"):
        board.referee.replay(board.opening, [*board.log[:2], late])


def test_a_match_of_a_newer_format_is_left_alone() -> None:
    board = eventful()
    with pytest.raises(NewerFormat, match=f"format {FORMAT + 1}, the newest known here is {FORMAT}"):
        board.referee.replay(replace(board.opening, format=FORMAT + 1), board.log)


def test_the_moves_of_a_match_are_its_own_whatever_was_drawn() -> None:
    board = eventful()
    assert board.log[7].move == Draw()
    assert board.table.drawn > 0
