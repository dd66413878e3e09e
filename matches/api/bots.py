"""Bots: practice against them, on seats of a lobby, and taking a seat back that one has taken over."""

from __future__ import annotations

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from matches.api import present
from matches.api.bodies import AddBot, MatchBody, Played, StartPractice
from matches.api.http import Endpoint
from matches.api.middleware import received_at
from matches.api.play import TIMELY, played
from matches.api.schema import describe, per_game
from matches.services import opponents, play

OF_A_HOST = ("not_found", "match_not_open", "not_host")


class Practice(Endpoint):
    """Playing at once."""

    @describe(
        "Practise against bots",
        body=StartPractice,
        answers={201: MatchBody},
        signed_in=True,
        problems=("unknown_game", "bad_options"),
    )
    def post(self, request: Request) -> Response:
        """A match against bots begins at once, with you on seat 0. It has no clocks and counts for nothing."""
        caller = self.caller(request)
        body = self.read(request, StartPractice)
        row = opponents.practice_start(
            player_id=caller.player_id,
            game=body.game,
            level=body.level,
            seats=body.seats,
            preset=body.preset,
            options=body.options,
        )
        return Response(present.match(row, caller.player_id), 201)


class Bots(Endpoint):
    """Company for a lobby."""

    @describe(
        "Add a bot",
        body=AddBot,
        answers={200: MatchBody},
        signed_in=True,
        problems=(*OF_A_HOST, "match_full", "too_few_seats"),
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """A bot takes the next free seat; for the host. A full match begins by itself, unless it shall not."""
        caller = self.caller(request)
        body = self.read(request, AddBot)
        row = opponents.bot_add(match_id=match_id, player_id=caller.player_id, level=body.level)
        return Response(present.match(row, caller.player_id))


class OneBot(Endpoint):
    """One of them."""

    @describe("Send a bot away", answers={200: MatchBody}, signed_in=True, problems=(*OF_A_HOST, "no_such_player"))
    def delete(self, request: Request, match_id: UUID, number: int) -> Response:
        """Free the seat with this number, on which a bot sits; for the host. Those behind move up."""
        caller = self.caller(request)
        row = opponents.bot_remove(match_id=match_id, player_id=caller.player_id, number=number)
        return Response(present.match(row, caller.player_id))


class Return(Endpoint):
    """Coming back."""

    @describe(
        "Take your seat back",
        answers={200: per_game(Played)},
        signed_in=True,
        problems=("not_found", "not_seated", *(code for code in TIMELY if code not in {"late_move", "unknown_serial"})),
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """After a bot has taken your seat over because your time ran out; a move does the same. No error otherwise."""
        caller = self.caller(request)
        answer = play.match_return(
            match_id=match_id, player_id=caller.player_id, epoch=caller.epoch, received=received_at(request)
        )
        return Response(played(match_id, answer))
