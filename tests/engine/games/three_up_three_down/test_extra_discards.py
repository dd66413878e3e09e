"""Clear +1 and Clear +2: extra discards, the draw before them, and a hand that runs empty on the way."""

from __future__ import annotations

import pytest

from engine.core.game import Occasion
from engine.games.three_up_three_down import GAME
from engine.games.three_up_three_down.moves import (
    Discard,
    Discarded,
    Draw,
    DrawSkipped,
    Drew,
    ExtrasLost,
    MoreDiscards,
    OwnDrawn,
    PickedUp,
    PickUp,
    PileCleared,
    SkipDraw,
    TurnBegan,
    TurnDown,
)
from tests.engine.games.three_up_three_down.sheet import Cards, code_and_rule, hand, make, others, position, up, words

PLUS_1, PLUS_2 = Discard("clear_plus_1"), Discard("clear_plus_2")


@pytest.mark.rule("TUD-16")
def test_clear_plus_1_clears_and_offers_a_draw_before_one_more_discard() -> None:
    state = position(Cards("2 5 c+1"), *others(), discard="9", draw="6 7 8")
    after = make(state, PLUS_1)

    assert words(after.state.cleared) == "9 c+1"
    assert (after.state.seat, after.state.due, after.state.may_draw) == (0, 1, True)
    assert GAME.legal_moves(after.state, 0) == (Draw(), SkipDraw())
    assert GAME.awaited(after.state) == {0: Occasion("turn", 7)}
    assert GAME.view(after.state, 1).asked == "draw"
    assert after.events() == [Discarded(0, "hand", "clear_plus_1", 1), PileCleared("clear_card", 2), MoreDiscards(0, 1)]


@pytest.mark.rule("TUD-16")
def test_drawing_before_the_extra_discard() -> None:
    state = position(Cards("2 5 c+1"), *others(), discard="9", draw="6 7 8")
    drawn = make(state, PLUS_1, Draw())

    assert (hand(drawn.state), words(drawn.state.draw)) == ("2 5 8", "6 7")
    assert drawn.events(0) == [Drew(0, 1, 2), OwnDrawn(("8",))]
    assert drawn.events(1) == [Drew(0, 1, 2)]
    assert GAME.legal_moves(drawn.state, 0) == (Discard("2"), Discard("5"), Discard("8"))

    after = make(drawn.state, Discard("8")).state
    assert (hand(after), words(after.discard), after.seat) == ("2 5 7", "8", 1)


@pytest.mark.rule("TUD-16")
def test_the_chance_to_draw_is_lost_once_skipped() -> None:
    state = position(Cards("2 5 c+1"), *others(), discard="9", draw="6 7 8")
    skipped = make(state, PLUS_1, SkipDraw())

    assert (hand(skipped.state), words(skipped.state.draw)) == ("2 5", "6 7 8")
    assert skipped.events() == [DrawSkipped(0)]
    assert GAME.legal_moves(skipped.state, 0) == (Discard("2"), Discard("5"))
    assert code_and_rule(skipped.state, Draw()) == ("illegal_move", "TUD-16")
    assert hand(make(skipped.state, Discard("5")).state) == "2 7 8"


@pytest.mark.rule("TUD-16")
@pytest.mark.parametrize("move", [Discard("2"), PickUp(), TurnDown(0)])
def test_the_draw_is_decided_before_anything_else(move: Discard | PickUp | TurnDown) -> None:
    state = make(position(Cards("2 5 c+1"), *others(), draw="6 7 8"), PLUS_1).state

    assert code_and_rule(state, move) == ("illegal_move", "TUD-16")


@pytest.mark.rule("TUD-16")
@pytest.mark.parametrize("move", [Draw(), SkipDraw()])
def test_there_is_no_draw_of_ones_own_will(move: Draw | SkipDraw) -> None:
    assert code_and_rule(position(Cards("2 5"), *others(), draw="6 7"), move) == ("illegal_move", "TUD-16")


