"""Seats may leave at any moment; their cards go out of the game and the others play on."""

from __future__ import annotations

import pytest

from engine.core.errors import Refusal, RefusalCode
from engine.core.game import Occasion
from engine.core.outcome import Outcome
from engine.games.three_up_three_down import GAME
from engine.games.three_up_three_down.moves import (
    ChooseUp,
    Discard,
    MatchEnded,
    SeatLeft,
    TurnBegan,
    TurnDown,
    UpRevealed,
)
from engine.games.three_up_three_down.state import State
from tests.engine.games.three_up_three_down.sheet import (
    After,
    Cards,
    census,
    choosing,
    make,
    others,
    position,
    refused,
    rng,
    words,
)

SIX = "1 2 3 4 5 6"


def leave(state: State, *seats: int) -> After:
    before = census(state)
    after = After(*GAME.leave(state, seats, 0, rng()))
    assert census(after.state) == before
    return after


@pytest.mark.rule("TUD-33")
def test_all_cards_of_a_leaver_go_out_of_the_game() -> None:
    state = position(Cards("5 6"), Cards("7 8", "9", "1 . 2"), *others(), discard="3 4", draw="1")
    after = leave(state, 1)

    zones = GAME.census(after.state)
    assert [zones[f"gone:{zone}:1"] for zone in ("hand", "up", "down")] == [("7", "8"), ("9",), ("1", "2")]
    view = GAME.view(after.state, 0)
    assert (view.gone, view.draw_pile, view.discard_pile) == (5, 1, ("3", "4"))
    gone = view.seats[1]
    assert (gone.has_left, gone.has_chosen, gone.hand, gone.up, gone.down) == (True, False, 0, (), ())
    assert GAME.view(after.state, 1).hand == ()
    assert after.events() == [SeatLeft(1, 5)]


@pytest.mark.rule("TUD-33")
def test_a_seat_not_in_turn_leaves_and_the_turn_goes_on() -> None:
    state = position(Cards("5 6 7"), *others(2), due=2)
    after = leave(state, 1).state

    assert (after.seat, after.turn, after.due) == (0, 7, 2)
    assert make(after, Discard("5"), Discard("6")).state.seat == 2


@pytest.mark.rule("TUD-33")
@pytest.mark.parametrize(("due", "may_draw"), [(1, False), (2, False), (2, True)])
def test_the_seat_in_turn_leaves_and_the_next_one_begins(due: int, may_draw: bool) -> None:  # noqa: FBT001
    state = position(Cards("5 6"), *others(2), discard="3", draw="1 2", due=due, may_draw=may_draw)
    after = leave(state, 0)

    assert (after.state.seat, after.state.turn, after.state.due, after.state.may_draw) == (1, 8, 1, False)
    assert words(after.state.discard) == "3"
    assert after.events() == [SeatLeft(0, 2), TurnBegan(1, 8)]
    assert GAME.awaited(after.state) == {1: Occasion("turn", 8)}


@pytest.mark.rule("TUD-6", "TUD-33")
def test_turns_pass_over_those_who_left() -> None:
    state = leave(position(Cards("5 6 7"), *others(3)), 1, 2).state

    assert make(state, Discard("5")).state.seat == 3
    assert make(state, Discard("5"), Discard("5")).state.seat == 0


@pytest.mark.rule("ALL-4", "TUD-33")
def test_the_last_one_wins_and_leavers_rank_by_when_they_left() -> None:
    state = leave(position(Cards("5 6"), Cards("5"), Cards("5 5 5")), 1).state
    assert GAME.outcome(state) is None

    after = leave(state, 0)
    assert GAME.outcome(after.state) == Outcome("last_seat", (2, 3, 1), (2, 1, 3))
    assert after.events() == [SeatLeft(0, 2), MatchEnded("last_seat", (2, 3, 1))]
    assert GAME.awaited(after.state) == {}


@pytest.mark.rule("ALL-4")
def test_those_who_leave_together_share_a_place() -> None:
    after = leave(position(Cards("5 6"), Cards("5"), Cards("5 5 5")), 0, 1).state

    assert GAME.outcome(after) == Outcome("last_seat", (2, 2, 1), (2, 1, 3))


@pytest.mark.rule("ALL-4")
def test_when_all_leave_at_once_they_share_the_win() -> None:
    earlier = leave(position(Cards("5 6"), Cards("5"), Cards("5 5 5")), 2).state
    after = leave(earlier, 1, 0)

    assert GAME.outcome(after.state) == Outcome("all_left", (1, 1, 3), (2, 1, 3))
    assert after.events() == [SeatLeft(0, 2), SeatLeft(1, 1), MatchEnded("all_left", (1, 1, 3))]


