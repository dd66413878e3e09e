"""Who comes to a match: invitations, salts, being sent away, and the same people once more."""

from __future__ import annotations

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from matches import selectors
from matches.api import present
from matches.api.bodies import Invite, JoinCode, Kick, MatchBody, MatchPage, Salt
from matches.api.http import Endpoint
from matches.api.matches import PAGE, page_body
from matches.api.paging import page_of
from matches.api.schema import describe
from matches.services import invitations, lobby, rematch

OF_A_HOST = ("not_found", "match_not_open", "not_host")


class MyInvitations(Endpoint):
    """Where the caller is welcome."""

    @describe("List your invitations", answers={200: MatchPage}, signed_in=True, query=PAGE, problems=("malformed",))
    def get(self, request: Request) -> Response:
        """The lobbies to which you are invited, the newest first. Join one, or decline."""
        page = page_of(request)
        caller = self.caller(request)
        rows = selectors.matches_inviting(player_id=caller.player_id, after=page.after, limit=page.limit)
        return Response(page_body(rows, page, caller.player_id))


class Invitations(Endpoint):
    """Inviting."""

    @describe(
        "Invite a player",
        body=Invite,
        answers={200: MatchBody},
        signed_in=True,
        problems=(*OF_A_HOST, "no_such_player", "blocked", "too_many", "gate_closed"),
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Ask somebody to your match, by name. It keeps no seat free, and lets in without the join code."""
        caller = self.caller(request)
        body = self.read(request, Invite)
        row = invitations.player_invite(match_id=match_id, host_id=caller.player_id, name=body.name)
        return Response(present.match(row, caller.player_id))


class Invitation(Endpoint):
    """One invitation."""

    @describe("Take an invitation back", answers={200: MatchBody}, signed_in=True, problems=OF_A_HOST)
    def delete(self, request: Request, match_id: UUID, player_id: int) -> Response:
        """For the host; one that isn't open any more is no error."""
        caller = self.caller(request)
        row = invitations.invitation_withdraw(match_id=match_id, host_id=caller.player_id, player_id=player_id)
        return Response(present.match(row, caller.player_id))


class Codes(Endpoint):
    """Join codes."""

    throttle_scope = "login"

    @describe(
        "Look at a match by its join code",
        body=JoinCode,
        answers={200: MatchBody},
        signed_in=True,
        problems=("not_found",),
    )
    def post(self, request: Request) -> Response:
        """What one is about to join. A code is a secret, so it is sent in the body: addresses are logged."""
        caller = self.caller(request)
        row = selectors.match_with_code(code=self.read(request, JoinCode).code)
        return Response(present.match(row, caller.player_id))


class CodeJoin(Endpoint):
    """Sitting down by code."""

    throttle_scope = "login"

    @describe(
        "Join a match by its join code",
        body=JoinCode,
        answers={200: MatchBody},
        signed_in=True,
        problems=("not_found", "match_not_open", "match_full", "kicked", "blocked", "gate_closed"),
    )
    def post(self, request: Request) -> Response:
        """Take the next free seat of the private match with this code."""
        caller = self.caller(request)
        row = lobby.match_join_by_code(player_id=caller.player_id, code=self.read(request, JoinCode).code)
        return Response(present.match(row, caller.player_id))


class Decline(Endpoint):
    """Saying no."""

    @describe("Decline an invitation", answers={204: None}, signed_in=True, problems=("not_found", "not_invited"))
    def post(self, request: Request, match_id: UUID) -> Response:
        """You won't come; saying so again is the same."""
        invitations.invitation_decline(match_id=match_id, player_id=self.caller(request).player_id)
        return Response(None, 204)


class SendAway(Endpoint):
    """Sending away."""

    @describe(
        "Send a player away",
        body=Kick,
        answers={200: MatchBody},
        signed_in=True,
        problems=(*OF_A_HOST, "forbidden"),
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Free the seat of somebody in your lobby, who comes back only if you invite them."""
        caller = self.caller(request)
        body = self.read(request, Kick)
        row = invitations.player_kick(match_id=match_id, host_id=caller.player_id, player_id=body.player)
        return Response(present.match(row, caller.player_id))


class SeatSalt(Endpoint):
    """A part in the deal."""

    @describe(
        "Add salt to the deal",
        body=Salt,
        answers={200: MatchBody},
        signed_in=True,
        problems=("not_found", "not_seated", "match_not_open", "salt_too_long"),
    )
    def put(self, request: Request, match_id: UUID) -> Response:
        """What you add before the match begins, the service can't have known when it promised its own part."""
        caller = self.caller(request)
        salt = bytes.fromhex(self.read(request, Salt).salt)
        row = lobby.seat_salt(match_id=match_id, player_id=caller.player_id, salt=salt)
        return Response(present.match(row, caller.player_id))


class Rematch(Endpoint):
    """Once more."""

    @describe(
        "Play a rematch",
        answers={200: MatchBody},
        signed_in=True,
        problems=(
            *("not_found", "not_seated", "match_not_over", "bad_options"),
            *("match_not_open", "match_full", "kicked", "blocked", "too_many"),
        ),
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """The one rematch of a match that is over, with you in it: whoever asks first opens it, the others join."""
        caller = self.caller(request)
        row = rematch.match_rematch(match_id=match_id, player_id=caller.player_id)
        return Response(present.match(row, caller.player_id))
