"""What a silent seat is taken to do (ALL-6)."""

from __future__ import annotations

import pytest

from engine.games.splendor import GAME
from engine.games.splendor.moves import Buy, ChooseNoble, Gems, Pass, Reserve, ReturnTokens, SplendorMove, Take, Tokens
from engine.games.splendor.state import Phase, State
from tests.engine.games.splendor.builders import EMPTY, bonus, hand, play, table

pytestmark = pytest.mark.rule("ALL-6")

DEAR = ("L3-white-04", "L3-blue-04", "L3-green-04")
NO_GEMS = (0, 0, 0, 0, 0, 0)


def default(state: State) -> SplendorMove:
    move = GAME.default_move(state, state.seat)
    assert GAME.refuse(state, state.seat, move) is None
    return move


@pytest.mark.parametrize(
    ("bank", "gems"),
    [
        ((4, 4, 4, 4, 4, 0), Gems(white=1, blue=1, green=1)),
        ((1, 2, 3, 4, 3, 0), Gems(green=1, red=1, black=1)),
        ((2, 1, 3, 2, 2, 0), Gems(white=1, green=1, red=1)),
        ((0, 0, 1, 1, 0, 0), Gems(green=1, red=1)),
        ((5, 0, 0, 1, 0, 0), Gems(white=2)),
        ((0, 4, 0, 0, 4, 0), Gems(blue=1, black=1)),
        ((0, 0, 0, 0, 4, 0), Gems(black=2)),
        ((0, 0, 0, 0, 3, 0), Gems(black=1)),
    ],
)
def test_the_largest_take_of_what_is_most_plentiful(bank: tuple[int, int, int, int, int, int], gems: Gems) -> None:
    assert default(table(hand(), hand(), bank=bank)) == Take(gems)


def test_with_eight_tokens_a_pair_that_needs_no_return_comes_before_three() -> None:
    assert default(table(hand((2, 2, 2, 2, 0, 0)), hand(), bank=(1, 4, 4, 4, 0, 0))) == Take(Gems(blue=2))


def test_with_seven_tokens_three_need_no_return() -> None:
    state = table(hand((2, 2, 2, 1, 0, 0)), hand(), bank=(1, 4, 4, 4, 0, 0))
    assert default(state) == Take(Gems(blue=1, green=1, red=1))


@pytest.mark.parametrize("held", [(2, 2, 2, 2, 1, 0), (2, 2, 2, 2, 2, 0)])
def test_when_every_take_needs_a_return_the_largest(held: tuple[int, int, int, int, int, int]) -> None:
    state = table(hand(held), hand(), bank=(1, 4, 4, 4, 0, 0), grid={(1, 0): "L1-white-03"})
    assert default(state) == Take(Gems(blue=1, green=1, red=1))


def test_without_a_take_the_card_that_costs_fewest_tokens() -> None:
    # L1-white-03 costs two blue and two black; L1-green-02 three red; L2-blue-03 five blue, of which bonuses pay three.
    one = hand((0, 2, 0, 3, 2, 0), bought=bonus("blue", 3), reserved=("L2-blue-03",))
    state = table(one, hand(), bank=NO_GEMS, bare=True, grid={(1, 0): "L1-green-02", (1, 1): "L2-black-06"})
    assert default(state) == Buy("L2-blue-03")


def test_of_equally_cheap_cards_the_lowest_level_then_the_grid_then_the_place() -> None:
    one = hand((3, 3, 3, 3, 3, 0), reserved=("L1-green-02",))
    grid = {(1, 1): "L1-red-01", (1, 2): "L1-white-01"}
    assert default(table(one, hand(), bank=NO_GEMS, bare=True, grid=grid)) == Buy("L1-red-01")
    assert default(table(one, hand(), bank=NO_GEMS, bare=True)) == Buy("L1-green-02")
    # Both cost nothing any more.
    two = hand(bought=bonus("red", 6), reserved=("L1-green-02",))
    level_two = {(2, 0): "L2-white-03"}
    assert default(table(two, hand(), bank=NO_GEMS, bare=True, grid=level_two)) == Buy("L1-green-02")


def test_gold_is_a_token_that_is_paid() -> None:
    # L1-green-02 costs three red, L1-white-02 two red and one black, for which gold is paid: a tie, decided by place.
    one = hand((0, 0, 0, 3, 0, 2))
    for first, second in (("L1-white-02", "L1-green-02"), ("L1-green-02", "L1-white-02")):
        grid = {(1, 0): first, (1, 1): second}
        assert default(table(one, hand(), hand(), hand(), bank=NO_GEMS, bare=True, grid=grid)) == Buy(first)


def test_without_a_purchase_the_first_open_card_is_reserved() -> None:
    grid = {(1, 0): EMPTY, (1, 1): "L1-blue-08"}
    state = table(hand(), hand(), bank=NO_GEMS, grid=grid, empty_decks=(1,))
    assert default(state) == Reserve(card="L1-blue-08")


def test_without_an_open_card_the_top_of_the_lowest_deck() -> None:
    # Every place of the grid is empty, and so is the lowest deck.
    grid = {(level, place): EMPTY for level in (1, 2, 3) for place in range(4)}
    state = table(hand(), hand(), bank=NO_GEMS, grid=grid, empty_decks=(1,))
    assert default(state) == Reserve(level=2)


def test_with_nothing_else_a_pass() -> None:
    assert default(table(hand(reserved=DEAR), hand(), bank=NO_GEMS)) == Pass()


@pytest.mark.parametrize(
    ("held", "back"),
    [
        ((3, 2, 3, 2, 0, 2), Tokens(white=1, green=1)),
        ((1, 1, 6, 0, 0, 3), Tokens(green=1)),
        ((3, 3, 3, 1, 1, 2), Tokens(white=1, blue=1, green=1)),
        ((0, 0, 0, 5, 3, 5), Tokens(red=3)),
    ],
)
def test_the_most_plentiful_gems_are_given_back_and_never_gold(
    held: tuple[int, int, int, int, int, int], back: Tokens
) -> None:
    assert default(table(hand(held), hand(), hand(), hand(), phase=Phase.RETURN)) == ReturnTokens(back)


def test_the_first_noble_is_chosen() -> None:
    one = hand(bought=bonus("white", 4) + bonus("blue", 4) + bonus("black", 4))
    state = table(one, hand(), nobles=("noble-10", "noble-07", "noble-06"))
    state, _ = play(state, Take(Gems(white=2)))
    assert default(state) == ChooseNoble("noble-07")
