"""What clears the discard pile, and that it is gone then."""

from __future__ import annotations

import pytest

from engine.games.three_up_three_down import GAME
from engine.games.three_up_three_down.moves import Discard, Discarded, Drew, PileCleared, TurnBegan
from tests.engine.games.three_up_three_down.sheet import Cards, code_and_rule, hand, make, others, position, words


@pytest.mark.rule("TUD-14")
@pytest.mark.parametrize("count", [3, 4, 7])
def test_three_or_more_equal_cards_of_one_seat_clear_the_pile(count: int) -> None:
    state = position(Cards("7 " * count + "9 9 9"), *others(), discard="2 5")
    after = make(state, Discard("7", count))

    assert after.state.discard == ()
    assert words(after.state.cleared) == "2 5" + " 7" * count
    assert after.state.seat == 1
    assert after.events() == [
        Discarded(0, "hand", "7", count),
        PileCleared("equal_numbers", 2 + count),
        TurnBegan(1, 8),
    ]


@pytest.mark.rule("TUD-14")
def test_two_equal_cards_clear_nothing() -> None:
    after = make(position(Cards("7 7 9"), *others(), discard="2 5"), Discard("7", 2)).state

    assert words(after.discard) == "2 5 7 7"


@pytest.mark.rule("TUD-14")
def test_equal_cards_of_three_seats_in_succession_clear_the_pile() -> None:
    state = position(*[Cards("7 8 9 10")] * 3)
    two = make(state, Discard("7"), Discard("7")).state
    assert words(two.discard) == "7 7"

    after = make(two, Discard("7"))
    assert (after.state.discard, words(after.state.cleared)) == ((), "7 7 7")
    assert after.events() == [Discarded(2, "hand", "7", 1), PileCleared("equal_numbers", 3), TurnBegan(0, 10)]


@pytest.mark.rule("TUD-14")
@pytest.mark.parametrize(("discard", "count"), [("7", 2), ("7 7", 1), ("7 7", 2)])
def test_multiples_add_up_with_what_lay_there(discard: str, count: int) -> None:
    after = make(position(Cards("7 7 9"), *others(), discard=discard), Discard("7", count)).state

    assert after.discard == ()


@pytest.mark.rule("TUD-14")
def test_equal_cards_interrupted_by_another_clear_nothing() -> None:
    after = make(position(Cards("8 8 9"), *others(), discard="8 7 7"), Discard("8", 2)).state

    assert words(after.discard) == "8 7 7 8 8"


@pytest.mark.rule("TUD-14")
def test_an_automatic_clear_gives_no_extra_discard() -> None:
    after = make(position(Cards("7 8 9"), *others(), discard="7 7", draw="1 2"), Discard("7")).state

    assert (after.seat, after.due, hand(after)) == (1, 1, "2 8 9")


@pytest.mark.rule("TUD-14")
def test_an_automatic_clear_keeps_the_extras_that_are_pending_and_offers_no_draw() -> None:
    state = position(Cards("7 8"), *others(), discard="7 7", draw="1 2", due=2)
    after = make(state, Discard("7")).state

    assert (after.seat, after.due, after.may_draw, after.discard) == (0, 1, False, ())
    assert GAME.legal_moves(after, 0) == (Discard("8"),)


@pytest.mark.rule("TUD-15", "TUD-18")
@pytest.mark.parametrize("discard", ["", "3", "3 9 10"])
def test_clear_removes_the_pile_and_itself_and_ends_the_turn(discard: str) -> None:
    state = position(Cards("1 2 c"), *others(), discard=discard, draw="4 5")
    after = make(state, Discard("clear"))

    assert (after.state.discard, words(after.state.cleared)) == ((), f"{discard} c".strip())
    assert (after.state.seat, after.state.due, hand(after.state)) == (1, 1, "1 2 5")
    assert after.events() == [
        Discarded(0, "hand", "clear", 1),
        PileCleared("clear_card", len(discard.split()) + 1),
        Drew(0, 1, 1),
        TurnBegan(1, 8),
    ]


@pytest.mark.rule("TUD-18")
def test_cleared_cards_pile_up_outside_the_game() -> None:
    state = position(Cards("1 2 c"), Cards("c 8 8"), discard="3", draw="")
    after = make(state, Discard("clear"), Discard("clear")).state

    assert words(after.cleared) == "3 c c"
    assert GAME.view(after, None).cleared == ("3", "clear", "clear")


@pytest.mark.rule("TUD-19")
def test_several_plain_clears_at_once() -> None:
    state = position(Cards("2 c c c"), *others(), discard="9")
    assert GAME.legal_moves(state, 0) == (Discard("clear"), Discard("clear", 2), Discard("clear", 3))

    after = make(state, Discard("clear", 3)).state
    assert (hand(after), words(after.cleared), after.seat) == ("2", "9 c c c", 1)


@pytest.mark.rule("TUD-19")
@pytest.mark.parametrize("card", ["clear_plus_1", "clear_plus_2"])
def test_plus_clears_go_one_at_a_time(card: str) -> None:
    state = position(Cards("2 c+1 c+1 c+2 c+2"), *others(), discard="9")

    assert GAME.legal_moves(state, 0) == (Discard("clear_plus_1"), Discard("clear_plus_2"))
    assert code_and_rule(state, Discard(card, 2)) == ("illegal_move", "TUD-19")  # type: ignore[arg-type]


@pytest.mark.rule("TUD-19")
def test_kinds_never_mix() -> None:
    state = position(Cards("2 c c+1 c+2"), *others(), discard="9")

    assert code_and_rule(state, Discard("clear", 2)) == ("illegal_move", "TUD-7")
    assert code_and_rule(state, Discard("clear_plus_1", 2)) == ("illegal_move", "TUD-7")
