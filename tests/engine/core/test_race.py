"""Races by both clocks (RACE-1 to RACE-6): what a claim's time is, when a race closes, who was first."""

from __future__ import annotations

from enum import StrEnum

import pytest

from engine.core import race as races
from engine.core.events import private
from engine.core.game import Timer
from engine.core.race import Answer, Answered, CardSeen, Look, Race, RaceMode, RaceRules, RaceView, Verdict

OPENED = 10_000
SEATS = (0, 1, 2, 3)
ARRIVAL, REACTION = RaceMode.ARRIVAL, RaceMode.REACTION


def arrival(*answers: tuple[int, int, str | None], turner: int = 0, tie_ms: int = 40) -> Race:
    """A race of four by arrival, its window from 10,000 to 12,500; each answer is a seat, a time and a claim."""
    rules = RaceRules(mode=ARRIVAL, window_ms=2500)
    race = opened(rules, turner, tie_ms)
    for seat, at, claim in answers:
        race = races.answer(race, seat, at, claim)
    return race


def reaction(*looks: tuple[int, int], turner: int = 0, tie_ms: int = 60) -> Race:
    """A race of four by reaction, five seconds to react; each look is a seat and a time."""
    race = opened(RaceRules(mode=REACTION, react_ms=5000), turner, tie_ms)
    for seat, at in looks:
        race = races.look(race, seat, at)
    return race


def opened(rules: RaceRules, turner: int, tie_ms: int) -> Race:
    return races.open_race(
        rules, tie_ms, number=7, turner=turner, opened=OPENED, seats=SEATS, right=("snap",), idle=("bare",)
    )


def shown(mode: RaceMode, answered: tuple[int, ...], may: str, claim: str | None = None) -> RaceView:
    """The race as somebody is to see it; `may` names what that viewer may do: `look`, `answer`, both or nothing."""
    return RaceView(
        number=7,
        mode=mode,
        turner=0,
        seats=SEATS,
        answered=answered,
        may_look="look" in may,
        may_answer="answer" in may,
        claim=claim,
    )


class TestOpening:
    def test_the_game_says_what_a_tie_is(self) -> None:
        assert opened(RaceRules(), 2, 40) == Race(
            7, 2, 10_000, ARRIVAL, 2500, 5000, 40, SEATS, right=("snap",), idle=("bare",)
        )

    @pytest.mark.parametrize("tie_ms", [0, 1000])
    def test_the_match_may_say_otherwise(self, tie_ms: int) -> None:
        assert opened(RaceRules(tie_ms=tie_ms), 2, 40).tie_ms == tie_ms


@pytest.mark.rule("RACE-1")
class TestArrivalCloses:
    def test_by_the_window_when_nobody_answers(self) -> None:
        race = arrival()
        assert races.timers(race) == (Timer("race", 12_500, (0, 1, 2, 3)),)
        assert not races.is_complete(race)

    def test_when_all_have_answered(self) -> None:
        race = arrival((0, 10_010, None), (1, 10_020, "wrong"), (2, 10_030, "snap"))
        assert not races.is_complete(race)
        assert races.is_complete(races.answer(race, 3, 10_031, None))

    def test_after_the_tie_window_of_the_first_right_claim(self) -> None:
        assert races.timers(arrival((2, 10_100, "snap"))) == (Timer("race", 10_141, (0, 1, 3)),)

    def test_at_once_after_it_without_ties(self) -> None:
        assert races.closes_at(arrival((2, 10_100, "snap"), tie_ms=0)) == 10_101

    @pytest.mark.parametrize("claim", [None, "wrong", "bare"])
    def test_no_sooner_for_any_other_answer(self, claim: str | None) -> None:
        assert races.timers(arrival((2, 10_100, claim))) == (Timer("race", 12_500, (0, 1, 3)),)

    @pytest.mark.parametrize(("claimed", "closes"), [(12_458, 12_499), (12_459, 12_500), (12_460, 12_500)])
    def test_never_later_than_the_window(self, claimed: int, closes: int) -> None:
        assert races.closes_at(arrival((2, claimed, "snap"))) == closes

    def test_earlier_when_an_earlier_right_claim_comes_in_late(self) -> None:
        race = arrival((2, 10_130, "snap"))
        assert races.closes_at(race) == 10_171
        assert races.closes_at(races.answer(race, 1, 10_100, "snap")) == 10_141

    def test_no_sooner_when_a_later_right_claim_comes_in(self) -> None:
        assert races.closes_at(arrival((2, 10_100, "snap"), (1, 10_130, "snap"))) == 10_141


