"""A look is never stopped, but while a stop waits for one to end nobody else looks or answers."""

import pytest

from engine.core.clock import Policy, Total
from engine.core.errors import RefusalCode
from engine.core.table import Grant, Opening
from engine.core.viewing import view_table
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


@pytest.mark.parametrize("looks_first", [False, True])
@pytest.mark.parametrize("stops", [False, True])
@pytest.mark.parametrize("game", RACING, ids=lambda game: game.key)
def test_what_is_done_to_a_clock_in_a_race_doesnt_tell_who_has_looked(
    game: AnyGame,
    stops: bool,  # noqa: FBT001
    looks_first: bool,  # noqa: FBT001
) -> None:
    case = Case(game, 3, "standard", REACTION)
    playing = Playing(case, 1)
    opening = Opening(game.key, game.ruleset, 3, case.options, BEGAN, Total(bank_s=60), Policy())
    playing.table = playing.referee.open(opening).table
    shown = view_table(game, playing.table, None)
    if looks_first:
        assert code_of(playing, 0, "Look", 1_000) is None
    at = BEGAN + 1_100
    if stops:
        step = playing.referee.stop(playing.table, "night", received=at, now=at, seats=(1,))
    else:
        step = playing.referee.grant(playing.table, Grant(1, 5_000), received=at, now=at)
    assert playing.take(step) is None
    assert view_table(game, playing.table, None) == shown
    assert view_table(game, playing.table, 1).clocks[1] != shown.clocks[1]
