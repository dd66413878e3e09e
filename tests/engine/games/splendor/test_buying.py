"""Buying cards, and paying for them."""

from __future__ import annotations

import pytest

from engine.games.splendor import GAME
from engine.games.splendor.catalogue import CARD_BY_NAME
from engine.games.splendor.moves import Buy, CardBought, PlaceFilled, Tokens
from engine.games.splendor.state import Hand, State
from tests.engine.games.splendor.builders import (
    EMPTY,
    bonus,
    face_up,
    hand,
    names,
    play,
    refused,
    rule_against,
    table,
    tokens_of,
)


def purchases(state: State) -> list[str]:
    return [move.card for move in GAME.legal_moves(state, state.seat) if isinstance(move, Buy)]


@pytest.mark.rule("SPL-9", "SPL-11")
def test_a_card_of_the_grid_is_paid_to_the_bank_and_replaced() -> None:
    # L1-white-06 costs two blue, two green, one black.
    state = table(hand((1, 3, 2, 0, 1, 0)), hand(), grid={(1, 3): "L1-white-06"}, tops={1: "L1-red-08"})
    after, events = play(state, Buy("L1-white-06"))
    assert tokens_of(after, 0) == (1, 1, 0, 0, 0, 0)
    assert after.board.bank == (3, 3, 4, 4, 4, 0)
    assert after.hands[0].bonuses == (1, 0, 0, 0, 0)
    assert after.hands[0].prestige == 0
    assert face_up(after, 1)[3] == "L1-red-08"
    assert events == [
        CardBought(0, "L1-white-06", 1, Tokens(blue=2, green=2, black=1), 3, None),
        PlaceFilled(1, 3, "L1-red-08"),
    ]


@pytest.mark.rule("SPL-9")
@pytest.mark.parametrize(
    "one",
    [
        hand((0, 0, 0, 5, 0, 0), reserved=("L3-red-04", "L2-white-03")),
        hand((0, 0, 0, 5, 0, 0), reserved=("L3-red-04",), secret=("L2-white-03",)),
    ],
)
def test_a_reserved_card_is_bought_and_nothing_is_replaced(one: Hand) -> None:
    state = table(one, hand(), hand(), hand())
    after, events = play(state, Buy("L2-white-03"))
    assert tokens_of(after, 0) == (0, 0, 0, 0, 0, 0)
    assert names(after.hands[0].bought) == ["L2-white-03"]
    assert [held.card for held in after.hands[0].reserved] == [CARD_BY_NAME["L3-red-04"]]
    assert after.hands[0].prestige == 2
    assert after.board.grid == state.board.grid
    assert after.board.decks == state.board.decks
    assert events == [CardBought(0, "L2-white-03", 2, Tokens(red=5), None, 1)]


@pytest.mark.rule("SPL-9", "SPL-15")
def test_bonuses_are_deducted_and_never_more_than_the_cost() -> None:
    # L2-green-05 costs five blue and three green; six blue bonuses leave three green to pay, not two.
    one = hand((0, 0, 3, 0, 0, 0), bought=bonus("blue", 6))
    state = table(one, hand(), grid={(2, 0): "L2-green-05"})
    assert "L2-green-05" in purchases(state)
    after, events = play(state, Buy("L2-green-05"))
    assert tokens_of(after, 0) == (0, 0, 0, 0, 0, 0)
    assert events[0] == CardBought(0, "L2-green-05", 2, Tokens(green=3), 0, None)
    short = table(hand((0, 0, 2, 0, 0, 0), bought=bonus("blue", 6)), hand(), grid={(2, 0): "L2-green-05"})
    assert "L2-green-05" not in purchases(short)
    assert refused(short, Buy("L2-green-05")) == (
        "illegal_move",
        "SPL-9",
        "SPL-9: L2-green-05 costs 1 more than you can pay",
    )


@pytest.mark.rule("SPL-9", "SPL-15")
def test_bonuses_alone_can_pay_for_a_card() -> None:
    state = table(hand(bought=bonus("blue", 3)), hand(), grid={(1, 0): "L1-white-01"})
    after, events = play(state, Buy("L1-white-01"))
    assert after.board.bank == (4, 4, 4, 4, 4, 0)
    assert after.hands[0].bonuses == (1, 3, 0, 0, 0)
    assert events[0] == CardBought(0, "L1-white-01", 1, Tokens(), 0, None)
    _, events = play(state, Buy("L1-white-01", payment=Tokens()))
    assert events[0] == CardBought(0, "L1-white-01", 1, Tokens(), 0, None)


@pytest.mark.rule("SPL-15")
def test_a_card_does_not_pay_for_itself() -> None:
    # L1-white-05 costs three white, one blue, one black, and gives white.
    state = table(hand((2, 1, 0, 0, 1, 0)), hand(), grid={(1, 0): "L1-white-05"})
    assert rule_against(state, Buy("L1-white-05")) == "SPL-9"
    enough = table(hand((3, 1, 0, 0, 1, 0)), hand(), grid={(1, 0): "L1-white-05"})
    assert tokens_of(play(enough, Buy("L1-white-05"))[0], 0) == (0, 0, 0, 0, 0, 0)