@pytest.mark.rule("RACE-1", "RACE-3")
class TestArrivalJudges:
    def test_a_claim_in_the_last_millisecond_of_the_tie(self) -> None:
        race = arrival((1, 10_100, "snap"), (2, 10_140, "snap"))
        assert races.judge(race).best == (Answer(1, 10_100, "snap"), Answer(2, 10_140, "snap"))

    def test_a_claim_one_millisecond_after_the_tie(self) -> None:
        race = arrival((1, 10_100, "snap"), (2, 10_141, "snap"))
        assert races.judge(race).best == (Answer(1, 10_100, "snap"),)

    def test_a_right_claim_that_was_received_first_and_came_in_last(self) -> None:
        race = arrival((2, 10_160, "snap"), (3, 10_140, "snap"), (1, 10_100, "snap"))
        assert races.judge(race).best == (Answer(1, 10_100, "snap"), Answer(3, 10_140, "snap"))

    def test_ties_are_measured_from_the_best_claim_not_from_the_one_before(self) -> None:
        race = arrival((1, 10_100, "snap"), (2, 10_130, "snap"), (3, 10_160, "snap"))
        assert [answer.seat for answer in races.judge(race).best] == [1, 2]

    @pytest.mark.rule("RACE-4", "RACE-6")
    def test_a_wrong_claim_before_the_close_even_after_a_right_one(self) -> None:
        race = arrival((1, 10_100, "snap"), (2, 10_140, "wrong"))
        assert races.judge(race).wrong == (Answer(2, 10_140, "wrong"),)

    @pytest.mark.rule("RACE-4", "RACE-6")
    def test_no_wrong_claim_at_the_close_although_it_came_in_before_the_right_one(self) -> None:
        race = arrival((2, 10_141, "wrong"), (1, 10_100, "snap"))
        assert races.judge(race) == Verdict((Answer(1, 10_100, "snap"),), ())

    def test_the_window_cuts_as_well(self) -> None:
        race = arrival((1, 12_499, "wrong"), (2, 12_500, "wrong"))
        assert races.judge(race).wrong == (Answer(1, 12_499, "wrong"),)

    def test_a_stamp_before_the_turn_counts_from_the_turn(self) -> None:
        assert races.judge(arrival((1, 9_990, "snap"))).best == (Answer(1, 10_000, "snap"),)

    def test_nothing_without_claims(self) -> None:
        assert races.judge(arrival((1, 10_100, None), (2, 10_100, "bare"))) == Verdict((), ())


