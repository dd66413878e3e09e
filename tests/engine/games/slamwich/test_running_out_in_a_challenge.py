"""Seats without cards in a challenge (SLM-20, SLM-29, SLM-30)."""

from __future__ import annotations

import pytest

from engine.games.slamwich.moves import MuncherStopped, PileTaken, SeatsOut, Taking
from tests.engine.games.slamwich.sheet import REACTION, Sheet, position


@pytest.mark.rule("SLM-29", "SLM-31")
def test_a_responder_that_runs_out_has_failed() -> None:
    sheet = Sheet(position("3 G", "H", "P M", pile="K")).unclaimed().unclaimed()
    assert sheet.stacks == ["G K 3 H", "", "P M"]
    assert (sheet.state.seats, sheet.challenge, sheet.next) == ((0, 2), None, 0)


@pytest.mark.rule("SLM-25", "SLM-29")
def test_a_responder_whose_last_card_is_the_last_to_show_has_failed_just_so() -> None:
    sheet = Sheet(position("1 G", "H", "P M", pile="K")).unclaimed().unclaimed()
    assert (sheet.stacks, sheet.state.seats) == (["G K 1 H", "", "P M"], (0, 2))


@pytest.mark.rule("SLM-29", "SLM-28")
@pytest.mark.parametrize("card", ["c", "K"])
def test_a_stopper_as_the_last_card_works_first(card: str) -> None:
    sheet = Sheet(position("3 G", card, "P M", pile="K")).unclaimed().unclaimed()
    assert sheet.stacks == ["G", "", "P M"]
    assert (sheet.pile, sheet.state.seats, sheet.next) == (f"K 3 {card}", (0, 2), 2)


@pytest.mark.rule("SLM-29", "SLM-31", "SLM-23")
def test_the_responder_may_win_with_its_last_card_and_stays_in() -> None:
    sheet = Sheet(position("3 G", "K", "P M", pile="K")).unclaimed().turn().slap(1, 100).close()
    assert (sheet.stacks, sheet.state.seats, sheet.next) == (["G", "K 3 K", "P M"], (0, 1, 2), 1)


@pytest.mark.rule("SLM-29", "SLM-30")
def test_a_muncher_as_the_last_card_works_first_and_its_seat_stays_in() -> None:
    sheet = Sheet(position("3 G", "2", "P M T", pile="K")).unclaimed().unclaimed()
    assert (sheet.state.seats, sheet.challenge, sheet.next) == ((0, 1, 2), (1, 2, 2, 0), 2)
    sheet.unclaimed().unclaimed()
    assert (sheet.stacks, sheet.next) == (["G", "K 3 2 P M", "T"], 1)


@pytest.mark.rule("SLM-29", "SLM-19", "SLM-20")
@pytest.mark.parametrize("shown", [0, 1])
def test_a_responder_that_pays_its_last_card_before_showing_enough_has_failed(shown: int) -> None:
    sheet = Sheet(position("3 G", "H B" if shown else "B", "P M", pile="K"))
    sheet.turn()
    if shown:
        sheet.close().turn()
    sheet.slap(1, 100).close()
    assert sheet.stacks == ["G B K 3 H" if shown else "G B K 3", "", "P M"]
    assert (sheet.state.seats, sheet.challenge, sheet.next) == ((0, 2), None, 0)
    assert sheet.events.index(PileTaken(0, 3 + shown, Taking.MUNCHER)) < sheet.events.index(SeatsOut((1,)))


@pytest.mark.rule("SLM-30")
def test_a_seat_whose_last_card_is_a_muncher_stays_in_and_may_take_the_pile() -> None:
    sheet = Sheet(position("2", "H B C", "P M", pile="K")).unclaimed()
    assert (sheet.state.seats, sheet.challenge) == ((0, 1, 2), (0, 1, 2, 0))
    sheet.unclaimed()
    assert sheet.state.seats == (0, 1, 2)
    sheet.unclaimed()
    assert (sheet.stacks, sheet.state.seats, sheet.next) == (["K 2 H B", "C", "P M"], (0, 1, 2), 0)


