"""Calling "Snap!" (SNP-7 to SNP-10)."""

from __future__ import annotations

import pytest

from engine.core.events import public
from engine.core.race import Answered
from engine.games.snap.moves import Claim, PilesWon, RaceClosed
from tests.engine.games.snap.sheet import Sheet, position


@pytest.mark.rule("SNP-7", "SNP-8")
def test_the_first_caller_puts_both_piles_under_its_own() -> None:
    sheet = Sheet(position("QS 2C | 7D", "3H | 4H QH", "8C | 9C")).turn().call(2, 100).close()
    assert sheet.piles == ["2C |", "3H |", "8C 4H QH 7D QS | 9C"]
    assert sheet.told == (
        public(RaceClosed(1, (Answered(2, Claim.SNAP, 100),))),
        public(PilesWon(2, (1, 0), with_pot=False, cards=4)),
    )


@pytest.mark.rule("SNP-7")
@pytest.mark.parametrize(("caller", "won"), [(0, ["2C 4H QH 7D QS |", "3H |"]), (1, ["2C |", "3H 4H QH 7D QS |"])])
def test_the_turner_and_the_owner_of_the_other_pile_may_call_too(caller: int, won: list[str]) -> None:
    assert Sheet(position("QS 2C | 7D", "3H | 4H QH")).turn().call(caller, 100).close().piles == won


@pytest.mark.rule("SNP-7", "RACE-3")
def test_a_later_right_call_wins_and_costs_nothing() -> None:
    sheet = Sheet(position("QS 2C | 7D", "3H 6S | QH", "8C | 9C")).turn(1000)
    sheet.call(2, 1100).call(1, 1140 + 1).close()
    assert sheet.piles == ["2C |", "3H 6S |", "8C QH 7D QS | 9C"]


@pytest.mark.rule("SNP-7")
def test_the_earlier_call_wins_although_it_came_in_last() -> None:
    sheet = Sheet(position("QS 2C | 7D", "3H | QH", "8C | 9C")).turn(1000).call(2, 1200).call(1, 1100).close()
    assert sheet.piles == ["2C |", "3H QH 7D QS |", "8C | 9C"]


@pytest.mark.rule("SNP-7")
def test_a_match_that_nobody_calls_stays_where_it_lies() -> None:
    sheet = Sheet(position("QS 2C | 7D", "3H | QH")).turn().skip(0, 1)
    assert sheet.piles == ["2C | 7D QS", "3H | QH"]


@pytest.mark.rule("SNP-8")
def test_won_piles_are_reached_from_their_bottom_cards() -> None:
    sheet = Sheet(position("QS 2C |", "3H | 4H QH")).turn().call(0, 100).close()
    assert sheet.piles[0] == "2C 4H QH QS |"
    sheet.turn().skip(0, 1).turn().skip(0, 1).turn().skip(0, 1).turn()
    assert sheet.piles[0] == "QH QS | 2C 4H"


@pytest.mark.rule("SNP-9")
def test_a_match_of_the_race_before_can_not_be_called_any_more() -> None:
    sheet = Sheet(position("QS 2C | 7D", "3H 6S | QH", "8C 9H | QC")).turn().skip(0, 1, 2).turn().call(2, 100).close()
    assert sheet.piles == ["2C | 7D QS", "6S 8C | QH 3H", "9H | QC"]


@pytest.mark.rule("SNP-9")
def test_older_cards_of_the_turners_own_pile_never_match() -> None:
    sheet = Sheet(position("QS 2C | QD", "3H 6S | 5H")).turn()
    assert sheet.state.race is not None
    assert sheet.state.race.right == ()


@pytest.mark.rule("SNP-9")
def test_cards_under_a_top_never_match() -> None:
    sheet = Sheet(position("QS 2C | QD", "3H 6S | QH 5H")).turn()
    assert sheet.state.race is not None
    assert sheet.state.race.right == ()


@pytest.mark.rule("SNP-9", "SNP-6")
def test_a_pile_that_was_just_turned_over_has_only_its_first_card_as_top() -> None:
    sheet = Sheet(position(" | 7D QS", "3H 6S | QH")).turn()
    assert sheet.state.race is not None
    assert sheet.state.race.right == ()


@pytest.mark.rule("SNP-10", "SNP-8")
def test_all_matching_piles_are_won_clockwise_from_the_turners_left() -> None:
    sheet = Sheet(position("2C | 4S QH", "QS 9D | 7D", "8C | 9C", "6H | 3H QD", "JC | QC", turn=1))
    sheet.turn().call(2, 100).close()
    assert sheet.piles == ["2C |", "9D |", "8C 3H QD QC 4S QH 7D QS | 9C", "6H |", "JC |"]


@pytest.mark.rule("SNP-10")
def test_suits_never_matter_and_ranks_do() -> None:
    for card, right in (("QH", ("snap",)), ("QC", ("snap",)), ("JS", ()), ("KS", ()), ("AS", ())):
        sheet = Sheet(position(f"{card} 2C | 7D", "3H | QD")).turn()
        assert sheet.state.race is not None
        assert sheet.state.race.right == right
