"""Rounds limited by time or by turns, and a limit for the whole match."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.errors import BadOptions
from engine.core.game import Timer
from engine.core.outcome import Outcome
from engine.core.rng import Rng, Seed
from engine.games.gnoming_a_round import GAME
from engine.games.gnoming_a_round.moves import (
    AnyMove,
    CardsTurnedUp,
    Decline,
    Discard,
    Draw,
    LimitReached,
    Place,
    RoundBegan,
    RoundScored,
    TurnUpOne,
)
from engine.games.gnoming_a_round.state import Ending, HazardCall, Options, Phase, Pile, Source, State
from tests.engine.games.gnoming_a_round.sheet import (
    ALMOST,
    DOWN,
    TWO_UP,
    After,
    layout,
    leave,
    make,
    make_all,
    position,
)

LEFT = Discard(Pile.LEFT)
PASS = (Draw(Source.PILE), LEFT)
ROUND = {"round_limit_s": 60}
MATCH = {"time_limit_s": 600}


def expire(state: State, key: str) -> After:
    (due,) = (timer.due for timer in GAME.timers(state) if timer.key == key)
    return After(*GAME.expire(state, key, due, Rng(Seed.from_number(1))))


@pytest.mark.rule("GNO-27")
def test_limits_count_from_the_beginning_of_the_round_and_of_the_match() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, options={**ROUND, **MATCH}, began=5000, round_began=70_000)

    assert GAME.timers(state) == (Timer("time_limit", 605_000), Timer("round_limit", 130_000))
    assert GAME.known_timers(state, None) == GAME.timers(state)
    assert GAME.timers(position(TWO_UP, TWO_UP, TWO_UP)) == ()


@pytest.mark.rule("GNO-27")
def test_each_round_has_its_own_limit() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, options=ROUND, cut=Ending.ROUND_LIMIT, hand="9", source=Source.PILE)
    after = make(state, LEFT, at=64_000)

    assert GAME.timers(after.state) == (Timer("round_limit", 124_000),)


WITH_HAZARD = "1 2 (3) / (H) (6) (7) / (8) (9) (10)"
LEFT_EMPTY = {"hand": "9", "source": Source.PILE, "left": ""}
AFTER_HAZARD = {"phase": Phase.HAZARD, "hazard": HazardCall(1, (1,)), "hazards_gone": 1}


@pytest.mark.rule("GNO-27")
@pytest.mark.parametrize(
    ("changes", "seat", "move"),
    [
        (LEFT_EMPTY, 0, Place(0)),
        ({"hand": "H", "source": Source.PILE}, 0, Discard()),
        ({"hand": "7", "source": Source.PILE}, 0, Place(3)),
        (AFTER_HAZARD, 1, Decline()),
        (AFTER_HAZARD, 1, TurnUpOne(8)),
    ],
    ids=["placed", "Hazard discarded", "Hazard replaced", "declined", "turned up"],
)
def test_the_next_round_begins_with_whatever_move_ended_the_last(
    changes: dict[str, Any], seat: int, move: AnyMove
) -> None:
    other = ALMOST if seat == 0 else TWO_UP  # with one card face down nobody is asked
    state = position(WITH_HAZARD, other, ALMOST, options=ROUND, cut=Ending.PILE, **changes)
    after = make(state, move, seat, at=7000)

    assert GAME.timers(after.state) == (Timer("round_limit", 67_000),)


@pytest.mark.rule("GNO-27", "GNO-11")
@pytest.mark.parametrize("times", [(7000, 7200), (7200, 7000)])
def test_the_next_round_begins_with_the_latest_answer_whichever_is_taken_first(times: tuple[int, int]) -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, options=ROUND, cut=Ending.PILE, hand="H", source=Source.PILE)
    state = make(state, Discard()).state
    state = make(state, Decline(), seat=1, at=times[0]).state
    after = make(state, TurnUpOne(8), seat=2, at=times[1])

    assert GAME.timers(after.state) == (Timer("round_limit", 67_200),)


@pytest.mark.rule("GNO-27", "GNO-29")
@pytest.mark.parametrize(
    "state",
    [
        position(TWO_UP, ALMOST, ALMOST, options=ROUND, cut=Ending.PILE),
        make(
            position(TWO_UP, ALMOST, ALMOST, options=ROUND, cut=Ending.PILE, turn=1, hand="H", source=Source.PILE),
            Discard(),
        ).state,
    ],
    ids=["the seat in turn", "the last that was to answer"],
)
def test_the_next_round_begins_when_the_seat_leaves_that_the_last_waited_for(state: State) -> None:
    after, _ = GAME.leave(state, (0,), 7000, Rng(Seed.from_number(1)))

    assert (after.number, GAME.timers(after)) == (2, (Timer("round_limit", 67_000),))


@pytest.mark.rule("GNO-27")
def test_when_the_time_of_a_round_is_up_the_current_turn_is_finished_and_the_round_scored() -> None:
    state = position("5 2 (5) / (4) (6) (7) / (8) (9) (10)", TWO_UP, TWO_UP, options=ROUND, draw="7 3")
    up = expire(state, "round_limit")

    assert up.events() == [LimitReached(Ending.ROUND_LIMIT)]
    assert (up.state.turn, up.state.phase, GAME.timers(up.state)) == (0, Phase.DRAW, ())
    placed = make_all(up.state, Draw(Source.PILE), Place(2))
    assert placed.state.phase is Phase.REPLACED
    scored = make(placed.state, LEFT).scored()
    # 5+2+3+4+6+7+8+9+10
    assert (scored.ending, scored.scores, scored.bonus) == (Ending.ROUND_LIMIT, (54, 50, 50), 0)


@pytest.mark.rule("GNO-27", "GNO-11")
def test_the_answers_to_a_hazard_belong_to_the_turn_that_is_finished() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, options=ROUND, hand="H", source=Source.PILE)
    up = expire(make(state, Discard()).state, "round_limit").state
    up = make(up, Decline(), seat=1).state

    assert up.phase is Phase.HAZARD
    assert make(up, Decline(), seat=2).scored().ending is Ending.ROUND_LIMIT


@pytest.mark.rule("GNO-27", "GNO-23")
def test_a_round_cut_by_time_gives_no_bonus_before_all_last_turns_are_played() -> None:
    all_up = "-1 2 -1 / 1 -1 1 / 1 2 3"
    state = position(all_up, TWO_UP, TWO_UP, options=ROUND, turn=1, out_first=0, last_turns=(1, 2))
    scored = make_all(expire(state, "round_limit").state, *PASS).scored()

    assert (scored.scores, scored.bonus) == ((7, 50, 50), 0)
    state = position(all_up, TWO_UP, TWO_UP, options=ROUND, turn=2, out_first=0, last_turns=(2,))
    scored = make_all(expire(state, "round_limit").state, *PASS).scored()
    assert (scored.scores, scored.bonus, scored.ending) == ((2, 50, 50), -5, Ending.LAST_TURNS)


@pytest.mark.rule("GNO-27")
def test_during_set_up_there_is_no_turn_to_finish() -> None:
    state = position(DOWN, DOWN, DOWN, options=ROUND, phase=Phase.SETUP, chosen=((0, 1), None, None))
    after = expire(state, "round_limit")

    kinds = [type(event) for event in after.events()]
    assert kinds == [LimitReached, CardsTurnedUp, CardsTurnedUp, CardsTurnedUp, RoundScored, RoundBegan]
    assert after.scored().scores == (50, 50, 50)
    assert (after.state.number, after.state.phase, after.state.round_began) == (2, Phase.SETUP, 60_000)


@pytest.mark.rule("GNO-27")
def test_when_the_time_of_the_match_is_up_no_further_round_begins() -> None:
    state = position("1 2 (-4) / (4) (6) (7) / (8) (9) (10)", TWO_UP, TWO_UP, options=MATCH)
    up = expire(state, "time_limit")

    assert up.events() == [LimitReached(Ending.TIME_LIMIT)]
    assert (GAME.timers(up.state), GAME.outcome(up.state)) == ((), None)
    ended = make_all(up.state, *PASS)
    # -4 in place of 3
    assert GAME.outcome(ended.state) == Outcome("time_limit", (1, 2, 2), (43, 50, 50))
    assert layout(ended.state, 0) == "1 2 -4 / 4 6 7 / 8 9 10"


@pytest.mark.rule("GNO-27", "ALL-5")
def test_the_time_limit_ends_a_match_in_set_up_at_once() -> None:
    state = position(DOWN, DOWN, DOWN, options=MATCH, phase=Phase.SETUP)
    after = expire(state, "time_limit")

    assert GAME.outcome(after.state) == Outcome("time_limit", (1, 1, 1), (50, 50, 50))
    assert GAME.awaited(after.state) == {}


@pytest.mark.rule("GNO-27")
def test_both_limits_in_one_turn_end_the_match() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, options={**ROUND, **MATCH})
    after = make_all(expire(expire(state, "round_limit").state, "time_limit").state, *PASS)

    assert GAME.outcome(after.state) == Outcome("time_limit", (1, 1, 1), (50, 50, 50))
    assert GAME.timers(after.state) == ()
    assert after.scored().ending is Ending.ROUND_LIMIT


@pytest.mark.rule("GNO-27", "GNO-29")
def test_a_seat_that_leaves_in_the_turn_that_is_finished_finishes_it() -> None:
    state = expire(position(TWO_UP, TWO_UP, TWO_UP, options=ROUND), "round_limit").state

    assert leave(state, 0).scored().scores == (None, 50, 50)


@pytest.mark.rule("GNO-27", "ALL-4")
def test_no_limit_runs_when_the_match_is_over() -> None:
    over = leave(position(TWO_UP, TWO_UP, TWO_UP, options={**ROUND, **MATCH}), 0, 1).state

    assert GAME.timers(over) == ()
    for key in ("round_limit", "time_limit"):
        assert GAME.expire(over, key, 10**9, Rng(Seed.from_number(1))) == (over, ())


@pytest.mark.rule("GNO-27")
def test_the_time_limit_ends_the_limit_of_the_round_too() -> None:
    up = expire(position(TWO_UP, TWO_UP, TWO_UP, options={**ROUND, **MATCH}), "time_limit").state

    assert GAME.timers(up) == ()
    ended = make_all(up, *PASS)
    assert (ended.scored().ending, GAME.outcome(ended.state)) == (
        Ending.TIME_LIMIT,
        Outcome("time_limit", (1, 1, 1), (50, 50, 50)),
    )


def test_a_timer_that_is_not_there_changes_nothing() -> None:
    state = position(TWO_UP, TWO_UP, TWO_UP, options=ROUND, cut=Ending.ROUND_LIMIT)

    for key in ("round_limit", "time_limit", "race", "turn_limit"):
        assert GAME.expire(state, key, 10**9, Rng(Seed.from_number(1))) == (state, ())


@pytest.mark.rule("GNO-30")
def test_the_round_ends_after_the_last_turn_allowed() -> None:
    options = {"turn_limit": 5}
    last = make_all(position(TWO_UP, TWO_UP, TWO_UP, options=options, turns=5), *PASS)

    assert (last.scored().ending, last.scored().bonus) == (Ending.TURN_LIMIT, 0)
    assert (last.state.number, last.state.turns, GAME.outcome(last.state)) == (2, 0, None)
    before = make_all(position(TWO_UP, TWO_UP, TWO_UP, options=options, turns=4), *PASS)
    assert (before.state.number, before.state.turns) == (1, 5)


@pytest.mark.rule("GNO-30", "GNO-23")
def test_the_turn_limit_in_the_last_turns_gives_no_bonus() -> None:
    state = position(
        "-1 2 -1 / 1 -1 1 / 1 2 3", TWO_UP, TWO_UP, turn=1, options={"turn_limit": 5}, out_first=0, last_turns=(1, 2)
    )

    assert make_all(state, *PASS).scored().scores == (7, 50, 50)


@pytest.mark.rule("ALL-3", "GNO-30")
@pytest.mark.parametrize(("seats", "turn_limit", "moves"), [(3, 150, 4981), (7, 20, 739)])
def test_the_longest_match(seats: int, turn_limit: int, moves: int) -> None:
    # In each of three rounds all choose, each turn is draw, place, 8 bounces and discard, three Hazards ask all others,
    # and the limit fires: 3 * (3 + 150 * 11 + 3 * 2 + 1), 3 * (7 + 20 * 11 + 3 * 6 + 1); and the limit of the match.
    assert GAME.longest(seats, GAME.options({"turn_limit": turn_limit})) == moves


@pytest.mark.rule("GNO-30")
def test_the_default_options() -> None:
    assert msgspec.to_builtins(GAME.options()) == {
        "two_seats": False,
        "bounce_chain": "any",
        "taken_must_be_played": False,
        "turn_limit": 150,
        "round_limit_s": None,
        "time_limit_s": None,
    }
    assert GAME.options(preset="publisher") == GAME.options(
        {"two_seats": True, "bounce_chain": "face_down", "taken_must_be_played": True}
    )
    assert GAME.options() == Options()


@pytest.mark.parametrize(
    "values",
    [
        {"turn_limit": 0},
        {"turn_limit": 1001},
        {"round_limit_s": 0},
        {"time_limit_s": 0},
        {"round_limit_s": 31_536_001},
        {"cards": 110},
    ],
)
def test_options_out_of_bounds_are_refused(values: dict[str, int]) -> None:
    (name,) = values
    with pytest.raises(BadOptions, match=name):
        GAME.options(values)