@pytest.mark.rule("SLM-30")
def test_without_cards_it_may_slap_and_win() -> None:
    sheet = Sheet(position("2", "K B C", "P M", pile="K")).unclaimed().turn().slap(0, 100).close()
    assert (sheet.stacks, sheet.state.seats, sheet.next) == (["K 2 K", "B C", "P M"], (0, 1, 2), 0)


@pytest.mark.rule("SLM-30", "SLM-23")
def test_without_cards_it_is_out_when_another_takes_the_pile() -> None:
    sheet = Sheet(position("2", "K B C", "P M", pile="K")).unclaimed().turn().slap(2, 100).close()
    assert (sheet.state.seats, sheet.next) == ((1, 2), 2)


@pytest.mark.rule("SLM-30", "SLM-28")
def test_without_cards_it_is_out_when_its_muncher_is_stopped() -> None:
    sheet = Sheet(position("2", "c B C", "P M", pile="K")).unclaimed().unclaimed()
    assert (sheet.state.seats, sheet.pile, sheet.next) == ((1, 2), "K 2 c", 2)


@pytest.mark.rule("SLM-30", "SLM-26")
def test_a_take_over_puts_a_muncher_seat_without_cards_out() -> None:
    sheet = Sheet(position("2", "1 B C", "P M", pile="K")).unclaimed().unclaimed()
    assert (sheet.state.seats, sheet.challenge, sheet.next) == ((1, 2), (1, 2, 1, 0), 2)


@pytest.mark.rule("SLM-30")
def test_a_responder_always_has_cards() -> None:
    """Left of seat 2 sits seat 0, without cards and out of its challenge: seat 1 responds, not seat 0."""
    sheet = Sheet(position("", "T E", "1 B C", pile="K 2", turn=2, challenge=(0, 2, 2, 0))).unclaimed()
    assert (sheet.state.seats, sheet.challenge, sheet.next) == ((1, 2), (2, 1, 1, 0), 1)


@pytest.mark.rule("SLM-30", "SLM-32")
@pytest.mark.parametrize("rest", ["", " B"])
def test_the_new_muncher_seat_has_won_when_nobody_else_with_cards_is_in(rest: str) -> None:
    sheet = Sheet(position("2", f"1{rest}", pile="K")).unclaimed().unclaimed()
    assert sheet.ending == ("last_in", (2, 1))
    assert sheet.challenge is None
    assert (sheet.stacks, sheet.pile) == (["", rest.strip()], "K 2 1")


@pytest.mark.rule("SLM-30", "SLM-27")
def test_the_old_muncher_seat_may_still_win_the_race_of_a_take_over() -> None:
    sheet = Sheet(position("2", "2 B", pile="K")).unclaimed().turn().slap(0, 100).close()
    assert (sheet.stacks, sheet.next, sheet.challenge) == (["K 2 2", "B"], 0, None)


@pytest.mark.rule("SLM-20")
def test_a_muncher_seat_that_pays_its_last_card_is_out_and_its_muncher_stopped() -> None:
    sheet = Sheet(position("2 G", "H B C", "P M", "T E", pile="K")).unclaimed().turn().slap(0, 100).close()
    assert (sheet.state.seats, sheet.pile) == ((1, 2, 3), "G K 2 H")
    assert (sheet.challenge, sheet.next) == (None, 2)
    assert MuncherStopped(0) in sheet.events


@pytest.mark.rule("SLM-20", "SLM-25")
def test_so_it_is_on_the_last_card_to_show() -> None:
    sheet = Sheet(position("1 G", "H B C", "P M", pile="K")).unclaimed().turn().slap(0, 100).close()
    assert sheet.stacks == ["", "B C", "P M"]
    assert (sheet.pile, sheet.state.seats, sheet.next) == ("G K 1 H", (1, 2), 2)


