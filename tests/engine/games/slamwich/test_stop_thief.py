"""Slap and "Stop Thief!" (SLM-12, SLM-14)."""

from __future__ import annotations

import pytest

from tests.engine.games.slamwich.sheet import REACTION, Sheet, position


@pytest.mark.rule("SLM-12")
def test_the_first_to_do_both_wins_though_another_slapped_before() -> None:
    sheet = Sheet(position("c G", "H B", "C E", pile="K")).turn(1000).slap(1, 1100).shout(2, 1200).close()
    assert sheet.stacks == ["G", "H B", "C E K c"]


@pytest.mark.rule("SLM-12")
def test_a_bare_slap_on_a_thief_claims_nothing_costs_nothing_and_is_the_answer() -> None:
    sheet = Sheet(position("c G", "H B", "C E", pile="K")).turn(1000).slap(1, 1100)
    assert sheet.state.race is not None
    assert [answer.seat for answer in sheet.state.race.answers] == [1]
    sheet.close()
    assert sheet.stacks == ["G", "H B", "C E"]
    assert (sheet.pile, sheet.next) == ("K c", 1)


@pytest.mark.rule("SLM-12", "SLM-18")
def test_a_shout_without_a_thief_is_a_slip_slap_on_a_plain_card() -> None:
    sheet = Sheet(position("F G", "H B", "C E", pile="K")).turn().shout(1, 100).close()
    assert sheet.stacks == ["G", "B", "C E"]
    assert (sheet.pile, sheet.next) == ("H K F", 2)


@pytest.mark.rule("SLM-12", "SLM-15")
def test_a_shout_on_a_double_decker_is_a_slip_slap_and_a_bare_slap_takes_the_pile() -> None:
    sheet = Sheet(position("F G", "H B", "C E", pile="F")).turn().shout(1, 100).slap(2, 200).close()
    assert sheet.stacks == ["G", "B", "C E F F"]
    assert (sheet.pile, sheet.next) == ("H", 2)


@pytest.mark.rule("SLM-12", "SLM-21")
def test_a_shout_on_a_double_decker_that_nobody_takes_passes_the_turn_on() -> None:
    sheet = Sheet(position("F G", "H B", "C E", pile="F")).turn().shout(2, 100).close()
    assert sheet.stacks == ["G", "H B", "E"]
    assert (sheet.pile, sheet.next) == ("C F F", 0)


@pytest.mark.rule("SLM-12")
def test_with_free_shout_a_shout_on_a_double_decker_is_just_a_slap() -> None:
    sheet = Sheet(position("F G", "H B", "C E", pile="F", free_shout=True)).turn().shout(1, 100).close()
    assert sheet.stacks == ["G", "H B F F", "C E"]


@pytest.mark.rule("SLM-12")
def test_with_free_shout_a_shout_on_a_plain_card_is_still_a_slip_slap() -> None:
    sheet = Sheet(position("F G", "H B", "C E", pile="K", free_shout=True)).turn().shout(1, 100).close()
    assert sheet.stacks == ["G", "B", "C E"]


@pytest.mark.rule("SLM-12")
def test_with_free_shout_a_thief_still_needs_the_shout() -> None:
    sheet = Sheet(position("a G", "H B", "C E", free_shout=True)).turn().slap(1, 100).shout(2, 200).close()
    assert sheet.stacks == ["G", "H B", "C E a"]


@pytest.mark.rule("SLM-14")
@pytest.mark.parametrize("pile", ["K a", "a K"])
def test_two_thieves_still_need_the_shout(pile: str) -> None:
    sheet = Sheet(position("c G", "H B", "C E", pile=pile)).turn().slap(1, 100).shout(2, 200).close()
    assert sheet.stacks == ["G", "H B", f"C E {pile} c"]


@pytest.mark.rule("SLM-12", "RACE-2")
def test_by_reaction_a_bare_slap_loses_against_a_slower_shout() -> None:
    sheet = Sheet(position("c G", "H B", pile="K", **REACTION)).turn()
    sheet.react(1, 200).react(0, 900, shout=True, at=2_000_000)
    assert sheet.stacks == ["K c", "H B"]
    assert sheet.pile == "G"
