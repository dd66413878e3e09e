"""Passing, which only a seat does that can do nothing else."""

from __future__ import annotations

import pytest

from engine.core.outcome import Outcome
from engine.games.splendor import GAME
from engine.games.splendor.moves import (
    Buy,
    Gems,
    MatchEnded,
    NobleCame,
    Pass,
    Passed,
    Reserve,
    ReturnTokens,
    SplendorMove,
    Take,
    Tokens,
)
from engine.games.splendor.state import Gold, Hand, Options, Phase, State
from tests.engine.games.splendor.builders import bonus, hand, play, rng, rule_against, table

DEAR = ("L3-white-04", "L3-blue-04", "L3-green-04")
DEAR_TOO = ("L3-red-04", "L3-black-04", "L3-white-02")
EMPTY_BANK = (0, 0, 0, 0, 0, 0)


def stuck(one: Hand, other: Hand, seat: int = 0, first: int = 0, passes: int = 0) -> State:
    """No gem in the bank, one dear card in the grid, and no deck."""
    grid = {(3, 0): "L3-red-02"}
    return table(one, other, bank=EMPTY_BANK, bare=True, grid=grid, seat=seat, first=first, passes=passes)


@pytest.mark.rule("SPL-12")
def test_a_seat_that_can_do_nothing_passes() -> None:
    state = stuck(hand((2, 2, 2, 2, 2, 0), reserved=DEAR), hand((2, 2, 2, 2, 2, 0)))
    assert GAME.legal_moves(state, 0) == [Pass()]
    after, events = play(state, Pass())
    assert events == [Passed(0)]
    assert (after.seat, after.passes, after.outcome) == (1, 1, None)


@pytest.mark.rule("SPL-12")
@pytest.mark.parametrize(
    "state",
    [
        table(hand(reserved=DEAR), hand(), bank=(1, 0, 0, 0, 0, 0)),
        table(hand(), hand(), bank=EMPTY_BANK),
        table(hand(reserved=DEAR[:2]), hand(), bank=EMPTY_BANK, bare=True, tops={}, grid={(3, 0): "L3-red-04"}),
        table(hand((0, 3, 0, 0, 0, 0), reserved=(*DEAR[:2], "L1-white-01")), hand(), bank=EMPTY_BANK, bare=True),
        table(hand((0, 3, 0, 0, 0, 0), reserved=DEAR), hand(), bank=EMPTY_BANK, grid={(1, 0): "L1-white-01"}),
    ],
    ids=["a gem to take", "cards to reserve", "one card to reserve", "a reserved card to buy", "a card to buy"],
)
def test_a_seat_that_can_do_anything_must_not_pass(state: State) -> None:
    assert rule_against(state, Pass()) == "SPL-12"


@pytest.mark.rule("SPL-12")
def test_gold_in_the_bank_is_nothing_to_take() -> None:
    state = table(hand(reserved=DEAR), hand(), bank=(0, 0, 0, 0, 0, 5), options=Options(gold=Gold.ALWAYS))
    assert GAME.legal_moves(state, 0) == [Pass()]


@pytest.mark.rule("SPL-12")
def test_when_all_seats_pass_in_a_row_the_match_ends_and_the_standing_decides() -> None:
    rich = hand((2, 2, 2, 2, 2, 0), bought=("L1-white-08",), reserved=DEAR)
    state = stuck(rich, hand((2, 2, 2, 2, 2, 0), reserved=DEAR_TOO), first=1)
    state, _ = play(state, Pass())
    state, events = play(state, Pass())
    assert events == [Passed(1), MatchEnded("all_passed")]
    assert GAME.outcome(state) == Outcome("all_passed", (1, 2), (1, 0))
    assert GAME.awaited(state) == {}
    assert GAME.legal_moves(state, 0) == ()


