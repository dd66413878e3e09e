"""Seats that leave."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.core.events import Told
from engine.core.game import Occasion
from engine.core.outcome import Outcome
from engine.games.splendor import GAME
from engine.games.splendor.moves import (
    Buy,
    Gems,
    GemsTaken,
    LastRound,
    MatchEnded,
    Pass,
    SeatLeft,
    Take,
    Tokens,
)
from engine.games.splendor.state import Hand, Options, Phase, State
from tests.engine.games.splendor.builders import bonus, census, hand, play, refused, rng, table

TAKE = Take(Gems(white=1, blue=1, green=1))
FOURTEEN = ("L3-white-04", "L3-blue-04", "L3-green-02")
FIFTEEN = (*FOURTEEN, "L1-white-08")


def leave(state: State, *seats: int) -> tuple[State, list[object]]:
    before = census(state)
    after, told = GAME.leave(state, seats, 0, rng())
    assert census(after) == before
    assert all(one.to is None for one in told)
    return after, [one.event for one in told]


@pytest.mark.rule("SPL-20")
def test_tokens_go_to_the_bank_and_the_rest_out_of_play() -> None:
    one = hand((2, 0, 1, 0, 0, 2), ("L1-white-08",), ("L1-red-01",), ("L2-red-01",), ("noble-01",))
    state = table(hand(), one, hand(), hand(), nobles=("noble-02",))
    after, events = leave(state, 1)
    assert events == [SeatLeft(1, Tokens(white=2, green=1, gold=2))]
    assert after.board.bank == (7, 7, 7, 7, 7, 5)
    assert after.hands[1] == Hand()
    view = GAME.view(after, 1)
    assert view.seats[1].has_left
    assert view.seats[1].prestige == 0
    assert view.box.cards == ("L1-white-08", "L1-red-01")
    assert view.box.secret_cards == (0, 1, 0)
    assert "noble-01" in view.box.nobles
    assert view.nobles == ("noble-02",)
    assert GAME.awaited(after) == {0: Occasion("turn", 1)}


@pytest.mark.rule("SPL-20")
def test_the_turns_of_a_seat_that_left_are_skipped() -> None:
    state, _ = leave(table(hand(), hand(), hand(), first=2), 1)
    state, _ = play(state, TAKE)
    assert (state.seat, state.turn) == (2, 2)
    assert refused(state, TAKE, seat=1) == ("not_your_turn", None, "it is the turn of seat 2")
    assert GAME.legal_moves(state, 1) == ()


@pytest.mark.rule("SPL-20")
def test_the_turn_of_a_seat_that_leaves_in_its_turn_goes_on_to_the_next() -> None:
    state, events = leave(table(hand(), hand(), hand(), seat=1, turn=5), 1)
    assert events == [SeatLeft(1, Tokens())]
    assert GAME.awaited(state) == {2: Occasion("turn", 6)}


@pytest.mark.rule("SPL-20")
def test_a_seat_may_leave_while_it_owes_tokens() -> None:
    state = table(hand((4, 4, 2, 0, 0, 0)), hand(), hand())
    state, _ = play(state, Take(Gems(red=2)))
    assert state.phase is Phase.RETURN
    state, events = leave(state, 0)
    assert events == [SeatLeft(0, Tokens(4, 4, 2, 2, 0, 0))]
    assert state.board.bank == (5, 5, 5, 5, 5, 0)
    assert (state.seat, state.phase) == (1, Phase.ACTION)


@pytest.mark.rule("SPL-20", "SPL-14")
def test_a_seat_may_leave_while_it_owes_a_choice_and_both_nobles_stay() -> None:
    one = hand(bought=bonus("white", 4) + bonus("blue", 4) + bonus("black", 4))
    state = table(one, hand(), hand(), nobles=("noble-06", "noble-07"))
    state, _ = play(state, Take(Gems(white=2)))
    assert state.phase is Phase.NOBLE
    state, _ = leave(state, 0)
    assert (state.seat, state.phase, state.board.nobles) == (1, Phase.ACTION, (5, 6))


@pytest.mark.rule("SPL-20")
def test_another_seat_leaving_does_not_disturb_a_pending_decision() -> None:
    state = table(hand((4, 4, 2, 0, 0, 0)), hand(), hand())
    state, _ = play(state, Take(Gems(red=2)))
    after, _ = leave(state, 1)
    assert (after.seat, after.phase, after.turn) == (0, Phase.RETURN, 1)
    assert GAME.legal_moves(after, 0) == GAME.legal_moves(state, 0)


@pytest.mark.rule("SPL-20")
@pytest.mark.parametrize("seat", [0, 1])
def test_who_is_left_alone_has_won_whatever_the_standing(seat: int) -> None:
    hands = hand(bought=FOURTEEN), hand(bought=("L1-red-08",))
    state, events = leave(table(*hands), seat)
    assert events == [SeatLeft(seat, Tokens()), MatchEnded("last_seat")]
    places = (2, 1) if seat == 0 else (1, 2)
    scores = (0, 1) if seat == 0 else (14, 0)
    assert GAME.outcome(state) == Outcome("last_seat", places, scores)
    assert GAME.awaited(state) == {}


@pytest.mark.rule("SPL-20")
@pytest.mark.parametrize("gone", [(0,), (1,), (0, 1)])
def test_a_match_that_ends_amid_a_decision_asks_for_nothing_more(gone: tuple[int, ...]) -> None:
    state, _ = play(table(hand((4, 4, 2, 0, 0, 0)), hand()), Take(Gems(red=2)))
    assert GAME.view(state, None).to_return == 2
    state, _ = leave(state, *gone)
    view = GAME.view(state, None)
    assert (view.turn_of, view.phase, view.to_return) == (None, Phase.ACTION, 0)
    nobles = hand(bought=bonus("white", 4) + bonus("blue", 4) + bonus("black", 4))
    state, _ = play(table(nobles, hand(), nobles=("noble-06", "noble-07")), Take(Gems(white=2)))
    assert GAME.view(state, None).willing_nobles == ("noble-06", "noble-07")
    state, _ = leave(state, *gone)
    view = GAME.view(state, None)
    assert (view.turn_of, view.phase, view.willing_nobles) == (None, Phase.ACTION, ())


@pytest.mark.rule("SPL-20")
def test_earlier_leavers_are_placed_lower_and_those_of_one_moment_share_a_place() -> None:
    state, _ = leave(table(hand(), hand(), hand(), hand()), 2)
    state, events = leave(state, 3, 0)
    assert events == [SeatLeft(0, Tokens()), SeatLeft(3, Tokens()), MatchEnded("last_seat")]
    assert GAME.outcome(state) == Outcome("last_seat", (2, 1, 4, 2), (0, 0, 0, 0))


@pytest.mark.rule("SPL-20")
def test_if_all_leave_at_once_they_share_the_win_and_who_left_before_does_not() -> None:
    state, _ = leave(table(hand(), hand(bought=FOURTEEN), hand()), 1)
    state, events = leave(state, 0, 2)
    assert events[-1] == MatchEnded("all_left")
    assert GAME.outcome(state) == Outcome("all_left", (1, 3, 1), (0, 0, 0))


@pytest.mark.rule("SPL-20")
def test_who_stayed_comes_before_who_left_with_nothing_to_show() -> None:
    state, _ = leave(table(hand(bought=FIFTEEN), hand(), hand(bought=("L1-red-08",)), seat=1, ending="prestige"), 0)
    state, _ = play(state, TAKE)
    state, _ = play(state, TAKE)
    assert GAME.outcome(state) == Outcome("prestige", (3, 2, 1), (0, 0, 1))


@pytest.mark.rule("SPL-20")
def test_leaving_twice_or_from_no_seat_changes_nothing() -> None:
    state, _ = leave(table(hand(), hand(), hand()), 1)
    assert leave(state, 1) == (state, [])
    assert leave(state) == (state, [])
    assert leave(state, 9, -1) == (state, [])
    again, events = leave(table(hand(), hand(), hand()), 1, 1)
    assert events == [SeatLeft(1, Tokens())]
    assert again.left == (0, 1, 0)


@pytest.mark.rule("SPL-16", "SPL-20")
def test_the_round_ends_at_the_place_of_the_first_seat_even_if_it_left() -> None:
    state, _ = leave(table(hand(), hand(), hand(), seat=1, first=0, ending="prestige"), 0)
    state, events = play(state, TAKE)
    assert events == [GemsTaken(1, TAKE.gems)]
    state, events = play(state, TAKE)
    assert events == [GemsTaken(2, TAKE.gems), MatchEnded("prestige")]


@pytest.mark.rule("SPL-16", "SPL-20")
def test_a_triggered_end_stays_when_the_seat_that_reached_fifteen_leaves() -> None:
    state = table(hand((0, 0, 4, 0, 0, 0), bought=FOURTEEN), hand(), hand(), grid={(1, 0): "L1-white-08"})
    state, _ = play(state, Buy("L1-white-08"))
    state, _ = leave(state, 0)
    assert state.ending == "prestige"
    state, _ = play(state, TAKE)
    state, events = play(state, TAKE)
    assert events[-1] == MatchEnded("prestige")
    assert GAME.outcome(state) == Outcome("prestige", (3, 1, 1), (0, 0, 0))


@pytest.mark.rule("SPL-16", "SPL-20")
def test_the_last_seat_of_the_last_round_leaving_in_its_turn_ends_the_match() -> None:
    state = table(hand(bought=FIFTEEN), hand(), hand(), seat=2, first=0, ending="prestige")
    state, events = leave(state, 2)
    assert events == [SeatLeft(2, Tokens()), MatchEnded("prestige")]
    assert GAME.outcome(state) == Outcome("prestige", (1, 2, 3), (15, 0, 0))


@pytest.mark.rule("SPL-16", "SPL-20")
def test_fifteen_points_of_a_seat_that_leaves_before_the_test_trigger_nothing() -> None:
    bought = (*FOURTEEN, *bonus("white", 3), *bonus("blue", 3), *bonus("black", 4))
    state = table(hand(bought=bought), hand(), hand(), nobles=("noble-06", "noble-07"))
    state, _ = play(state, Take(Gems(red=2)))
    assert state.phase is Phase.NOBLE
    state, _ = leave(state, 0)
    assert state.ending is None


@pytest.mark.rule("SPL-19", "SPL-20")
def test_a_round_ended_by_a_leaver_counts() -> None:
    state = table(hand(), hand(), hand(), seat=2, first=0, options=Options(turn_limit=2))
    state, events = leave(state, 2)
    assert events == [SeatLeft(2, Tokens()), LastRound("turn_limit")]
    assert (state.round, state.seat, state.ending) == (2, 0, "turn_limit")


@pytest.mark.rule("SPL-12", "SPL-20")
def test_two_that_are_left_both_have_to_pass() -> None:
    dear = ("L3-white-04", "L3-blue-04", "L3-green-04"), ("L3-red-04", "L3-black-04", "L3-white-02")
    state = table(hand(reserved=dear[0]), hand(reserved=dear[1]), hand(), bank=(0, 0, 0, 0, 0, 0), bare=True, first=2)
    state, _ = leave(state, 2)
    state, _ = play(state, Pass())
    assert state.outcome is None
    state, events = play(state, Pass())
    assert events[-1] == MatchEnded("all_passed")


@pytest.mark.rule("SPL-20")
def test_events_of_leaving_are_for_everybody() -> None:
    state = replace(table(hand(), hand(), hand()), turn=9)
    assert GAME.leave(state, (2,), 0, rng())[1] == (Told(SeatLeft(2, Tokens())),)
