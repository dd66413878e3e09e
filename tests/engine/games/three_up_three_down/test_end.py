"""How a match ends: somebody is out of cards, or a limit is reached."""

from __future__ import annotations

import pytest

from engine.core.errors import Refusal, RefusalCode
from engine.core.game import Occasion, Timer
from engine.core.outcome import Outcome
from engine.games.three_up_three_down import GAME
from engine.games.three_up_three_down.moves import (
    ChooseUp,
    Discard,
    Discarded,
    DownTurned,
    Draw,
    Drew,
    MatchEnded,
    PickUp,
    SkipDraw,
    TimeUp,
    TurnBegan,
    TurnDown,
)
from engine.games.three_up_three_down.state import State
from tests.engine.games.three_up_three_down.sheet import Cards, choosing, hand, make, others, position, refused, rng


@pytest.mark.rule("TUD-29", "TUD-30")
def test_the_last_down_card_wins_at_once() -> None:
    state = position(Cards("", "", ". 9 ."), Cards("5 6", "8", "1 2 3"), Cards("5 6 7 8"), discard="5")
    after = make(state, TurnDown(1))

    assert GAME.outcome(after.state) == Outcome("out", (1, 3, 2), (0, 6, 4))
    assert after.events() == [DownTurned(0, 1, "9", "played"), MatchEnded("out", (1, 3, 2))]
    assert GAME.awaited(after.state) == {}
    assert GAME.timers(after.state) == ()


@pytest.mark.rule("TUD-29")
@pytest.mark.parametrize("mine", [Cards("9"), Cards("9 9"), Cards("9 9 9"), Cards("", "9 9")])
def test_the_last_hand_or_up_cards_win_when_down_is_gone(mine: Cards) -> None:
    count = len((mine.hand or mine.up).split())
    after = make(position(mine, *others(), discard="5"), Discard("9", count)).state

    assert GAME.outcome(after) == Outcome("out", (1, 2), (0, 9))


@pytest.mark.rule("TUD-29")
@pytest.mark.parametrize("card", ["c", "c+1", "c+2"])
def test_extras_pending_do_not_delay_the_win(card: str) -> None:
    after = make(position(Cards("", "", f". . {card}"), *others(), discard="5"), TurnDown(2)).state

    assert GAME.outcome(after) == Outcome("out", (1, 2), (0, 9))
    assert (after.due, after.may_draw) == (0, False)


@pytest.mark.rule("TUD-29")
def test_the_first_extra_may_win_with_another_pending() -> None:
    after = make(position(Cards("", "6"), *others(), discard="5", due=2), Discard("6")).state

    assert after.reason == "out"


@pytest.mark.rule("TUD-26", "TUD-29")
def test_a_last_down_card_that_fails_does_not_win() -> None:
    after = make(position(Cards("", "", "4 . ."), *others(), discard="5"), TurnDown(0)).state

    assert (GAME.outcome(after), hand(after)) == (None, "4 5")


@pytest.mark.rule("TUD-29")
def test_an_empty_hand_with_up_or_down_left_does_not_win() -> None:
    with_up = make(position(Cards("9", "2"), *others(), discard="5"), Discard("9")).state
    with_down = make(position(Cards("9", "", ". . 2"), *others(), discard="5"), Discard("9")).state

    assert GAME.outcome(with_up) is None
    assert GAME.outcome(with_down) is None


@pytest.mark.rule("TUD-29")
@pytest.mark.parametrize("move", [Discard("5"), PickUp(), Draw(), SkipDraw(), TurnDown(0), ChooseUp(("5", "5", "6"))])
@pytest.mark.parametrize("seat", [0, 1])
def test_nothing_is_played_after_the_end(
    move: Discard | PickUp | Draw | SkipDraw | TurnDown | ChooseUp, seat: int
) -> None:
    over = make(position(Cards("9"), *others(), discard="5"), Discard("9")).state

    assert refused(over, move, seat) == Refusal(RefusalCode.NOT_YOUR_TURN, "the match is over")


@pytest.mark.rule("TUD-30")
def test_equal_counts_share_a_place() -> None:
    state = position(
        Cards("9"), Cards("5 6", "", "1 . ."), Cards("5", "6", ". . 1"), Cards("5 5 5 5"), Cards("1 2"), discard="5"
    )
    after = make(state, Discard("9")).state

    assert GAME.outcome(after) == Outcome("out", (1, 3, 3, 5, 2), (0, 3, 3, 4, 2))


@pytest.mark.rule("TUD-30")
def test_the_standing_is_known_at_every_moment() -> None:
    state = position(Cards("9 9"), Cards("5 6", "", "1 . ."), Cards("1", "1"))

    standing = GAME.standing(state)
    assert (standing.places, standing.scores) == ((1, 3, 1), (2, 3, 2))
    assert [(seat.place, seat.cards_left) for seat in GAME.view(state, 1).seats] == [(1, 2), (3, 3), (1, 2)]


