"""Players and the tokens of their devices."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from matches import selectors
from matches.api import present
from matches.api.bodies import (
    BecomeGuest,
    GuestSession,
    LogIn,
    PlayerBody,
    Profile,
    RefreshToken,
    Register,
    Session,
)
from matches.api.http import Endpoint
from matches.api.schema import describe
from matches.services import accounts, players


class Players(Endpoint):
    """Accounts."""

    throttle_scope = "register"

    @describe(
        "Register a player",
        body=Register,
        answers={201: PlayerBody},
        problems=("name_invalid", "name_taken", "password_weak", "email_invalid"),
    )
    def post(self, request: Request) -> Response:
        """Make an account; then log in at `/tokens`."""
        body = self.read(request, Register)
        row = players.player_register(name=body.name, password=body.password, email=body.email, is_bot=body.is_bot)
        return Response(present.player(row), 201)


class PlayerNamed(Endpoint):
    """Looking for somebody."""

    @describe("Find a player by name", answers={200: Profile}, problems=("not_found",))
    def get(self, request: Request, name: str) -> Response:
        """The player with this name, however its letters are written."""
        return Response(_profile(selectors.player_named(name=name)))


class Player(Endpoint):
    """One player."""

    @describe("Show a player", answers={200: Profile}, problems=("not_found",))
    def get(self, request: Request, player_id: int) -> Response:
        """Name, record and rating for each game, and how reliable the player is."""
        return Response(_profile(selectors.player_get(player_id=player_id)))


class Guests(Endpoint):
    """Guests."""

    throttle_scope = "register"

    @describe("Become a guest", body=BecomeGuest, answers={201: GuestSession})
    def post(self, request: Request) -> Response:
        """Play at once, under a name of chance; turn it into a full account at `/me/upgrade`."""
        body = self.read(request, BecomeGuest)
        row, tokens = accounts.guest_create(device=body.device)
        return Response(GuestSession(present.player(row), session(tokens)), 201)


class Tokens(Endpoint):
    """Tokens for clients: a short-lived one to send along, and one a device to renew it with."""

    throttle_scope = "login"

    @describe("Log in", body=LogIn, answers={200: Session}, problems=("bad_credentials", "suspended"))
    def post(self, request: Request) -> Response:
        """Trade name and password for tokens."""
        body = self.read(request, LogIn)
        player = players.player_authenticate(name=body.name, password=body.password)
        return Response(session(players.tokens_issue(player=player, device=body.device)))


class TokensRefresh(Endpoint):
    """Renewal."""

    @describe("Renew the tokens", body=RefreshToken, answers={200: Session}, problems=("token_invalid", "suspended"))
    def post(self, request: Request) -> Response:
        """Trade a refresh token for new tokens. One that was used before ends its device's session: it was stolen."""
        body = self.read(request, RefreshToken)
        return Response(session(players.tokens_refresh(refresh=body.refresh)))


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


def _profile(row: selectors.Player) -> Profile:
    return present.profile(
        row,
        selectors.records_of(player_id=row.pk),
        selectors.ratings_of(player_id=row.pk),
        selectors.reliability_of(player_id=row.pk),
    )


def session(tokens: players.Tokens) -> Session:
    """Tokens as they are sent."""
    return Session(tokens.access, tokens.refresh, tokens.expires_in)
