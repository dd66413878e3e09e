"""Seats that leave (SLM-35, ALL-4)."""

from __future__ import annotations

import pytest

from engine.games.slamwich.moves import GameEnded, MuncherStopped, PileTaken, SeatLeft, SeatsOut, Taking, TurnPassed
from tests.engine.games.slamwich.sheet import REACTION, Sheet, position


@pytest.mark.rule("SLM-35")
def test_between_races_the_stack_goes_to_the_bottom_of_the_pile_as_neighbours_only() -> None:
    sheet = Sheet(position("F G", "H B", "P F", pile="", turn=1)).leave(2)
    assert sheet.stacks == ["F G", "H B", ""]
    assert (sheet.pile, sheet.next, sheet.state.race) == ("P F", 1, None)
    assert sheet.events == [SeatLeft(2, 2), TurnPassed(1)]
    sheet.turn().skip(0, 1)
    sheet.turn().slap(1, 100).close()
    assert sheet.stacks == ["G", "B P F H F", ""]


@pytest.mark.rule("SLM-35")
def test_the_stacks_first_card_lies_lowest_and_the_old_pile_on_top() -> None:
    assert Sheet(position("F G E", "H B", "P M", pile="K T")).leave(0).pile == "F G E K T"


@pytest.mark.rule("SLM-35", "SLM-6")
def test_the_turn_of_a_leaver_passes_to_the_next_seat_still_in() -> None:
    assert Sheet(position("F G", "H B", "P M", turn=2)).leave(2).next == 0
    assert Sheet(position("F G", "H B", "P M", turn=1)).leave(2).next == 1


@pytest.mark.rule("SLM-35", "RACE-6")
def test_in_a_race_it_leaves_at_the_close_and_its_right_slap_is_a_pass() -> None:
    sheet = Sheet(position("F G", "H B", "P M", "T E", pile="F", **REACTION)).turn()
    sheet.react(1, 100).react(2, 200).leave(1, at=5)
    assert 1 in sheet.state.seats
    sheet.skip(0, 3)
    assert sheet.stacks == ["G", "", "M F F", "T E"]
    assert (sheet.pile, sheet.state.seats, sheet.state.turn) == ("H B P", (0, 2, 3), 2)


@pytest.mark.rule("SLM-35", "RACE-6")
def test_a_penalty_already_due_stands_and_says_who_turns() -> None:
    sheet = Sheet(position("F G", "H B", "P M", "T E", pile="K")).turn().slap(1, 100).leave(1, at=200).close()
    assert (sheet.pile, sheet.next, sheet.state.seats) == ("B H K F", 2, (0, 2, 3))


@pytest.mark.rule("SLM-35", "RACE-6", "ALL-4")
def test_who_goes_out_at_the_close_is_placed_above_who_left_before_it() -> None:
    sheet = Sheet(position("F", "H B", "P M", "T E", pile="K")).turn().leave(1, at=200).close()
    assert sheet.events.index(SeatsOut((0,))) < sheet.events.index(SeatLeft(1, 2))
    assert (sheet.state.exits, sheet.state.places) == ((2, 1, 0, 0), (3, 4, 1, 1))


@pytest.mark.rule("SLM-20", "RACE-6", "ALL-4")
def test_so_is_who_pays_its_last_card() -> None:
    sheet = Sheet(position("F G", "H B", "P", "T E", pile="K")).turn().slap(2, 100).leave(1, at=200).close()
    assert (sheet.state.exits, sheet.state.places) == ((0, 1, 2, 0), (2, 4, 3, 1))


@pytest.mark.rule("SLM-31", "ALL-4")
def test_a_leaver_without_cards_has_left_all_the_same() -> None:
    """Both have no card at the close: seat 2, whose Muncher is stopped, stayed and is above seat 0, which left."""
    start = position("c", "H B", "", "P M", pile="K 2", turn=0, challenge=(2, 0, 2, 0))
    sheet = Sheet(start).turn().leave(0, at=200).close()
    assert (sheet.state.exits, sheet.state.places) == ((1, 0, 2, 0), (4, 1, 3, 1))
    assert (sheet.events[-3:], sheet.next) == ([SeatsOut((2,)), SeatLeft(0, 0), TurnPassed(1)], 1)


@pytest.mark.rule("SLM-20", "ALL-4")
def test_a_leaver_that_pays_its_last_card_is_placed_by_its_leaving() -> None:
    """Seat 2 pays its last card before seat 1 does, but stayed."""
    sheet = Sheet(position("F G", "H", "P", "T E", pile="K")).turn().slap(2, 100).slap(1, 200).leave(1, at=300).close()
    assert (sheet.state.exits, sheet.state.places) == ((0, 1, 2, 0), (2, 4, 3, 1))


@pytest.mark.rule("ALL-4")
def test_those_who_leave_together_share_the_win_with_or_without_cards() -> None:
    """Seat 2 leaves first; of the last two, which leave together, seat 0 has turned its last card."""
    sheet = Sheet(position("F", "H B", "P M", pile="K")).turn().leave(2, at=100).leave(0, 1, at=200)
    assert sheet.ending == ("all_left", (1, 1, 3))