@pytest.mark.rule("TUD-16")
@pytest.mark.parametrize(
    ("mine", "draw", "offered"),
    [("5 6 c+1", "7", True), ("5 c+1", "7", True), ("4 5 6 c+1", "7", False), ("5 6 c+1", "", False)],
)
def test_a_draw_is_offered_only_where_one_can_be_made(mine: str, draw: str, offered: bool) -> None:  # noqa: FBT001
    after = make(position(Cards(mine), *others(), draw=draw), PLUS_1).state

    assert (after.seat, after.due, after.may_draw) == (0, 1, offered)


@pytest.mark.rule("TUD-13", "TUD-16")
def test_a_short_pile_gives_what_there_is_before_an_extra_discard() -> None:
    after = make(position(Cards("5 c+1"), *others(), draw="7"), PLUS_1, Draw()).state

    assert (hand(after), after.draw, after.due) == ("5 7", (), 1)


@pytest.mark.rule("TUD-17")
def test_clear_plus_2_gives_two_discards_and_one_chance_to_draw() -> None:
    state = position(Cards("2 5 c+2"), *others(), discard="9", draw="6 7 8")
    drawn = make(state, PLUS_2, Draw()).state
    assert (hand(drawn), drawn.due) == ("2 5 8", 2)

    first = make(drawn, Discard("2"))
    assert (first.state.seat, first.state.due, first.state.may_draw) == (0, 1, False)
    assert (hand(first.state), words(first.state.discard)) == ("5 8", "2")
    assert first.events() == [Discarded(0, "hand", "2", 1), MoreDiscards(0, 1)]

    second = make(first.state, Discard("5")).state
    assert (second.seat, hand(second), words(second.discard), words(second.draw)) == (1, "6 7 8", "2 5", "")


@pytest.mark.rule("TUD-17")
def test_there_is_no_draw_before_the_second_extra() -> None:
    state = make(position(Cards("2 5 c+2"), *others(), draw="6 7 8"), PLUS_2, SkipDraw(), Discard("2")).state

    assert code_and_rule(state, Draw()) == ("illegal_move", "TUD-16")
    assert GAME.legal_moves(state, 0) == (Discard("5"),)


@pytest.mark.rule("TUD-8", "TUD-17")
def test_the_second_extra_must_equal_or_exceed_the_first() -> None:
    state = make(position(Cards("2 5 6 c+2"), *others(), discard="9"), PLUS_2, Discard("5")).state

    assert GAME.legal_moves(state, 0) == (Discard("6"),)
    assert code_and_rule(state, Discard("2")) == ("illegal_move", "TUD-8")


@pytest.mark.rule("TUD-7", "TUD-16")
def test_an_extra_discard_may_be_a_multiple() -> None:
    after = make(position(Cards("2 5 5 c+1"), *others()), PLUS_1, Discard("5", 2)).state

    assert (words(after.discard), after.seat, hand(after)) == ("5 5", 1, "2")


@pytest.mark.rule("TUD-20")
def test_an_extra_discard_is_a_duty() -> None:
    state = make(position(Cards("2 5 6 c+1"), *others(), discard="9"), PLUS_1).state

    assert code_and_rule(state, PickUp()) == ("illegal_move", "TUD-10")
    assert GAME.legal_moves(state, 0) == (Discard("2"), Discard("5"), Discard("6"))


@pytest.mark.rule("TUD-20")
def test_an_extra_that_cannot_be_played_picks_up_the_pile_and_ends_the_turn() -> None:
    state = make(position(Cards("2 3 6 c+2"), *others(), discard="9", draw="4 4"), PLUS_2, Discard("6")).state
    assert GAME.legal_moves(state, 0) == (PickUp(),)

    after = make(state, PickUp())
    assert (hand(after.state), after.state.discard, words(after.state.draw)) == ("2 3 6", (), "4 4")
    assert (after.state.seat, after.state.due) == (1, 1)
    assert after.events() == [PickedUp(0, ("6",)), TurnBegan(1, 8)]


