"""Matches from the lobby to the shelf: create, find, join, leave, start."""

from __future__ import annotations

from functools import partial
from typing import cast, get_args
from uuid import UUID

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from engine.core.clock import TimeControl
from matches import gates, selectors
from matches.api import present
from matches.api.bodies import (
    USUAL_PACE,
    CreateMatch,
    Gate,
    JoinMatch,
    ListedPace,
    MatchBody,
    MatchPage,
    MatchStatus,
    Pace,
    PaceBody,
)
from matches.api.http import Endpoint
from matches.api.paging import LONGEST_TEXT, MOST, USUAL, Page, flag_of, page_of, text_of, whole_number
from matches.api.schema import Query, Schema, describe
from matches.paces import PACES
from matches.services import creation, lobby

PAGE: Query = {
    "after": (
        {"type": "string", "format": "uuid"},
        "Continue behind this match: the `next` of the page before.",
    ),
    "limit": ({"type": "integer", "minimum": 1, "maximum": MOST, "default": USUAL}, "How many."),
}
TEXT: Schema = {"type": "string", "minLength": 1, "maxLength": LONGEST_TEXT}
STATUS: Schema = {"type": "string", "enum": list(get_args(MatchStatus))}


class Matches(Endpoint):
    """The lobby."""

    @describe(
        "List public matches",
        answers={200: MatchPage},
        query={
            "status": ({**STATUS, "default": "lobby"}, "`lobby`: those that wait for players."),
            "game": (TEXT, "Only this game."),
            "pace": (
                {"type": "string", "enum": [*get_args(ListedPace)]},
                "Only this pace: a name of `/paces`, `unlimited` or `other`.",
            ),
            "rated": ({"type": "string", "enum": ["true", "false"]}, "Only rated matches, or only others."),
            "joinable": (
                {"type": "string", "enum": ["true", "false"]},
                "Only lobbies whose gate lets you in; log in for it.",
            ),
            "free": ({"type": "integer", "minimum": 1, "maximum": 64}, "Only lobbies with so many free seats or more."),
            "text": (TEXT, "Only lobbies with this in their title or their host's name."),
            **PAGE,
        },
        problems=("malformed", "text_invalid", "bad_options", "not_authenticated"),
    )
    def get(self, request: Request) -> Response:
        """Public matches, the newest first. Those of people who have blocked you, or whom you have, aren't shown."""
        page = page_of(request)
        rows = selectors.matches_public(
            status=text_of(request, "status") or "lobby",
            game=text_of(request, "game"),
            viewer_id=self.viewer_id(request),
            pace=text_of(request, "pace"),
            rated=flag_of(request, "rated"),
            joinable_by=self.caller(request).player_id if flag_of(request, "joinable") else None,
            free=whole_number(request, "free", 1, 1, 64) if "free" in request.query_params else None,
            text=text_of(request, "text"),
            after=page.after,
            limit=page.limit,
        )
        return Response(page_body(rows, page, self.viewer_id(request)))

    @describe(
        "Create a match",
        body=CreateMatch,
        answers={201: MatchBody},
        signed_in=True,
        headers={
            "Idempotency-Key": (
                {"type": "string", "pattern": creation.FORM},
                "A word of your choice for this match: sent again, it is the same match.",
            )
        },
        problems=("unknown_game", "bad_options", "too_many", "key_reused", "gate_closed"),
    )
    def post(self, request: Request) -> Response:
        """Open a match and sit down on its first seat. With an `Idempotency-Key` it can be sent again, for a day."""
        body = self.read(request, CreateMatch)
        caller = self.caller(request)
        pace = USUAL_PACE if body.pace is None and body.control is None else body.pace
        key = request.headers.get("Idempotency-Key")
        create = lobby.match_create if key is None else partial(creation.match_create_once, key=key)
        row = create(
            host_id=caller.player_id,
            game=body.game,
            preset=body.preset,
            options=body.options,
            seats=body.seats,
            control=None if body.control is None else msgspec.to_builtins(body.control),
            pace=pace,
            policy=msgspec.to_builtins(body.policy),
            visibility=body.visibility,
            autostart=body.autostart,
            title=body.title,
            wait_s=body.wait_s,
            spectator_delay_s=body.spectator_delay_s,
            seed=body.seed,
            bots=body.bots,
            rated=body.rated,
            rates_bots=body.rates_bots,
            gate=gate_of(body.gate),
        )
        return Response(present.match(row, caller.player_id), 201)


