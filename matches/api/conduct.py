"""Getting along: whom one doesn't want to meet, and what the operators should see."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from matches import selectors
from matches.api import present
from matches.api.bodies import FileReport, PlayerBody
from matches.api.http import Endpoint
from matches.api.schema import describe
from matches.services import conduct


class Blocks(Endpoint):
    """Whom the caller has blocked."""

    @describe("List whom you have blocked", answers={200: tuple[PlayerBody, ...]}, signed_in=True)
    def get(self, request: Request) -> Response:
        """By name."""
        rows = selectors.blocked_by(player_id=self.caller(request).player_id)
        return Response([present.player(row) for row in rows])


class OneBlock(Endpoint):
    """Blocking one player."""

    @describe("Block a player", answers={204: None}, signed_in=True, problems=("not_found", "forbidden", "too_many"))
    def put(self, request: Request, player_id: int) -> Response:
        """You won't meet: neither joins where the other sits, no invitation, no pairing. What has begun goes on."""
        conduct.player_block(player_id=self.caller(request).player_id, blocked_id=player_id)
        return Response(None, 204)

    @describe("Unblock a player", answers={204: None}, signed_in=True)
    def delete(self, request: Request, player_id: int) -> Response:
        """Take it back."""
        conduct.player_unblock(player_id=self.caller(request).player_id, blocked_id=player_id)
        return Response(None, 204)


class Reports(Endpoint):
    """Reports to the operators."""

    @describe(
        "Report a player or a match",
        body=FileReport,
        answers={204: None},
        signed_in=True,
        problems=("not_found", "too_many", "report_invalid"),
    )
    def post(self, request: Request) -> Response:
        """Nobody but the operators learns of it. The same report again, while the first one waits, is the same one."""
        body = self.read(request, FileReport)
        conduct.report_file(
            reporter_id=self.caller(request).player_id,
            reason=body.reason,
            player_id=body.player,
            match_id=body.match,
            text=body.text,
        )
        return Response(None, 204)
