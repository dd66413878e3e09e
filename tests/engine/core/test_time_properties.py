"""However time is cut into calls and in whatever order requests get the lock: the same log, clocks and losers."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import clock as clocks
from engine.core.clock import Fischer, OnTimeout, PerMove, Policy, TimeControl, Total
from engine.core.referee import LAG
from engine.core.table import OfferKind
from tests.engine.core.tables import BEGAN, Board
from tests.engine.core.toy import Ask, Bid, Call, Draw, MoveType, Options, Play, Say

CONTROLS: tuple[TimeControl, ...] = (PerMove(10), Fischer(20, 5, 30), Total(25))
POLICIES = (Policy(strikes=1), Policy(OnTimeout.LEAVE), Policy(OnTimeout.BOT))
MOVES: tuple[MoveType, ...] = (Draw(), Play("c0"), Ask(), Say(yes=True), Call(), Bid(2))

times = st.integers(0, 120_000)
seats = st.integers(0, 3)


@dataclass(frozen=True)
class Request:
    """Something that comes in at `at` and gets the lock `wait` milliseconds later."""

    at: int
    wait: int
    seat: int
    what: MoveType | str

    def ask(self, board: Board, serial: int | None = None) -> object:
        """Ask it of the board, a move for this decision; whether it is granted doesn't matter here."""
        seat, received, now = self.seat, BEGAN + self.at, BEGAN + self.at + self.wait
        referee, table = board.referee, board.table
        match self.what:
            case "leave":
                return board._take(referee.leave(table, (seat,), received=received, now=now))
            case "pause":
                return board._take(referee.stop(table, "pause", received=received, now=now))
            case "go on":
                return board._take(referee.start(table, "pause", received=received, now=now))
            case "away":
                return board._take(referee.stop(table, "vacation", received=received, now=now, seats=(seat,)))
            case "back":
                return board._take(referee.start(table, "vacation", received=received, now=now, seats=(seat,)))
            case "offer":
                step = referee.offer(table, seat, OfferKind.PAUSE, received=received, now=now, open_s=60, pause_s=60)
                return board._take(step)
            case "agree":
                number = 0 if table.offer is None else table.offer.number
                return board._take(referee.answer(table, seat, number, agrees=True, received=received, now=now))
            case str():
                raise AssertionError(self.what)
            case _:
                return board.move(seat, self.what, self.at, now=self.at + self.wait, serial=serial)


whats = st.one_of(
    st.sampled_from(MOVES), st.sampled_from(("leave", "pause", "go on", "away", "back", "offer", "agree"))
)
requests = st.lists(st.builds(Request, times, st.integers(0, LAG - 1), seats, whats), max_size=25).map(
    lambda found: sorted(found, key=lambda request: request.at + request.wait)
)


def board(control: TimeControl, policy: Policy, *, limit: int | None) -> Board:
    match = Board(4, control, policy, options=Options(target=60, time_limit_s=limit))
    match.schedule("night", 15_000, 40_000)
    match.schedule("weekend", 50_000, 60_000, 0, 1, 2, 3)
    return match


def settle_all(match: Board, now: int) -> None:
    while match.settle(now):
        pass


@settings(max_examples=300, deadline=None)
@given(
    control=st.sampled_from(CONTROLS),
    policy=st.sampled_from(POLICIES),
    limit=st.sampled_from((None, 45)),
    asked=requests,
    cuts=st.lists(times, max_size=12),
    end=st.integers(120_000, 400_000),
)
def test_any_split_of_time_into_calls_gives_the_same_log(
    control: TimeControl, policy: Policy, limit: int | None, asked: list[Request], cuts: list[int], end: int
) -> None:
    plain, swept = board(control, policy, limit=limit), board(control, policy, limit=limit)
    waiting = sorted(cuts)
    for request in asked:
        while waiting and waiting[0] <= request.at + request.wait:
            swept.settle(waiting.pop(0))
        # Whoever sweeps shows decisions earlier; what is compared is the same request, so it names the same one.
        serial = max(1, swept.table.seats[request.seat].asked)
        request.ask(plain, serial)
        request.ask(swept, serial)
    for cut in waiting:
        swept.settle(cut)
    settle_all(plain, end)
    settle_all(swept, end)
    assert swept.log == plain.log
    assert swept.table == plain.table
    assert swept.referee.replay(swept.opening, swept.log) == swept.table


