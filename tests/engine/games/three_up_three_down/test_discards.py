"""A turn: discard one or several equal cards, not lower than the top; pick up when that can't be done; then draw."""

from __future__ import annotations

import pytest

from engine.core.game import Occasion
from engine.games.three_up_three_down import GAME
from engine.games.three_up_three_down.moves import (
    Discard,
    Discarded,
    Draw,
    Drew,
    OwnDrawn,
    PickedUp,
    PickUp,
    SkipDraw,
    TurnBegan,
    TurnDown,
)
from tests.engine.games.three_up_three_down.sheet import (
    Cards,
    code_and_rule,
    hand,
    make,
    others,
    position,
    refused,
    up,
    words,
)


@pytest.mark.rule("TUD-6", "TUD-7", "TUD-12")
def test_one_card_is_laid_then_one_drawn_then_the_next_seat_plays() -> None:
    state = position(Cards("4 7 9"), *others(2), discard="3 5", draw="1 2 3")
    after = make(state, Discard("7"))

    assert words(after.state.discard) == "3 5 7"
    assert hand(after.state) == "3 4 9"
    assert words(after.state.draw) == "1 2"
    assert GAME.awaited(after.state) == {1: Occasion("turn", 8)}
    assert after.events(0) == [
        Discarded(0, "hand", "7", 1),
        Drew(0, 1, 2),
        OwnDrawn(("3",)),
        TurnBegan(1, 8),
    ]
    assert after.events(1) == after.events(None) == [Discarded(0, "hand", "7", 1), Drew(0, 1, 2), TurnBegan(1, 8)]


@pytest.mark.rule("TUD-6")
@pytest.mark.parametrize(("seat", "following"), [(0, 1), (1, 2), (2, 0)])
def test_turns_go_clockwise(seat: int, following: int) -> None:
    state = position(*[Cards("4 7 9")] * 3, seat=seat, draw="1 2 3")

    assert make(state, Discard("7")).state.seat == following


@pytest.mark.rule("TUD-7")
def test_any_number_of_equal_cards_up_to_all_held() -> None:
    state = position(Cards("7 7 8", "9 9 10", "1 1 1"), *others(), draw="1 2 3")

    assert GAME.legal_moves(state, 0) == (Discard("7"), Discard("7", 2), Discard("8"))
    after = make(state, Discard("7", 2)).state
    assert (words(after.discard), hand(after), words(after.draw)) == ("7 7", "2 3 8", "1")
    assert make(state, Discard("7")).state.discard == (7,)


@pytest.mark.rule("TUD-7")
@pytest.mark.parametrize("count", [3, 8, 10**30])
def test_more_cards_than_held_are_refused(count: int) -> None:
    state = position(Cards("7 7 8", "9 9 10", "1 1 1"), *others())

    refusal = refused(state, Discard("7", count))
    assert (refusal.rule, refusal.reason) == ("TUD-7", f"TUD-7: you have 2 of 7 in hand, not {count}")


@pytest.mark.rule("TUD-7")
@pytest.mark.parametrize(
    "move", [Discard("7", 0), Discard("7", -1), Discard("7", -(10**30)), Discard("3"), Discard("3", 0)]
)
def test_no_card_or_one_not_held_is_no_discard(move: Discard) -> None:
    assert code_and_rule(position(Cards("7 7 8"), *others()), move) == ("illegal_move", "TUD-7")


@pytest.mark.rule("TUD-7")
@pytest.mark.parametrize("name", ["", "11", "0", "Clear", "seven"])
def test_a_card_that_does_not_exist_is_refused(name: str) -> None:
    state = position(Cards("7 7 8"), *others())

    assert code_and_rule(state, Discard(name)) == ("illegal_move", "TUD-7")  # type: ignore[arg-type]


@pytest.mark.rule("TUD-8")
@pytest.mark.parametrize(("top", "playable"), [("5", "567"), ("6", "67"), ("7", "7"), ("4", "567")])
def test_what_is_played_equals_or_exceeds_the_top(top: str, playable: str) -> None:
    state = position(Cards("3 5 6 7"), *others(), discard=f"1 10 {top}")

    assert GAME.legal_moves(state, 0) == tuple(Discard(card) for card in playable)  # type: ignore[arg-type]
    for card in set("3567") - set(playable):
        assert code_and_rule(state, Discard(card)) == ("illegal_move", "TUD-8")  # type: ignore[arg-type]


@pytest.mark.rule("TUD-8")
def test_anything_goes_on_an_empty_pile() -> None:
    state = position(Cards("1 9 c"), *others())

    assert GAME.legal_moves(state, 0) == (Discard("1"), Discard("9"), Discard("clear"))
    assert make(state, Discard("1")).state.discard == (1,)


@pytest.mark.rule("TUD-8")
def test_anything_goes_after_a_pick_up() -> None:
    state = position(Cards("1 2 3"), Cards("1 9 9", "5 5 5"), discard="10", draw="4 4 4")
    after = make(state, PickUp()).state

    assert GAME.legal_moves(after, 1) == (Discard("1"), Discard("9"), Discard("9", 2))


