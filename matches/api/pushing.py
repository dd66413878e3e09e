"""Browsers that the caller's notices are pushed to."""

from __future__ import annotations

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from matches import selectors
from matches.api import present
from matches.api.bodies import BrowserBody, PushKey, SubscribeBrowser
from matches.api.http import Endpoint
from matches.api.me import Mine
from matches.api.schema import describe
from matches.services import pushing


class Key(Endpoint):
    """What a browser subscribes with."""

    @describe("Show the key for pushes", answers={200: PushKey}, problems=("not_found",))
    def get(self, request: Request) -> Response:
        """The `applicationServerKey` of `pushManager.subscribe`; `not_found` where nothing is pushed."""
        return Response(PushKey(pushing.push_key()))


class Browsers(Mine):
    """The caller's browsers."""

    @describe("List your browsers", answers={200: tuple[BrowserBody, ...]}, signed_in=True)
    def get(self, request: Request) -> Response:
        """Those that notices are pushed to."""
        return Response(
            [present.browser(row) for row in selectors.browsers_of(player_id=self.caller(request).player_id)]
        )

    @describe(
        "Sign a browser up",
        body=SubscribeBrowser,
        answers={201: BrowserBody},
        signed_in=True,
        problems=("not_found", "address_refused", "too_many"),
    )
    def post(self, request: Request) -> Response:
        """Push to this browser; the same again is the same, and one that somebody else has signed up is yours now."""
        body = self.read(request, SubscribeBrowser)
        row = pushing.push_subscribe(
            identity=self.identity(request),
            endpoint=body.endpoint,
            p256dh=body.keys.p256dh,
            auth=body.keys.auth,
            device=body.device,
        )
        return Response(present.browser(row), 201)


class Browser(Endpoint):
    """One of them."""

    @describe("Sign a browser off", answers={204: None}, signed_in=True)
    def delete(self, request: Request, browser_id: UUID) -> Response:
        """Push nothing more to it; one that is gone is no error."""
        pushing.push_unsubscribe(player_id=self.caller(request).player_id, subscription_id=browser_id)
        return Response(None, 204)
