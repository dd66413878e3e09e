"""Slapping when nothing can be slapped (SLM-18 to SLM-21)."""

from __future__ import annotations

import pytest

from engine.core.events import public
from engine.core.race import Answered
from engine.games.slamwich.moves import Claim, RaceClosed, SeatsOut, SlipSlap, TurnPassed
from engine.games.slamwich.state import Penalty
from tests.engine.games.slamwich.sheet import REACTION, Sheet, position


@pytest.mark.rule("SLM-18")
def test_the_top_card_goes_to_the_bottom_of_the_pile_and_the_seat_left_of_the_slapper_turns() -> None:
    sheet = Sheet(position("F G", "H B", "C E", pile="K T")).turn().slap(1, 100).close()
    assert sheet.stacks == ["G", "B", "C E"]
    assert (sheet.pile, sheet.next) == ("H K T F", 2)
    assert sheet.told == (
        public(RaceClosed(1, (Answered(1, Claim.SLAP, 100),))),
        public(SlipSlap(1, paid=True)),
        public(TurnPassed(2)),
    )


@pytest.mark.rule("SLM-18")
@pytest.mark.parametrize(("slapper", "next_seat"), [(0, 1), (1, 3), (3, 0)])
def test_left_of_the_slapper_is_the_next_seat_still_in(slapper: int, next_seat: int) -> None:
    start = position("F G", "H B", "", "C E", pile="K", exits=(0, 0, 1, 0))
    assert Sheet(start).turn().slap(slapper, 100).close().next == next_seat


@pytest.mark.rule("SLM-20")
def test_the_penalty_opens_no_race_and_is_a_neighbour_afterwards() -> None:
    sheet = Sheet(position("F", "c B", "T E", exits=(0, 0, 0), pile="")).turn()
    sheet.slap(1, 100).close()  # the Thief is paid, not turned; seat 0 turned its last card and is out
    assert (sheet.pile, sheet.state.race, sheet.next) == ("c F", None, 2)
    sheet.turn().skip(1, 2)
    assert (sheet.pile, sheet.next) == ("c F T", 1)


@pytest.mark.rule("SLM-20")
def test_a_paid_card_under_a_single_card_completes_a_slamwich_of_the_next_one() -> None:
    sheet = Sheet(position("F G", "T B", "T E", pile="")).turn().slap(1, 100).close()
    assert sheet.pile == "T F"
    sheet.turn().slap(0, 100).close()
    assert sheet.stacks == ["G T F T", "B", "E"]


@pytest.mark.rule("SLM-20", "RACE-4")
def test_the_penalty_doesnt_count_in_the_race_it_was_paid_in() -> None:
    """Seat 1 pays an F under the F on top; seat 2's slap after it is wrong all the same."""
    sheet = Sheet(position("F G", "F B", "C E", pile="")).turn().slap(1, 100).slap(2, 200).close()
    assert sheet.stacks == ["G", "B", "E"]
    assert (sheet.pile, sheet.next) == ("C F F", 0)


@pytest.mark.rule("SLM-21", "RACE-6")
def test_each_pays_once_in_order_of_time_and_the_seat_left_of_the_last_turns() -> None:
    sheet = Sheet(position("F G", "H B", "C E", "M P", pile="K")).turn()
    sheet.slap(3, 300).slap(1, 100).shout(2, 200).close()
    assert sheet.stacks == ["G", "B", "E", "P"]
    assert (sheet.pile, sheet.next) == ("M C H K F", 0)
    assert sheet.state.last is not None
    paid = sheet.state.last.penalties
    assert [penalty.seat for penalty in paid] == [1, 2, 3]


@pytest.mark.rule("SLM-21", "RACE-6")
def test_equal_times_pay_clockwise_from_the_turner_the_turner_last() -> None:
    sheet = Sheet(position("H B", "F G", "C E", pile="K", turn=1)).turn()
    sheet.slap(0, 100).slap(1, 100).slap(2, 100)
    assert (sheet.pile, sheet.next) == ("G H C K F", 2)


@pytest.mark.rule("SLM-18", "SLM-20")
def test_the_turner_may_slip_too() -> None:
    sheet = Sheet(position("F G B", "H B", "C E", pile="K")).turn().slap(0, 100).close()
    assert (sheet.stacks[0], sheet.pile, sheet.next) == ("B", "G K F", 1)


@pytest.mark.rule("SLM-20")
def test_who_pays_its_last_card_is_out() -> None:
    sheet = Sheet(position("F G", "H", "C E", pile="K")).turn().slap(1, 100).close()
    assert sheet.state.seats == (0, 2)
    assert (sheet.pile, sheet.next) == ("H K F", 2)
    assert SeatsOut((1,)) in sheet.events


@pytest.mark.rule("SLM-20", "SLM-32")
def test_who_slips_on_its_own_last_card_has_none_to_pay_and_is_out_at_that_moment() -> None:
    sheet = Sheet(position("F", "H", "C E", "M P", pile="K")).turn().slap(0, 100).slap(1, 200).close()
    assert sheet.pile == "H K F"
    assert sheet.state.exits == (1, 2, 0, 0)
    assert sheet.state.last is not None
    assert sheet.state.last.penalties == (Penalty(0, None), Penalty(1, 6))  # ham
    assert sheet.next == 2


@pytest.mark.rule("SLM-15", "SLM-18", "RACE-6")
def test_beside_a_right_slap_the_penalty_starts_the_new_pile_and_the_taker_turns() -> None:
    sheet = Sheet(position("F G", "H B", "C E", "M P", pile="K F")).turn()
    sheet.shout(1, 100).shout(3, 150).slap(2, 200).close()
    assert sheet.stacks == ["G", "B", "C E K F F", "P"]
    assert (sheet.pile, sheet.next) == ("M H", 2)


@pytest.mark.rule("SLM-18", "RACE-2")
def test_by_reaction_the_last_slip_by_own_time_says_who_turns() -> None:
    sheet = Sheet(position("F G", "H B", "C E", pile="K", **REACTION)).turn()
    sheet.react(2, 900, at=1_000).react(1, 400, at=9_000).skip(0)
    assert sheet.state.turn == 0
    assert sheet.stacks == ["", "B", "E"]
    assert sheet.pile == "C H K F G"
