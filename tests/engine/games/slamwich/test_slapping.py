"""Turning, and what can be slapped (SLM-7 to SLM-11, SLM-13, SLM-15 to SLM-17)."""

from __future__ import annotations

import pytest

from engine.core.events import private, public
from engine.core.race import Answered, CardSeen
from engine.games.slamwich.moves import CardTurned, Claim, PileTaken, RaceClosed, Taking, TurnPassed
from tests.engine.games.slamwich.sheet import REACTION, Sheet, position


@pytest.mark.rule("SLM-7")
def test_the_top_card_is_turned_face_up_onto_the_pile_for_all_at_once() -> None:
    sheet = Sheet(position("F G", "H B", pile="K T")).turn(at=500)
    assert sheet.stacks == ["G", "H B"]
    assert sheet.pile == "K T F"
    assert sheet.told == (public(CardTurned(1, 0)), private(CardSeen(1, "fish"), 0, 1))


@pytest.mark.rule("SLM-8", "SLM-11", "SLM-15")
def test_a_double_decker_wins_the_pile_as_a_block_under_the_stack() -> None:
    sheet = Sheet(position("F G", "H B", "C E", pile="K T F")).turn(1000).slap(2, 1300).close()
    assert sheet.stacks == ["G", "H B", "C E K T F F"]
    assert (sheet.pile, sheet.next) == ("", 2)
    assert sheet.told == (
        public(RaceClosed(1, (Answered(2, Claim.SLAP, 300),))),
        public(PileTaken(2, 4, Taking.SLAP)),
        public(TurnPassed(2)),
    )


@pytest.mark.rule("SLM-11")
def test_the_piles_bottom_card_is_reached_first() -> None:
    sheet = Sheet(position("F G H", "", "C", pile="K F", exits=(0, 1, 0))).turn().slap(2, 100).close()
    assert sheet.stacks[2] == "C K F F"
    sheet.unclaimed().unclaimed().turn()
    assert sheet.pile == "C G K"


@pytest.mark.rule("SLM-9")
@pytest.mark.parametrize("filling", ["G", "c", "3"])
def test_a_slamwich_has_one_different_card_of_any_type_between(filling: str) -> None:
    sheet = Sheet(position("F G", "H B", pile=f"K F {filling}")).turn().slap(0, 100).close()
    assert sheet.stacks == [f"G K F {filling} F", "H B"]


@pytest.mark.rule("SLM-9", "SLM-13")
@pytest.mark.parametrize("pile", ["F G H", "F F G H", "F", "", "G"])
def test_cards_further_down_make_nothing(pile: str) -> None:
    turned = "B" if pile == "F" else "F"
    sheet = Sheet(position(f"{turned} G", "H B", pile=pile)).turn().slap(1, 100).close()
    assert sheet.stacks == ["G", "B"]
    assert sheet.pile == f"H {pile} {turned}".replace("  ", " ")


@pytest.mark.rule("SLM-8", "SLM-9")
def test_three_of_a_kind_in_a_row_are_a_double_decker() -> None:
    assert Sheet(position("F G", "H B", pile="F F")).turn().slap(1, 100).close().stacks == ["G", "H B F F F"]


@pytest.mark.rule("SLM-3", "SLM-10", "SLM-12")
@pytest.mark.parametrize("thief", "acd")
def test_any_thief_on_top_wins_the_pile(thief: str) -> None:
    sheet = Sheet(position(f"{thief} G", "H B", pile="K")).turn().shout(1, 100).close()
    assert sheet.stacks == ["G", f"H B K {thief}"]


@pytest.mark.rule("SLM-10", "SLM-13")
def test_a_thief_under_the_newest_card_is_worth_nothing() -> None:
    sheet = Sheet(position("F G", "H B", pile="c")).turn().shout(1, 100).close()
    assert sheet.stacks == ["G", "B"]


@pytest.mark.rule("SLM-13", "SLM-16")
def test_a_missed_chance_is_gone_with_the_next_card() -> None:
    sheet = Sheet(position("F G", "H B", pile="F")).unclaimed()
    assert (sheet.pile, sheet.next) == ("F F", 1)
    sheet.turn().slap(0, 100).close()
    assert sheet.stacks == ["", "B"]


@pytest.mark.rule("SLM-16", "SLM-6")
def test_unclaimed_the_pile_stays_and_the_next_seat_still_in_turns() -> None:
    sheet = Sheet(position("F G", "", "C E", pile="K T", exits=(0, 1, 0))).turn().skip(0, 2)
    assert (sheet.pile, sheet.next) == ("K T F", 2)
    assert sheet.events[-1] == TurnPassed(2)


@pytest.mark.rule("SLM-15")
def test_the_taker_turns_the_next_card_also_after_its_own() -> None:
    assert Sheet(position("F G", "H B", "C E", pile="F")).turn().slap(0, 100).close().next == 0


@pytest.mark.rule("SLM-11", "SLM-17")
def test_the_first_right_slap_wins_and_a_later_one_costs_nothing() -> None:
    sheet = Sheet(position("F G", "H B", "C E", pile="F")).turn(1000).slap(2, 1100)
    sheet.slap(1, 1101)  # one millisecond too late: the race closed at 1101
    sheet.close()
    assert sheet.stacks == ["G", "H B", "C E F F"]


@pytest.mark.rule("SLM-17", "RACE-3")
@pytest.mark.parametrize(
    ("slappers", "taker"),
    [((0, 1, 2), 2), ((2, 1, 0), 2), ((0, 1), 0), ((1, 0), 0)],
)
def test_equal_times_go_clockwise_from_the_turner_the_turner_last(slappers: tuple[int, ...], taker: int) -> None:
    sheet = Sheet(position("H B", "F G", "C E", pile="F", turn=1)).turn()
    for seat in slappers:
        sheet.slap(seat, 100)
    if sheet.state.race is not None:
        sheet.close()
    assert sheet.state.last is not None
    assert sheet.state.last.taker == taker


@pytest.mark.rule("SLM-17", "RACE-2")
def test_by_reaction_the_shortest_time_wins_whenever_it_was() -> None:
    sheet = Sheet(position("F G", "H B", "C E", pile="F", **REACTION)).turn()
    sheet.react(0, 300).react(1, 299, at=5_000_000).skip(2, at=6_000_000)
    assert sheet.stacks == ["G", "B F F", "C E"]
    assert sheet.pile == "H"
    assert sheet.state.turn == 1


@pytest.mark.rule("RACE-2", "SLM-15")
def test_by_reaction_the_table_turns_the_takers_card_at_once() -> None:
    sheet = Sheet(position("F G", "H B", "C E", pile="F", **REACTION)).turn()
    sheet.react(2, 300).skip(0, 1, at=77)
    assert sheet.stacks == ["G", "H B", "E F F"]
    assert sheet.told[-3:] == (
        public(RaceClosed(1, (Answered(2, Claim.SLAP, 300), Answered(0, None, None), Answered(1, None, None)))),
        public(PileTaken(2, 2, Taking.SLAP)),
        public(CardTurned(2, 2)),
    )
    assert sheet.state.race is not None
    assert sheet.state.race.opened == 77
