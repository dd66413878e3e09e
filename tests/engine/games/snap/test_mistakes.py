"""Wrong calls (SNP-17 to SNP-20)."""

from __future__ import annotations

import pytest

from engine.core.errors import RefusalCode
from engine.games.snap.moves import Call, Claim, PenaltyPaid
from tests.engine.games.snap.sheet import REACTION, Sheet, position

NO_MATCH = ("QS 2C | 7D", "3H 6S | 4H", "8C 9S | 9C")


@pytest.mark.rule("SNP-17")
def test_the_top_face_down_card_goes_under_the_turners_face_down_pile() -> None:
    sheet = Sheet(position(*NO_MATCH)).turn().call(2, 100).skip(0, 1)
    assert sheet.piles == ["2C 8C | 7D QS", "3H 6S | 4H", "9S | 9C"]
    assert PenaltyPaid(2, 0, from_face_up=False) in sheet.heard(None)


@pytest.mark.rule("SNP-17")
def test_the_turner_may_have_no_other_face_down_card() -> None:
    sheet = Sheet(position("QS | 7D", *NO_MATCH[1:])).turn().call(2, 100).skip(0, 1)
    assert sheet.piles == ["8C | 7D QS", "3H 6S | 4H", "9S | 9C"]


@pytest.mark.rule("SNP-18")
def test_the_turner_itself_pays_the_seat_on_its_right() -> None:
    sheet = Sheet(position(*NO_MATCH)).turn().call(0, 100).skip(1, 2)
    assert sheet.piles == ["| 7D QS", "3H 6S | 4H", "8C 9S 2C | 9C"]


@pytest.mark.rule("SNP-18")
def test_the_seat_on_the_right_is_one_that_is_still_in() -> None:
    sheet = Sheet(position(*NO_MATCH, "|", "|", exits=(0, 0, 0, 2, 1))).turn().call(0, 100).skip(1, 2)
    assert sheet.piles[2] == "8C 9S 2C | 9C"


@pytest.mark.rule("SNP-18")
def test_a_neighbour_that_goes_out_at_this_close_is_still_in() -> None:
    sheet = Sheet(position("QS 2C | 7D", "3H 6S | 4H QH", " | QC")).turn()
    sheet.call(1, 100).call(0, 120, "snap_pot").close()
    assert sheet.piles == ["|", "3H 6S 4H QH QC 7D QS |", "2C |"]
    assert sheet.state.exits == (1, 0, 0)


@pytest.mark.rule("SNP-19")
def test_with_nothing_face_down_the_bottom_face_up_card_is_paid_and_the_rest_stays() -> None:
    sheet = Sheet(position("QS 2C | 7D", " | 4H 5H 6H", "8C | 9C")).turn().call(1, 100).skip(0, 2)
    assert sheet.piles == ["2C 4H | 7D QS", "| 5H 6H", "8C | 9C"]
    assert PenaltyPaid(1, 0, from_face_up=True) in sheet.events


@pytest.mark.rule("SNP-19")
def test_the_turner_pays_from_under_the_card_it_turned() -> None:
    sheet = Sheet(position("QS | 7D", "3H 6S | 4H")).turn().call(0, 100).skip(1)
    assert sheet.piles == ["| QS", "3H 6S 7D | 4H"]


@pytest.mark.rule("SNP-19", "SNP-16")
def test_who_pays_its_last_card_is_out() -> None:
    sheet = Sheet(position("QS 2C | 7D", " | 4H", "8C | 9C")).turn().call(1, 100).skip(0, 2)
    assert sheet.piles == ["2C 4H | 7D QS", "|", "8C | 9C"]
    assert sheet.state.exits == (0, 1, 0)


@pytest.mark.rule("SNP-20")
def test_a_wrong_call_after_a_right_one_pays_while_the_race_is_open() -> None:
    sheet = Sheet(position("QS 2C | 7D", "3H 6S | QH", "8C 9S | 9C")).turn(1000)
    sheet.call(1, 1100).call(2, 1140, "snap_pot").close()
    assert sheet.piles == ["2C 8C |", "3H 6S QH 7D QS |", "9S | 9C"]


