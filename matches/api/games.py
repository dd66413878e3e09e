"""The games: what there is to play, with rules, options and the types of everything."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from matches import selectors
from matches.api.bodies import GameBody, GameDetail
from matches.api.http import Endpoint
from matches.api.schema import describe


class Games(Endpoint):
    """All games."""

    @describe("List the games", answers={200: tuple[GameBody, ...]})
    def get(self, request: Request) -> Response:
        """What there is to play."""
        return Response([_short(game) for game in selectors.games_all()])


class Game(Endpoint):
    """One game."""

    @describe("Show a game with its rules", answers={200: GameDetail}, problems=("not_found",))
    def get(self, request: Request, key: str) -> Response:
        """Rules, options and presets, and the JSON Schema of everything that a client sends and is sent."""
        game = selectors.game_get(key=key)
        short = _short(game)
        return Response(
            GameDetail(
                key=short.key,
                title=short.title,
                ruleset=short.ruleset,
                min_seats=short.min_seats,
                max_seats=short.max_seats,
                presets=short.presets,
                rules=game.rules,
                preset_options=game.preset_options,
                options_schema=game.options_schema,
                move_schema=game.move_schema,
                event_schema=game.event_schema,
                view_schema=game.view_schema,
                reasons=game.reasons,
                catalogue=game.catalogue,
            )
        )


def _short(game: selectors.GameInfo) -> GameBody:
    return GameBody(game.key, game.title, game.ruleset, game.min_seats, game.max_seats, tuple(game.preset_options))
