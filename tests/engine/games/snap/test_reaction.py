"""A race by reaction: look, answer, see the next card (RACE-2)."""

from __future__ import annotations

import pytest

from engine.core.events import private, public
from engine.core.game import Occasion, Timer
from engine.core.race import Answered, AnswerTaken, CardSeen
from engine.games.snap import GAME
from engine.games.snap.moves import Call, CardTurned, Claim, Look, Pass, PilesWon, RaceClosed, Turn
from tests.engine.games.snap.sheet import REACTION, Sheet, position

MATCH = ("QS 2C | 7D", "3H 6S | QH", "8C 9S | 9C")
ANSWERS = (Call(Claim.SNAP), Call(Claim.SNAP_POT), Pass())


def race() -> Sheet:
    return Sheet(position(*MATCH, **REACTION)).turn(1000)


@pytest.mark.rule("RACE-2")
def test_everybody_is_awaited_and_may_look_or_pass_the_turner_like_the_others() -> None:
    sheet = race()
    assert GAME.awaited(sheet.state) == dict.fromkeys(range(3), Occasion("race", 1))
    assert GAME.reacting(sheet.state) == {}
    assert [GAME.legal_moves(sheet.state, seat) for seat in range(3)] == [(Look(), Pass())] * 3
    assert GAME.default_move(sheet.state, 2) == Pass()
    assert GAME.timers(sheet.state) == ()


@pytest.mark.rule("RACE-2")
def test_a_look_shows_the_card_to_that_seat_and_starts_its_stopwatch() -> None:
    sheet = race().look(2, 86_400_000)
    assert sheet.told == (private(CardSeen(1, "QS"), 2),)
    assert GAME.awaited(sheet.state) == dict.fromkeys((0, 1), Occasion("race", 1))
    assert GAME.reacting(sheet.state) == {2: Occasion("look", 1)}
    assert GAME.legal_moves(sheet.state, 2) == ANSWERS
    assert GAME.timers(sheet.state) == (Timer("look:2", 86_405_000, (2,)),)
    assert GAME.known_timers(sheet.state, 2) == (Timer("look:2", 86_405_000, (2,)),)
    assert GAME.known_timers(sheet.state, 1) == ()


@pytest.mark.rule("RACE-2")
def test_only_a_look_is_stamped_when_it_is_answered() -> None:
    assert [GAME.stamped_at_commit(move) for move in (Look(), Turn(), Pass(), Call(Claim.SNAP))] == [
        True,
        False,
        False,
        False,
    ]


@pytest.mark.rule("RACE-2", "RACE-4")
def test_an_answer_is_known_to_its_seat_only() -> None:
    sheet = race().react(2, 300)
    assert sheet.told == (private(AnswerTaken(1, 2), 2),)
    assert GAME.is_sealed(sheet.state)


@pytest.mark.rule("RACE-2")
def test_a_stopwatch_that_runs_out_is_a_pass_that_its_seat_alone_knows_of() -> None:
    sheet = race().look(2, 5000).expire("look:2", 10_000)
    assert sheet.told == (private(AnswerTaken(1, 2), 2),)
    assert GAME.legal_moves(sheet.state, 2) == ()
    sheet.skip(0, 1)
    assert RaceClosed(1, (Answered(2, None, 5000), Answered(0, None, None), Answered(1, None, None))) in sheet.events


@pytest.mark.rule("RACE-2")
def test_the_last_stopwatch_that_runs_out_closes_the_race() -> None:
    sheet = race().skip(0, 1).look(2, 5000).expire("look:2", 10_000)
    assert sheet.state.turned == 2
    assert sheet.piles == ["2C | 7D QS", "6S | QH 3H", "8C 9S | 9C"]


@pytest.mark.rule("RACE-2", "SNP-7")
def test_the_last_answer_reveals_everything_awards_and_turns_the_next_card() -> None:
    sheet = race().react(2, 400).skip(0).react(1, 300, at=9_000_000)
    assert sheet.told == (
        private(AnswerTaken(1, 1), 1),
        private(CardSeen(1, "QS"), 0),
        public(RaceClosed(1, (Answered(1, Claim.SNAP, 300), Answered(2, Claim.SNAP, 400), Answered(0, None, None)))),
        public(PilesWon(1, (1, 0), with_pot=False, cards=3)),
        public(CardTurned(2, 1, pile_turned_over=False)),
    )
    assert sheet.piles == ["2C |", "6S QH 7D QS | 3H", "8C 9S | 9C"]
    assert GAME.awaited(sheet.state) == dict.fromkeys(range(3), Occasion("race", 2))
    assert not GAME.is_sealed(sheet.state)


@pytest.mark.rule("RACE-2")
def test_what_the_next_race_is_about_is_not_told() -> None:
    sheet = race().skip(0, 1, 2)
    assert CardSeen(2, "3H") not in sheet.events


@pytest.mark.rule("RACE-1", "RACE-4")
def test_by_arrival_that_a_seat_has_answered_is_public_and_what_it_said_is_not() -> None:
    for move in ANSWERS:
        sheet = Sheet(position(*MATCH)).turn(1000).move(2, move, 1100)
        assert sheet.told == (public(AnswerTaken(1, 2)),)
        assert GAME.reacting(sheet.state) == dict.fromkeys((0, 1), Occasion("race", 1))
        assert GAME.awaited(sheet.state) == {}
        assert not GAME.is_sealed(sheet.state)


@pytest.mark.rule("RACE-1")
def test_by_arrival_the_close_tells_all_answers_with_their_times() -> None:
    sheet = Sheet(position(*MATCH)).turn(1000).skip(0, at=1200).call(2, 1300).call(1, 1340, "snap_pot")
    assert sheet.heard(None)[1] == RaceClosed(
        1, (Answered(0, None, 200), Answered(2, Claim.SNAP, 300), Answered(1, Claim.SNAP_POT, 340))
    )
