"""Munchers and how they are stopped (SLM-19, SLM-22 to SLM-28)."""

from __future__ import annotations

import pytest

from engine.games.slamwich.moves import ChallengeBegun, MuncherStopped, PileTaken, Taking
from tests.engine.games.slamwich.sheet import REACTION, Sheet, position


@pytest.mark.rule("SLM-22")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_muncher_challenges_the_next_seat_still_in_to_as_many_cards(number: int) -> None:
    start = position(f"{number} G", "", "H B C E", "P M", pile="K", exits=(0, 1, 0, 0))
    sheet = Sheet(start).unclaimed()
    assert (sheet.challenge, sheet.next) == ((0, 2, number, 0), 2)
    assert ChallengeBegun(muncher=0, responder=2, number=number) in sheet.events


@pytest.mark.rule("SLM-22", "SLM-25", "SLM-15")
def test_the_responder_turns_one_card_after_another_until_the_muncher_seat_takes_the_pile() -> None:
    sheet = Sheet(position("3 G", "H B C E", "P M", pile="K")).unclaimed()
    sheet.unclaimed()
    assert (sheet.challenge, sheet.next) == ((0, 1, 3, 1), 1)
    sheet.unclaimed()
    assert (sheet.challenge, sheet.next) == ((0, 1, 3, 2), 1)
    sheet.unclaimed()
    assert sheet.challenge is None
    assert sheet.stacks == ["G K 3 H B C", "E", "P M"]
    assert (sheet.pile, sheet.next) == ("", 0)
    assert PileTaken(0, 5, Taking.MUNCHER) in sheet.events


@pytest.mark.rule("SLM-23")
@pytest.mark.parametrize(
    ("taker", "stacks"),
    [
        (0, ["G K 2 H H", "B", "P M"]),
        (1, ["G", "B K 2 H H", "P M"]),
        (2, ["G", "B", "P M K 2 H H"]),
    ],
)
def test_everybody_races_for_a_double_decker_in_a_challenge(taker: int, stacks: list[str]) -> None:
    sheet = Sheet(position("2 G", "H H B", "P M", pile="K")).unclaimed().unclaimed()
    sheet.turn().slap(taker, 100).close()
    assert sheet.stacks == stacks
    assert (sheet.challenge, sheet.next) == (None, taker)


@pytest.mark.rule("SLM-23")
def test_a_thief_in_a_challenge_wins_the_pile_for_the_first_to_shout() -> None:
    sheet = Sheet(position("1 G", "c B", "P M", pile="K")).unclaimed().turn().shout(2, 100).close()
    assert sheet.stacks == ["G", "B", "P M K 1 c"]
    assert (sheet.challenge, sheet.next) == (None, 2)


@pytest.mark.rule("SLM-23", "SLM-24")
def test_cards_under_the_muncher_and_the_muncher_itself_count() -> None:
    over = Sheet(position("2 G", "K B H", "P M", pile="T K")).unclaimed()
    over.turn().slap(1, 100).close()
    assert over.stacks == ["G", "B H T K 2 K", "P M"]
    itself = Sheet(position("2 G", "H 2 B", "P M", pile="T K")).unclaimed().unclaimed()
    itself.turn().slap(2, 100).close()
    assert itself.stacks == ["G", "B", "P M T K 2 H 2"]


@pytest.mark.rule("SLM-24")
def test_munchers_of_different_numbers_are_different_kinds() -> None:
    sheet = Sheet(position("2 G", "H B", "P M", pile="3")).turn().slap(1, 100).close()
    assert sheet.stacks == ["G", "B", "P M"]
    assert sheet.challenge == (0, 1, 2, 0)


@pytest.mark.rule("SLM-26")
@pytest.mark.parametrize("turns_before", [0, 1])
def test_a_different_muncher_takes_over_at_once(turns_before: int) -> None:
    stack = "1 B E" if turns_before == 0 else "H 1 B E"
    sheet = Sheet(position("2 G", stack, "P M", pile="K")).unclaimed()
    for _ in range(turns_before):
        sheet.unclaimed()
    sheet.unclaimed()
    assert (sheet.challenge, sheet.next) == ((1, 2, 1, 0), 2)
    sheet.unclaimed()
    shown = " H" * turns_before
    assert sheet.stacks == ["G", f"B E K 2{shown} 1 P", "M"]
    assert sheet.next == 1


@pytest.mark.rule("SLM-26")
def test_the_last_card_to_show_may_be_the_muncher_that_takes_over() -> None:
    sheet = Sheet(position("1 G", "3 B E", "P M", pile="K")).unclaimed().unclaimed()
    assert (sheet.challenge, sheet.stacks[0]) == ((1, 2, 3, 0), "G")


@pytest.mark.rule("SLM-26")
def test_a_muncher_of_the_same_number_without_a_combination_takes_over_too() -> None:
    sheet = Sheet(position("3 G", "H B 3 E", "P M", pile="K")).unclaimed().unclaimed().unclaimed()
    assert sheet.challenge == (0, 1, 3, 2)
    sheet.unclaimed()
    assert (sheet.challenge, sheet.next) == ((1, 2, 3, 0), 2)


@pytest.mark.rule("SLM-26")
def test_with_two_seats_the_muncher_seat_becomes_the_responder() -> None:
    sheet = Sheet(position("2 G T", "3 B E", pile="K")).unclaimed().unclaimed()
    assert (sheet.challenge, sheet.next) == ((1, 0, 3, 0), 0)