@pytest.mark.rule("TUD-20")
def test_further_extras_are_lost_with_a_pick_up() -> None:
    state = position(Cards("2 3"), *others(), discard="6", due=2)
    after = make(state, PickUp())

    assert (hand(after.state), after.state.seat, after.state.due) == ("2 3 6", 1, 1)
    assert after.events() == [PickedUp(0, ("6",)), ExtrasLost(0, 1), TurnBegan(1, 8)]


@pytest.mark.rule("TUD-20", "TUD-25")
def test_an_extra_from_up_that_cannot_be_played_picks_up_the_pile() -> None:
    state = position(Cards("", "2 6 c+2", "5 5 5"), *others(), discard="9")
    state = make(state, PLUS_2, Discard("6")).state
    assert GAME.legal_moves(state, 0) == (PickUp(),)

    after = make(state, PickUp()).state
    assert (hand(after), up(after), after.discard, after.seat) == ("6", "2", (), 1)


@pytest.mark.rule("TUD-21")
def test_a_plain_clear_as_an_extra_clears_again_and_uses_that_extra() -> None:
    state = position(Cards("5 6 7 c c+2"), *others(), discard="9")
    state = make(state, PLUS_2, Discard("5")).state
    after = make(state, Discard("clear")).state

    assert (words(after.cleared), after.discard, after.seat) == ("9 c+2 5 c", (), 1)


@pytest.mark.rule("TUD-21")
def test_a_plain_clear_keeps_what_is_left_and_offers_no_draw() -> None:
    state = position(Cards("5 6 c c+2"), *others(), discard="9", draw="1 2")
    after = make(state, PLUS_2, Discard("clear")).state

    assert (after.seat, after.due, after.may_draw, hand(after)) == (0, 1, False, "5 6")


@pytest.mark.rule("TUD-21")
@pytest.mark.parametrize(
    ("moves", "due"),
    [
        ((PLUS_1, PLUS_1), 1),
        ((PLUS_2, PLUS_1), 2),
        ((PLUS_1, PLUS_2), 2),
        ((PLUS_2, PLUS_1, PLUS_1), 2),
        ((PLUS_2, Discard("5"), PLUS_1), 1),
    ],
)
def test_a_plus_adds_to_what_is_left(moves: tuple[Discard, ...], due: int) -> None:
    state = position(Cards("5 6 7 8 9 c+1 c+1 c+2"), *others(), discard="9", draw="1 2")
    after = make(state, *moves).state

    assert (after.seat, after.due, after.discard) == (0, due, ())


@pytest.mark.rule("TUD-21")
def test_each_plus_has_its_own_chance_to_draw() -> None:
    state = position(Cards("5 c+1 c+2"), *others(), discard="9", draw="1 2 3 4")
    state = make(state, PLUS_2, SkipDraw(), PLUS_1).state
    assert (state.due, state.may_draw, hand(state)) == (2, True, "5")

    after = make(state, Draw()).state
    assert (after.due, after.may_draw, hand(after), words(after.draw)) == (2, False, "3 4 5", "1 2")


@pytest.mark.rule("TUD-22")
@pytest.mark.parametrize(("plus", "due"), [(PLUS_1, 1), (PLUS_2, 2)])
def test_with_an_empty_hand_an_allowed_draw_is_made_unasked(plus: Discard, due: int) -> None:
    word = {1: "c+1", 2: "c+2"}[due]
    state = position(Cards(word, "8 8 9", "1 2 3"), *others(), discard="9", draw="1 2 3 4")
    after = make(state, plus)

    assert (hand(after.state), after.state.due, after.state.may_draw) == ("2 3 4", due, False)
    assert after.events(0)[2:] == [MoreDiscards(0, due), Drew(0, 3, 1), OwnDrawn(("4", "3", "2"))]


@pytest.mark.rule("TUD-22")
def test_the_last_card_of_the_draw_pile_is_drawn_for_an_empty_hand() -> None:
    state = position(Cards("c+1", "8 8 9", "1 2 3"), *others(), discard="9", draw="4")
    after = make(state, PLUS_1).state

    assert (hand(after), after.draw, after.due) == ("4", (), 1)
    assert GAME.legal_moves(after, 0) == (Discard("4"),)