@pytest.mark.rule("SLM-35", "RACE-6")
def test_leaving_after_the_own_slap_has_closed_the_race_keeps_the_slap() -> None:
    sheet = Sheet(position("F G", "H B", "P M", pile="F")).turn(0).slap(1, 100).leave(1, at=150).close()
    assert sheet.state.last is not None
    assert sheet.state.last.taker == 1
    assert (sheet.pile, sheet.next) == ("H B F F", 2)


@pytest.mark.rule("SLM-35")
def test_a_responder_that_leaves_has_failed() -> None:
    sheet = Sheet(position("2 G", "H B", "P M", pile="K")).unclaimed().leave(1)
    assert sheet.stacks == ["G K 2", "", "P M"]
    assert (sheet.pile, sheet.challenge, sheet.next) == ("H B", None, 0)
    assert sheet.events == [PileTaken(0, 2, Taking.MUNCHER), SeatLeft(1, 2), TurnPassed(0)]


@pytest.mark.rule("SLM-35")
def test_a_muncher_seat_that_leaves_stops_the_muncher_and_the_responder_turns_an_ordinary_turn() -> None:
    sheet = Sheet(position("2 G", "H B", "P M", pile="K")).unclaimed().leave(0)
    assert (sheet.pile, sheet.challenge, sheet.next) == ("G K 2", None, 1)
    assert sheet.events == [MuncherStopped(0), SeatLeft(0, 1), TurnPassed(1)]
    assert sheet.unclaimed().next == 2


@pytest.mark.rule("SLM-35", "SLM-30")
def test_so_it_is_when_it_has_no_cards() -> None:
    sheet = Sheet(position("2", "H B", "P M", pile="K")).unclaimed().leave(0)
    assert (sheet.pile, sheet.challenge, sheet.next, sheet.state.seats) == ("K 2", None, 1, (1, 2))


@pytest.mark.rule("SLM-35")
def test_a_third_seat_that_leaves_changes_nothing_in_the_challenge() -> None:
    sheet = Sheet(position("2 G", "H B", "P M", pile="K")).unclaimed().leave(2)
    assert (sheet.pile, sheet.challenge, sheet.next) == ("P M K 2", (0, 1, 2, 0), 1)


@pytest.mark.rule("SLM-35")
def test_when_both_sides_leave_at_the_same_moment_neither_gets_the_pile() -> None:
    sheet = Sheet(position("2 G", "H B", "P M", "T E", pile="K")).unclaimed().leave(1, 0)
    assert sheet.stacks == ["", "", "P M", "T E"]
    assert (sheet.pile, sheet.challenge, sheet.next) == ("H B G K 2", None, 2)
    assert sheet.state.places == (3, 3, 1, 1)


@pytest.mark.rule("SLM-35", "RACE-6")
def test_in_the_race_of_the_muncher_itself_its_challenge_is_settled_at_the_close() -> None:
    start = position("2 G", "H B", "P M", pile="K")
    responder = Sheet(start).turn(0).leave(1, at=100).close()
    assert (responder.stacks, responder.pile, responder.next) == (["G K 2", "", "P M"], "H B", 0)
    muncher = Sheet(start).turn(0).leave(0, at=100).close()
    assert (muncher.stacks, muncher.pile, muncher.next) == (["", "H B", "P M"], "G K 2", 1)


@pytest.mark.rule("SLM-35", "RACE-6")
def test_a_muncher_seat_that_leaves_in_the_race_in_which_it_wins_takes_the_pile_first() -> None:
    sheet = Sheet(position("1 G", "H B", "P M", "T E", pile="K")).unclaimed().turn(0).leave(0, at=100).close()
    assert (sheet.pile, sheet.challenge, sheet.next) == ("G K 1 H", None, 1)
    assert PileTaken(0, 3, Taking.MUNCHER) in sheet.events


@pytest.mark.rule("SLM-35", "SLM-26")
def test_a_responder_that_leaves_in_the_race_of_its_take_over_stops_its_own_muncher() -> None:
    sheet = Sheet(position("2 G", "1 B", "P M", "T E", pile="K")).unclaimed().turn(0).leave(1, at=100).close()
    assert (sheet.pile, sheet.challenge, sheet.next) == ("B K 2 1", None, 2)


@pytest.mark.rule("SLM-35", "RACE-6")
@pytest.mark.parametrize(
    ("first", "second", "pile", "next_seat"),
    [(0, 1, "H B G K 2 T", 2), (1, 0, "G K 2 T H B", 2)],
)
def test_both_sides_leave_one_after_the_other_in_one_race(first: int, second: int, pile: str, next_seat: int) -> None:
    """Muncher seat first: its Muncher is stopped. Responder first: it has failed, and what was won leaves too."""
    sheet = Sheet(position("2 G", "T H B", "P M", "C E", pile="K")).unclaimed().turn(0)
    sheet.leave(first, at=100).leave(second, at=200).close()
    assert (sheet.pile, sheet.challenge, sheet.next) == (pile, None, next_seat)


