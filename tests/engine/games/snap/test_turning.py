"""Turning a card (SNP-5, SNP-6)."""

from __future__ import annotations

import pytest

from engine.core.events import private, public
from engine.core.race import CardSeen
from engine.games.snap.moves import CardTurned
from tests.engine.games.snap.sheet import Sheet, position


@pytest.mark.rule("SNP-5")
def test_the_top_card_goes_onto_ones_own_face_up_pile() -> None:
    sheet = Sheet(position("QS 2C | 7D", "3H | 4H")).turn()
    assert sheet.piles == ["2C | 7D QS", "3H | 4H"]
    assert sheet.told == (public(CardTurned(1, 0, pile_turned_over=False)), private(CardSeen(1, "QS"), 0, 1))


@pytest.mark.rule("SNP-6")
def test_an_empty_face_down_pile_is_made_of_the_face_up_pile_unshuffled() -> None:
    sheet = Sheet(position(" | 7D QS 2C", "3H | 4H")).turn()
    assert sheet.piles == ["QS 2C | 7D", "3H | 4H"]
    assert sheet.events[0] == CardTurned(1, 0, pile_turned_over=True)


@pytest.mark.rule("SNP-6")
def test_a_face_up_pile_of_one_card_is_turned_over_as_well() -> None:
    assert Sheet(position(" | 7D", "3H | 4H")).turn().piles == ["| 7D", "3H | 4H"]


@pytest.mark.rule("SNP-6")
def test_the_last_face_down_card_leaves_the_face_up_pile_at_risk_until_the_next_turn() -> None:
    sheet = Sheet(position("QS | 7D", "3H 9S | 4H")).turn().skip(0, 1)
    assert sheet.piles == ["| 7D QS", "3H 9S | 4H"]
    sheet.turn().skip(0, 1).turn()
    assert sheet.piles == ["QS | 7D", "9S | 4H 3H"]


@pytest.mark.rule("SNP-6", "SNP-7")
def test_a_face_up_pile_at_risk_is_lost_to_a_snap() -> None:
    sheet = Sheet(position("QS 2C | 7D", " | 5H QH", "8C | 9C")).turn().call(2, 100).close()
    assert sheet.piles == ["2C |", "|", "8C 5H QH 7D QS | 9C"]