@pytest.mark.rule("TUD-22")
@pytest.mark.parametrize(("mine", "first"), [("5 c+2", Discard("5")), ("5 5 c+2", Discard("5", 2))])
def test_an_extra_lapses_when_the_hand_is_empty_and_no_draw_allowed(mine: str, first: Discard) -> None:
    state = position(Cards(mine, "8 8 9", "1 2 3"), *others(), discard="9", draw="1 2 3 4")
    after = make(state, PLUS_2, SkipDraw(), first)

    assert (hand(after.state), up(after.state)) == ("2 3 4", "8 8 9")
    assert (after.state.seat, after.state.due, words(after.state.draw)) == (1, 1, "1")
    assert after.events() == [
        Discarded(0, "hand", "5", first.count),
        MoreDiscards(0, 1),
        ExtrasLost(0, 1),
        Drew(0, 3, 1),
        TurnBegan(1, 8),
    ]


@pytest.mark.rule("TUD-22")
def test_an_extra_lapses_after_a_plain_clear_that_empties_the_hand() -> None:
    state = position(Cards("c c+2", "8 8 9", "1 2 3"), *others(), discard="9", draw="1 2 3 4")
    after = make(state, PLUS_2, SkipDraw(), Discard("clear")).state

    assert (hand(after), after.discard, after.seat) == ("2 3 4", (), 1)


@pytest.mark.rule("TUD-22")
def test_an_extra_lapses_after_an_automatic_clear_that_empties_the_hand() -> None:
    state = position(Cards("5", "8 8 9", "1 2 3"), *others(), discard="5 5", draw="1 2 3 4", due=2)
    after = make(state, Discard("5")).state

    assert (hand(after), after.discard, after.seat, after.due) == ("2 3 4", (), 1, 1)


@pytest.mark.rule("TUD-22", "TUD-23")
def test_with_the_draw_pile_gone_the_extra_comes_from_up() -> None:
    state = position(Cards("c+1", "8 8 9", "1 2 3"), *others(), discard="9")
    after = make(state, PLUS_1).state

    assert (after.seat, after.due, after.may_draw) == (0, 1, False)
    assert GAME.legal_moves(after, 0) == (Discard("8"), Discard("8", 2), Discard("9"))
    assert up(make(after, Discard("8", 2)).state) == "9"


@pytest.mark.rule("TUD-22", "TUD-23")
def test_a_draw_pile_used_up_in_mid_turn_opens_up_for_the_second_extra() -> None:
    state = position(Cards("5 c+2", "8 8 9", "1 2 3"), *others(), discard="9", draw="5")
    after = make(state, PLUS_2, Draw(), Discard("5", 2)).state

    assert (hand(after), after.draw, after.due, after.seat) == ("", (), 1, 0)
    assert GAME.legal_moves(after, 0) == (Discard("8"), Discard("8", 2), Discard("9"))


@pytest.mark.rule("TUD-22", "TUD-26")
def test_with_hand_and_up_gone_the_extra_comes_from_down() -> None:
    state = position(Cards("c+1", "", "1 . 3"), *others(), discard="9")
    after = make(state, PLUS_1).state

    assert (after.seat, after.due) == (0, 1)
    assert GAME.legal_moves(after, 0) == (TurnDown(0), TurnDown(2))


@pytest.mark.rule("TUD-16", "TUD-17")
def test_a_whole_turn_is_one_occasion() -> None:
    state = position(Cards("5 c+1 c+2"), *others(), discard="9", draw="1 2 3 4")
    for move in (PLUS_2, SkipDraw(), PLUS_1, Draw(), Discard("3")):
        state = make(state, move).state
        assert GAME.awaited(state) == {0: Occasion("turn", 7)}

    assert GAME.awaited(make(state, Discard("4")).state) == {1: Occasion("turn", 8)}