@pytest.mark.rule("SLM-20", "SLM-30")
def test_a_muncher_seat_without_a_card_to_pay_is_out_and_its_muncher_stopped() -> None:
    sheet = Sheet(position("2", "H B C", "P M", pile="K")).unclaimed().turn().slap(0, 100).close()
    assert (sheet.state.seats, sheet.pile) == ((1, 2), "K 2 H")
    assert (sheet.challenge, sheet.next) == (None, 2)


@pytest.mark.rule("SLM-20", "SLM-30", "SLM-28")
def test_so_it_is_in_the_munchers_own_race() -> None:
    sheet = Sheet(position("2", "H B C", "P M", pile="K")).turn().slap(0, 100).close()
    assert (sheet.state.seats, sheet.pile) == ((1, 2), "K 2")
    assert (sheet.challenge, sheet.next) == (None, 2)


@pytest.mark.rule("SLM-20", "SLM-26")
def test_a_slip_of_the_old_muncher_seat_doesnt_stop_the_new_muncher() -> None:
    sheet = Sheet(position("2", "1 B C", "P M", pile="K")).unclaimed().turn().slap(0, 100).close()
    assert (sheet.state.seats, sheet.challenge, sheet.next) == ((1, 2), (1, 2, 1, 0), 2)


@pytest.mark.rule("SLM-20", "SLM-26", "SLM-28")
@pytest.mark.parametrize("rest", ["", " B"])
def test_a_slip_that_puts_the_new_muncher_seat_out_stops_its_muncher(rest: str) -> None:
    """It doesn't fail as the old responder: its last card, a Muncher, worked first."""
    sheet = Sheet(position("2 G", f"1{rest}", "P M", "T E", pile="K")).unclaimed().turn().slap(1, 100).close()
    assert (sheet.state.seats, sheet.challenge) == ((0, 2, 3), None)
    assert sheet.stacks == ["G", "", "P M", "T E"]
    assert sheet.pile == f"{rest.strip()} K 2 1".strip()
    assert sheet.next == 3


@pytest.mark.rule("SLM-20", "SLM-29")
@pytest.mark.parametrize("times", [(100, 200), (200, 100)])
def test_when_penalties_put_both_sides_out_the_pile_stays(times: tuple[int, int]) -> None:
    sheet = Sheet(position("3 G", "H B", "P M", "T E", pile="K")).unclaimed()
    sheet.turn().slap(0, times[0]).slap(1, times[1]).close()
    assert sheet.stacks == ["", "", "P M", "T E"]
    assert sheet.pile == ("B G K 3 H" if times[0] < times[1] else "G B K 3 H")
    assert (sheet.state.seats, sheet.challenge, sheet.next) == ((2, 3), None, 2)


@pytest.mark.rule("SLM-20", "SLM-19")
def test_a_third_seat_that_pays_its_last_card_is_out_and_the_challenge_goes_on() -> None:
    sheet = Sheet(position("2 G", "H B", "P", pile="K")).unclaimed().turn().slap(2, 100).close()
    assert (sheet.state.seats, sheet.challenge, sheet.next) == ((0, 1), (0, 1, 2, 1), 1)


@pytest.mark.rule("SLM-27", "SLM-19", "SLM-29")
def test_a_slip_on_a_muncher_that_completes_a_combination_may_put_the_responder_out() -> None:
    sheet = Sheet(position("2 G", "H", "P M", pile="2")).turn().shout(1, 100).close()
    assert sheet.stacks == ["G H 2 2", "", "P M"]
    assert (sheet.state.seats, sheet.challenge, sheet.next) == ((0, 2), None, 0)


@pytest.mark.rule("SLM-30", "SLM-25", "RACE-2")
def test_by_reaction_a_muncher_seat_without_cards_still_looks_and_answers() -> None:
    sheet = Sheet(position("1", "K B", "P M", pile="K", **REACTION)).turn().skip(0, 1, 2)
    sheet.react(0, 350).skip(1, 2)
    assert sheet.stacks == ["1 K", "B", "P M"]  # K is turned by the table
    assert sheet.pile == "K"
