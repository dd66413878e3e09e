"""Where bots come from, and what they are given."""

from __future__ import annotations

import pytest

from engine.bots import Level, UnknownLevel, bot_for, sight_of
from engine.core.rng import Rng, Seed
from tests.engine.cases import GAMES
from tests.engine.core.toy import Toy


@pytest.mark.parametrize("key", sorted(GAMES))
@pytest.mark.parametrize("level", list(Level))
def test_every_game_has_a_bot_of_every_level(key: str, level: Level) -> None:
    game = GAMES[key]
    state, _ = game.setup(3, game.options(), 0, Rng(Seed.from_number(1)))
    seat = min([*game.awaited(state), *game.reacting(state)])
    sight = sight_of(game, state, seat, seats=3, options=game.options(), rng=Rng(Seed.from_number(2)))

    move = bot_for(game, level).choose(sight, Rng(Seed.from_number(3)))

    assert move in game.legal_moves(state, seat)


def test_a_level_may_be_named_by_its_word() -> None:
    assert type(bot_for(GAMES["snap"], "hard")) is type(bot_for(GAMES["snap"], Level.HARD))


def test_a_level_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(UnknownLevel, match="no bots are 'expert'; they are easy, normal, hard"):
        bot_for(GAMES["snap"], "expert")


@pytest.mark.parametrize("level", list(Level))
def test_a_game_without_bots_of_its_own_is_played_by_those_that_know_the_contract(level: Level) -> None:
    game = Toy()
    options = game.options()
    state, _ = game.setup(3, options, 0, Rng(Seed.from_number(1)))
    seat = min(game.awaited(state))
    sight = sight_of(game, state, seat, seats=3, options=options, rng=Rng(Seed.from_number(2)))

    assert bot_for(game, level).choose(sight, Rng(Seed.from_number(3))) in game.legal_moves(state, seat)
