"""Who may do what when, and why not (SLM-6, SLM-7, RACE-1, RACE-2, ALL-6)."""

from __future__ import annotations

import pytest

from engine.core.errors import RefusalCode
from engine.core.events import private, public
from engine.core.game import Occasion, Timer
from engine.core.race import AnswerTaken, CardSeen
from engine.games.slamwich import GAME
from engine.games.slamwich.moves import Look, Pass, SlamwichMove, Slap, Turn
from engine.games.slamwich.state import State
from tests.engine.games.slamwich.sheet import REACTION, Sheet, position

STACKS = ("F G", "H B", "P M")
EVERY_MOVE: tuple[SlamwichMove, ...] = (Turn(), Look(), Slap(), Slap(shout=True), Pass())
IN_RACE = (Slap(), Slap(shout=True), Pass())


def over() -> State:
    return Sheet(position("F", "H")).unclaimed().state


def refused(sheet: Sheet, seat: int, move: SlamwichMove) -> tuple[str, str | None]:
    refusal = sheet.refusal(seat, move)
    assert refusal is not None
    return refusal.code, refusal.rule


@pytest.mark.rule("SLM-6", "SLM-7", "RACE-1")
def test_between_races_only_the_seat_in_turn_turns() -> None:
    sheet = Sheet(position(*STACKS, turn=1))
    assert [list(GAME.legal_moves(sheet.state, seat)) for seat in range(3)] == [[], [Turn()], []]
    assert GAME.awaited(sheet.state) == {1: Occasion("turn", 1)}
    assert GAME.reacting(sheet.state) == {}
    for move in EVERY_MOVE:
        assert refused(sheet, 0, move) == (RefusalCode.NOT_YOUR_TURN, None)
    for move in (Look(), *IN_RACE):
        assert refused(sheet, 1, move) == (RefusalCode.ILLEGAL_MOVE, "RACE-1")


@pytest.mark.rule("RACE-1", "SLM-7")
def test_by_arrival_every_seat_still_in_answers_once_and_nobody_is_awaited() -> None:
    sheet = Sheet(position(*STACKS, "", exits=(0, 0, 0, 1))).turn(1000).skip(1, at=1200)
    assert GAME.awaited(sheet.state) == {}
    assert GAME.reacting(sheet.state) == {0: Occasion("race", 1), 2: Occasion("race", 1)}
    assert GAME.timers(sheet.state) == (Timer("race", 3500, (0, 2)),)
    assert tuple(GAME.legal_moves(sheet.state, 0)) == IN_RACE
    assert tuple(GAME.legal_moves(sheet.state, 1)) == ()
    assert refused(sheet, 0, Turn()) == (RefusalCode.ILLEGAL_MOVE, "RACE-1")
    assert refused(sheet, 0, Look()) == (RefusalCode.ILLEGAL_MOVE, "RACE-2")
    for move in EVERY_MOVE:
        assert refused(sheet, 1, move) == (RefusalCode.NOT_YOUR_TURN, None)
        assert refused(sheet, 3, move) == (RefusalCode.NOT_YOUR_TURN, None)


@pytest.mark.rule("RACE-1", "SLM-16")
def test_by_arrival_the_window_closes_the_race() -> None:
    sheet = Sheet(position(*STACKS)).turn(1000).expire("race", 3500)
    assert (sheet.state.race, sheet.next) == (None, 1)
    assert GAME.awaited(sheet.state) == {1: Occasion("turn", 2)}


@pytest.mark.rule("RACE-1")
def test_by_arrival_the_last_answer_closes_the_race() -> None:
    assert Sheet(position(*STACKS)).turn().skip(0, 1).skip(2, at=11).next == 1


