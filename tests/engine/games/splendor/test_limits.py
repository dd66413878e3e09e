"""Limits of rounds and of time."""

from __future__ import annotations

import pytest

from engine.core.errors import BadOptions
from engine.core.events import Told
from engine.core.game import Timer
from engine.core.outcome import Outcome
from engine.games.splendor import GAME
from engine.games.splendor.moves import Buy, Gems, GemsTaken, LastRound, MatchEnded, ReturnTokens, Take, Tokens
from engine.games.splendor.state import Options, Phase, State
from tests.engine.games.splendor.builders import hand, play, rng, table

TAKE = Take(Gems(white=1, blue=1, green=1))
TOOK = GemsTaken(0, Gems(white=1, blue=1, green=1))
FOURTEEN = ("L3-white-04", "L3-blue-04", "L3-green-02")


def limited(*, seat: int, round_: int, first: int = 0, ending: str | None = None) -> State:
    options = Options(turn_limit=3, time_limit_s=60)
    return table(
        hand(bought=("L1-red-08",)), hand(), seat=seat, first=first, round_=round_, ending=ending, options=options
    )


@pytest.mark.rule("SPL-19")
def test_two_hundred_rounds_are_the_default() -> None:
    assert Options().turn_limit == 200
    assert Options().time_limit_s is None
    assert GAME.longest(4, Options()) == 200 * 4 * 3 + 1


@pytest.mark.rule("SPL-19")
@pytest.mark.parametrize("values", [{"turn_limit": 0}, {"turn_limit": 1001}, {"time_limit_s": 0}, {"gold": "never"}])
def test_options_out_of_bounds_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(BadOptions, match="options of Splendor"):
        GAME.options(values)


@pytest.mark.rule("SPL-19")
def test_the_last_round_of_the_limit_is_announced_and_ends_the_match() -> None:
    state, events = play(limited(seat=1, round_=2), TAKE)
    assert events == [GemsTaken(1, TAKE.gems), LastRound("turn_limit")]
    assert (state.round, state.seat, state.outcome) == (3, 0, None)
    state, events = play(state, TAKE)
    assert events == [TOOK]
    assert state.outcome is None
    state, events = play(state, TAKE)
    assert events == [GemsTaken(1, TAKE.gems), MatchEnded("turn_limit")]
    assert GAME.outcome(state) == Outcome("turn_limit", (1, 2), (1, 0))


@pytest.mark.rule("SPL-19")
def test_the_round_before_the_last_ends_nothing() -> None:
    state, events = play(limited(seat=1, round_=1), TAKE)
    assert events == [GemsTaken(1, TAKE.gems)]
    assert (state.round, state.ending) == (2, None)


@pytest.mark.rule("SPL-19")
def test_rounds_are_counted_at_the_first_seat() -> None:
    state, _ = play(limited(seat=1, round_=1, first=1), TAKE)
    assert state.round == 1
    state, _ = play(state, TAKE)
    assert state.round == 2


@pytest.mark.rule("SPL-19")
def test_the_time_limit_is_a_timer_without_seats_from_the_beginning() -> None:
    state, _ = GAME.setup(2, Options(time_limit_s=60), 5_000, rng())
    assert GAME.timers(state) == (Timer("time_limit", 65_000, ()),)
    assert GAME.known_timers(state, None) == (Timer("time_limit", 65_000, ()),)
    assert GAME.timers(GAME.setup(2, Options(), 5_000, rng())[0]) == ()


@pytest.mark.rule("SPL-19")
def test_when_the_time_is_up_the_round_is_finished() -> None:
    state, told = GAME.expire(limited(seat=0, round_=1), "time_limit", 60_000, rng())
    assert told == (Told(LastRound("time_limit")),)
    assert GAME.timers(state) == ()
    state, events = play(state, TAKE)
    assert events == [TOOK]
    state, events = play(state, TAKE)
    assert events == [GemsTaken(1, TAKE.gems), MatchEnded("time_limit")]
    assert GAME.outcome(state) == Outcome("time_limit", (1, 2), (1, 0))


@pytest.mark.rule("SPL-19")
def test_time_that_is_up_amid_a_turn_lets_the_turn_be_finished() -> None:
    state = table(hand(), hand((4, 4, 2, 0, 0, 0)), seat=1, options=Options(time_limit_s=60))
    state, _ = play(state, Take(Gems(red=2)))
    assert state.phase is Phase.RETURN
    state, _ = GAME.expire(state, "time_limit", 60_000, rng())
    assert (state.phase, state.outcome) == (Phase.RETURN, None)
    state, events = play(state, ReturnTokens(Tokens(white=2)))
    assert events[-1] == MatchEnded("time_limit")


@pytest.mark.rule("SPL-19")
@pytest.mark.parametrize("ending", ["prestige", "turn_limit", "time_limit"])
def test_a_timer_in_the_last_round_is_gone_and_changes_nothing(ending: str) -> None:
    state = limited(seat=0, round_=1, ending=ending)
    assert GAME.timers(state) == ()
    assert GAME.expire(state, "time_limit", 60_000, rng()) == (state, ())


@pytest.mark.rule("SPL-19")
def test_a_timer_of_another_name_changes_nothing() -> None:
    state = limited(seat=0, round_=1)
    assert GAME.expire(state, "race", 60_000, rng()) == (state, ())


@pytest.mark.rule("SPL-16", "SPL-19")
@pytest.mark.parametrize("ending", ["turn_limit", "time_limit"])
def test_fifteen_prestige_in_a_limited_last_round_are_the_reason_after_all(ending: str) -> None:
    state = table(
        hand(), hand((0, 0, 4, 0, 0, 0), bought=FOURTEEN), seat=1, grid={(1, 0): "L1-white-08"}, ending=ending
    )
    state, events = play(state, Buy("L1-white-08"))
    assert events[-2:] == [LastRound("prestige"), MatchEnded("prestige")]
    assert GAME.outcome(state) == Outcome("prestige", (2, 1), (0, 15))
