"""Going out, the last seat in, and places (SLM-31, SLM-32)."""

from __future__ import annotations

import pytest

from engine.games.slamwich import GAME
from engine.games.slamwich.moves import CardKept, GameEnded, SeatsOut, Slap
from tests.engine.games.slamwich.sheet import Sheet, position


@pytest.mark.rule("SLM-31")
def test_a_seat_goes_out_when_the_race_on_its_last_card_closes() -> None:
    sheet = Sheet(position("F", "H B", "P M", pile="K")).turn()
    assert 0 in sheet.state.seats
    sheet.close()
    assert sheet.state.seats == (1, 2)
    assert SeatsOut((0,)) in sheet.events
    assert sheet.refusal(0, Slap()) is not None


@pytest.mark.rule("SLM-31")
def test_it_may_still_win_that_race() -> None:
    sheet = Sheet(position("K", "H B", "P M", pile="K")).turn().slap(0, 100).close()
    assert (sheet.stacks, sheet.state.seats, sheet.next) == (["K K", "H B", "P M"], (0, 1, 2), 0)


@pytest.mark.rule("SLM-31")
def test_a_seat_that_is_out_is_skipped_and_in_no_race() -> None:
    sheet = Sheet(position("F G", "", "P M", pile="K", exits=(0, 1, 0))).turn()
    assert sheet.state.race is not None
    assert sheet.state.race.seats == (0, 2)
    assert sheet.refusal(1, Slap()) is not None
    assert GAME.legal_moves(sheet.state, 1) == ()


@pytest.mark.rule("SLM-32")
def test_the_last_seat_in_wins_whatever_lies_in_the_pile() -> None:
    sheet = Sheet(position("F", "H", "", pile="K T", exits=(0, 0, 1))).unclaimed()
    assert sheet.ending == ("last_in", (2, 1, 3))
    assert (sheet.stacks, sheet.pile) == (["", "H", ""], "K T F")
    assert sheet.events[-1] == GameEnded("last_in", (2, 1, 3))
    assert GAME.awaited(sheet.state) == {}


@pytest.mark.rule("SLM-32")
def test_it_isnt_over_while_a_challenge_runs() -> None:
    """Seat 0 is without cards, yet its Muncher may still take the pile."""
    sheet = Sheet(position("3", "H B E", pile="K")).unclaimed().unclaimed().unclaimed()
    assert (sheet.state.reason, sheet.challenge) == (None, (0, 1, 3, 2))
    sheet.unclaimed()
    assert sheet.ending == ("last_in", (1, 2))
    assert sheet.stacks == ["K 3 H B E", ""]


@pytest.mark.rule("SLM-32", "SLM-20")
def test_penalties_are_steps_of_their_own_in_order_of_time() -> None:
    sheet = Sheet(position("F", "H", "P", "M T", pile="K")).turn().slap(2, 100).slap(1, 200).close()
    assert sheet.ending == ("last_in", (2, 3, 4, 1))
    assert SeatsOut((2, 1, 0)) in sheet.events


@pytest.mark.rule("SLM-32")
def test_seats_that_go_out_in_the_same_step_share_a_place() -> None:
    """The stopper is seat 1's last card, and seat 0's was the Muncher: both go out."""
    sheet = Sheet(position("2", "c", "P M", "T E", pile="K")).unclaimed().unclaimed()
    assert sheet.state.places == (3, 3, 1, 1)
    assert SeatsOut((0, 1)) in sheet.events


@pytest.mark.rule("SLM-32")
def test_if_nobody_would_be_left_the_last_penalty_is_kept_and_wins() -> None:
    sheet = Sheet(position("F", "H", "P", pile="K")).turn().slap(1, 100).slap(2, 200).close()
    assert sheet.ending == ("last_in", (2, 3, 1))
    assert (sheet.stacks, sheet.pile) == (["", "", "P"], "H K F")
    assert CardKept(2) in sheet.events
    assert SeatsOut((1, 0)) in sheet.events


@pytest.mark.rule("SLM-32")
def test_the_order_of_penalties_is_that_of_their_times() -> None:
    sheet = Sheet(position("F", "H", "P", pile="K")).turn().slap(2, 100).slap(1, 200).close()
    assert sheet.ending == ("last_in", (2, 1, 3))


@pytest.mark.rule("SLM-32", "RACE-6")
def test_a_later_slip_of_the_turner_without_a_card_is_no_penalty_to_keep() -> None:
    sheet = Sheet(position("F", "H", pile="K")).turn().slap(1, 100).slap(0, 200)
    assert sheet.ending == ("last_in", (2, 1))
    assert sheet.stacks == ["", "H"]


@pytest.mark.rule("SLM-32")
@pytest.mark.parametrize("slips", [(), (0,), (1,), (0, 1)])
def test_without_a_penalty_the_seat_that_turned_the_last_card_wins(slips: tuple[int, ...]) -> None:
    """An unclaimed Thief as seat 1's last card stops the Muncher of seat 0, which has no card either."""
    sheet = Sheet(position("", "c", pile="K 2", turn=1, challenge=(0, 1, 2, 0))).turn().close()
    assert sheet.ending == ("last_in", (2, 1))
    plain = Sheet(position("", "F", pile="K", turn=1, exits=(0, 0), challenge=(0, 1, 2, 0))).turn()
    for time, seat in enumerate(slips, start=100):
        plain.slap(seat, time)
    if plain.state.race is not None:
        plain.close()
    # Unless it slips itself, seat 0's Muncher takes the pile when seat 1 runs out.
    assert plain.ending == ("last_in", (2, 1) if 0 in slips else (1, 2))


@pytest.mark.rule("SLM-32", "SLM-30")
def test_a_new_muncher_seat_that_pays_its_last_card_against_nobody_keeps_it() -> None:
    sheet = Sheet(position("2", "1 B", pile="K")).unclaimed().turn().slap(1, 100).close()
    assert sheet.ending == ("last_in", (2, 1))
    assert (sheet.stacks, sheet.pile) == (["", "B"], "K 2 1")


@pytest.mark.rule("SLM-32", "SLM-30")
def test_a_new_muncher_seat_that_slips_without_a_card_against_nobody_wins() -> None:
    sheet = Sheet(position("2", "1", pile="K")).unclaimed().turn().slap(1, 100).close()
    assert sheet.ending == ("last_in", (2, 1))


@pytest.mark.rule("SLM-32", "SLM-20")
def test_when_both_sides_of_the_last_challenge_pay_their_last_cards_the_later_keeps_its_own() -> None:
    start = position("G", "H B", pile="K 2", turn=1, challenge=(0, 1, 2, 0))
    later_muncher = Sheet(start).turn().slap(1, 100).slap(0, 200)
    assert later_muncher.ending == ("last_in", (1, 2))
    assert (later_muncher.stacks, later_muncher.pile) == (["G", ""], "B K 2 H")
    later_responder = Sheet(start).turn().slap(0, 100).slap(1, 200)
    assert later_responder.ending == ("last_in", (2, 1))
    assert (later_responder.stacks, later_responder.pile) == (["", "B"], "G K 2 H")


@pytest.mark.rule("SLM-32")
def test_standing_counts_cards_and_ranks_who_is_out_below() -> None:
    standing = GAME.standing(position("F G", "", "P M", "", pile="K", exits=(0, 2, 0, 1)))
    assert (standing.places, standing.scores) == ((1, 3, 1, 4), (2, 0, 2, 0))
