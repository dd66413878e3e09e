"""Fifteen prestige, the last round, and who has won."""

from __future__ import annotations

import pytest

from engine.core.outcome import Outcome, Standing
from engine.games.splendor import GAME
from engine.games.splendor.moves import (
    Buy,
    ChooseNoble,
    Gems,
    GemsTaken,
    LastRound,
    MatchEnded,
    NobleCame,
    Pass,
    Reserve,
    Take,
)
from engine.games.splendor.state import State
from tests.engine.games.splendor.builders import bonus, hand, play, refused, rng, table

FOURTEEN = ("L3-white-04", "L3-blue-04", "L3-green-02")
TWELVE = ("L3-white-02", "L3-blue-02", "L3-green-02")
TAKE = Take(Gems(white=2))
ONE_MORE = "L1-white-08"
"""One point for four green."""


def at_fifteen(seats: int, *, seat: int, first: int) -> tuple[State, list[object]]:
    """The seat in turn holds fourteen prestige and buys one more."""
    hands = [hand() for _ in range(seats)]
    hands[seat] = hand((0, 0, 4, 0, 0, 0), bought=FOURTEEN)
    state = table(*hands, grid={(1, 0): ONE_MORE}, seat=seat, first=first)
    after, events = play(state, Buy(ONE_MORE))
    return after, list(events)


@pytest.mark.rule("SPL-16")
def test_fifteen_prestige_of_the_first_seat_give_all_others_one_more_turn() -> None:
    state, events = at_fifteen(3, seat=1, first=1)
    assert events[-1] == LastRound("prestige")
    assert GAME.view(state, None).last_round == "prestige"
    state, _ = play(state, Take(Gems(white=2)))
    assert (state.seat, state.outcome) == (0, None)
    state, events_ = play(state, Take(Gems(blue=2)))
    assert events_ == [GemsTaken(0, Gems(blue=2)), MatchEnded("prestige")]
    assert GAME.outcome(state) == Outcome("prestige", (2, 1, 2), (0, 15, 0))


@pytest.mark.rule("SPL-16")
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("first", [0, 1])
def test_fifteen_prestige_of_the_last_seat_end_the_match_at_once(seats: int, first: int) -> None:
    last = (first - 1) % seats
    state, events = at_fifteen(seats, seat=last, first=first)
    assert events[-2:] == [LastRound("prestige"), MatchEnded("prestige")]
    places = tuple(1 if seat == last else 2 for seat in range(seats))
    scores = tuple(15 if seat == last else 0 for seat in range(seats))
    assert GAME.outcome(state) == Outcome("prestige", places, scores)


@pytest.mark.rule("SPL-16")
def test_fourteen_prestige_end_nothing() -> None:
    state = table(hand(), hand(bought=FOURTEEN), seat=1, first=0)
    state, events = play(state, TAKE)
    assert events == [GemsTaken(1, Gems(white=2))]
    assert (state.outcome, state.ending, state.round, state.seat) == (None, None, 2, 0)


@pytest.mark.rule("SPL-16")
def test_the_last_round_is_announced_once() -> None:
    one, two = hand(bought=(*FOURTEEN, ONE_MORE)), hand((0, 0, 0, 4, 0, 0), bought=("L3-red-04", "L3-black-04"))
    three = hand()
    state = table(one, two, three, seat=0, first=0, ending="prestige", grid={(1, 0): "L1-blue-08"})
    state, events = play(state, TAKE)
    assert events == [GemsTaken(0, Gems(white=2))]


@pytest.mark.rule("SPL-16")
def test_who_overtakes_in_the_last_round_wins() -> None:
    one = hand(bought=(*FOURTEEN, ONE_MORE))
    two = hand((0, 0, 0, 0, 4, 0), bought=("L3-red-04", "L3-black-04", "L3-white-02", "L1-red-08"))
    state = table(one, two, seat=1, first=0, ending="prestige", grid={(1, 0): "L1-green-08"})
    assert GAME.standing(state) == Standing((1, 1), (15, 15))
    state, events = play(state, Buy("L1-green-08"))
    assert events[-1] == MatchEnded("prestige")
    assert GAME.outcome(state) == Outcome("prestige", (2, 1), (15, 16))


@pytest.mark.rule("SPL-16", "SPL-14")
def test_a_noble_counts_for_the_fifteen_and_is_chosen_first() -> None:
    bought = (*TWELVE, *bonus("white", 3), *bonus("blue", 3), *bonus("black", 4))
    state = table(hand(), hand(bought=bought), nobles=("noble-06", "noble-07"), seat=1, first=0)
    state, events = play(state, Take(Gems(red=2)))
    assert events == [GemsTaken(1, Gems(red=2))]
    assert state.ending is None
    state, events = play(state, ChooseNoble("noble-07"))
    assert events == [NobleCame(1, "noble-07"), LastRound("prestige"), MatchEnded("prestige")]
    assert GAME.outcome(state) == Outcome("prestige", (2, 1), (0, 15))


@pytest.mark.rule("SPL-17")
def test_of_equal_prestige_fewer_bought_cards_win_and_reserved_ones_do_not_count() -> None:
    one = hand(bought=("L3-white-04", "L3-blue-04", "L3-green-04"), reserved=("L1-red-01", "L1-red-02"))
    two = hand(bought=("L3-red-04", "L3-black-04", "L3-green-02", "L1-red-08"))
    state = table(one, two, seat=1, first=0, ending="prestige")
    state, _ = play(state, TAKE)
    assert GAME.outcome(state) == Outcome("prestige", (1, 2), (15, 15))


@pytest.mark.rule("SPL-17")
def test_equal_prestige_and_cards_share_a_place() -> None:
    one = hand(bought=("L3-white-04", "L3-blue-04", "L3-green-04"))
    two = hand(bought=("L3-red-04", "L3-black-04", "L3-red-01", "L1-red-08", "L1-white-08"))
    three = hand(bought=("L1-green-08",))
    four = hand(bought=("L1-blue-08",))
    state = table(one, two, three, four)
    assert GAME.standing(state) == Standing((1, 2, 3, 3), (15, 15, 1, 1))


@pytest.mark.rule("SPL-17")
def test_the_win_may_be_shared() -> None:
    one = hand(bought=("L3-red-04", "L3-black-04", "L3-white-03", "L1-red-08"))
    two = hand(bought=("L3-white-02", "L3-blue-02", "L3-green-02", "L3-red-01"))
    three = hand(bought=("L3-white-04", "L3-blue-04", "L3-black-01", "L1-white-08", "L1-blue-08"))
    state = table(one, two, three, seat=2, first=0, ending="prestige")
    state, _ = play(state, TAKE)
    assert GAME.outcome(state) == Outcome("prestige", (1, 1, 3), (15, 15, 15))


def test_after_the_end_nothing_is_asked_and_everything_refused() -> None:
    state, _ = at_fifteen(2, seat=1, first=0)
    assert GAME.awaited(state) == {}
    assert GAME.timers(state) == ()
    assert GAME.view(state, 0).turn_of is None
    for seat in (0, 1):
        assert GAME.legal_moves(state, seat) == ()
        for move in (Pass(), TAKE, Reserve(level=1)):
            assert refused(state, move, seat) == ("not_your_turn", None, "the match is over")
    assert GAME.leave(state, (0,), 0, rng()) == (state, ())
