"""A look is never stopped, but while a stop waits for one to end nobody else looks or answers."""

import pytest

from engine.core.errors import RefusalCode
from tests.engine.cases import GAMES, REACTION, race_modes
from tests.engine.driver import BEGAN, AnyGame, Case, Playing

RACING = [game for game in GAMES.values() if REACTION in race_modes(game)]


def code_of(playing: Playing, seat: int, kind: str, at: int) -> RefusalCode | None:
    """The code with which this seat's look or pass is refused, or None."""
    moves = playing.game.legal_moves(playing.table.state, seat)
    move = next(move for move in moves if type(move).__name__ == kind)
    refusal = playing.submit(seat, move, BEGAN + at, BEGAN + at).step.refusal
    return None if refusal is None else refusal.code


@pytest.mark.parametrize("game", RACING, ids=lambda game: game.key)
def test_a_stop_waits_for_the_looks_that_are_running_and_for_no_other(game: AnyGame) -> None:
    playing = Playing(Case(game, 3, "standard", REACTION), 1)
    assert code_of(playing, 0, "Look", 1_000) is None
    playing.take(playing.referee.stop(playing.table, "pause", received=BEGAN + 1_100, now=BEGAN + 1_100))
    before = playing.table
    assert before.halted is None
    assert code_of(playing, 1, "Look", 1_200) is RefusalCode.MATCH_PAUSED
    assert code_of(playing, 2, "Pass", 1_300) is RefusalCode.MATCH_PAUSED
    assert playing.table == before
    assert code_of(playing, 2, "Pass", 1_099) is None
    assert code_of(playing, 0, "Pass", 1_400) is None
    assert code_of(playing, 1, "Look", 1_500) is RefusalCode.MATCH_PAUSED
    assert playing.table.halted == BEGAN + 1_400
    assert code_of(playing, 1, "Pass", 1_300) is RefusalCode.MATCH_PAUSED
    playing.take(playing.referee.start(playing.table, "pause", received=BEGAN + 9_000, now=BEGAN + 9_000))
    assert code_of(playing, 1, "Look", 9_100) is None
