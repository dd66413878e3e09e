"""What a layout is worth; every sum is worked out by hand beside it."""

from __future__ import annotations

import random

import pytest

from engine.games.gnoming_a_round.scoring import LINES, tally
from tests.engine.games.gnoming_a_round.sheet import numbers

ROWS, COLUMNS = (0, 1, 2), (3, 4, 5)


def counted(written: str) -> tuple[int, tuple[int, ...], int | None]:
    result = tally(numbers(written))
    return result.points, result.lines, result.wild


def test_lines_are_three_rows_and_three_columns() -> None:
    assert [LINES[index] for index in ROWS] == [(0, 1, 2), (3, 4, 5), (6, 7, 8)]
    assert [LINES[index] for index in COLUMNS] == [(0, 3, 6), (1, 4, 7), (2, 5, 8)]


@pytest.mark.rule("GNO-20")
@pytest.mark.parametrize(
    ("written", "points"),
    [
        ("1 2 3 / 4 5 6 / 7 8 9", 45),
        ("10 9 10 / 9 10 9 / 10 9 10", 86),  # 5 tens, 4 nines
        ("5 6 7 / 8 5 9 / 10 1 5", 56),  # a diagonal is no line: 3 fives, 6+7+8+9+10+1
    ],
)
def test_positive_cards_in_no_line_add_their_value(written: str, points: int) -> None:
    assert counted(written) == (points, (), None)


@pytest.mark.rule("GNO-19")
@pytest.mark.parametrize(
    ("written", "points", "lines"),
    [
        ("5 5 5 / 1 2 3 / 4 6 7", 18, (0,)),  # -5 + 6 + 17
        ("1 2 3 / 10 10 10 / 4 6 7", 13, (1,)),  # -10 + 6 + 17
        ("1 5 2 / 3 5 4 / 6 5 7", 18, (4,)),  # -5 + 23
        ("5 5 5 / 1 2 3 / 5 5 5", -4, (0, 2)),  # -10 + 6
        ("5 5 1 / 1 2 3 / 4 6 7", 34, ()),  # two fives are no line
    ],
)
def test_a_row_or_column_of_three_takes_its_value_off_once(written: str, points: int, lines: tuple[int, ...]) -> None:
    assert counted(written) == (points, lines, None)


@pytest.mark.rule("GNO-20", "GNO-19")
@pytest.mark.parametrize(
    ("written", "points", "lines"),
    [
        ("5 5 5 / 5 1 2 / 5 3 4", 0, (0, 3)),  # the corner counts for both: -5 -5 + 10
        ("4 4 4 / 4 4 4 / 4 4 4", -24, (0, 1, 2, 3, 4, 5)),  # six lines of 4
        ("3 3 3 / 3 3 3 / 3 3 1", -11, (0, 1, 3, 4)),  # four lines of 3, 1 is left over
        ("1 7 2 / 7 7 7 / 3 7 4", -4, (1, 4)),  # a cross: -14 + 10
    ],
)
def test_a_card_in_a_row_and_a_column_counts_for_both(written: str, points: int, lines: tuple[int, ...]) -> None:
    assert counted(written) == (points, lines, None)


@pytest.mark.rule("GNO-21")
@pytest.mark.parametrize(
    ("written", "points"),
    [
        ("-4 -4 -4 / 1 2 3 / 4 5 6", 9),  # -12 + 21: no line
        ("-1 -2 -3 / -4 -1 -2 / -3 -4 -1", -21),
        ("-4 1 2 / -4 3 4 / -4 5 6", 9),
        ("-2 -2 M / 1 3 5 / 7 9 10", 31),  # a Mulligan makes no line of negative cards: -4 + 35
    ],
)
def test_negative_cards_always_take_their_value_off_and_make_no_lines(written: str, points: int) -> None:
    assert counted(written) == (points, (), None)


@pytest.mark.rule("GNO-22")
@pytest.mark.parametrize(
    ("written", "points"),
    [
        ("M 1 2 / 3 4 5 / 6 7 8", 36),
        ("H 1 2 / 3 4 5 / 6 7 8", 46),
        ("H H H / 3 4 5 / 6 7 8", 63),  # no line: 30 + 33
        ("H H M / 1 2 3 / 4 5 6", 41),  # nor with a Mulligan: 20 + 21
        ("M M M / 1 2 3 / 4 5 6", 21),
    ],
)
def test_an_unused_mulligan_is_nothing_and_each_hazard_ten(written: str, points: int) -> None:
    assert counted(written) == (points, (), None)


