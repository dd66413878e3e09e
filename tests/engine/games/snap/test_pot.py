"""Ties and the Snap Pot (SNP-11 to SNP-15)."""

from __future__ import annotations

import pytest

from engine.games.snap.moves import PilesPotted, PilesWon
from tests.engine.games.snap.sheet import REACTION, Sheet, position

MATCH = ("QS 2C | 7D", "3H 6S | 4H QH", "8C 9S | 9C")


@pytest.mark.rule("SNP-11", "RACE-3")
def test_simultaneous_calls_put_the_matching_piles_in_the_middle() -> None:
    sheet = Sheet(position(*MATCH)).turn(1000).call(2, 1100).call(1, 1140).close()
    assert sheet.piles == ["2C |", "3H 6S |", "8C 9S | 9C"]
    assert sheet.pot == "4H QH 7D QS"
    assert sheet.events[-1] == PilesPotted(callers=(1, 2), piles=(1, 0), cards=4)
    assert sheet.state.turn == 1


@pytest.mark.rule("SNP-11", "RACE-3")
def test_one_millisecond_later_is_no_tie() -> None:
    sheet = Sheet(position(*MATCH)).turn(1000).call(2, 1100).call(1, 1141).close()
    assert (sheet.piles[2], sheet.pot) == ("8C 9S 4H QH 7D QS | 9C", "")


@pytest.mark.rule("SNP-11", "RACE-2", "RACE-3")
@pytest.mark.parametrize(("second", "pot"), [(460, "4H QH 7D QS"), (461, "")])
def test_by_reaction_a_tie_is_sixty_milliseconds(second: int, pot: str) -> None:
    sheet = Sheet(position(*MATCH, **REACTION)).turn()
    sheet.react(2, 400).react(1, second, at=9_000_000).skip(0)
    assert sheet.pot == pot


@pytest.mark.rule("SNP-12")
def test_the_pots_rank_wins_the_pot_and_the_pile_that_matches_it() -> None:
    sheet = Sheet(position("QS 2C | 7D", "3H | 4H", pot="5C QC")).turn().call(1, 100, "snap_pot").close()
    assert (sheet.piles, sheet.pot) == (["2C |", "3H 5C QC 7D QS | 4H"], "")
    assert sheet.events[-1] == PilesWon(1, (0,), with_pot=True, cards=4)


@pytest.mark.rule("SNP-12")
def test_only_the_pots_top_card_counts() -> None:
    sheet = Sheet(position("QS 2C | 7D", "3H | 4H", pot="QC 5C")).turn()
    assert sheet.state.race is not None
    assert sheet.state.race.right == ()


@pytest.mark.rule("SNP-13")
def test_simultaneous_calls_of_snap_pot_put_the_pile_on_the_pot() -> None:
    sheet = Sheet(position("QS 2C | 7D", "3H | 4H", pot="5C QC")).turn()
    sheet.call(0, 100, "snap_pot").call(1, 100, "snap_pot")
    assert (sheet.piles, sheet.pot) == (["2C |", "3H | 4H"], "5C QC 7D QS")


@pytest.mark.rule("SNP-14")
def test_there_is_one_pot_and_later_ties_lie_on_top() -> None:
    sheet = Sheet(position(*MATCH, pot="5C KC")).turn().call(2, 100).call(1, 100).close()
    assert sheet.pot == "5C KC 4H QH 7D QS"
    assert sheet.events[-1] == PilesPotted(callers=(1, 2), piles=(1, 0), cards=4)


@pytest.mark.rule("SNP-14", "SNP-12")
def test_the_pots_top_is_the_card_turned_last() -> None:
    sheet = Sheet(position("QS 2C | 7D", "JC QD 6S | 4H QH", "8C 9S | 9C")).turn().call(2, 100).call(1, 100).close()
    sheet.turn().skip(0, 1, 2).turn().skip(0, 1, 2).turn().skip(0, 1, 2).turn()
    assert sheet.piles[1] == "6S | JC QD"
    assert sheet.state.race is not None
    assert sheet.state.race.right == ("snap_pot",)


@pytest.mark.rule("SNP-15")
class TestPileAndPotAtOnce:
    def play(self) -> Sheet:
        return Sheet(position(*MATCH, pot="5C QC")).turn(1000)

    def test_snap_wins_the_piles_only(self) -> None:
        sheet = self.play().call(2, 1100, "snap").close()
        assert (sheet.piles[2], sheet.pot) == ("8C 9S 4H QH 7D QS | 9C", "5C QC")

    @pytest.mark.rule("SNP-8")
    def test_snap_pot_wins_the_pot_then_the_piles(self) -> None:
        sheet = self.play().call(2, 1100, "snap_pot").close()
        assert (sheet.piles[2], sheet.pot) == ("8C 9S 5C QC 4H QH 7D QS | 9C", "")

    @pytest.mark.parametrize(("first", "second", "pot"), [("snap", "snap_pot", "5C QC"), ("snap_pot", "snap", "")])
    def test_the_earlier_call_wins_what_it_names(self, first: str, second: str, pot: str) -> None:
        sheet = self.play().call(2, 1100, first).call(1, 1141, second).close()
        assert sheet.pot == pot
        assert sheet.piles[:2] == ["2C |", "3H 6S |"]

    def test_simultaneous_calls_of_different_names_put_every_pile_on_the_pot(self) -> None:
        sheet = self.play().call(2, 1100, "snap").call(1, 1140, "snap_pot").close()
        assert (sheet.piles, sheet.pot) == (["2C |", "3H 6S |", "8C 9S | 9C"], "5C QC 4H QH 7D QS")

    def test_every_pile_is_all_of_them(self) -> None:
        sheet = Sheet(position("QS 2C | 7D", "3H 6S | QH", "8C 9S | QD", pot="5C QC")).turn()
        sheet.call(0, 100, "snap_pot").call(1, 100, "snap_pot").close()
        assert (sheet.piles, sheet.pot) == (["2C |", "3H 6S |", "8C 9S |"], "5C QC QH QD 7D QS")


@pytest.mark.rule("SNP-15", "SNP-17")
def test_snap_when_only_the_pot_matches_is_a_mistake() -> None:
    sheet = Sheet(position("QS 2C | 7D", "3H 6S | 4H", pot="5C QC")).turn().call(1, 100, "snap").skip(0)
    assert (sheet.piles, sheet.pot) == (["2C 3H | 7D QS", "6S | 4H"], "5C QC")


@pytest.mark.rule("SNP-15", "SNP-17")
@pytest.mark.parametrize("pot", ["", "QC 5C"])
def test_snap_pot_when_only_a_pile_matches_is_a_mistake(pot: str) -> None:
    sheet = Sheet(position("QS 2C | 7D", "3H 6S | QH", pot=pot)).turn().call(1, 100, "snap_pot").skip(0)
    assert (sheet.piles, sheet.pot) == (["2C 3H | 7D QS", "6S | QH"], pot)
