"""Seats that bots play: what is drawn for them in races, taking over a silent seat, and handing it back."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.core.bots import LATEST_LOOK_MS, SOONEST_LOOK_MS, bot_rng
from engine.core.clock import Fischer, OnTimeout, PerMove, Policy, TimeControl, Total, Unlimited
from engine.core.errors import BadOptions, RefusalCode, ReplayMismatch
from engine.core.referee import LAG, Referee
from engine.core.rng import Rng, Seed
from engine.core.table import Cause, OfferKind, Opening, Plan
from engine.core.viewing import view_entry, view_table
from engine.games import snap
from engine.games.snap.moves import Look
from engine.games.snap.moves import Pass as NoClaim
from tests.engine.core.tables import BEGAN, SEED, Board
from tests.engine.core.toy import TOY, Ask, Bid, Call, Draw, Options, Say

TEN_SECONDS = PerMove(move_s=10)
LENDS = Policy(OnTimeout.BOT)


def bids(amount: int, after_ms: int) -> Any:
    """A bot that always bids so much, after so long."""
    return lambda state, seat, level, rng: (Bid(amount), after_ms)


def against_a_bot(react: Any = None, **fields: Any) -> Board:
    return Board(2, bots=(None, "normal"), react=react or bids(3, 400), **fields)


# Races


def test_a_bot_answers_exactly_when_it_was_drawn_to_whoever_looks_however_late() -> None:
    board = against_a_bot()
    board.move(0, Call(), 1_000)
    assert board.log[-1].plans == (Plan(1, 1, Bid(3), BEGAN + 1_400),)
    assert board.due() == 1_400
    assert board.settle(1_400 + LAG - 1) == []
    assert board.settle(900_000) == [(Cause.MOVE, 1_400), (Cause.TIMER, 2_000)]
    assert board.table.plans == ()
    assert board.table.state.scores == (0, 5)


def test_a_request_from_before_its_time_is_taken_before_and_a_later_one_is_not_held_up() -> None:
    for received in (1_300, 1_500):
        board = against_a_bot()
        board.move(0, Call(), 1_000)
        assert board.move(0, Bid(2), received, now=1_600) is None
        assert board.causes() == [(Cause.MOVE, 1_000), (Cause.MOVE, received)]
        assert board.settle(9_000) == [(Cause.MOVE, max(received, 1_400))]
        assert board.log[-1].received == BEGAN + 1_400


def test_a_bot_that_is_too_slow_has_not_answered() -> None:
    board = against_a_bot(bids(3, 1_000))
    board.move(0, Call(), 1_000)
    assert board.settle(9_000) == [(Cause.TIMER, 2_000)]
    assert board.table.plans == ()


@pytest.mark.parametrize(
    "reaction", [None, (Draw(), 100), (Bid(-1), 100)], ids=["nothing", "not now", "against the rules"]
)
def test_a_bot_that_answers_nothing_of_use_lets_the_race_pass(reaction: Any) -> None:
    board = against_a_bot(lambda state, seat, level, rng: reaction)
    board.move(0, Call(), 1_000)
    assert board.log[-1].plans == ()
    assert board.settle(9_000) == [(Cause.TIMER, 2_000)]


def test_what_is_drawn_is_seen_by_nobody_before_the_match_is_over() -> None:
    board = against_a_bot()
    board.move(0, Call(), 1_000)
    without = replace(board.table, plans=())
    for viewer in (0, 1, None):
        assert view_entry(board.log[-1], viewer, is_over=False).plans == ()
        assert view_table(TOY, board.table, viewer) == view_table(TOY, without, viewer)
    assert view_entry(board.log[-1], None, is_over=True).plans == board.log[-1].plans


def test_leaving_and_ending_drop_what_is_drawn() -> None:
    board = Board(3, bots=(None, "easy", None), react=bids(3, 400))
    board.move(0, Call(), 1_000)
    board.leave(0, at=1_100)
    assert board.table.plans == ()
    other = against_a_bot()
    other.move(0, Call(), 1_000)
    other.void(1_200)
    assert other.table.plans == ()
    assert other.due() is None


def test_the_chance_of_bots_is_not_the_matchs() -> None:
    drawn = []

    def react(state: Any, seat: int, level: str, rng: Rng) -> tuple[Any, int]:
        drawn.append((seat, level, rng.below(1 << 32)))
        return Bid(1), 400

    for _ in range(2):
        board = against_a_bot(react)
        before = board.table.drawn
        board.move(0, Call(), 1_000)
        assert board.table.drawn == before
    assert drawn[0] == drawn[1] == (1, "normal", bot_rng(SEED, 1, 1).below(1 << 32))
    assert drawn[0][2] != Rng(SEED).below(1 << 32)
    assert len({bot_rng(SEED, seat, serial).below(1 << 32) for seat in range(8) for serial in range(8)}) == 64


def test_a_replay_needs_no_bot() -> None:
    board = against_a_bot()
    board.move(0, Call(), 1_000)
    board.settle(9_000)
    assert Referee(TOY, SEED).replay(board.opening, board.log) == board.table


@pytest.mark.parametrize(
    "forged",
    [
        (),
        (Plan(1, 1, Bid(3), BEGAN + 999),),
        (Plan(1, 1, Bid(99), BEGAN + 1_400),),
        (Plan(1, 1, Bid(4), BEGAN + 1_400),),
        (Plan(1, 2, Bid(3), BEGAN + 1_400),),
        (Plan(1, 1, Bid(3), BEGAN + 1_400), Plan(0, 2, Bid(3), BEGAN + 1_400)),
    ],
    ids=["none", "too early", "illegal", "another move", "another decision", "one for a player"],
)
def test_a_log_with_other_plans_could_not_have_happened(forged: tuple[Plan[Any], ...]) -> None:
    board = against_a_bot()
    board.move(0, Call(), 1_000)
    board.settle(9_000)
    log = [replace(entry, plans=forged) if entry.plans else entry for entry in board.log]
    with pytest.raises(ReplayMismatch):
        Referee(TOY, SEED).replay(board.opening, log)


def test_a_bots_answer_at_another_time_could_not_have_happened() -> None:
    board = against_a_bot()
    board.move(0, Call(), 1_000)
    board.settle(9_000)
    log = [replace(e, at=e.at + 50, received=e.received + 50) if e.seat == 1 else e for e in board.log]
    with pytest.raises(ReplayMismatch):
        Referee(TOY, SEED).replay(board.opening, log)


# Looks


def reacting(react: Any, seats: int = 2) -> tuple[Referee[Any, Any, Any, Any, Any], Any, list[Any]]:
    """A match by reaction of one player, seat 0, and bots."""
    game = snap.GAME
    options = game.options({"race": {"mode": "reaction"}})
    bots = (None, *("normal",) * (seats - 1))
    referee: Referee[Any, Any, Any, Any, Any] = Referee(game, Seed.from_number(5), react)
    opening = Opening(game.key, game.ruleset, seats, options, BEGAN, Unlimited(), bots=bots)
    step = referee.open(opening)
    return referee, step.table, list(step.entries)


def passes(after_ms: int) -> Any:
    return lambda state, seat, level, rng: (NoClaim(), after_ms)


def test_a_bot_looks_after_a_drawn_time_and_answers_by_its_own_stopwatch() -> None:
    referee, table, _ = reacting(passes(700))
    look = table.plans[0]
    assert (look.seat, type(look.move)) == (1, Look)
    assert SOONEST_LOOK_MS <= look.due - BEGAN <= LATEST_LOOK_MS
    step = referee.settle(table, BEGAN + 3_600_000)
    looked, passed = step.entries
    assert (looked.received, looked.move) == (look.due, Look())
    assert (passed.received, passed.move) == (look.due + 700, NoClaim())
    assert step.table.horizon == table.number
    assert view_table(referee.game, step.table, 0) == view_table(referee.game, table, 0)


def test_a_look_that_has_not_begun_is_put_off_by_a_pause_and_one_that_has_is_not_stopped() -> None:
    referee, table, _ = reacting(passes(700))
    look = table.plans[0].due
    early = referee.stop(table, "pause", received=look - 100, now=look - 100).table
    assert referee.due(early) is None
    resumed = referee.start(early, "pause", received=look + 9_900, now=look + 9_900).table
    assert referee.due(resumed) == look + 10_000
    begun = referee.settle(table, look + LAG).table
    stopping = referee.stop(begun, "pause", received=look + 400, now=look + 400)
    assert stopping.table.halted is None
    ended = referee.settle(stopping.table, look + 700 + LAG)
    assert [entry.cause for entry in ended.entries] == [Cause.MOVE, Cause.STOP]
    assert ended.entries[0].received == look + 700
    assert ended.table.halted == look + 700


def test_an_outage_is_given_back_to_bots_too() -> None:
    referee, table, _ = reacting(passes(700))
    look = table.plans[0].due
    down = referee.stop(table, "outage", received=look - 50, now=look - 50).table
    up = referee.start(down, "outage", received=look + 60_000, now=look + 60_000).table
    assert referee.due(up) == look + 60_050


# Bots that have seats of their own


def test_a_bot_has_all_the_time_in_the_world() -> None:
    board = Board(2, TEN_SECONDS, bots=("normal", None))
    assert board.due() is None
    assert board.settle(86_400_000) == []
    assert board.move(0, Draw(), 86_400_000, by_bot=True) is None
    assert board.due() == 86_410_000


def test_only_bots_move_for_bots_and_only_players_for_players() -> None:
    board = Board(2, bots=("normal", None))
    assert board.move(0, Draw(), 1_000) is RefusalCode.NOT_YOUR_TURN
    assert board.move(0, Draw(), 1_000, by_bot=True) is None
    assert board.move(1, Draw(), 2_000, by_bot=True) is RefusalCode.LATE_MOVE
    assert board.back(0, 3_000) is None
    assert board.table.seats[0].bot == "normal"


def test_a_bots_answer_to_a_race_comes_from_nowhere_else() -> None:
    board = against_a_bot()
    board.move(0, Call(), 1_000)
    assert board.move(1, Bid(9), 1_100, by_bot=True) is RefusalCode.LATE_MOVE


def test_everybody_sees_who_is_a_bot() -> None:
    board = Board(3, TEN_SECONDS, bots=("hard", None, "easy"))
    view = view_table(TOY, board.table, None)
    assert view.bots == ("hard", None, "easy")
    assert view.clocks[0].stops == ("bot",)


def test_bots_are_given_for_all_seats_or_none() -> None:
    with pytest.raises(BadOptions, match="for 1 seats of 2"):
        Board(2, bots=("normal",))


def test_a_bot_agrees_to_what_players_agree_on() -> None:
    board = Board(3, bots=(None, "normal", None))
    offered = board.referee.offer(board.table, 0, OfferKind.PAUSE, received=BEGAN, now=BEGAN, open_s=60, pause_s=600)
    assert offered.table.halted is None
    agreed = board.referee.answer(offered.table, 2, 1, agrees=True, received=BEGAN + 1, now=BEGAN + 1)
    assert agreed.table.halted == BEGAN + 1
    alone = Board(2, bots=(None, "normal"))
    step = alone.referee.offer(alone.table, 0, OfferKind.ABORT, received=BEGAN, now=BEGAN, open_s=60)
    assert step.table.is_over
    assert alone.referee.replay(alone.opening, [*alone.log, *step.entries]) == step.table


# Taking over and coming back


def lent(control: TimeControl = TEN_SECONDS, **fields: Any) -> Board:
    """Seat 0 has let its time run out at 10,000."""
    board = Board(2, control, LENDS, **fields)
    assert board.settle(10_000 + LAG) == [(Cause.TAKE_OVER, 10_000)]
    return board


def test_when_a_clock_runs_out_a_bot_takes_the_seat_over_from_this_decision_on() -> None:
    board = lent()
    entry = board.log[-1]
    assert (entry.seat, entry.bot, entry.move, board.serial(0)) == (0, "normal", None, 1)
    assert board.due() is None
    assert board.move(0, Draw(), 11_000, by_bot=True) is None
    board.move(1, Draw(), 12_000)
    assert board.settle(86_400_000) == []
    assert board.move(0, Draw(), 86_400_000, by_bot=True) is None
    assert (board.table.seats[0].strikes, board.table.moves) == (0, 1)
    assert board.referee.replay(board.opening, board.log) == board.table


def test_a_player_who_moves_before_the_bot_has_the_seat_back() -> None:
    board = lent()
    assert board.move(0, Ask(), 11_000) is None
    assert board.causes() == [(Cause.TAKE_OVER, 10_000), (Cause.RETURN, 11_000), (Cause.MOVE, 11_000)]
    assert board.move(1, Say(yes=True), 12_000) is None
    assert board.move(0, Draw(), 12_500, by_bot=True) is RefusalCode.LATE_MOVE
    assert board.runs(0)
    assert board.referee.replay(board.opening, board.log) == board.table


def test_a_move_that_is_refused_takes_nothing_back() -> None:
    board = lent()
    assert board.move(0, Say(yes=True), 11_000) is RefusalCode.ILLEGAL_MOVE
    assert board.move(0, Draw(), 11_000, serial=2) is RefusalCode.UNKNOWN_SERIAL
    assert board.table.seats[0].lent


def test_a_player_may_just_come_back_at_any_time_and_more_than_once() -> None:
    board = lent()
    board.move(0, Draw(), 11_000, by_bot=True)
    assert board.back(0, 11_500) is None
    assert board.back(0, 11_600) is None
    assert board.causes()[-2:] == [(Cause.MOVE, 11_000), (Cause.RETURN, 11_500)]
    assert not board.table.seats[0].lent
    board.move(1, Draw(), 12_000)
    assert board.due() == 22_000
    assert board.settle(22_000 + LAG) == [(Cause.TAKE_OVER, 22_000)]
    board.leave(0, at=23_000)
    assert board.back(0, 23_100) is RefusalCode.MATCH_OVER


@pytest.mark.parametrize(
    ("control", "left"),
    [
        (PerMove(move_s=10), 10_000),
        (Fischer(bank_s=10, increment_s=3), 3_000),
        (Fischer(bank_s=10, increment_s=0), 1_000),
        (Total(bank_s=10), 1_000),
    ],
)
def test_who_comes_back_has_some_time(control: TimeControl, left: int) -> None:
    board = lent(control)
    board.back(0, 12_000)
    assert board.left_ms(0) == left
    assert board.due() == 12_000 + left


def test_a_lent_seat_agrees_to_nothing_unless_its_player_does() -> None:
    board = lent()
    step = board.referee.offer(board.table, 1, OfferKind.ABORT, received=BEGAN + 11_000, now=BEGAN + 11_000, open_s=60)
    assert not step.table.is_over
    answered = board.referee.answer(step.table, 0, 1, agrees=True, received=BEGAN + 12_000, now=BEGAN + 12_000)
    assert answered.table.is_over


def test_races_of_a_lent_seat_are_drawn_until_its_player_answers() -> None:
    for answers in (False, True):
        board = Board(2, TEN_SECONDS, LENDS, react=bids(3, 400))
        board.move(0, Draw(), 0)
        board.settle(10_000 + LAG)
        board.back(1, 10_500)
        board.settle(20_500 + LAG)
        assert board.move(1, Call(), 21_000, by_bot=True) is None
        assert [plan.seat for plan in board.table.plans] == [1]
        if answers:
            assert board.move(1, Bid(7), 21_100) is None
            assert board.table.plans == ()
            assert board.table.state.bids == (None, 7)
        else:
            board.settle(30_000)
            assert board.table.state.scores == (0, 5)
        assert board.referee.replay(board.opening, board.log) == board.table


def test_a_sealed_race_hides_that_a_seat_was_taken_back() -> None:
    board = Board(3, TEN_SECONDS, LENDS, options=Options(is_sealed=True), react=bids(3, 900))
    board.move(0, Draw(), 0)
    board.settle(10_000 + LAG)
    board.move(1, Call(), 11_000, by_bot=True)
    board.move(2, Bid(1), 11_100)
    before = view_table(TOY, board.table, 0)
    assert board.table.sealed is not None
    board.back(1, 11_200)
    assert view_table(TOY, board.table, 0) == before
    assert view_table(TOY, board.table, 1).bots == (None, None, None)
    board.settle(12_000 + LAG)
    assert view_table(TOY, board.table, 0).bots == (None, None, None)


def test_a_match_from_before_there_were_bots_goes_on_as_it_began() -> None:
    board = Board(2, TEN_SECONDS, LENDS)
    opening = replace(board.opening, format=1)
    step = board.referee.open(opening)
    settled = board.referee.settle(step.table, BEGAN + 30_000 + LAG)
    assert [(entry.cause, entry.at - BEGAN) for entry in settled.entries] == [
        (Cause.FLAG, 10_000),
        (Cause.FLAG, 20_000),
        (Cause.FLAG, 30_000),
    ]
    assert board.referee.replay(opening, [*step.entries, *settled.entries]) == settled.table
