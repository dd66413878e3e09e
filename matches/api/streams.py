"""Streams, as far as they are told of here: their addresses, their tickets, and the way to the stream service."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from matches import selectors
from matches.api.bodies import Hint, Horizon, StreamEnd, Ticket
from matches.api.http import Endpoint
from matches.api.paging import number_in, whole_number
from matches.api.play import LAST_NUMBER
from matches.api.present import stream_address
from matches.api.schema import Query, describe, entry_views, events
from matches.errors import ServiceError
from matches.services import tickets

MINE = "me/stream"
BY_TICKET: Query = {
    "ticket": ({"type": "string", "maxLength": tickets.LONGEST}, "From `POST me/tickets`, in place of a token.")
}
REFUSALS = ("token_invalid", "too_many_streams", "streams_full", "streams_elsewhere", "try_again", "newer_format")


class MatchStream(Endpoint):
    """A match as it happens."""

    throttle_scope = "stream"

    @describe(
        "Follow a match",
        answers={307: None, 200: events(entry=entry_views(), table=Horizon, refetch=Horizon, end=StreamEnd)},
        query={
            "after": (
                {"type": "integer", "minimum": 0, "maximum": LAST_NUMBER, "default": 0},
                "Only entries behind this number.",
            ),
            **BY_TICKET,
        },
        headers={
            "Last-Event-ID": (
                {"type": "integer", "minimum": 0, "maximum": LAST_NUMBER},
                "The last entry that you have; it goes before `after`.",
            )
        },
        problems=("malformed", "not_found", "match_not_running", *REFUSALS),
    )
    def get(self, request: Request, match_id: UUID) -> HttpResponse:
        """The log as Server-Sent Events, an event an entry. Where streams aren't served the answer leads there."""
        whole_number(request, "after", 0, 0, LAST_NUMBER)
        number_in(request.headers, "Last-Event-ID", 0, 0, LAST_NUMBER)
        selectors.feed_open(match_id=match_id, viewer_id=self.viewer_id(request))
        return _there(request, f"matches/{match_id}/stream")


class MyStream(Endpoint):
    """All of the caller's matches as they happen."""

    throttle_scope = "stream"

    @describe(
        "Follow your matches",
        answers={307: None, 200: events(hint=Hint, end=StreamEnd)},
        query=BY_TICKET,
        signed_in=True,
        problems=("malformed", *REFUSALS[1:]),
    )
    def get(self, request: Request) -> HttpResponse:
        """A hint for each of your running matches, and another one whenever one of them changes for you."""
        self.caller(request)
        return _there(request, MINE)


class MyTickets(Endpoint):
    """Opening streams from a browser."""

    @describe("Get a ticket for a stream", answers={201: Ticket}, signed_in=True)
    def post(self, request: Request) -> Response:
        """For who can't send a token with the request that opens a stream: good for one stream, once, and soon."""
        caller = self.caller(request)
        admission = tickets.Admission(caller.player_id, caller.epoch, caller.ends_at)
        ticket = tickets.ticket_issue(admission=admission)
        body = Ticket(ticket, tickets.TICKET_S, stream_address(MINE))
        return Response(body, 201, headers={"Cache-Control": "no-store"})


def _there(request: Request, path: str) -> HttpResponse:
    if not settings.STREAMS_URL:
        raise ServiceError("streams_elsewhere", "streams are served by the stream service, behind the same address")
    if len(request.query_params.get("ticket", "")) > tickets.LONGEST:
        raise ServiceError("malformed", f"ticket has {tickets.LONGEST} signs at most")
    query: Any = request.META.get("QUERY_STRING", "")
    headers = {"Location": stream_address(path) + (f"?{query}" if query else ""), "Cache-Control": "no-store"}
    return HttpResponse(status=307, headers=headers)
