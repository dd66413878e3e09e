"""Taking gems from the bank."""

from __future__ import annotations

import pytest

from engine.core.game import Occasion
from engine.games.splendor import GAME
from engine.games.splendor.moves import Gems, GemsTaken, Take
from engine.games.splendor.state import State
from tests.engine.games.splendor.builders import hand, play, refused, rule_against, table, tokens_of


def takes(state: State) -> list[Gems]:
    return [move.gems for move in GAME.legal_moves(state, state.seat) if isinstance(move, Take)]


@pytest.mark.rule("SPL-6")
def test_three_different_gems_go_from_the_bank_to_the_hand() -> None:
    state = table(hand((1, 0, 0, 0, 0, 0)), hand())
    after, events = play(state, Take(Gems(white=1, blue=1, red=1)))
    assert tokens_of(after, 0) == (2, 1, 0, 1, 0, 0)
    assert after.board.bank == (2, 3, 4, 3, 4, 0)
    assert events == [GemsTaken(0, Gems(1, 1, 0, 1, 0))]
    assert GAME.awaited(after) == {1: Occasion("turn", 2)}


@pytest.mark.rule("SPL-6", "SPL-7")
def test_a_full_bank_offers_ten_triples_and_five_pairs() -> None:
    offered = takes(table(hand(), hand()))
    assert len(offered) == 15
    assert offered[0] == Gems(white=1, blue=1, green=1)
    assert offered[9] == Gems(green=1, red=1, black=1)
    assert offered[10:] == [Gems(white=2), Gems(blue=2), Gems(green=2), Gems(red=2), Gems(black=2)]


@pytest.mark.rule("SPL-6")
@pytest.mark.parametrize("gems", [Gems(white=1), Gems(white=1, blue=1), Gems(), Gems(1, 1, 1, 1, 0)])
def test_with_three_kinds_there_not_fewer_nor_more_than_three_are_taken(gems: Gems) -> None:
    state = table(hand(), hand(), bank=(1, 1, 3, 0, 0, 0))
    assert takes(state) == [Gems(white=1, blue=1, green=1)]
    assert rule_against(state, Take(gems)) == "SPL-6"


@pytest.mark.rule("SPL-6")
def test_with_two_kinds_there_one_of_each_is_taken() -> None:
    state = table(hand(), hand(), bank=(0, 3, 0, 0, 1, 0))
    assert takes(state) == [Gems(blue=1, black=1)]
    after, _ = play(state, Take(Gems(blue=1, black=1)))
    assert after.board.bank == (0, 2, 0, 0, 0, 0)
    assert refused(state, Take(Gems(blue=1))) == (
        "illegal_move",
        "SPL-6",
        "SPL-6: take one each of exactly 2 different kinds, not of 1",
    )


@pytest.mark.rule("SPL-6", "SPL-7")
def test_with_one_kind_there_one_is_taken_or_two_of_four() -> None:
    assert takes(table(hand(), hand(), bank=(0, 0, 0, 3, 0, 0))) == [Gems(red=1)]
    assert takes(table(hand(), hand(), bank=(0, 0, 0, 4, 0, 0))) == [Gems(red=1), Gems(red=2)]


@pytest.mark.rule("SPL-6")
def test_an_empty_bank_offers_nothing_though_it_has_gold() -> None:
    state = table(hand(), hand(), bank=(0, 0, 0, 0, 0, 5))
    assert takes(state) == []
    assert refused(state, Take(Gems())) == ("illegal_move", "SPL-6", "SPL-6: there are no gems in the bank")
    assert rule_against(state, Take(Gems(white=1))) == "SPL-6"


@pytest.mark.rule("SPL-6")
def test_a_kind_that_is_not_there_cannot_be_taken() -> None:
    state = table(hand(), hand(), bank=(4, 4, 4, 4, 0, 0))
    assert refused(state, Take(Gems(white=1, blue=1, black=1))) == (
        "illegal_move",
        "SPL-6",
        "SPL-6: there is no black in the bank",
    )


@pytest.mark.rule("SPL-7")
def test_two_of_one_kind_are_taken_while_there_are_four() -> None:
    state = table(hand(), hand(), bank=(0, 4, 3, 3, 3, 0))
    after, events = play(state, Take(Gems(blue=2)))
    assert tokens_of(after, 0) == (0, 2, 0, 0, 0, 0)
    assert after.board.bank == (0, 2, 3, 3, 3, 0)
    assert events == [GemsTaken(0, Gems(blue=2))]


@pytest.mark.rule("SPL-7")
@pytest.mark.parametrize("there", [0, 1, 2, 3])
def test_two_of_one_kind_need_four_of_it(there: int) -> None:
    state = table(hand(), hand(), bank=(4, 4, there, 4, 4, 0))
    assert refused(state, Take(Gems(green=2))) == (
        "illegal_move",
        "SPL-7",
        f"SPL-7: two green need four in the bank, there are {there}",
    )


@pytest.mark.rule("SPL-6", "SPL-7")
@pytest.mark.parametrize(
    "gems",
    [
        Gems(white=3),
        Gems(white=2, blue=1),
        Gems(white=2, blue=2),
        Gems(white=-1, blue=1, green=1),
        Gems(white=2, blue=-1, green=1),
        Gems(white=10**30),
        Gems(white=-(10**30)),
        Gems(1, 1, 1, 1, -1),
    ],
)
def test_no_other_gems_can_be_taken_however_many_there_are(gems: Gems) -> None:
    state = table(hand(), hand(), hand(), hand())
    assert state.board.bank == (7, 7, 7, 7, 7, 5)
    assert refused(state, Take(gems)) == (
        "illegal_move",
        "SPL-6",
        "SPL-6: take one each of different kinds, or two of one kind and nothing else",
    )


def test_only_the_seat_in_turn_takes() -> None:
    state = table(hand(), hand(), seat=1)
    move = Take(Gems(white=1, blue=1, green=1))
    for seat in (0, 7, -1):
        assert refused(state, move, seat) == ("not_your_turn", None, "it is the turn of seat 1")
        assert GAME.legal_moves(state, seat) == ()
