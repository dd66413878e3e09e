"""Bots for 3UP 3DOWN: `normal` plays its lowest cards and keeps what always goes, `hard` plays the end out."""

from __future__ import annotations

from functools import partial
from typing import TypeAlias

from engine.bots.anygame import AnyMove as AnyOfAll
from engine.bots.contract import AnyBot, AnyGame, Clock, Level, Sight
from engine.bots.search import Budget, Search
from engine.bots.turnwise import Turnwise
from engine.core.rng import Rng
from engine.games.three_up_three_down.cards import CLEAR, KINDS
from engine.games.three_up_three_down.legality import default_move, legal_moves
from engine.games.three_up_three_down.moves import AnyMove, Discard, TurnDown
from engine.games.three_up_three_down.state import State, cards_left
from engine.games.three_up_three_down.view import View

TudSight: TypeAlias = Sight[View, AnyMove, State]

DEALS = 80
TRIED = 8
"""How many moves are compared, the lowest cards first."""
MOST_TURNS = 120
"""How far an imagined match is played on; most are over by then."""
_FEW, _MANY = 6, 200


def bot_of(game: AnyGame, level: Level, clock: Clock | None) -> AnyBot:
    """A bot of this level."""
    if level is Level.EASY:
        return AnyOfAll(level)
    if level is Level.NORMAL:
        return Turnwise[View, AnyMove, State](_plain)
    return Turnwise[View, AnyMove, State](partial(_searched, game, Search(Budget(DEALS), clock)))


def plain_move(state: State, seat: int) -> AnyMove:
    """The three highest cards UP; then the lowest that can be played, all equal ones of it, and Clears last."""
    moves = legal_moves(state, seat)
    if len(moves) == 1 or not isinstance(moves[0], Discard):
        return default_move(state, seat)
    return min(moves, key=_cost)


def _cost(move: AnyMove) -> tuple[int, int]:
    if not isinstance(move, Discard):
        return 0, 0
    kind = KINDS[move.card]
    return kind, move.count if kind >= CLEAR else -move.count


def _plain(sight: TudSight, rng: Rng) -> AnyMove:
    return plain_move(sight.imagine(rng), sight.seat)


def _searched(game: AnyGame, search: Search, sight: TudSight, rng: Rng) -> AnyMove:
    """Once the draw pile is used up; before that a match is too open for a few deals to tell moves apart."""
    first = plain_move(sight.imagine(rng), sight.seat)
    if sight.view.draw_pile or isinstance(first, TurnDown):
        return first
    moves = sorted(sight.moves, key=_cost)[:TRIED]
    return search.best(moves, sight.imagine, partial(_play_on, game, sight.seat), rng)


def _play_on(game: AnyGame, seat: int, state: State, move: AnyMove, rng: Rng) -> float:
    """How `seat` fares after this move when everybody plays plainly: from -1 to 1."""
    until = state.turn + MOST_TURNS
    mover = seat
    while True:
        state, _ = game.play(state, mover, move, 0, rng)
        if state.reason or state.turn > until:
            return _worth(state, seat)
        mover = state.seat
        move = plain_move(state, mover)


def _worth(state: State, seat: int) -> float:
    """1 for having won, -1 for having lost; before the end, how many cards fewer than the best of the others."""
    own = cards_left(state, seat)
    others = [cards_left(state, other) for other, step in enumerate(state.left) if other != seat and not step]
    ahead = min(others, default=0) - own
    if state.reason:
        return 1.0 if ahead > 0 else -1.0 - own / _MANY
    return ahead / (abs(ahead) + _FEW)