@pytest.mark.rule("GNO-13", "GNO-19")
@pytest.mark.parametrize(
    ("written", "points", "lines", "wild"),
    [
        ("5 5 M / 1 2 3 / 4 6 7", 18, (0,), 2),  # -5 + 6 + 17
        ("1 M 2 / 3 9 4 / 5 9 6", 12, (4,), 1),  # -9 + 21
        ("M 8 8 / 3 1 2 / 3 4 5", 1, (0, 3), 0),  # 8 for the row, 3 for the column: -8 -3 + 12
        ("6 6 M / 1 2 6 / 3 4 6", -2, (0, 5), 2),  # 6 for both: -12 + 10
        ("1 2 5 / 3 4 5 / 8 8 M", -3, (2, 5), 8),  # -5 -8 + 10
        ("1 4 2 / 9 M 9 / 3 4 5", -2, (1, 4), 4),  # -9 -4 + 11
        ("5 5 5 / M 5 1 / 2 5 3", -4, (0, 4), None),  # nothing to complete: -5 -5 + 6
    ],
)
def test_a_mulligan_completes_a_row_or_a_column_or_both(
    written: str, points: int, lines: tuple[int, ...], wild: int | None
) -> None:
    assert counted(written) == (points, lines, wild)


@pytest.mark.rule("GNO-14", "GNO-13")
@pytest.mark.parametrize(
    ("written", "points", "lines", "wild"),
    [
        ("M 3 3 / 10 10 M / 1 2 4", 3, (1,), 5),  # row of 10: -10 + 6 + 7; the row of 3 would be -3 + 20 + 7
        ("10 10 M / M 3 3 / 1 2 4", 3, (0,), 2),  # the same with the better one first
        ("M 6 6 / 6 1 2 / 6 9 M", 0, (0, 3), 0),  # two lines of 6: -12 + 12; slot 8 completes nothing
        ("M 2 2 / 2 1 M / 2 1 10", 8, (0, 3), 0),  # -2 -2 + 12
        ("M 4 4 / 9 1 4 / 9 9 M", 1, (0, 3), 0),  # -4 -9 + 1 + 4 + 9 either way: the first
    ],
)
def test_of_two_mulligans_the_one_that_helps_most_is_wild(
    written: str, points: int, lines: tuple[int, ...], wild: int | None
) -> None:
    assert counted(written) == (points, lines, wild)


@pytest.mark.rule("GNO-14")
@pytest.mark.parametrize(
    ("written", "points"),
    [
        ("M M 5 / 1 2 3 / 4 6 7", 28),  # one real card and two Mulligans are no line
        ("M 5 1 / M 2 3 / 9 4 6", 30),
        ("5 M 1 / 2 5 M / M 3 5", 21),  # three Mulligans, one real card or unequal ones in each line
    ],
)
def test_a_mulligan_that_is_not_wild_completes_nothing(written: str, points: int) -> None:
    assert counted(written) == (points, (), None)


@pytest.mark.rule("GNO-14")
def test_a_mulligan_that_is_not_wild_stops_no_line_of_the_other() -> None:
    # A row of 7 with the one in slot 2, whose column has the other one and stays open: -7 + 1+2+3+4+8
    assert counted("7 7 M / 1 2 M / 3 4 8") == (11, (0,), 2)


def slow_points(cards: tuple[int, ...]) -> int:
    """The best over every wild Mulligan and every value that it could stand for in its row and in its column."""
    wilds = [slot for slot, card in enumerate(cards) if card == 0]
    tries = [(wild, row, column) for wild in wilds for row in range(11) for column in range(11)]
    return min(points_with(cards, *values) for values in [(-1, 0, 0), *tries])


def points_with(cards: tuple[int, ...], wild: int, row: int, column: int) -> int:
    points = 0
    lined: set[int] = set()
    for index, line in enumerate(LINES):
        values = [(row if index in ROWS else column) if slot == wild else cards[slot] for slot in line]
        if values[0] == values[1] == values[2] and values[0] in range(1, 11):
            points -= values[0]
            lined.update(line)
    return points + sum(10 if card == 11 else card for slot, card in enumerate(cards) if slot not in lined)


@pytest.mark.rule("GNO-13", "GNO-14")
def test_no_other_use_of_the_mulligans_is_better() -> None:
    chance = random.Random(4)
    for _ in range(200):
        cards = tuple(chance.choice([0, 0, 1, 2, 3, 3, 3, -2, 11]) for _ in range(9))
        assert tally(cards).points == slow_points(cards), cards