@pytest.mark.rule("SLM-27")
def test_a_muncher_that_completes_a_combination_is_raced_for_first() -> None:
    sheet = Sheet(position("3 G", "H B", "P M", pile="3 K")).turn().slap(2, 100).close()
    assert sheet.stacks == ["G", "H B", "P M 3 K 3"]
    assert (sheet.challenge, sheet.next) == (None, 2)


@pytest.mark.rule("SLM-27")
def test_a_muncher_whose_combination_nobody_takes_begins_its_challenge() -> None:
    sheet = Sheet(position("3 G", "H B", "P M", pile="3 K")).unclaimed()
    assert (sheet.pile, sheet.challenge, sheet.next) == ("3 K 3", (0, 1, 3, 0), 1)


@pytest.mark.rule("SLM-28")
@pytest.mark.parametrize("card", ["2", "c", "K"])
def test_an_unclaimed_stopper_stops_the_muncher_and_the_seat_left_of_the_responder_turns(card: str) -> None:
    """The 2 makes a Double Decker with the Muncher, the K a Slamwich around it; the 2 is a Muncher itself."""
    sheet = Sheet(position("2 G", f"{card} B", "P M", "T E", pile="K")).unclaimed().unclaimed()
    if card == "2":
        assert (sheet.challenge, sheet.next) == ((1, 2, 2, 0), 2)
    else:
        assert (sheet.challenge, sheet.next) == (None, 2)
        assert MuncherStopped(0) in sheet.events
    assert sheet.pile == f"K 2 {card}"


@pytest.mark.rule("SLM-28")
def test_a_bare_slap_on_a_thief_leaves_it_unclaimed_and_the_muncher_stopped() -> None:
    sheet = Sheet(position("2 G", "c B", "P M", pile="K")).unclaimed().turn().slap(0, 100).close()
    assert (sheet.challenge, sheet.next, sheet.pile) == (None, 2, "K 2 c")


@pytest.mark.rule("SLM-28", "SLM-19")
def test_a_slip_slap_on_an_unclaimed_stopper_doesnt_change_who_turns() -> None:
    sheet = Sheet(position("2 G", "K B", "P M", "T E", pile="K")).unclaimed()
    sheet.turn().shout(2, 100).close()
    assert (sheet.challenge, sheet.next) == (None, 2)
    assert sheet.pile == "P K 2 K"


@pytest.mark.rule("SLM-19")
@pytest.mark.parametrize("slapper", [0, 1, 2])
def test_a_slip_slap_in_a_challenge_costs_the_card_and_changes_nothing_else(slapper: int) -> None:
    sheet = Sheet(position("3 G T", "H B C E", "P M", pile="K")).unclaimed()
    top = sheet.stacks[slapper].split()[1 if slapper == 1 else 0]
    sheet.turn().slap(slapper, 100).close()
    assert (sheet.challenge, sheet.next) == ((0, 1, 3, 1), 1)
    assert sheet.pile == f"{top} K 3 H"


@pytest.mark.rule("SLM-19")
@pytest.mark.parametrize("slapper", [0, 1, 2])
def test_the_munchers_own_race_belongs_to_its_challenge(slapper: int) -> None:
    sheet = Sheet(position("3 G T", "H B C E", "P M", pile="K")).turn().slap(slapper, 100).close()
    assert (sheet.challenge, sheet.next) == ((0, 1, 3, 0), 1)
    assert sheet.pile == ["G K 3", "H K 3", "P K 3"][slapper]


@pytest.mark.rule("SLM-19", "SLM-25")
def test_a_penalty_paid_on_the_last_card_goes_to_the_muncher_seat_with_the_pile() -> None:
    sheet = Sheet(position("1 G", "H B", "P M", pile="K")).unclaimed().turn().slap(2, 100).close()
    assert sheet.stacks == ["G P K 1 H", "B", "M"]
    assert (sheet.pile, sheet.next) == ("", 0)


@pytest.mark.rule("SLM-19", "SLM-23")
def test_beside_a_right_slap_in_a_challenge_the_taker_turns() -> None:
    sheet = Sheet(position("2 G", "K B", "P M", "T E", pile="K")).unclaimed()
    sheet.turn().shout(3, 100).slap(0, 200).close()
    assert sheet.stacks == ["G K 2 K", "B", "P M", "E"]
    assert (sheet.pile, sheet.challenge, sheet.next) == ("T", None, 0)


@pytest.mark.rule("SLM-22", "SLM-26", "RACE-2")
def test_by_reaction_the_table_turns_the_responders_cards_too() -> None:
    sheet = Sheet(position("2 G", "H 1 B", "P M", pile="K", **REACTION)).turn().skip(0, 1, 2)
    assert (sheet.challenge, sheet.state.turn, sheet.pile) == ((0, 1, 2, 0), 1, "K 2 H")
    sheet.skip(0, 1, 2)
    assert (sheet.challenge, sheet.state.turn, sheet.pile) == ((0, 1, 2, 1), 1, "K 2 H 1")
    sheet.skip(0, 1, 2)
    assert (sheet.challenge, sheet.state.turn, sheet.pile) == ((1, 2, 1, 0), 2, "K 2 H 1 P")
    sheet.skip(0, 1, 2)
    assert (sheet.challenge, sheet.state.turn) == (None, 1)
    assert sheet.stacks == ["G", "K 2 H 1 P", "M"]
    assert sheet.pile == "B"