@pytest.mark.rule("TUD-31")
def test_the_turn_limit_ends_the_match_after_that_turn() -> None:
    state = position(Cards("5 6 7 8"), Cards("5 6 7", "8 8"), turn=599, turn_limit=600)
    before_last = make(state, Discard("5")).state
    assert GAME.outcome(before_last) is None
    assert GAME.view(before_last, 0).ends_with_turn

    after = make(before_last, Discard("5"))
    assert GAME.outcome(after.state) == Outcome("turn_limit", (1, 2), (3, 4))
    assert after.events() == [Discarded(1, "hand", "5", 1), MatchEnded("turn_limit", (1, 2))]


@pytest.mark.rule("TUD-31")
def test_the_last_turn_is_played_to_its_end() -> None:
    state = position(Cards("5 6 c+1"), *others(), draw="1 2", turn=600)
    extra = make(state, Discard("clear_plus_1"), SkipDraw()).state
    assert GAME.outcome(extra) is None

    after = make(extra, Discard("5"))
    assert GAME.outcome(after.state) == Outcome("turn_limit", (1, 2), (3, 9))
    assert [type(event) for event in after.events()] == [Discarded, Drew, MatchEnded]


@pytest.mark.rule("TUD-29", "TUD-31")
def test_going_out_in_the_last_turn_is_a_win() -> None:
    after = make(position(Cards("9"), *others(), turn=600), Discard("9")).state

    assert GAME.outcome(after) == Outcome("out", (1, 2), (0, 9))


@pytest.mark.rule("TUD-31")
def test_the_time_limit_is_a_timer_without_seats() -> None:
    options = GAME.options({"time_limit_s": 90})
    state, _ = GAME.setup(2, options, 1_000, rng())

    assert GAME.timers(state) == GAME.known_timers(state, None) == (Timer("time_limit", 91_000),)
    assert GAME.timers(position(Cards("5"), *others())) == ()


def late(state: State) -> State:
    """The position after its time limit has passed."""
    after, told = GAME.expire(state, "time_limit", 60_000, rng())
    assert [event.event for event in told] == [TimeUp()]
    return after


@pytest.mark.rule("TUD-31")
def test_the_current_turn_is_finished_after_the_time_limit() -> None:
    state = position(Cards("5 6 c+1"), *others(), draw="1 2", time_limit_s=60)
    up = late(make(state, Discard("clear_plus_1")).state)
    assert GAME.outcome(up) is None
    assert GAME.timers(up) == ()
    assert GAME.view(up, 1).ends_with_turn
    assert GAME.awaited(up) == {0: Occasion("turn", 7)}

    after = make(up, SkipDraw(), Discard("5"))
    assert GAME.outcome(after.state) == Outcome("time_limit", (1, 2), (3, 9))
    assert after.events()[-1] == MatchEnded("time_limit", (1, 2))


@pytest.mark.rule("TUD-31")
def test_a_pick_up_finishes_the_turn_too() -> None:
    state = late(position(Cards("2"), *others(), discard="5", time_limit_s=60))

    assert GAME.outcome(make(state, PickUp()).state) == Outcome("time_limit", (1, 2), (2, 9))


@pytest.mark.rule("TUD-29", "TUD-31")
def test_going_out_after_the_time_limit_is_a_win() -> None:
    state = late(position(Cards("9"), *others(), time_limit_s=60))

    assert GAME.outcome(make(state, Discard("9")).state) == Outcome("out", (1, 2), (0, 9))


@pytest.mark.rule("TUD-31")
def test_a_time_limit_without_a_turn_to_finish_ends_the_match() -> None:
    state, told = GAME.expire(choosing("1 2 3 4 5 6", "1 2 3 4 5 6", time_limit_s=60), "time_limit", 60_000, rng())

    assert GAME.outcome(state) == Outcome("time_limit", (1, 1), (9, 9))
    assert [event.event for event in told] == [MatchEnded("time_limit", (1, 1))]


@pytest.mark.rule("TUD-31")
def test_a_timer_that_is_gone_changes_nothing() -> None:
    without = position(Cards("5 6"), *others())
    fired = late(position(Cards("5 6"), *others(), time_limit_s=60))

    assert GAME.expire(without, "time_limit", 60_000, rng()) == (without, ())
    assert GAME.expire(fired, "time_limit", 60_000, rng()) == (fired, ())
    assert GAME.expire(fired, "race", 60_000, rng()) == (fired, ())


@pytest.mark.rule("TUD-31")
def test_turns_are_counted_by_seat_not_by_round() -> None:
    state = position(*[Cards("5 6 7 8 9 10")] * 3, turn=1)
    after = make(state, Discard("5"), Discard("5"))

    assert after.events()[-1] == TurnBegan(2, 3)