@pytest.mark.rule("ALL-4")
def test_leavers_rank_below_all_who_stayed_however_few_cards_they_had() -> None:
    state = leave(position(Cards("9"), Cards("5"), Cards("5 5 5", "5 5 5")), 1).state
    after = make(state, Discard("9")).state

    assert GAME.outcome(after) == Outcome("out", (1, 3, 2), (0, 1, 6))


@pytest.mark.rule("ALL-4")
def test_leaving_again_or_after_the_end_changes_nothing() -> None:
    left = leave(position(Cards("5 6"), *others(2)), 1).state
    over = make(position(Cards("9"), *others()), Discard("9")).state

    assert GAME.leave(left, (1,), 0, rng()) == (left, ())
    assert GAME.leave(left, (), 0, rng()) == (left, ())
    assert GAME.leave(over, (1,), 0, rng()) == (over, ())


@pytest.mark.rule("TUD-33")
def test_a_seat_that_left_makes_no_moves() -> None:
    state = leave(position(Cards("5 6"), *others(2)), 0).state

    assert refused(state, Discard("5"), 0) == Refusal(RefusalCode.NOT_YOUR_TURN, "seat 0 has left the match")
    assert GAME.legal_moves(state, 0) == ()


@pytest.mark.rule("TUD-4", "TUD-33")
def test_leaving_instead_of_the_last_choice_reveals_the_others() -> None:
    state = choosing(SIX, SIX, SIX, dealer=0)
    state = make(state, ChooseUp(("1", "2", "3")), seat=0).state
    state = make(state, ChooseUp(("4", "5", "6")), seat=2).state
    after = leave(state, 1)

    assert after.events() == [SeatLeft(1, 9), UpRevealed((("1", "2", "3"), (), ("4", "5", "6"))), TurnBegan(2, 1)]


@pytest.mark.rule("TUD-4", "TUD-33")
def test_leaving_after_choosing_keeps_the_choice_secret() -> None:
    state = make(choosing(SIX, SIX, SIX, dealer=0), ChooseUp(("1", "2", "3")), seat=1).state
    after = leave(state, 1)

    assert after.events() == [SeatLeft(1, 9)]
    assert GAME.awaited(after.state) == dict.fromkeys((0, 2), Occasion("setup", 0))
    done = make(after.state, ChooseUp(("1", "2", "3")), seat=0).state
    done = make(done, ChooseUp(("1", "2", "3")), seat=2).state
    assert (done.ups[1], done.seat) == ((), 2)


@pytest.mark.rule("TUD-6", "TUD-33")
def test_a_dealer_who_leaves_is_still_where_counting_begins() -> None:
    state = leave(choosing(SIX, SIX, SIX, dealer=1), 1).state
    for seat in (0, 2):
        state = make(state, ChooseUp(("1", "2", "3")), seat=seat).state

    assert state.seat == 2


@pytest.mark.rule("ALL-4")
@pytest.mark.parametrize(("going", "outcome"), [((0,), ("last_seat", (2, 1))), ((1, 0), ("all_left", (1, 1)))])
def test_leaving_while_up_cards_are_chosen_ends_a_match_of_two(
    going: tuple[int, ...], outcome: tuple[str, tuple[int, int]]
) -> None:
    after = leave(choosing(SIX, SIX), *going).state

    assert GAME.outcome(after) == Outcome(*outcome, (9, 9))


@pytest.mark.rule("TUD-31", "TUD-33")
@pytest.mark.parametrize(("reason", "turn"), [("turn_limit", 600), ("time_limit", 7)])
def test_leaving_in_the_last_turn_ends_the_match(reason: str, turn: int) -> None:
    state = position(Cards("5 6"), Cards("7 8"), Cards("9"), turn=turn, time_limit_s=60)
    if reason == "time_limit":
        state, _ = GAME.expire(state, "time_limit", 60_000, rng())

    assert GAME.outcome(leave(state, 1).state) is None
    assert GAME.outcome(leave(state, 0).state) == Outcome(reason, (3, 2, 1), (2, 2, 1))


@pytest.mark.rule("TUD-26", "TUD-33")
def test_what_was_turned_last_is_forgotten_when_somebody_leaves() -> None:
    state = make(position(Cards("", "", "4 1 1"), *others(2), discard="5"), TurnDown(0)).state

    assert GAME.view(leave(state, 0).state, 1).turned is None
