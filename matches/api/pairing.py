"""Quick pairing."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from matches import selectors
from matches.api import present
from matches.api.bodies import EnterPairing, Pairing
from matches.api.http import Endpoint
from matches.api.matches import gate_of
from matches.api.schema import describe
from matches.errors import ServiceError
from matches.services import pairing


class Queue(Endpoint):
    """The caller's place in the queue."""

    @describe("See whether you are paired", answers={200: Pairing}, signed_in=True, problems=("not_found",))
    def get(self, request: Request) -> Response:
        """Your place in the queue, or the match that came of it."""
        ticket = selectors.ticket_of(player_id=self.caller(request).player_id)
        if ticket is None:
            raise ServiceError("not_found", "you don't wait for a pairing")
        return Response(present.pairing(ticket))

    @describe(
        "Wait to be paired",
        body=EnterPairing,
        answers={200: Pairing},
        signed_in=True,
        problems=("unknown_game", "bad_options", "not_for_bots", "gate_closed"),
    )
    def post(self, request: Request) -> Response:
        """Be seated with others who want the same. Ask again before `expires_at` to go on waiting in the same place."""
        body = self.read(request, EnterPairing)
        wish = pairing.Wish(body.game, body.preset, body.seats, body.pace)
        ticket = pairing.pairing_enter(player_id=self.caller(request).player_id, wish=wish, gate=gate_of(body.gate))
        return Response(present.pairing(ticket))

    @describe("Stop waiting to be paired", answers={204: None}, signed_in=True, problems=("already_paired",))
    def delete(self, request: Request) -> Response:
        """Either you are never paired, or you are told that it has happened already."""
        pairing.pairing_leave(player_id=self.caller(request).player_id)
        return Response(None, 204)
