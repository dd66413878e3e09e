"""Going out, the next turn, the end and the places (SNP-16, SNP-21 to SNP-23)."""

from __future__ import annotations

import pytest

from engine.core.game import Occasion
from engine.core.outcome import Outcome
from engine.games.snap import GAME
from engine.games.snap.moves import GameEnded, SeatsOut, Turn
from tests.engine.games.snap.sheet import Sheet, position


@pytest.mark.rule("SNP-16")
def test_a_seat_whose_last_pile_is_won_is_out_and_skipped() -> None:
    sheet = Sheet(position("QS 2C |", " | QH", "8C 9S |")).turn().call(2, 90).close()
    assert sheet.state.exits == (0, 1, 0)
    assert SeatsOut((1,)) in sheet.heard(None)
    assert GAME.awaited(sheet.state) == {2: Occasion("turn", 2)}


@pytest.mark.rule("SNP-16")
def test_a_seat_that_is_out_has_no_call() -> None:
    sheet = Sheet(position("QS 2C |", "|", "8C 9S |", exits=(0, 1, 0))).turn()
    assert set(GAME.reacting(sheet.state)) == {0, 2}
    assert GAME.legal_moves(sheet.state, 1) == ()


@pytest.mark.rule("SNP-16")
def test_with_one_card_in_either_pile_a_seat_is_in() -> None:
    sheet = Sheet(position("QS |", "3H |", " | 9C")).turn().skip(0, 1, 2)
    assert sheet.state.exits == (0, 0, 0)


@pytest.mark.rule("SNP-16")
def test_the_turner_of_a_last_card_is_in_until_the_close_and_may_win_with_it() -> None:
    sheet = Sheet(position("QS |", "3H | QH", "8C | 9C")).turn().call(0, 90).close()
    assert sheet.piles == ["QH QS |", "3H |", "8C | 9C"]


@pytest.mark.rule("SNP-21")
@pytest.mark.parametrize(("turner", "following"), [(0, 2), (2, 3), (3, 0)])
def test_the_next_seat_still_in_left_of_the_turner_turns(turner: int, following: int) -> None:
    table = position("QS 2C |", "|", "8C 9S |", "5D 6D |", turn=turner, exits=(0, 1, 0, 0))
    sheet = Sheet(table).turn().skip(0, 2, 3)
    assert GAME.awaited(sheet.state) == {following: Occasion("turn", 2)}


@pytest.mark.rule("SNP-21")
def test_who_wins_or_errs_has_no_influence_on_who_turns() -> None:
    sheet = Sheet(position("QS 2C |", "3H 4H | QH", "8C 9S |", "5D 6D |")).turn().call(3, 90).call(2, 91, "snap_pot")
    assert sheet.close().state.turn == 1


@pytest.mark.rule("SNP-21")
def test_the_turner_that_went_out_is_followed_by_the_seat_on_its_left() -> None:
    sheet = Sheet(position("QS |", "3H 4H | QH", "8C 9S |")).turn().call(2, 90).close()
    assert sheet.state.exits == (1, 0, 0)
    assert sheet.state.turn == 1


@pytest.mark.rule("SNP-22", "SNP-23")
def test_who_has_all_the_cards_has_won() -> None:
    sheet = Sheet(position("QS 2C | 7D", " | QH")).turn().call(0, 90).close()
    assert GAME.outcome(sheet.state) == Outcome("all_cards", (1, 2), (4, 0))
    assert sheet.events[-1] == GameEnded("all_cards", (1, 2))
    assert (GAME.awaited(sheet.state), GAME.reacting(sheet.state), GAME.timers(sheet.state)) == ({}, {}, ())
    assert GAME.legal_moves(sheet.state, 0) == GAME.legal_moves(sheet.state, 1) == ()


@pytest.mark.rule("SNP-22")
def test_while_two_have_cards_it_goes_on() -> None:
    sheet = Sheet(position("QS 2C | 7D", "3H | QH")).turn().call(0, 90).close()
    assert GAME.outcome(sheet.state) is None


@pytest.mark.rule("SNP-22")
def test_the_pot_is_nobodys_and_does_not_keep_the_match_alive() -> None:
    sheet = Sheet(position("QS 2C | 7D", " | QH", pot="5C 6C")).turn().call(0, 90).close()
    assert GAME.outcome(sheet.state) == Outcome("all_cards", (1, 2), (4, 0))
    assert sheet.pot == "5C 6C"


@pytest.mark.rule("SNP-22")
def test_when_the_last_piles_are_tied_away_those_seats_share_the_win() -> None:
    sheet = Sheet(position("QS |", " | QH", "|", exits=(0, 0, 1))).turn().call(0, 90).call(1, 90)
    assert sheet.pot == "QH QS"
    assert GAME.outcome(sheet.state) == Outcome("no_cards", (1, 1, 3), (0, 0, 0))


@pytest.mark.rule("SNP-22")
def test_a_tie_that_leaves_one_seat_with_cards_is_its_win() -> None:
    sheet = Sheet(position("QS | 7D", "3H | QH", turn=0)).turn().call(0, 90).call(1, 90)
    assert (sheet.piles, sheet.pot) == (["|", "3H |"], "QH 7D QS")
    assert GAME.outcome(sheet.state) == Outcome("all_cards", (2, 1), (0, 1))


@pytest.mark.rule("SNP-23")
def test_places_go_in_reverse_order_of_going_out() -> None:
    sheet = Sheet(position("QS 2C | 7D", " | QH", "|", "|", exits=(0, 0, 1, 2))).turn().call(0, 90).close()
    assert GAME.outcome(sheet.state) == Outcome("all_cards", (1, 2, 4, 3), (4, 0, 0, 0))


@pytest.mark.rule("SNP-23")
def test_seats_that_go_out_in_the_same_race_share_a_place() -> None:
    sheet = Sheet(position("QS |", " | QH", " | QD", "8C | 9C")).turn().call(3, 90).close()
    assert SeatsOut((0, 1, 2)) in sheet.events
    assert GAME.outcome(sheet.state) == Outcome("all_cards", (2, 2, 2, 1), (0, 0, 0, 5))


@pytest.mark.rule("SNP-23")
def test_the_standing_counts_both_piles() -> None:
    state = position("QS 2C | 7D", " | QH", "5D | 6D 8D", "|", exits=(0, 0, 0, 1))
    assert GAME.standing(state).places == (1, 3, 1, 4)
    assert GAME.standing(state).scores == (3, 1, 3, 0)


@pytest.mark.rule("SNP-22")
def test_an_ended_match_refuses_everything() -> None:
    sheet = Sheet(position("QS 2C | 7D", " | QH")).turn().call(0, 90).close()
    refusal = sheet.refusal(0, Turn())
    assert refusal is not None
    assert refusal.reason == "the match is over"