@pytest.mark.rule("SPL-12")
def test_any_other_move_begins_the_row_anew() -> None:
    state = stuck(hand((2, 2, 2, 2, 2, 0), reserved=DEAR), hand((2, 2, 2, 2, 2, 0)), seat=1, passes=1)
    state, _ = play(state, Reserve(card="L3-red-02"))
    assert state.passes == 0
    state, _ = play(state, Pass())
    assert (state.passes, state.outcome) == (1, None)


@pytest.mark.rule("SPL-12")
@pytest.mark.parametrize(
    "moves",
    [
        (Take(Gems(red=1, black=1)),),
        (Reserve(level=1),),
        (Buy("L1-white-01"),),
        (Take(Gems(red=2)), Take(Gems(black=2), returning=Tokens(blue=1))),
        (Take(Gems(red=2)), Take(Gems(black=2)), ReturnTokens(Tokens(blue=1))),
    ],
)
def test_every_kind_of_action_begins_the_row_anew(moves: tuple[SplendorMove, ...]) -> None:
    state = table(hand((2, 3, 2, 0, 0, 0)), hand((3, 2, 3, 1, 0, 0)), hand(), grid={(1, 0): "L1-white-01"}, passes=1)
    for move in moves:
        state, _ = play(state, move)
        assert state.passes == 0


@pytest.mark.rule("SPL-12")
def test_of_three_seats_all_three_must_pass() -> None:
    hands = hand(reserved=DEAR), hand(reserved=DEAR_TOO), hand(reserved=("L3-blue-02", "L3-green-02", "L3-red-02"))
    state = table(*hands, bank=EMPTY_BANK, first=1)
    state, _ = play(state, Pass())
    state, _ = play(state, Pass())
    assert state.outcome is None
    state, _ = play(state, Pass())
    assert GAME.outcome(state) == Outcome("all_passed", (1, 1, 1), (0, 0, 0))


@pytest.mark.rule("SPL-12", "SPL-20")
def test_a_seat_that_leaves_gives_its_tokens_and_the_row_begins_anew() -> None:
    hands = hand(reserved=DEAR), hand((1, 0, 0, 0, 0, 0), reserved=DEAR_TOO), hand((0, 1, 0, 0, 0, 0))
    state = table(*hands, bank=EMPTY_BANK, first=1)
    state, _ = play(state, Pass())
    state, _ = play(state, Pass())
    state, _ = GAME.leave(state, (2,), 0, rng())
    assert (state.passes, state.seat, state.outcome) == (0, 0, None)
    assert len(GAME.legal_moves(state, 0)) == 1
    assert rule_against(state, Pass()) == "SPL-12"


@pytest.mark.rule("SPL-14")
def test_a_noble_comes_at_the_end_of_a_pass_too() -> None:
    state = table(
        hand(bought=bonus("white", 4) + bonus("blue", 4), reserved=DEAR),
        hand(reserved=DEAR_TOO),
        bank=EMPTY_BANK,
        bare=True,
        nobles=("noble-06", "noble-07"),
    )
    after, events = play(state, Pass())
    assert events == [Passed(0), NobleCame(0, "noble-06")]
    assert (after.hands[0].prestige, after.passes, after.seat) == (3, 1, 1)


@pytest.mark.rule("SPL-12", "SPL-14")
def test_choosing_a_noble_after_a_pass_does_not_break_the_row() -> None:
    state = table(
        hand(bought=bonus("white", 4) + bonus("blue", 4) + bonus("black", 4), reserved=DEAR),
        hand(reserved=DEAR_TOO),
        bank=EMPTY_BANK,
        bare=True,
        nobles=("noble-06", "noble-07"),
        passes=1,
    )
    state, events = play(state, Pass())
    assert events == [Passed(0)]
    assert (state.phase, state.passes, state.outcome) == (Phase.NOBLE, 2, None)
    state, events = play(state, GAME.legal_moves(state, 0)[1])
    assert events == [NobleCame(0, "noble-07"), MatchEnded("all_passed")]
    assert GAME.outcome(state) == Outcome("all_passed", (1, 2), (3, 0))