class Paces(Endpoint):
    """Time controls with a name."""

    @describe("List the named time controls", answers={200: tuple[PaceBody, ...]})
    def get(self, request: Request) -> Response:
        """From the quickest to the slowest."""
        return Response(
            [
                PaceBody(cast("Pace", name), msgspec.convert(pace.control, TimeControl), pace.waits_s)
                for name, pace in PACES.items()
            ]
        )


class MyMatches(Endpoint):
    """The caller's matches."""

    @describe(
        "List your own matches",
        answers={200: MatchPage},
        signed_in=True,
        query={"status": (STATUS, "Only those with this status."), **PAGE},
        problems=("malformed", "not_found"),
    )
    def get(self, request: Request) -> Response:
        """Those that wait for you first, the shortest time left first; then the others, the newest first."""
        page = page_of(request)
        caller = self.caller(request)
        rows = selectors.matches_of(
            player_id=caller.player_id, status=text_of(request, "status"), after=page.after, limit=page.limit
        )
        return Response(page_body(rows, page, caller.player_id))


class MatchDetail(Endpoint):
    """One match."""

    @describe("Show a match", answers={200: MatchBody}, problems=("not_found",))
    def get(self, request: Request, match_id: UUID) -> Response:
        """Who sits where, what is played, how far it is, every clock. For the table itself see `view`."""
        viewer_id = self.viewer_id(request)
        row = selectors.match_get(match_id=match_id, viewer_id=viewer_id)
        if row.status != "running":
            return Response(present.match(row, viewer_id))
        seen = selectors.table_view(match_id=match_id, viewer_id=viewer_id)
        return Response(present.match(row, viewer_id, present.time(seen)))


class Join(Endpoint):
    """Sitting down."""

    @describe(
        "Join a match",
        body=JoinMatch,
        answers={200: MatchBody},
        signed_in=True,
        problems=("not_found", "match_not_open", "match_full", "kicked", "blocked", "gate_closed"),
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Take the next free seat. Who sits there already is told so with the same answer."""
        caller = self.caller(request)
        body = self.read(request, JoinMatch)
        row = lobby.match_join(match_id=match_id, player_id=caller.player_id, code=body.code)
        return Response(present.match(row, caller.player_id))


class Leave(Endpoint):
    """Standing up."""

    @describe(
        "Leave a match that hasn't begun",
        answers={200: MatchBody},
        signed_in=True,
        problems=("not_found", "match_not_open", "not_seated"),
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Give the seat back. When the host leaves, the next player is host; with nobody left the match is off."""
        caller = self.caller(request)
        row = lobby.match_leave_lobby(match_id=match_id, player_id=caller.player_id)
        return Response(present.match(row, caller.player_id))


class Start(Endpoint):
    """Beginning."""

    @describe(
        "Start a match",
        answers={200: MatchBody},
        signed_in=True,
        problems=("not_found", "match_not_open", "not_host", "too_few_seats"),
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Begin with the players who are there; for the host."""
        caller = self.caller(request)
        row = lobby.match_start(match_id=match_id, player_id=caller.player_id)
        return Response(present.match(row, caller.player_id))


class Cancel(Endpoint):
    """Calling it off."""

    @describe(
        "Cancel a match that hasn't begun",
        answers={200: MatchBody},
        signed_in=True,
        problems=("not_found", "match_not_open", "not_host"),
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Call the match off; for the host."""
        caller = self.caller(request)
        row = lobby.match_cancel(match_id=match_id, player_id=caller.player_id)
        return Response(present.match(row, caller.player_id))


def gate_of(body: Gate | None) -> gates.Gate:
    """Whom a request wants to play with."""
    return gates.OPEN if body is None else gates.Gate(*msgspec.structs.astuple(body))


def page_body(rows: list[selectors.Match], page: Page, viewer_id: int | None) -> MatchPage:
    """Rows, of which there is one more than the page takes if more follow."""
    shown = rows[: page.limit]
    more = len(rows) > page.limit
    return MatchPage(tuple(present.match(row, viewer_id) for row in shown), str(shown[-1].pk) if more else None)
