"""What isn't allowed, and what would be (SNP-4, SNP-16, RACE-1, RACE-2)."""

from __future__ import annotations

import pytest

from engine.core.errors import RefusalCode, illegal, not_your_turn
from engine.games.snap import GAME
from engine.games.snap.moves import Call, Claim, Look, Pass, SnapMove, Turn
from engine.games.snap.state import State
from tests.engine.games.snap.sheet import REACTION, Sheet, position

PILES = ("QS 2C | 7D", "3H 6S | QH", "8C 9S | 9C")
CALL = Call(Claim.SNAP)
EVERY_MOVE: tuple[SnapMove, ...] = (Turn(), Look(), *(Call(claim) for claim in Claim), Pass())


@pytest.mark.rule("SNP-4")
def test_another_seat_can_not_turn() -> None:
    assert Sheet(position(*PILES, turn=1)).refusal(0, Turn()) == not_your_turn("SNP-4: seat 1 turns the next card")


@pytest.mark.rule("RACE-1")
@pytest.mark.parametrize("move", [Look(), CALL, Pass()])
def test_there_is_nothing_to_answer_before_a_card_is_turned(move: SnapMove) -> None:
    sheet = Sheet(position(*PILES))
    assert sheet.refusal(0, move) == illegal("RACE-1", "no race is open; turn the next card first")
    assert sheet.refusal(1, move) == not_your_turn("SNP-4: seat 0 turns the next card")


@pytest.mark.rule("RACE-1")
@pytest.mark.parametrize("seat", [0, 1])
def test_the_next_card_waits_for_the_close(seat: int) -> None:
    refusal = Sheet(position(*PILES)).turn().refusal(seat, Turn())
    assert refusal == illegal("RACE-1", "the next card may not be turned before the race is closed; call or pass")


@pytest.mark.rule("RACE-1", "RACE-2")
@pytest.mark.parametrize("move", EVERY_MOVE)
def test_a_seat_answers_once(move: SnapMove) -> None:
    for sheet in (Sheet(position(*PILES)).turn().skip(1), Sheet(position(*PILES, **REACTION)).turn().react(1, 90)):
        assert sheet.refusal(1, move) == not_your_turn("each seat answers race 1 once, and you have answered or left")


@pytest.mark.rule("SNP-16")
@pytest.mark.parametrize("move", EVERY_MOVE)
def test_a_seat_that_is_out_does_nothing(move: SnapMove) -> None:
    sheet = Sheet(position(*PILES[:2], "|", exits=(0, 0, 1))).turn()
    assert sheet.refusal(2, move) == not_your_turn("SNP-16: a seat that is out has no turn and no call")


@pytest.mark.rule("RACE-2")
def test_by_arrival_there_is_nothing_to_look_at() -> None:
    refusal = Sheet(position(*PILES)).turn().refusal(1, Look())
    assert refusal == illegal("RACE-2", "everybody sees the card in races by arrival; call or pass")


@pytest.mark.rule("RACE-2")
def test_by_reaction_a_seat_looks_before_it_calls() -> None:
    refusal = Sheet(position(*PILES, **REACTION)).turn().refusal(1, CALL)
    assert refusal == illegal("RACE-2", "look at the card before you call, or pass unseen")


@pytest.mark.rule("RACE-2")
def test_by_reaction_a_seat_looks_once() -> None:
    refusal = Sheet(position(*PILES, **REACTION)).turn().look(1, 50).refusal(1, Look())
    assert refusal == illegal("RACE-2", "you have looked; call or pass")


@pytest.mark.rule("RACE-2")
def test_by_reaction_nobody_turns() -> None:
    refusal = Sheet(position(*PILES, **REACTION)).turn().refusal(1, Turn())
    assert refusal == illegal("RACE-2", "the table itself turns the next card when all have answered; look or pass")


def positions() -> list[State]:
    return [
        position(*PILES),
        position(*PILES[:2], "|", exits=(0, 0, 1)),
        *(Sheet(position(*PILES, index_card=card)).turn().skip(1).state for card in (False, True)),
        Sheet(position(*PILES)).turn().leave(2, at=5).state,
        Sheet(position(*PILES, **REACTION)).turn().react(1, 90).look(2, 70).state,
        Sheet(position(*PILES)).leave(1, 2).state,
    ]


@pytest.mark.parametrize("state", positions())
def test_exactly_the_listed_moves_are_taken(state: State) -> None:
    deciding = {**GAME.awaited(state), **GAME.reacting(state)}
    for seat in range(3):
        legal = GAME.legal_moves(state, seat)
        assert bool(legal) is (seat in deciding)
        assert {move for move in EVERY_MOVE if GAME.refuse(state, seat, move) is None} == set(legal)


@pytest.mark.parametrize("state", positions())
def test_a_seat_without_a_decision_hears_that_it_is_not_its_turn(state: State) -> None:
    for seat in set(range(3)) - {*GAME.awaited(state), *GAME.reacting(state)}:
        for move in EVERY_MOVE:
            refusal = GAME.refuse(state, seat, move)
            assert refusal is not None
            assert refusal.code is RefusalCode.NOT_YOUR_TURN
