"""Players and their tokens."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from matches import selectors
from matches.api import present
from matches.api.bodies import LogIn, PlayerBody, RefreshToken, Register, Session
from matches.api.http import Endpoint
from matches.api.schema import describe
from matches.services import players


class Players(Endpoint):
    """Accounts."""

    throttle_scope = "register"

    @describe(
        "Register a player",
        body=Register,
        answers={201: PlayerBody},
        problems=("name_invalid", "name_taken", "password_weak"),
    )
    def post(self, request: Request) -> Response:
        """Make an account; then log in at `/tokens`."""
        body = self.read(request, Register)
        row = players.player_register(name=body.name, password=body.password, email=body.email)
        return Response(present.player(row), 201)


class Tokens(Endpoint):
    """Tokens for clients: a short-lived one to send along, and one a device to renew it with."""

    throttle_scope = "login"

    @describe("Log in", body=LogIn, answers={200: Session}, problems=("bad_credentials",))
    def post(self, request: Request) -> Response:
        """Trade name and password for tokens."""
        body = self.read(request, LogIn)
        player = players.player_authenticate(name=body.name, password=body.password)
        return Response(_session(players.tokens_issue(player=player, device=body.device)))


class TokensRefresh(Endpoint):
    """Renewal."""

    @describe("Renew the tokens", body=RefreshToken, answers={200: Session}, problems=("token_invalid",))
    def post(self, request: Request) -> Response:
        """Trade a refresh token for new tokens. One that was used before ends its device's session: it was stolen."""
        body = self.read(request, RefreshToken)
        return Response(_session(players.tokens_refresh(refresh=body.refresh)))


class TokensRevoke(Endpoint):
    """Logging out."""

    @describe("Log out", body=RefreshToken, answers={204: None})
    def post(self, request: Request) -> Response:
        """End this device's session; a token that is no longer known is no error."""
        players.token_revoke(refresh=self.read(request, RefreshToken).refresh)
        return Response(None, 204)


class TokensRevokeAll(Endpoint):
    """Logging out everywhere."""

    @describe("Log out everywhere", answers={204: None}, signed_in=True)
    def post(self, request: Request) -> Response:
        """End every session; access tokens issued before are refused for moves at once."""
        players.player_log_out_everywhere(player_id=self.caller(request).player_id)
        return Response(None, 204)


class Me(Endpoint):
    """The caller."""

    @describe("Show your own profile", answers={200: PlayerBody}, signed_in=True)
    def get(self, request: Request) -> Response:
        """Who you are."""
        return Response(present.player(selectors.player_get(player_id=self.caller(request).player_id)))


def _session(tokens: players.Tokens) -> Session:
    return Session(tokens.access, tokens.refresh, tokens.expires_in)