@pytest.mark.rule("SNP-20")
def test_a_call_of_the_closing_moment_pays_nothing_although_it_came_in_before_the_right_one() -> None:
    sheet = Sheet(position("QS 2C | 7D", "3H 6S | QH", "8C 9S | 9C")).turn(1000)
    sheet.call(2, 1141, "snap_pot").call(1, 1100).close()
    assert sheet.piles == ["2C |", "3H 6S QH 7D QS |", "8C 9S | 9C"]


@pytest.mark.rule("SNP-20", "RACE-1")
def test_a_call_after_the_close_is_refused_and_costs_nothing() -> None:
    sheet = Sheet(position(*NO_MATCH)).turn().skip(0, 1, 2)
    refusal = sheet.refusal(2, Call(Claim.SNAP))
    assert refusal is not None
    assert refusal.code is RefusalCode.NOT_YOUR_TURN
    assert sheet.piles == ["2C | 7D QS", "3H 6S | 4H", "8C 9S | 9C"]


@pytest.mark.rule("SNP-17", "RACE-6")
def test_several_mistakes_are_paid_in_order_of_time() -> None:
    sheet = Sheet(position(*NO_MATCH)).turn().call(2, 90).call(1, 80).skip(0)
    assert sheet.piles == ["2C 3H 8C | 7D QS", "6S | 4H", "9S | 9C"]


@pytest.mark.rule("SNP-17", "RACE-6")
def test_equal_times_pay_clockwise_from_the_turner() -> None:
    sheet = Sheet(position(*NO_MATCH, turn=1)).turn().call(0, 90).call(2, 90).skip(1)
    assert sheet.piles == ["2C | 7D", "6S 8C QS | 4H 3H", "9S | 9C"]


@pytest.mark.rule("SNP-17", "RACE-6")
def test_the_award_comes_before_the_penalties() -> None:
    sheet = Sheet(position("QS 2C | 7D", "3H 6S | QH", "8C 9S | 9C")).turn().call(2, 90, "snap_pot").call(0, 95).close()
    assert sheet.piles == ["2C QH 7D QS 8C |", "3H 6S |", "9S | 9C"]


@pytest.mark.rule("RACE-6", "SNP-16")
def test_who_has_lost_its_last_pile_to_the_award_pays_nothing() -> None:
    sheet = Sheet(position("QS 2C | 7D", " | QH", "8C | 9C")).turn().call(1, 90, "snap_pot").call(2, 95).close()
    assert sheet.piles == ["2C |", "|", "8C QH 7D QS | 9C"]
    assert not [event for event in sheet.events if isinstance(event, PenaltyPaid)]
    assert sheet.state.exits == (0, 1, 0)


@pytest.mark.rule("SNP-16", "RACE-6")
class TestTheTurnersLastCard:
    def test_is_paid_and_a_card_that_is_owed_keeps_it_in(self) -> None:
        sheet = Sheet(position("QS |", *NO_MATCH[1:])).turn().call(0, 90).call(1, 95).skip(2)
        assert sheet.piles == ["3H |", "6S | 4H", "8C 9S QS | 9C"]
        assert sheet.state.exits == (0, 0, 0)

    def test_is_not_paid_when_the_owed_card_came_first(self) -> None:
        sheet = Sheet(position("QS |", *NO_MATCH[1:])).turn().call(1, 90).call(0, 95).skip(2)
        assert sheet.piles == ["| QS", "6S | 4H", "8C 9S 3H | 9C"]

    def test_puts_it_out_when_nothing_is_owed(self) -> None:
        sheet = Sheet(position("QS |", *NO_MATCH[1:])).turn().call(0, 90).skip(1, 2)
        assert sheet.piles == ["|", "3H 6S | 4H", "8C 9S QS | 9C"]
        assert sheet.state.exits == (1, 0, 0)


@pytest.mark.rule("SNP-17", "RACE-2")
def test_by_reaction_mistakes_are_paid_in_order_of_reaction() -> None:
    sheet = Sheet(position(*NO_MATCH, **REACTION)).turn().react(2, 90).react(1, 80, at=5_000_000).skip(0)
    assert sheet.piles == ["2C 3H 8C | 7D QS", "| 4H 6S", "9S | 9C"]
