"""Leaving (SNP-26, ALL-4, RACE-6)."""

from __future__ import annotations

import pytest

from engine.core.outcome import Outcome
from engine.games.snap import GAME
from engine.games.snap.moves import CardTurned, GameEnded, PenaltyPaid, SeatLeft, SeatsOut
from tests.engine.games.snap.sheet import REACTION, Sheet, position

FOUR = ("QS 2D | 7D", "2C 3C | 4C 5C 6C", "8C 9S | 9C", "TD | JD")


@pytest.mark.rule("SNP-26")
def test_the_piles_are_dealt_one_by_one_from_the_leavers_left() -> None:
    sheet = Sheet(position(*FOUR)).leave(1)
    assert sheet.piles == ["QS 2D 4C | 7D", "|", "8C 9S 2C 5C | 9C", "TD 3C 6C | JD"]
    assert sheet.heard(None) == [SeatLeft(1, (1, 0, 2, 2))]
    assert sheet.state.exits == (0, 1, 0, 0)


@pytest.mark.rule("SNP-26")
def test_seats_that_are_out_get_nothing() -> None:
    sheet = Sheet(position("QS 2D | 7D", "2C | 4C 5C", "|", "TD | JD", exits=(0, 0, 1, 0))).leave(1)
    assert sheet.piles == ["QS 2D 4C | 7D", "|", "|", "TD 2C 5C | JD"]


@pytest.mark.rule("SNP-26", "SNP-21")
def test_when_the_seat_in_turn_leaves_the_next_one_turns() -> None:
    assert Sheet(position(*FOUR, turn=3)).leave(3).state.turn == 0
    assert Sheet(position(*FOUR, turn=3)).leave(3, 0).state.turn == 1
    assert Sheet(position(*FOUR, turn=3)).leave(1).state.turn == 3


@pytest.mark.rule("SNP-26", "ALL-4")
def test_those_who_leave_together_get_nothing_of_each_other() -> None:
    sheet = Sheet(position(*FOUR)).leave(3, 1)
    assert sheet.piles == ["QS 2D 3C 5C TD | 7D", "|", "8C 9S 2C 4C 6C JD | 9C", "|"]
    assert sheet.state.exits == (0, 1, 0, 1)


@pytest.mark.rule("ALL-4")
def test_the_earlier_leaver_comes_lower_and_the_last_seat_wins() -> None:
    sheet = Sheet(position(*FOUR)).leave(2).leave(0).leave(1)
    assert GAME.outcome(sheet.state) == Outcome("others_left", (3, 2, 4, 1), (0, 0, 0, 13))
    assert sheet.events[-1] == GameEnded("others_left", (3, 2, 4, 1))


@pytest.mark.rule("ALL-4")
def test_those_who_leave_together_share_a_place() -> None:
    sheet = Sheet(position(*FOUR)).leave(2, 0, 3)
    assert GAME.outcome(sheet.state) == Outcome("others_left", (2, 1, 2, 2), (0, 13, 0, 0))


@pytest.mark.rule("ALL-4")
def test_when_all_leave_together_they_share_the_win() -> None:
    sheet = Sheet(position(*FOUR)).leave(0, 1, 2, 3)
    assert GAME.outcome(sheet.state) == Outcome("all_left", (1, 1, 1, 1), (3, 5, 3, 2))


@pytest.mark.rule("ALL-4")
def test_a_seat_that_was_out_keeps_its_place() -> None:
    sheet = Sheet(position("QS |", "3H |", "|", "|", exits=(0, 0, 2, 1))).leave(0, 2, 1)
    assert GAME.outcome(sheet.state) == Outcome("all_left", (1, 1, 3, 4), (1, 1, 0, 0))


@pytest.mark.rule("ALL-4")
def test_leaving_when_out_or_gone_or_over_changes_nothing() -> None:
    for sheet, seat in (
        (Sheet(position(*FOUR[:3], "|", exits=(0, 0, 0, 1))), 3),
        (Sheet(position(*FOUR)).leave(1), 1),
        (Sheet(position(*FOUR)).turn().leave(1, at=50), 1),
        (Sheet(position(*FOUR[:2])).leave(1), 0),
    ):
        before = sheet.state
        assert sheet.leave(seat, at=60).state == before
        assert sheet.told == ()


