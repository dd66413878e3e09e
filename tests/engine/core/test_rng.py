"""Chance that anybody can recompute; the vectors were computed with sha256sum over seed and counter."""

from collections import Counter

import pytest

from engine.core.rng import Rng, Seed

ZERO = Seed(bytes(32))
ONE = Seed.from_number(1)
SPAN = 1 << 64


class Scripted(Rng):
    """Draws these numbers instead of its own."""

    def __init__(self, *draws: int) -> None:
        super().__init__(ZERO)
        self._script = list(draws)

    def _draw(self) -> int:
        self.drawn += 1
        return self._script.pop(0)


def test_the_first_draws_of_the_zero_seed() -> None:
    rng = Rng(ZERO)
    assert [rng.below(SPAN) for _ in range(6)] == [
        0x2C34CE1DF23B838C,
        0x08E00266FFF0AACC,
        0x975674CA07642178,
        0x20B73CD81B2B7071,
        0x931BDC251F50D6B2,
        0xFD4CD62FB63711AA,
    ]


def test_dice_of_seed_one() -> None:
    rng = Rng(ONE)
    assert [rng.below(6) for _ in range(10)] == [4, 2, 5, 1, 3, 2, 3, 1, 1, 1]
    assert rng.drawn == 10


def test_the_shuffle_of_seed_one() -> None:
    rng = Rng(ONE)
    assert rng.shuffle("abcde") == ("a", "b", "e", "c", "d")
    assert rng.drawn == 4


def test_a_stream_goes_on_where_it_was_left() -> None:
    assert Rng(ONE, 3).below(6) == 1


def test_a_draw_beyond_the_last_whole_multiple_is_thrown_away() -> None:
    # 2**64 = 3 * 6148914691236517205 + 1: only the very last number is beyond.
    rng = Scripted(SPAN - 1, 5)
    assert rng.below(3) == 2
    assert rng.drawn == 2
    assert Scripted(SPAN - 2).below(3) == (SPAN - 2) % 3


def test_half_of_the_draws_are_thrown_away_for_the_worst_limit() -> None:
    # Draws 0 and 1 of seed one are below 2**63 + 1, draws 2 to 4 beyond it, draw 5 below again.
    rng = Rng(ONE)
    limit = 2**63 + 1
    assert [rng.below(limit) for _ in range(3)] == [0x2905E7F7863AB696, 0x64AF77CF4EFC95CE, 0x3FAF87365CF855B0]
    assert rng.drawn == 6


def test_every_face_is_equally_likely() -> None:
    rng = Rng(ONE)
    faces = Counter(rng.below(6) for _ in range(6000))
    # Five standard deviations of a binomial with n = 6000 and p = 1/6 are 145.
    assert all(abs(faces[face] - 1000) < 145 for face in range(6))


def test_every_order_is_equally_likely() -> None:
    rng = Rng(ONE)
    orders = Counter(rng.shuffle("abc") for _ in range(6000))
    assert len(orders) == 6
    assert all(abs(count - 1000) < 145 for count in orders.values())


def test_shuffles_of_nothing_and_of_one_take_no_chance() -> None:
    rng = Rng(ONE)
    assert (rng.shuffle(""), rng.shuffle("a"), rng.drawn) == ((), ("a",), 0)


def test_a_choice_of_one_takes_a_draw_so_that_the_count_is_the_same() -> None:
    rng = Rng(ONE)
    assert (rng.below(1), rng.drawn) == (0, 1)


@pytest.mark.parametrize("limit", [0, -1])
def test_a_choice_of_none_is_an_error(limit: int) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Rng(ONE).below(limit)


def test_a_seed_never_prints_and_has_32_bytes() -> None:
    assert repr(ONE) == "Seed(…)"
    assert f"{ONE}" == "Seed(…)"
    assert ONE.reveal() == bytes(31) + b"\x01"
    with pytest.raises(ValueError, match="32 bytes, not 3"):
        Seed(b"abc")


def test_seeds_are_equal_by_their_bytes() -> None:
    assert Seed(bytes(32)) == ZERO
    assert ZERO != ONE
    assert len({Seed(bytes(32)), ZERO, ONE}) == 2