@settings(max_examples=200, deadline=None)
@given(
    control=st.sampled_from(CONTROLS),
    policy=st.sampled_from(POLICIES),
    times_of=st.lists(st.integers(5_000, 5_000 + LAG - 1), min_size=3, max_size=3),
    yes=st.lists(st.booleans(), min_size=3, max_size=3),
    order=st.permutations((0, 1, 2)),
    late=st.integers(0, 30_000),
)
def test_any_order_in_which_requests_within_the_lag_get_the_lock_gives_the_same_clocks_and_losers(
    control: TimeControl, policy: Policy, times_of: list[int], yes: list[bool], order: tuple[int, ...], late: int
) -> None:
    """Seat 0 asks at 4 s; the three others answer within the lag, some near the end of what they have."""
    now = 5_000 + LAG - 1
    outcomes = []
    for arrival in ((0, 1, 2), order):
        match = Board(4, control, policy)
        match.move(0, Ask(), 4_000)
        for index in arrival:
            match.move(index + 1, Say(yes=yes[index]), times_of[index], now=now)
        settle_all(match, now + late)
        table = match.table
        outcomes.append(
            [
                (clocks.left_at(at.clock, table.match_time(BEGAN + 5_000 + LAG)), at.clock.occasion, at.has_left)
                for at in table.seats
            ]
            + [(clocks.due(at.clock), at.strikes, at.asked) for at in table.seats]
        )
    assert outcomes[0] == outcomes[1]


@settings(max_examples=200, deadline=None)
@given(
    first=st.integers(9_701, 10_299), second=st.integers(9_701, 10_299), order=st.booleans(), wait=st.integers(0, 299)
)
def test_around_a_deadline_each_answer_is_judged_by_when_it_came_in(
    first: int, second: int, *, order: bool, wait: int
) -> None:
    """Asked at 0, the clocks of seats 1 and 2 run out at 10 s; sweeps look in between."""
    match = Board(3, PerMove(10), Policy(OnTimeout.LEAVE))
    match.move(0, Ask(), 0)
    calls = [(1, first), (2, second)]
    for seat, at in sorted(calls, key=lambda call: call[1], reverse=order):
        now = max(first, second, at + wait) if max(first, second) < at + LAG else at + wait
        match.settle(min(now, 10_000 + LAG - 1))
        match.move(seat, Say(yes=True), at, now=min(now, max(at, 10_000 + LAG - 1)))
    settle_all(match, 10_000 + LAG)
    lost = {seat for seat in (1, 2) if match.table.seats[seat].has_left}
    assert lost == {seat for seat, at in calls if at >= 10_000}
    assert not match.table.seats[0].has_left


@pytest.mark.parametrize("control", [PerMove(10), Total(10)])
def test_a_clock_that_crosses_two_stops_is_neither_refilled_nor_lost(control: TimeControl) -> None:
    match = Board(2, control, Policy(strikes=100))
    match.stop("vacation", 4_000, 0)
    match.stop("pause", 5_000)
    match.start("pause", 20_000)
    assert match.due() is None
    match.start("vacation", 30_000, 0)
    match.schedule("night", 33_000, 50_000, at=31_000)
    # 4 s before the first stop and 3 s between it and the second: 3 s are left.
    assert match.settle(53_000 + LAG - 1)[-1][1] == 50_000
    assert [at for cause, at in match.settle(53_000 + LAG) if cause == "flag"] == [53_000]