@pytest.mark.rule("RACE-2")
def test_by_reaction_a_seat_looks_or_passes_unseen_and_answers_after_its_look() -> None:
    sheet = Sheet(position(*STACKS, **REACTION)).turn()
    assert [tuple(GAME.legal_moves(sheet.state, seat)) for seat in range(3)] == [(Look(), Pass())] * 3
    assert GAME.awaited(sheet.state) == dict.fromkeys(range(3), Occasion("race", 1))
    for early in (Turn(), Slap(), Slap(shout=True)):
        assert refused(sheet, 0, early) == (RefusalCode.ILLEGAL_MOVE, "RACE-2")
    sheet.look(0, at=5_000_000)
    assert sheet.told == (private(CardSeen(1, "fish"), 0),)
    assert tuple(GAME.legal_moves(sheet.state, 0)) == IN_RACE
    assert GAME.awaited(sheet.state) == dict.fromkeys((1, 2), Occasion("race", 1))
    assert GAME.reacting(sheet.state) == {0: Occasion("look", 1)}
    assert GAME.timers(sheet.state) == (Timer("look:0", 5_005_000, (0,)),)
    for move in (Turn(), Look()):
        assert refused(sheet, 0, move) == (RefusalCode.ILLEGAL_MOVE, "RACE-2")


@pytest.mark.rule("RACE-2", "SLM-16")
def test_by_reaction_who_has_looked_and_doesnt_answer_in_time_has_passed() -> None:
    sheet = Sheet(position("F G", "H B", pile="F", **REACTION)).turn().skip(1).look(0, at=1000)
    sheet.expire("look:0", 6000)
    assert sheet.told[0] == private(AnswerTaken(1, 0), 0)
    assert sheet.pile == "F F H"
    assert sheet.state.turn == 1


@pytest.mark.rule("RACE-2")
def test_by_reaction_a_look_that_runs_out_before_the_others_answer_closes_nothing() -> None:
    sheet = Sheet(position("F G", "H B", pile="F", **REACTION)).turn().look(0, at=1000).expire("look:0", 6000)
    assert sheet.told == (private(AnswerTaken(1, 0), 0),)
    assert GAME.awaited(sheet.state) == {1: Occasion("race", 1)}
    assert GAME.timers(sheet.state) == ()


@pytest.mark.rule("RACE-2", "SLM-6")
def test_by_reaction_nobody_ever_turns_a_card() -> None:
    sheet = Sheet(position(*STACKS, **REACTION)).turn().skip(0, 1, 2)
    assert sheet.state.race is not None
    assert (sheet.state.race.number, sheet.state.race.turner) == (2, 1)
    assert GAME.awaited(sheet.state) == dict.fromkeys(range(3), Occasion("race", 2))


@pytest.mark.parametrize("key", ["race", "look:0", "look:9", "time_limit", "nothing"])
def test_a_timer_that_isnt_there_changes_nothing(key: str) -> None:
    for state in (position(*STACKS), Sheet(position(*STACKS, **REACTION)).turn().state, over()):
        sheet = Sheet(state).expire(key, 99)
        assert (sheet.state, sheet.told) == (state, ())


@pytest.mark.rule("ALL-6")
def test_the_default_is_to_turn_and_to_pass_in_a_race() -> None:
    sheet = Sheet(position(*STACKS, **REACTION))
    assert GAME.default_move(sheet.state, 0) == Turn()
    assert GAME.default_move(sheet.turn().state, 0) == Pass()


def test_a_match_that_is_over_offers_nothing_and_refuses_everything() -> None:
    sheet = Sheet(over())
    assert (GAME.awaited(sheet.state), GAME.reacting(sheet.state), GAME.timers(sheet.state)) == ({}, {}, ())
    for seat in range(2):
        assert tuple(GAME.legal_moves(sheet.state, seat)) == ()
        for move in EVERY_MOVE:
            assert refused(sheet, seat, move) == (RefusalCode.NOT_YOUR_TURN, None)


@pytest.mark.parametrize("seat", [-1, 3, 10**9])
def test_a_seat_that_isnt_there_is_refused(seat: int) -> None:
    for sheet in (
        Sheet(position(*STACKS)),
        Sheet(position(*STACKS)).turn(),
        Sheet(position(*STACKS, **REACTION)).turn(),
    ):
        for move in EVERY_MOVE:
            assert refused(sheet, seat, move) == (RefusalCode.NOT_YOUR_TURN, None)
        assert tuple(GAME.legal_moves(sheet.state, seat)) == ()


@pytest.mark.rule("RACE-4")
def test_by_arrival_that_a_seat_has_answered_is_public() -> None:
    sheet = Sheet(position(*STACKS)).turn()
    told = [public(AnswerTaken(1, 0))]
    assert list(Sheet(sheet.state).slap(0, 100).told) == told
    assert list(Sheet(sheet.state).shout(0, 100).told) == told
    assert list(Sheet(sheet.state).skip(0).told) == told
