"""Who sits left of whom, and who came where."""

import pytest

from engine.core.cards import NAMES, PACK, name_of, rank_of
from engine.core.outcome import places_of
from engine.core.seating import clockwise, next_in, previous_in


def test_clockwise_ends_with_the_seat_it_began_at() -> None:
    assert list(clockwise(2, 4)) == [3, 0, 1, 2]
    assert list(clockwise(0, 1)) == [0]


def test_left_and_right_skip_seats_that_are_out() -> None:
    inside = (True, False, True, False, True)
    assert [next_in(seat, inside) for seat in range(5)] == [2, 2, 4, 4, 0]
    assert [previous_in(seat, inside) for seat in range(5)] == [4, 0, 0, 2, 2]


def test_the_only_one_in_is_its_own_neighbour() -> None:
    inside = (False, True, False)
    assert next_in(1, inside) == previous_in(1, inside) == 1


def test_with_nobody_in_there_is_no_neighbour() -> None:
    with pytest.raises(ValueError, match="nobody is in"):
        next_in(0, (False, False))
    with pytest.raises(ValueError, match="nobody is in"):
        previous_in(0, (False, False))


@pytest.mark.rule("ALL-4")
@pytest.mark.parametrize(
    ("keys", "left", "places"),
    [
        ((5, 9, 7), (0, 0, 0), (3, 1, 2)),
        ((5, 9, 9), (0, 0, 0), (3, 1, 1)),
        ((9, 9, 1, 1), (0, 0, 0, 0), (1, 1, 3, 3)),
        ((99, 1, 2), (1, 0, 0), (3, 2, 1)),
        ((99, 98, 2, 97), (1, 2, 0, 1), (3, 2, 1, 3)),
        ((1, 2), (1, 1), (1, 1)),
    ],
)
def test_places(keys: tuple[int, ...], left: tuple[int, ...], places: tuple[int, ...]) -> None:
    assert places_of(keys, left) == places


def test_a_pack_has_52_cards_of_13_ranks() -> None:
    assert len(set(NAMES)) == len(PACK) == 52
    assert [rank_of(card) for card in (0, 3, 4, 51)] == [0, 0, 1, 12]
    assert (name_of(0), name_of(47), name_of(51)) == ("AC", "QS", "KS")