@pytest.mark.rule("RACE-2")
class TestReaction:
    def test_a_seat_looks_before_it_claims(self) -> None:
        race = reaction((1, 50_000))
        assert [races.must_look(race, seat) for seat in SEATS] == [True, False, True, True]
        assert races.looking(race) == (1,)

    def test_nobody_has_to_look_by_arrival(self) -> None:
        assert not races.must_look(arrival(), 1)
        assert races.looking(arrival()) == ()

    def test_time_runs_from_the_seats_own_look(self) -> None:
        race = races.answer(reaction((1, 50_000)), 1, 50_321, "snap")
        assert race.answers == (Answer(1, 321, "snap"),)

    def test_a_claim_stamped_before_its_look_took_no_time(self) -> None:
        race = races.answer(reaction((1, 50_000)), 1, 49_995, "snap")
        assert race.answers == (Answer(1, 0, "snap"),)

    def test_only_a_look_starts_a_stopwatch(self) -> None:
        assert races.timers(reaction()) == ()
        assert races.timers(reaction((1, 50_000), (3, 50_700))) == (
            Timer("look:1", 55_000, (1,)),
            Timer("look:3", 55_700, (3,)),
        )

    def test_an_answer_stops_it(self) -> None:
        assert races.timers(races.answer(reaction((1, 50_000)), 1, 50_321, None)) == ()

    def test_leaving_stops_it(self) -> None:
        assert races.timers(races.drop_out(reaction((1, 50_000)), 1, 50_321)) == ()

    def test_a_stopwatch_that_runs_out_is_a_pass(self) -> None:
        after = races.expire(reaction((1, 50_000)), "look:1")
        assert after is not None
        assert after[0].answers == (Answer(1, 5000, None),)
        assert after[1] is False

    def test_the_last_pass_closes(self) -> None:
        race = reaction((1, 50_000))
        for seat in (0, 2, 3):
            race = races.answer(race, seat, 50_100, None)
        after = races.expire(race, "look:1")
        assert after is not None
        assert after[1] is True

    def test_the_shortest_time_wins_whoever_answered_first(self) -> None:
        race = reaction((1, 50_000), (2, 90_000))
        race = races.answer(race, 1, 50_400, "snap")
        race = races.answer(race, 2, 90_339, "snap")
        assert races.judge(race).best == (Answer(2, 339, "snap"),)

    @pytest.mark.rule("RACE-3")
    def test_times_within_the_tie_are_simultaneous_days_apart(self) -> None:
        race = reaction((1, 50_000), (2, 900_000_000))
        race = races.answer(race, 1, 50_400, "snap")
        race = races.answer(race, 2, 900_000_340, "snap")
        assert races.judge(race).best == (Answer(2, 340, "snap"), Answer(1, 400, "snap"))

    @pytest.mark.rule("RACE-6")
    def test_nothing_is_too_late_to_be_wrong(self) -> None:
        race = reaction((1, 50_000), (2, 90_000))
        race = races.answer(race, 1, 50_100, "snap")
        race = races.answer(race, 2, 94_999, "wrong")
        assert races.judge(race).wrong == (Answer(2, 4999, "wrong"),)

    def test_the_card_is_known_to_those_who_looked(self) -> None:
        race = races.answer(reaction((1, 50_000)), 2, 50_000, None)
        assert [races.has_seen(race, viewer) for viewer in (*SEATS, None)] == [False, True, False, False, False]

    def test_by_arrival_everybody_knows_it(self) -> None:
        assert all(races.has_seen(arrival(), viewer) for viewer in (*SEATS, 4, None))

    def test_looks_answers_and_leaving_seal_the_race(self) -> None:
        assert not races.is_sealed(None)
        assert not races.is_sealed(reaction())
        assert races.is_sealed(reaction((1, 50_000)))
        assert races.is_sealed(races.answer(reaction(), 1, 50_000, None))
        assert races.is_sealed(races.drop_out(reaction(), 1, 50_000))
        assert not races.is_sealed(arrival((1, 10_100, "snap")))


@pytest.mark.rule("RACE-1", "RACE-2")
class TestExpiring:
    def test_the_window_closes_the_race(self) -> None:
        race = arrival((1, 10_100, "snap"))
        assert races.expire(race, "race") == (race, True)

    @pytest.mark.parametrize(
        ("race", "key"),
        [
            (arrival(), "look:1"),
            (reaction((1, 50_000)), "race"),
            (reaction((1, 50_000)), "look:2"),
            (races.answer(reaction((1, 50_000)), 1, 50_100, None), "look:1"),
            (reaction((1, 50_000)), "time_limit"),
        ],
    )
    def test_a_wait_that_is_not_there_does_nothing(self, race: Race, key: str) -> None:
        assert races.expire(race, key) is None


class TestAnswering:
    def test_once_a_seat(self) -> None:
        race = arrival((1, 10_100, None))
        assert races.unanswered(race) == (0, 2, 3)
        assert not races.may_answer(race, 1)

    def test_only_seats_in_the_race(self) -> None:
        assert not races.may_answer(arrival(), 4)

    @pytest.mark.rule("RACE-6")
    def test_a_seat_that_left_has_passed(self) -> None:
        race = races.drop_out(arrival((0, 10_010, None), (1, 10_020, None)), 2, 10_030)
        assert races.unanswered(race) == (3,)
        assert races.is_complete(races.drop_out(race, 3, 10_040))