@pytest.mark.rule("TUD-8")
def test_anything_goes_after_a_clear() -> None:
    state = position(Cards("c 2 3"), Cards("1 9 9", "5 5 5"), discard="10", draw="4 4 4")
    after = make(state, Discard("clear")).state

    assert GAME.legal_moves(after, 1) == (Discard("1"), Discard("9"), Discard("9", 2))


@pytest.mark.rule("TUD-9")
@pytest.mark.parametrize("card", ["clear", "clear_plus_1", "clear_plus_2"])
@pytest.mark.parametrize("discard", ["", "1", "10"])
def test_clears_go_on_anything(card: str, discard: str) -> None:
    state = position(Cards("1 2 c c+1 c+2"), *others(), discard=discard)

    assert Discard(card) in GAME.legal_moves(state, 0)  # type: ignore[arg-type]
    assert make(state, Discard(card)).state.discard == ()  # type: ignore[arg-type]


@pytest.mark.rule("TUD-10")
@pytest.mark.parametrize("mine", ["1 2 7", "1 2 9", "1 2 c", "1 2 c+2"])
def test_a_seat_that_can_play_does_not_pick_up(mine: str) -> None:
    state = position(Cards(mine), *others(), discard="3 7")

    assert code_and_rule(state, PickUp()) == ("illegal_move", "TUD-10")
    assert len(GAME.legal_moves(state, 0)) == 1


@pytest.mark.rule("TUD-10")
def test_nobody_picks_up_an_empty_pile() -> None:
    assert code_and_rule(position(Cards("1 2 7"), *others()), PickUp()) == ("illegal_move", "TUD-10")


@pytest.mark.rule("TUD-11")
def test_a_seat_that_cannot_play_takes_the_whole_pile_and_draws_nothing() -> None:
    state = position(Cards("1 6"), *others(), discard="2 9 7", draw="4 4 4")
    assert GAME.legal_moves(state, 0) == (PickUp(),)

    after = make(state, PickUp())
    assert hand(after.state) == "1 2 6 7 9"
    assert (after.state.discard, words(after.state.draw)) == ((), "4 4 4")
    assert (after.state.seat, after.state.turn) == (1, 8)
    assert after.events() == [PickedUp(0, ("2", "9", "7")), TurnBegan(1, 8)]


@pytest.mark.rule("TUD-11")
def test_a_pick_up_that_leaves_fewer_than_three_cards_draws_nothing() -> None:
    after = make(position(Cards("1"), *others(), discard="7", draw="4 4 4"), PickUp()).state

    assert (hand(after), words(after.draw)) == ("1 7", "4 4 4")


@pytest.mark.rule("TUD-12")
@pytest.mark.parametrize(
    ("mine", "move", "result"),
    [
        ("5", Discard("5"), "2 3 4"),
        ("5 6", Discard("5"), "3 4 6"),
        ("5 6 7", Discard("5"), "4 6 7"),
        ("5 6 7 8", Discard("5"), "6 7 8"),
        ("5 6 7 8 9", Discard("5"), "6 7 8 9"),
        ("5 5 6 7 8", Discard("5", 2), "6 7 8"),
        ("5 5 6 7", Discard("5", 2), "4 6 7"),
    ],
)
def test_a_seat_draws_back_up_to_three(mine: str, move: Discard, result: str) -> None:
    after = make(position(Cards(mine, "9 9 10"), *others(), draw="1 2 3 4"), move).state

    assert hand(after) == result


@pytest.mark.rule("TUD-13")
@pytest.mark.parametrize(
    ("draw", "result", "drawn"), [("", "6", 0), ("4", "4 6", 1), ("4 3", "3 4 6", 2), ("4 3 2", "2 3 6", 2)]
)
def test_a_short_draw_pile_gives_what_there_is(draw: str, result: str, drawn: int) -> None:
    state = position(Cards("5 6", "9 9 10"), *others(), discard="1 2", draw=draw)
    after = make(state, Discard("5"))

    assert hand(after.state) == result
    assert words(after.state.discard) == "1 2 5"
    assert [event.count for event in after.events() if isinstance(event, Drew)] == [drawn] * (drawn > 0)


@pytest.mark.rule("TUD-13", "TUD-18")
def test_cleared_cards_are_never_drawn() -> None:
    state = position(Cards("c 6", "9 9 10"), *others(), discard="1 2 3 4")
    after = make(state, Discard("clear")).state

    assert (hand(after), after.draw, words(after.cleared)) == ("6", (), "1 2 3 4 c")


@pytest.mark.rule("TUD-7")
@pytest.mark.parametrize("move", [Discard("5"), PickUp(), Draw(), SkipDraw(), TurnDown(0)])
@pytest.mark.parametrize("seat", [1, 2, 3, -1, 99])
def test_only_the_seat_in_turn_moves(move: Discard | PickUp | Draw | SkipDraw | TurnDown, seat: int) -> None:
    state = position(*[Cards("5 5 6")] * 3)

    assert code_and_rule(state, move, seat) == ("not_your_turn", None)


@pytest.mark.rule("TUD-23")
def test_up_stays_while_the_hand_is_played() -> None:
    after = make(position(Cards("5", "9 9 10"), *others(), draw="1 2 3"), Discard("5")).state

    assert up(after) == "9 9 10"