@pytest.mark.rule("RACE-6", "SNP-26")
class TestDuringARace:
    def test_a_seat_leaves_at_the_close(self) -> None:
        sheet = Sheet(position(*FOUR)).turn().leave(1, at=50)
        assert sheet.piles == ["2D | 7D QS", *FOUR[1:]]
        assert (sheet.told, sheet.state.exits) == ((), (0, 0, 0, 0))
        assert set(GAME.reacting(sheet.state)) == {0, 2, 3}
        sheet.skip(0, 2, 3)
        assert sheet.piles == ["2D 4C | 7D QS", "|", "8C 9S 2C 5C | 9C", "TD 3C 6C | JD"]
        assert SeatLeft(1, (1, 0, 2, 2)) in sheet.events
        assert sheet.state.turn == 2

    def test_its_pile_may_be_won_before_it_leaves(self) -> None:
        sheet = Sheet(position("QS 2D | 7D", "2C | QC", "8C | 9C")).turn().leave(1, at=50).call(2, 90).close()
        assert sheet.piles == ["2D |", "|", "8C QC 7D QS 2C | 9C"]

    def test_its_right_call_is_a_pass(self) -> None:
        sheet = Sheet(position("QS 2D | 7D", "2C | QC", "8C | 9C")).turn().call(1, 50).leave(1, at=90)
        sheet.call(2, 1000).close()
        assert sheet.piles == ["2D |", "|", "8C QC 7D QS 2C | 9C"]

    def test_a_tie_with_it_is_none(self) -> None:
        sheet = Sheet(position("QS 2D | 7D", "2C | QC", "8C | 9C")).turn().call(1, 50).call(2, 60).leave(1, at=90)
        assert sheet.close().pot == ""

    def test_its_wrong_call_is_still_paid(self) -> None:
        sheet = Sheet(position("QS 2D | 7D", "2C 3C | 4C", "8C | 9C")).turn().call(1, 50).leave(1, at=60).skip(0, 2)
        assert sheet.piles == ["2D 2C 4C | 7D QS", "|", "8C 3C | 9C"]

    def test_a_leaving_turner_is_paid_first_and_then_dealt_out(self) -> None:
        sheet = Sheet(position("QS | 7D", "2C 3C | 4C", "8C | 9C")).turn().leave(0, at=50).call(1, 60).skip(2)
        assert sheet.piles == ["|", "3C 2C QS | 4C", "8C 7D | 9C"]
        assert sheet.state.turn == 1

    def test_the_last_seat_that_owes_an_answer_closes_it_by_leaving(self) -> None:
        sheet = Sheet(position(*FOUR)).turn().skip(0, 2, 3).leave(1, at=50)
        assert sheet.state.race is None
        assert sheet.state.exits == (0, 1, 0, 0)

    def test_with_one_seat_left_the_match_is_over_at_once(self) -> None:
        sheet = Sheet(position("QS 2D | 7D", "2C 3C | 4C", "8C | 9C")).turn().leave(2, at=50).leave(0, at=51)
        assert GAME.outcome(sheet.state) == Outcome("others_left", (2, 1, 3), (0, 8, 0))

    def test_two_leavers_of_one_race_are_placed_by_their_time(self) -> None:
        sheet = Sheet(position(*FOUR)).turn().leave(2, at=50).leave(1, at=51).skip(0, 3)
        assert sheet.state.exits == (0, 2, 1, 0)

    def test_and_share_a_place_when_it_is_the_same(self) -> None:
        sheet = Sheet(position(*FOUR)).turn().leave(2, at=50).leave(1, at=50).skip(0, 3)
        assert sheet.state.exits == (0, 1, 1, 0)

    def test_all_leaving_at_once_share_the_win(self) -> None:
        sheet = Sheet(position(*FOUR)).turn().leave(0, 1, 2, 3, at=50)
        assert GAME.outcome(sheet.state) == Outcome("all_left", (1, 1, 1, 1), (3, 5, 3, 2))

    @pytest.mark.rule("ALL-4", "SNP-16")
    def test_who_goes_out_at_the_close_is_placed_above_who_left_before_it(self) -> None:
        sheet = Sheet(position("QS 2D | 7D", " | 4C", "8C | 9C", "TD | JD")).turn()
        sheet.call(1, 40).leave(2, at=50).skip(0, 3)
        assert sheet.state.exits == (0, 2, 1, 0)
        assert sheet.events.index(SeatsOut((1,))) < sheet.events.index(SeatLeft(2, (1, 0, 0, 1)))

    @pytest.mark.rule("ALL-4")
    def test_who_paid_its_last_card_to_a_leaver_has_stayed_and_wins(self) -> None:
        sheet = Sheet(position("QS |", " | 4C")).turn().call(1, 40).leave(0, at=50)
        assert PenaltyPaid(1, 0, from_face_up=True) in sheet.events
        assert sheet.piles == ["4C | QS", "|"]
        assert GAME.outcome(sheet.state) == Outcome("others_left", (2, 1), (2, 0))

    def test_a_leaver_without_cards_has_left_all_the_same(self) -> None:
        sheet = Sheet(position("QS 2D | 7D", " | 4C", "8C | 9C")).turn().call(1, 40).leave(1, at=50).skip(0, 2)
        assert SeatLeft(1, (0, 0, 0)) in sheet.events
        assert sheet.state.exits == (0, 1, 0)

    @pytest.mark.rule("RACE-2")
    def test_by_reaction_it_is_sealed_until_all_others_have_answered(self) -> None:
        sheet = Sheet(position(*FOUR, **REACTION)).turn()
        before = GAME.view(sheet.state, 0)
        sheet.look(1, 40).leave(1, at=50)
        assert sheet.told == ()
        assert GAME.is_sealed(sheet.state)
        assert GAME.view(sheet.state, 0) == before
        assert set(GAME.awaited(sheet.state)) == {0, 2, 3}
        sheet.skip(0, 2, 3)
        assert sheet.events[-2:] == [SeatLeft(1, (1, 0, 2, 2)), CardTurned(2, 2, pile_turned_over=False)]