@pytest.mark.rule("RACE-3", "RACE-6")
class TestEqualTimes:
    def test_go_clockwise_from_the_turner_and_the_turner_last(self) -> None:
        race = arrival(*((seat, 10_100, "snap") for seat in SEATS), turner=2)
        assert [answer.seat for answer in races.judge(race).best] == [3, 0, 1, 2]

    def test_of_wrong_claims_as_well(self) -> None:
        race = arrival((1, 10_100, "wrong"), (0, 10_100, "wrong"), (3, 10_050, "wrong"), (2, 10_100, "wrong"), turner=1)
        assert [answer.seat for answer in races.judge(race).wrong] == [3, 2, 0, 1]

    def test_are_not_simultaneous_with_one_a_millisecond_later_without_ties(self) -> None:
        race = arrival((1, 10_101, "snap"), (3, 10_100, "snap"), (2, 10_100, "snap"), tie_ms=0)
        assert [answer.seat for answer in races.judge(race).best] == [2, 3]


@pytest.mark.rule("RACE-6")
class TestLeavers:
    def test_their_right_claim_is_a_pass_and_closes_nothing(self) -> None:
        race = races.drop_out(arrival((1, 10_100, "snap")), 1, 10_120)
        assert races.closes_at(race) == 12_500
        assert races.judge(race) == Verdict((), ())

    def test_the_next_right_claim_takes_its_place(self) -> None:
        race = races.drop_out(arrival((1, 10_100, "snap"), (2, 10_135, "snap")), 1, 10_136)
        assert races.closes_at(race) == 10_176
        assert races.judge(race).best == (Answer(2, 10_135, "snap"),)

    def test_their_wrong_claim_stands(self) -> None:
        race = races.drop_out(arrival((1, 10_100, "wrong")), 1, 10_120)
        assert races.judge(race) == Verdict((), (Answer(1, 10_100, "wrong"),))

    def test_the_last_millisecond_before_the_close_is_before_it(self) -> None:
        race = races.drop_out(arrival((1, 10_100, "snap")), 1, 10_140)
        assert races.judge(race).best == ()

    def test_leaving_at_the_close_is_after_it(self) -> None:
        race = races.drop_out(arrival((1, 10_100, "snap")), 1, 10_141)
        assert races.closes_at(race) == 10_141
        assert races.judge(race).best == (Answer(1, 10_100, "snap"),)

    def test_leaving_after_anothers_claim_closed_the_race_keeps_a_simultaneous_claim(self) -> None:
        race = races.drop_out(arrival((1, 10_100, "snap"), (2, 10_130, "snap")), 2, 10_150)
        assert [answer.seat for answer in races.judge(race).best] == [1, 2]

    def test_leaving_after_the_window_keeps_the_claim_that_it_cut_short(self) -> None:
        race = races.drop_out(arrival((1, 12_490, "snap")), 1, 12_505)
        assert races.judge(race).best == (Answer(1, 12_490, "snap"),)

    def test_by_reaction_a_leaver_has_passed_whenever_it_left(self) -> None:
        race = races.answer(reaction((1, 50_000)), 1, 50_100, "snap")
        race = races.drop_out(race, 1, 900_000_000)
        assert races.judge(race) == Verdict((), ())
        assert race.leaving == (Look(1, 900_000_000),)


@pytest.mark.rule("RACE-6", "ALL-4")
class TestLeaving:
    def test_the_race_goes_on_while_two_are_left_and_somebody_owes_an_answer(self) -> None:
        race, closes = races.leave(arrival(), (1, 3), 10_030)
        assert race.leaving == (Look(1, 10_030), Look(3, 10_030))
        assert not closes

    def test_it_closes_when_all_others_have_answered(self) -> None:
        race = arrival((0, 10_010, None), (1, 10_020, None), (2, 10_020, None))
        assert races.leave(race, (3,), 10_030)[1]

    def test_it_closes_when_one_seat_is_left_though_that_owes_its_answer(self) -> None:
        assert races.leave(races.leave(arrival(), (3,), 10_030)[0], (1, 0), 10_040)[1]

    def test_nobody_leaves_twice(self) -> None:
        race, _ = races.leave(arrival(), (1,), 10_030)
        assert races.leave(race, (1,), 10_040) == (race, False)

    def test_moments_are_the_earliest_first_and_the_seats_of_one_together(self) -> None:
        race, _ = races.leave(arrival(), (2,), 10_040)
        race, _ = races.leave(race, (3, 0), 10_050)
        assert races.moments(race) == [[2], [0, 3]]