@pytest.mark.rule("ALL-4", "SLM-35")
def test_the_earlier_leaver_is_placed_lower_and_who_was_out_keeps_its_place() -> None:
    sheet = Sheet(position("F G", "", "P M", "T E", exits=(0, 1, 0, 0))).leave(3).leave(1).leave(0)
    assert sheet.ending == ("others_left", (2, 4, 1, 3))
    assert sheet.events == [SeatLeft(0, 2), GameEnded("others_left", (2, 4, 1, 3))]


@pytest.mark.rule("ALL-4")
def test_a_seat_that_is_out_or_a_match_that_is_over_has_nothing_to_leave() -> None:
    start = position("F G", "", "P M", exits=(0, 1, 0))
    assert (Sheet(start).leave(1).state, Sheet(start).leave(1).told) == (start, ())
    over = Sheet(start).leave(0).state
    assert (Sheet(over).leave(2).state, Sheet(over).leave(2).told) == (over, ())


@pytest.mark.rule("ALL-4")
@pytest.mark.parametrize("in_race", [False, True])
def test_if_all_leave_at_once_they_share_the_win(*, in_race: bool) -> None:
    sheet = Sheet(position("F G", "H B", "", "P M", exits=(0, 0, 1, 0)))
    if in_race:
        sheet.turn()
    sheet.leave(0, 1, 3, at=50)
    assert sheet.ending == ("all_left", (1, 1, 4, 1))
    assert len(sheet.state.pile) == 6


@pytest.mark.rule("ALL-4", "SLM-35")
def test_if_all_leave_in_the_middle_of_a_challenge_they_share_the_win() -> None:
    sheet = Sheet(position("2 G", "H B", "P M", pile="K")).unclaimed().leave(0, 1, 2)
    assert sheet.ending == ("all_left", (1, 1, 1))
    assert sheet.pile == "P M H B G K 2"


@pytest.mark.rule("ALL-4", "SLM-30", "RACE-6")
def test_so_do_seats_that_all_left_and_are_out_of_cards_at_the_close() -> None:
    start = position("", "c", pile="K 2", turn=1, challenge=(0, 1, 2, 0))
    sheet = Sheet(start).turn(0).leave(0, 1, at=100)
    assert sheet.ending == ("all_left", (1, 1))


@pytest.mark.rule("ALL-4", "RACE-6")
def test_with_one_seat_left_in_a_race_it_closes_at_once() -> None:
    sheet = Sheet(position("F G", "H B", "P M", pile="K", **REACTION)).turn().leave(0, at=5)
    assert sheet.state.race is not None
    sheet.leave(2, at=6)
    assert sheet.ending == ("others_left", (3, 1, 2))


@pytest.mark.rule("ALL-4", "SLM-32")
def test_who_turned_its_last_card_wins_against_leavers() -> None:
    """At the close seat 0 is out before seat 1 leaves: nobody would be in."""
    sheet = Sheet(position("F", "H B", pile="K")).turn(0).leave(1, at=100)
    assert sheet.ending == ("others_left", (1, 2))


@pytest.mark.rule("ALL-4", "SLM-32")
def test_a_last_penalty_of_a_leaver_doesnt_win() -> None:
    sheet = Sheet(position("F", "H", "P", pile="K")).turn(0).slap(2, 100).slap(1, 200).leave(1, at=300).close()
    assert sheet.ending == ("last_in", (2, 3, 1))
    assert sheet.stacks == ["", "", "P"]


@pytest.mark.rule("ALL-4", "SLM-32", "SLM-35")
def test_who_stayed_wins_though_the_pile_was_the_leavers() -> None:
    """Seat 1 pays its last card and has failed; seat 0 takes the pile with it, and leaves."""
    start = position("G T", "H B", pile="K 2", turn=1, challenge=(0, 1, 2, 0))
    sheet = Sheet(start).turn(0).slap(1, 100).leave(0, at=200)
    assert sheet.ending == ("others_left", (2, 1))
    assert sheet.stacks == ["", "B"]
    assert sheet.pile == "G T K 2 H"


@pytest.mark.rule("ALL-4", "SLM-32", "SLM-30")
def test_a_muncher_seat_without_cards_wins_when_the_responder_stops_it_and_leaves() -> None:
    start = position("", "c B", pile="K 2", turn=1, challenge=(0, 1, 2, 0))
    sheet = Sheet(start).turn(0).leave(1, at=100)
    assert sheet.ending == ("others_left", (1, 2))


@pytest.mark.rule("ALL-4", "SLM-30")
def test_a_new_muncher_seat_without_opponents_that_leaves_loses() -> None:
    start = position("", "1 B", pile="K 2", turn=1, challenge=(0, 1, 2, 0))
    sheet = Sheet(start).turn(0).leave(1, at=100)
    assert sheet.ending == ("others_left", (1, 2))
