"""What each viewer may know of a table, and that sealed answers move nothing for the others."""

import pytest

from engine.core.clock import PerMove
from engine.core.events import Told
from engine.core.table import Cause
from engine.core.viewing import ClockView, DecisionView, TimerView, view_entry, view_table
from tests.engine.core.tables import BEGAN, Board
from tests.engine.core.toy import TOY, Ask, Bid, Call, Draw, Drawn, Options, Play, Say

TEN_SECONDS = PerMove(move_s=10)


def test_a_seat_sees_its_own_cards_and_decision_and_a_spectator_neither() -> None:
    board = Board(control=TEN_SECONDS, hands=(("c1",), ("c2",)))
    own, other, spectator = (view_table(TOY, board.table, viewer) for viewer in (0, 1, None))
    assert (own.state.hand, other.state.hand, spectator.state.hand) == (("c1",), ("c2",), ())
    assert own.decision == DecisionView(1, "turn", BEGAN + 10_000, (Play("c1"), Draw(), Ask(), Call()))
    assert (other.decision, spectator.decision) == (None, None)
    assert (own.seat, other.seat, spectator.seat) == (0, 1, None)
    assert own.awaited == other.awaited == spectator.awaited == (0,)
    assert own.number == 1


def test_a_deadline_is_the_earliest_of_what_ends_the_decision() -> None:
    board = Board(control=TEN_SECONDS)
    board.move(0, Ask(), 4_000)
    decision = view_table(TOY, board.table, 1).decision
    assert decision is not None
    assert (decision.occasion, decision.deadline) == ("ask", BEGAN + 14_000)


def test_clocks_show_what_they_held_when_they_began_to_run_or_stood() -> None:
    board = Board(control=TEN_SECONDS)
    board.move(0, Draw(), 4_000)
    assert view_table(TOY, board.table, None).clocks == (
        ClockView(6_000, None, ()),
        ClockView(10_000, BEGAN + 4_000, ()),
    )


def test_while_the_match_stands_clocks_stand_and_there_is_no_deadline() -> None:
    board = Board(control=TEN_SECONDS, options=Options(time_limit_s=60))
    board.stop("pause", 4_000)
    view = view_table(TOY, board.table, 0)
    assert view.clocks == (ClockView(6_000, None, ()), ClockView(10_000, None, ()))
    assert view.stops == ("pause",)
    assert view.decision is not None
    assert view.decision.deadline is None
    assert view.timers == (TimerView("limit", None),)


def test_after_a_stop_a_clock_shows_what_it_has_left() -> None:
    board = Board(control=TEN_SECONDS, options=Options(time_limit_s=60))
    board.stop("pause", 4_000)
    board.start("pause", 104_000)
    view = view_table(TOY, board.table, 0)
    # At 104,000 six seconds are left: as if it had begun to run at 100,000.
    assert view.clocks[0] == ClockView(10_000, BEGAN + 100_000, ())
    assert view.decision is not None
    assert view.decision.deadline == BEGAN + 110_000
    assert view.timers == (TimerView("limit", BEGAN + 160_000),)


def test_a_vacation_is_seen_by_all() -> None:
    board = Board(control=TEN_SECONDS)
    board.stop("vacation", 4_000, 0)
    assert view_table(TOY, board.table, 1).clocks[0] == ClockView(6_000, None, ("vacation",))


def test_what_a_limit_is_all_may_know_and_what_ends_a_bidding_only_through_the_game() -> None:
    board = Board(options=Options(time_limit_s=60))
    board.move(0, Call(), 1_000)
    assert view_table(TOY, board.table, 0).timers == (TimerView("limit", BEGAN + 60_000),)


def test_nothing_is_asked_and_nothing_runs_once_the_match_is_over() -> None:
    board = Board(control=TEN_SECONDS, options=Options(time_limit_s=60))
    board.void(3_000)
    view = view_table(TOY, board.table, 0)
    assert (view.awaited, view.decision, view.timers) == ((), None, ())
    assert view.ending == board.table.ending


def test_leavers_are_shown() -> None:
    board = Board(3)
    board.leave(1, at=1_000)
    assert view_table(TOY, board.table, None).left == (1,)


def test_an_entry_tells_each_viewer_what_it_may_know() -> None:
    board = Board(hands=((), ()))
    board.move(0, Draw(), 1_000)
    entry = board.log[-1]
    card = board.table.state.hands[0][0]
    assert entry.events == (Told(Drawn(0)), Told(Drawn(0, card), (0,)))
    own, other, later = view_entry(entry, 0, is_over=False), view_entry(entry, 1, is_over=False), None
    assert (own.move, own.serial, own.events) == (Draw(), 1, (Drawn(0), Drawn(0, card)))
    assert (other.move, other.serial, other.events) == (None, None, (Drawn(0),))
    assert (other.number, other.at, other.cause, other.seat) == (2, BEGAN + 1_000, Cause.MOVE, 0)
    later = view_entry(entry, None, is_over=True)
    assert (later.move, later.events) == (Draw(), (Drawn(0), Drawn(0, card)))


@pytest.mark.rule("ALL-2", "RACE-2")
def test_sealed_answers_move_nothing_for_the_others() -> None:
    board = Board(4, TEN_SECONDS, options=Options(is_sealed=True))
    board.move(0, Call(), 1_000)
    before = [view_table(TOY, board.table, viewer) for viewer in (0, 3, None)]
    horizon = board.table.horizon
    board.move(1, Bid(2), 1_200)
    board.move(2, Bid(5), 1_300)
    assert [view_table(TOY, board.table, viewer) for viewer in (0, 3, None)] == before
    assert (board.table.horizon, board.table.number) == (horizon, horizon + 2)
    own = view_table(TOY, board.table, 1)
    assert (own.state.bid, own.decision, own.number) == (2, None, horizon)


@pytest.mark.rule("RACE-2")
def test_a_seat_that_leaves_among_sealed_answers_is_seen_to_have_left_when_they_are_opened() -> None:
    board = Board(4, TEN_SECONDS, options=Options(is_sealed=True))
    board.move(0, Call(), 1_000)
    board.move(1, Bid(2), 1_200)
    board.leave(3, at=1_300)
    assert view_table(TOY, board.table, 2).left == ()
    assert view_table(TOY, board.table, 3).left == (3,)
    board.move(2, Bid(1), 1_400)
    board.move(0, Bid(1), 1_500)
    assert view_table(TOY, board.table, 2).left == (3,)
    assert board.table.horizon == board.table.number


def test_open_answers_are_seen_at_once() -> None:
    board = Board(3)
    board.move(0, Ask(), 1_000)
    board.move(1, Say(yes=True), 1_100)
    assert view_table(TOY, board.table, 2).awaited == (2,)
    assert board.table.horizon == 3