class Said(StrEnum):
    SNAP = "snap"


class TestTheClose:
    @pytest.mark.rule("RACE-4")
    def test_by_arrival_times_count_from_the_turned_card(self) -> None:
        race = arrival((2, 10_300, "snap"), (1, 10_200, None))
        assert races.answered(race, Said) == (Answered(1, None, 200), Answered(2, Said.SNAP, 300))

    @pytest.mark.rule("RACE-2")
    def test_by_reaction_they_count_from_the_look_and_without_one_there_is_none(self) -> None:
        race = races.answer(reaction((1, 50_000)), 0, 20_000, None)
        race = races.answer(race, 1, 50_321, "snap")
        assert races.answered(race, Said) == (Answered(1, Said.SNAP, 321), Answered(0, None, None))

    @pytest.mark.rule("RACE-2")
    def test_by_reaction_it_shows_the_card_to_those_in_it_who_have_not_looked(self) -> None:
        assert races.shown(reaction(), "QS") == ()
        assert races.revealed(reaction((1, 50_000), (3, 50_000)), "QS") == (private(CardSeen(7, "QS"), 0, 2),)
        assert races.revealed(reaction(*((seat, 50_000) for seat in SEATS)), "QS") == ()

    @pytest.mark.rule("RACE-1")
    def test_by_arrival_the_turning_shows_it_to_all_in_it(self) -> None:
        assert races.shown(arrival(), "QS") == (private(CardSeen(7, "QS"), 0, 1, 2, 3),)
        assert races.revealed(arrival(), "QS") == ()


@pytest.mark.rule("RACE-5")
class TestNothingIsTold:
    @pytest.mark.parametrize("claim", [None, "snap", "wrong", "bare"])
    def test_by_arrival_others_know_that_a_seat_has_answered_and_not_what(self, claim: str | None) -> None:
        race = arrival((1, 10_100, claim))
        assert races.view(race, 2) == shown(ARRIVAL, (1,), "answer")
        assert races.view(race, 1) == shown(ARRIVAL, (1,), "", claim)
        assert races.view(race, None) == shown(ARRIVAL, (1,), "")

    @pytest.mark.parametrize("viewer", [0, 1, 2, None])
    def test_by_arrival_all_know_the_window_only(self, viewer: int | None) -> None:
        race = arrival((1, 10_100, "snap"))
        assert races.known_timers(race, viewer) == (Timer("race", 12_500, SEATS),)

    def test_by_reaction_others_know_nothing(self) -> None:
        race = races.answer(reaction((1, 50_000), (3, 50_000)), 1, 50_100, "snap")
        for viewer in (0, 2):
            assert races.view(race, viewer) == shown(REACTION, (), "look, answer")
            assert races.known_timers(race, viewer) == ()
        assert races.view(race, None) == shown(REACTION, (), "")
        assert races.known_timers(race, None) == ()

    def test_by_reaction_a_seat_knows_its_own_look_and_answer(self) -> None:
        race = races.answer(reaction((1, 50_000), (3, 50_000)), 1, 50_100, "snap")
        assert races.view(race, 1) == shown(REACTION, (1,), "", "snap")
        assert races.view(race, 3) == shown(REACTION, (), "answer")
        assert races.known_timers(race, 3) == (Timer("look:3", 55_000, (3,)),)
        assert races.known_timers(race, 1) == ()

    @pytest.mark.rule("RACE-4")
    def test_what_is_right_was_fixed_by_the_turn(self) -> None:
        race = arrival((1, 10_100, "snap"), (2, 10_120, "wrong"))
        race = races.drop_out(race, 3, 10_130)
        assert (race.right, race.idle) == (("snap",), ("bare",))