@pytest.mark.rule("SPL-15")
def test_bonuses_stay_after_they_have_paid() -> None:
    state = table(hand(bought=bonus("blue", 3)), hand(), grid={(1, 0): "L1-white-01", (1, 1): "L1-white-06"})
    after, _ = play(state, Buy("L1-white-01"))
    assert after.hands[0].bonuses == (1, 3, 0, 0, 0)
    assert after.hands[0].bought == (*state.hands[0].bought, CARD_BY_NAME["L1-white-01"])


@pytest.mark.rule("SPL-9")
def test_gold_stands_for_gems_of_several_kinds_at_once() -> None:
    # L1-white-04 costs one each of blue, green, red and black.
    state = table(hand((0, 1, 0, 0, 0, 3)), hand(), hand(), hand(), grid={(1, 0): "L1-white-04"})
    after, events = play(state, Buy("L1-white-04"))
    assert tokens_of(after, 0) == (0, 0, 0, 0, 0, 0)
    assert after.board.bank == (7, 7, 7, 7, 7, 5)
    assert events[0] == CardBought(0, "L1-white-04", 1, Tokens(blue=1, gold=3), 0, None)


ONE_KIND = {
    "L1-red-08": (1, 0, 0, 0, 0, 3),
    "L1-black-08": (0, 1, 0, 0, 0, 3),
    "L1-white-08": (0, 0, 1, 0, 0, 3),
    "L1-blue-08": (0, 0, 0, 1, 0, 3),
    "L1-green-08": (0, 0, 0, 0, 1, 3),
}
"""Each of these costs four gems of one kind, white, blue, green, red, black."""


@pytest.mark.rule("SPL-9", "SPL-15")
@pytest.mark.parametrize(
    ("name", "bonuses"),
    [
        ("L1-red-08", (0, 0, 0, 1, 0)),
        ("L1-black-08", (0, 0, 0, 0, 1)),
        ("L1-white-08", (1, 0, 0, 0, 0)),
        ("L1-blue-08", (0, 1, 0, 0, 0)),
        ("L1-green-08", (0, 0, 1, 0, 0)),
    ],
)
def test_gold_stands_for_every_kind_and_each_card_gives_its_own_bonus(
    name: str, bonuses: tuple[int, int, int, int, int]
) -> None:
    state = table(hand(ONE_KIND[name]), hand(), hand(), hand(), grid={(1, 0): name})
    assert purchases(state) == [name]
    after, _ = play(state, Buy(name))
    assert tokens_of(after, 0) == (0, 0, 0, 0, 0, 0)
    assert after.hands[0].bonuses == bonuses
    assert after.hands[0].prestige == 1


@pytest.mark.rule("SPL-9")
@pytest.mark.parametrize("name", ONE_KIND)
def test_one_gold_pays_for_the_fourth_gem_of_any_kind(name: str) -> None:
    white, blue, green, red, black, _ = (3 * gems for gems in ONE_KIND[name])
    state = table(hand((white, blue, green, red, black, 1)), hand(), hand(), hand(), grid={(1, 0): name})
    assert purchases(state) == [name]


@pytest.mark.rule("SPL-9")
@pytest.mark.parametrize(("gold", "rule"), [(1, "SPL-9"), (2, None)])
def test_a_single_gold_pays_one_missing_gem_and_not_one_of_each_kind(gold: int, rule: str | None) -> None:
    # L1-white-02 costs two red and one black; one red and the black are missing.
    state = table(hand((0, 0, 0, 1, 0, gold)), hand(), hand(), hand(), grid={(1, 0): "L1-white-02"})
    assert ("L1-white-02" in purchases(state)) is (rule is None)
    refusal = GAME.refuse(state, 0, Buy("L1-white-02"))
    assert (refusal and refusal.rule) == rule


@pytest.mark.rule("SPL-9")
def test_one_gold_does_not_stand_for_two_gems() -> None:
    # With two gold each single gem of L1-white-04 could be paid, but not all three that are missing.
    state = table(hand((0, 1, 0, 0, 0, 2)), hand(), hand(), hand(), grid={(1, 0): "L1-white-04"})
    assert "L1-white-04" not in purchases(state)
    assert refused(state, Buy("L1-white-04")) == (
        "illegal_move",
        "SPL-9",
        "SPL-9: L1-white-04 costs 1 more than you can pay",
    )


@pytest.mark.rule("SPL-10")
def test_the_least_gold_is_paid_when_nothing_is_said() -> None:
    state = table(hand((0, 0, 0, 4, 0, 3)), hand(), hand(), hand(), grid={(2, 0): "L2-white-03"})
    after, events = play(state, Buy("L2-white-03"))
    assert tokens_of(after, 0) == (0, 0, 0, 0, 0, 2)
    assert events[0] == CardBought(0, "L2-white-03", 2, Tokens(red=4, gold=1), 0, None)


