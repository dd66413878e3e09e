"""The deal (SNP-1 to SNP-4)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.cards import PACK
from engine.core.errors import BadOptions
from engine.core.game import Occasion
from engine.core.rng import Rng, Seed
from engine.games.snap import GAME
from engine.games.snap.moves import CardTurned, Dealt
from engine.games.snap.state import State
from tests.engine.games.snap.sheet import REACTION

EVENLY = {
    2: [26, 26],
    3: [18, 17, 17],
    4: [13, 13, 13, 13],
    5: [11, 11, 10, 10, 10],
    6: [9, 9, 9, 9, 8, 8],
    7: [8, 8, 8, 7, 7, 7, 7],
    8: [7, 7, 7, 7, 6, 6, 6, 6],
    9: [6, 6, 6, 6, 6, 6, 6, 5, 5],
    10: [6, 6, 5, 5, 5, 5, 5, 5, 5, 5],
    11: [5, 5, 5, 5, 5, 5, 5, 5, 4, 4, 4],
    12: [5, 5, 5, 5, 4, 4, 4, 4, 4, 4, 4, 4],
}


def dealt(seats: int, seed: int = 1, **options: Any) -> State:
    return GAME.setup(seats, GAME.options(options), 1000, Rng(Seed.from_number(seed)))[0]


@pytest.mark.rule("SNP-1")
@pytest.mark.parametrize("seats", range(2, 13))
def test_two_to_twelve_seats_share_one_pack(seats: int) -> None:
    GAME.check(seats, GAME.options())
    assert sorted(card for pile in dealt(seats).face_down for card in pile) == list(PACK)


@pytest.mark.rule("SNP-1")
@pytest.mark.parametrize("seats", [1, 13])
def test_no_other_number_of_seats(seats: int) -> None:
    with pytest.raises(BadOptions, match=f"Snap is for 2 to 12 seats with these options, not {seats}"):
        GAME.check(seats, GAME.options())


@pytest.mark.rule("SNP-2")
@pytest.mark.parametrize(("seats", "counts"), EVENLY.items())
def test_the_odd_cards_go_to_the_first_seats_from_the_dealers_left(seats: int, counts: list[int]) -> None:
    for seed in range(20):
        state = dealt(seats, seed)
        assert [len(state.face_down[(state.dealer + 1 + place) % seats]) for place in range(seats)] == counts


@pytest.mark.rule("SNP-2")
def test_every_seat_may_be_the_dealer() -> None:
    assert {dealt(5, seed).dealer for seed in range(60)} == {0, 1, 2, 3, 4}


@pytest.mark.rule("SNP-2")
def test_another_seed_is_another_deal() -> None:
    assert dealt(2, 1).face_down != dealt(2, 2).face_down


@pytest.mark.rule("SNP-2")
def test_the_deal_is_told_by_counts() -> None:
    state, told = GAME.setup(3, GAME.options(), 1000, Rng(Seed.from_number(1)))
    first, second, third = ((state.dealer + place) % 3 for place in (1, 2, 3))
    assert [entry.to for entry in told] == [None]
    assert told[0].event == Dealt(state.dealer, state.counts)
    assert (state.counts[first], state.counts[second], state.counts[third]) == (18, 17, 17)


@pytest.mark.rule("SNP-3")
def test_all_cards_lie_face_down_and_nobody_sees_one() -> None:
    state = dealt(3)
    assert (state.face_up, state.pot) == (((), (), ()), ())
    for viewer in (0, 1, 2, None):
        assert [seat.top for seat in GAME.view(state, viewer).seats] == [None, None, None]


@pytest.mark.rule("SNP-4")
@pytest.mark.parametrize("seed", range(8))
def test_the_seat_left_of_the_dealer_begins(seed: int) -> None:
    state = dealt(4, seed)
    assert GAME.awaited(state) == {(state.dealer + 1) % 4: Occasion("turn", 1)}
    assert GAME.reacting(state) == {}


@pytest.mark.rule("SNP-4", "RACE-2")
def test_by_reaction_the_table_turns_the_first_card_itself() -> None:
    state, told = GAME.setup(4, GAME.options(REACTION), 1000, Rng(Seed.from_number(3)))
    first = (state.dealer + 1) % 4
    assert told[-1].event == CardTurned(1, first, pile_turned_over=False)
    assert [len(pile) for pile in state.face_up] == [1 if seat == first else 0 for seat in range(4)]
    assert GAME.awaited(state) == dict.fromkeys(range(4), Occasion("race", 1))
