"""Playing: the table as the caller may see it, its legal moves, its moves, and the log."""

from __future__ import annotations

from hashlib import sha256
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from matches import selectors
from matches.api.bodies import LegalMoves, LogPage, MatchView, MoveRequest, Played, SubmitMove
from matches.api.http import Endpoint, Json
from matches.api.middleware import received_at
from matches.api.paging import whole_number
from matches.api.schema import describe, per_game
from matches.services import play
from matches.timing import now_ms

PRIVATE = "private, no-cache"
USUAL_LOG_PAGE = 100
LONGEST_LOG_PAGE = 500
LONGEST_WAIT_S = 30
LAST_NUMBER = 2**31 - 1
MOST_SEATS = 64

TIMELY = (
    "late_move",
    "already_answered",
    "unknown_serial",
    "match_not_running",
    "match_over",
    "match_paused",
    "seat_left",
    "try_again",
    "match_stuck",
    "newer_format",
)


class View(Endpoint):
    """The table."""

    @describe(
        "See the table", answers={200: per_game(MatchView), 304: None}, problems=("not_found", "match_not_running")
    )
    def get(self, request: Request, match_id: UUID) -> HttpResponse:
        """Everything that you may know, with your open decision and its legal moves.

        Send the `ETag` back as `If-None-Match`: the answer is 304 while nothing changed that you may know of.
        """
        return _table(request, match_id, selectors.table_view(match_id=match_id, viewer_id=self.viewer_id(request)))


class History(Endpoint):
    """The table as it was."""

    throttle_scope = "history"

    @describe(
        "See the table as it was",
        answers={200: per_game(MatchView), 304: None},
        query={
            "seat": (
                {"type": "integer", "minimum": 0, "maximum": MOST_SEATS - 1},
                "What this seat saw; your own if you don't say, others once the match is over.",
            )
        },
        problems=("malformed", "not_found", "match_not_running", "match_not_over", "newer_format"),
    )
    def get(self, request: Request, match_id: UUID, number: int) -> HttpResponse:
        """The view right after entry `number` of the log, from 1, the deal, to the last that you may know of."""
        seat = whole_number(request, "seat", -1, 0, MOST_SEATS - 1)
        seen = selectors.table_view_at(
            match_id=match_id, viewer_id=self.viewer_id(request), number=number, seat=None if seat < 0 else seat
        )
        return _table(request, match_id, seen)


class Legal(Endpoint):
    """What the caller may do."""

    @describe(
        "List your legal moves",
        answers={200: per_game(LegalMoves)},
        signed_in=True,
        problems=("not_found", "match_not_running", "not_seated"),
    )
    def get(self, request: Request, match_id: UUID) -> Response:
        """The moves you may make now, and the serial to send with one of them."""
        caller = self.caller(request)
        seen = selectors.table_view(match_id=match_id, viewer_id=caller.player_id, must_sit=True)
        decision = seen.table.decision
        if decision is None:
            body: LegalMoves[Any] = LegalMoves(None, None, None, ())
        else:
            body = LegalMoves(decision.serial, decision.occasion, decision.deadline, decision.moves)
        return Response(body, headers={"Cache-Control": PRIVATE})


class Moves(Endpoint):
    """Making a move."""

    throttle_scope = "move"

    @describe(
        "Make a move",
        body=per_game(MoveRequest),
        answers={200: per_game(Played)},
        signed_in=True,
        problems=("malformed_move", "not_found", "not_seated", "not_your_turn", "illegal_move", *TIMELY),
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Answer your open decision. Send it again when you don't know whether it arrived: it counts once."""
        caller = self.caller(request)
        body = self.read(request, SubmitMove)
        answer = play.move_submit(
            match_id=match_id,
            player_id=caller.player_id,
            epoch=caller.epoch,
            serial=body.serial,
            move=bytes(body.move),
            received=received_at(request),
        )
        return Response(played(match_id, answer))


class Resign(Endpoint):
    """Giving up."""

    @describe(
        "Resign",
        answers={200: per_game(Played)},
        signed_in=True,
        problems=("not_found", "not_seated", *TIMELY),
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Leave a running match for good, by the game's own rule."""
        caller = self.caller(request)
        answer = play.match_resign(
            match_id=match_id, player_id=caller.player_id, epoch=caller.epoch, received=received_at(request)
        )
        return Response(played(match_id, answer))


class Log(Endpoint):
    """The log."""

    @describe(
        "Read the log",
        answers={200: per_game(LogPage)},
        query={
            "after": (
                {"type": "integer", "minimum": 0, "maximum": LAST_NUMBER, "default": 0},
                "Only entries behind this number.",
            ),
            "limit": (
                {"type": "integer", "minimum": 1, "maximum": LONGEST_LOG_PAGE, "default": USUAL_LOG_PAGE},
                "How many.",
            ),
            "wait": (
                {"type": "integer", "minimum": 0, "maximum": LONGEST_WAIT_S, "default": 0},
                "At the stream service: for so many seconds at most the answer waits for an entry.",
            ),
        },
        problems=("not_found", "match_not_running", "malformed", "newer_format"),
    )
    def get(self, request: Request, match_id: UUID) -> Response:
        """What happened, in order and without a gap, as far as you may know it."""
        after = whole_number(request, "after", 0, 0, LAST_NUMBER)
        limit = whole_number(request, "limit", USUAL_LOG_PAGE, 1, LONGEST_LOG_PAGE)
        whole_number(request, "wait", 0, 0, LONGEST_WAIT_S)
        entries, horizon = selectors.entries_after(
            match_id=match_id, viewer_id=self.viewer_id(request), after=after, limit=limit
        )
        return Response(LogPage(tuple(entries), horizon), headers={"Cache-Control": PRIVATE, "Vary": "Authorization"})


class Export(Endpoint):
    """The whole of a match that is over."""

    throttle_scope = "history"

    @describe(
        "Export a match", answers={200: dict[str, Any]}, problems=("not_found", "match_not_running", "match_not_over")
    )
    def get(self, request: Request, match_id: UUID) -> Response:
        """One document, with which anybody can verify the match offline: `python -m engine.verify FILE`."""
        document = selectors.match_export(match_id=match_id, viewer_id=self.viewer_id(request))
        return Response(document, headers={"Content-Disposition": f'attachment; filename="listik-{match_id}.json"'})


def _table(request: Request, match_id: UUID, seen: selectors.Seen) -> HttpResponse:
    etag = f'W/"{sha256(Json().render(seen.table)).hexdigest()[:32]}"'
    headers = {"ETag": etag, "Cache-Control": PRIVATE, "Vary": "Authorization"}
    known = {tag.strip() for tag in request.headers.get("If-None-Match", "").split(",")}
    if known & {etag, "*"}:
        return HttpResponse(status=304, headers=headers)
    return Response(MatchView(match_id, seen.game, now_ms(), seen.table), headers=headers)


def played(match_id: UUID, answer: play.Played) -> Played[Any, Any, Any]:
    """What an operation of play answers."""
    return Played(answer.repeated, answer.entries, MatchView(match_id, answer.game, now_ms(), answer.table))