@pytest.mark.rule("SPL-10")
def test_gold_may_be_paid_in_place_of_gems_one_has() -> None:
    state = table(hand((0, 0, 0, 4, 0, 3)), hand(), hand(), hand(), grid={(2, 0): "L2-white-03"})
    after, events = play(state, Buy("L2-white-03", payment=Tokens(red=2, gold=3)))
    assert tokens_of(after, 0) == (0, 0, 0, 2, 0, 0)
    assert after.board.bank == (7, 7, 7, 5, 7, 5)
    assert events[0] == CardBought(0, "L2-white-03", 2, Tokens(red=2, gold=3), 0, None)


@pytest.mark.rule("SPL-9", "SPL-10")
@pytest.mark.parametrize(
    ("payment", "rule"),
    [
        (Tokens(red=4, gold=2), "SPL-10"),
        (Tokens(red=4), "SPL-9"),
        (Tokens(red=1, gold=3), "SPL-9"),
        (Tokens(), "SPL-9"),
        (Tokens(red=5), "SPL-9"),
        (Tokens(red=4, gold=4), "SPL-9"),
        (Tokens(red=4, gold=1, white=1), "SPL-10"),
        (Tokens(red=4, white=1), "SPL-10"),
        (Tokens(red=4, gold=2, white=-1), "SPL-9"),
        (Tokens(red=4, gold=-1), "SPL-9"),
        (Tokens(red=10**30), "SPL-9"),
    ],
)
def test_a_payment_is_exactly_the_cost_out_of_what_one_holds(payment: Tokens, rule: str) -> None:
    # L2-white-03 costs five red.
    state = table(hand((1, 0, 0, 4, 0, 3)), hand(), hand(), hand(), grid={(2, 0): "L2-white-03"})
    assert rule_against(state, Buy("L2-white-03", payment=payment)) == rule


@pytest.mark.rule("SPL-10", "SPL-15")
def test_what_bonuses_pay_must_not_be_paid_again() -> None:
    state = table(
        hand((0, 0, 0, 5, 0, 0), bought=bonus("red", 2)), hand(), hand(), hand(), grid={(2, 0): "L2-white-03"}
    )
    assert refused(state, Buy("L2-white-03", payment=Tokens(red=5))) == (
        "illegal_move",
        "SPL-10",
        "SPL-10: 3 red are to be paid after your bonuses, not 5",
    )
    assert tokens_of(play(state, Buy("L2-white-03", payment=Tokens(red=3)))[0], 0) == (0, 0, 0, 2, 0, 0)


@pytest.mark.rule("SPL-9", "SPL-18")
@pytest.mark.parametrize("name", ["L1-white-02", "L1-white-03", "L1-white-04", "noble-01", "", "L9-white-01"])
def test_only_cards_that_lie_open_or_in_the_own_reserve_are_sold(name: str) -> None:
    """Another's open reservation, another's secret one and a card in the deck get the same answer."""
    rich = hand((0, 2, 2, 2, 2, 2))
    other = hand(reserved=("L1-white-02",), secret=("L1-white-03",))
    state = table(rich, other, hand(), hand(), tops={1: "L1-white-04"})
    assert refused(state, Buy(name)) == (
        "illegal_move",
        "SPL-9",
        f"SPL-9: {name} lies neither face up in the grid nor in your reserve",
    )


@pytest.mark.rule("SPL-11")
def test_with_the_deck_empty_the_place_stays_empty() -> None:
    state = table(hand((0, 3, 0, 0, 0, 0)), hand(), grid={(1, 2): "L1-white-01"}, empty_decks=(1,))
    after, events = play(state, Buy("L1-white-01"))
    assert face_up(after, 1) == [*face_up(state, 1)[:2], None, *face_up(state, 1)[3:]]
    assert events[1] == PlaceFilled(1, 2, None)
    assert GAME.view(after, None).levels[0].places[2] is None


@pytest.mark.rule("SPL-11")
def test_an_empty_place_sells_nothing_and_the_others_go_on() -> None:
    state = table(hand((0, 3, 0, 0, 0, 0)), hand(), grid={(1, 0): EMPTY, (1, 1): "L1-white-01"}, empty_decks=(1,))
    assert "L1-white-01" in purchases(state)
    after, _ = play(state, Buy("L1-white-01"))
    assert face_up(after, 1)[:2] == [None, None]


@pytest.mark.rule("SPL-9")
def test_the_offered_purchases_are_exactly_those_that_are_accepted() -> None:
    one = hand((1, 1, 1, 1, 1, 2), bought=bonus("red", 2), reserved=("L2-red-05",), secret=("L1-black-08",))
    state = table(one, hand(), hand(), hand())
    everything = [name for name in GAME.card_names if GAME.refuse(state, 0, Buy(name)) is None]
    assert sorted(everything) == sorted(purchases(state))
    assert "L1-black-08" not in everything
