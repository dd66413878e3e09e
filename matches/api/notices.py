"""What there is to tell the caller, and how the caller wants to be told."""

from __future__ import annotations

from datetime import time
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from matches import selectors
from matches.api import present
from matches.api.bodies import Notices, ReadAll, SetWishes, Unread, Wishes
from matches.api.http import Endpoint
from matches.api.paging import text_of, whole_number
from matches.api.schema import describe
from matches.errors import ServiceError
from matches.selectors.notices import CURSOR
from matches.services import notices, receivers

MOST_NOTICES = 200


class MyNotices(Endpoint):
    """What there is to tell the caller."""

    @describe(
        "List your notices",
        answers={200: Notices},
        signed_in=True,
        query={
            "limit": (
                {"type": "integer", "minimum": 1, "maximum": MOST_NOTICES, "default": 50},
                f"How many, 1 to {MOST_NOTICES}; 50 if you don't say.",
            ),
            "after": ({"type": "string", "pattern": f"^{CURSOR.pattern}$"}, "The `next` of the page before."),
            "unread": ({"type": "string", "enum": ["true", "false"]}, "`true`: only what you haven't read."),
        },
        problems=("malformed", "text_invalid"),
    )
    def get(self, request: Request) -> Response:
        """In all your matches: turns, times that run out, offers, invitations, and what has happened."""
        player_id = self.caller(request).player_id
        unread = text_of(request, "unread") or "false"
        if unread not in {"true", "false"}:
            raise ServiceError("malformed", f"unread is true or false, not {unread[:50]!r}")
        told, following = selectors.notices_of(
            player_id=player_id,
            limit=whole_number(request, "limit", 50, 1, MOST_NOTICES),
            after=text_of(request, "after"),
            unread=unread == "true",
        )
        bodies = tuple(present.notice(notice) for notice in told)
        return Response(Notices(bodies, selectors.unread_count(player_id=player_id), following))


class AllRead(Endpoint):
    """The caller has read everything."""

    @describe("Mark all notices as read", body=ReadAll, answers={200: Unread}, signed_in=True)
    def post(self, request: Request) -> Response:
        """What was read is no longer counted, mailed or pushed. With `until`, what came later stays unread."""
        player_id = self.caller(request).player_id
        notices.notices_read(player_id=player_id, until=self.read(request, ReadAll).until)
        return Response(Unread(selectors.unread_count(player_id=player_id)))


class OneRead(Endpoint):
    """The caller has read one."""

    @describe("Mark a notice as read", answers={200: Unread}, signed_in=True)
    def post(self, request: Request, notice_id: UUID) -> Response:
        """One that is gone meanwhile is no error."""
        player_id = self.caller(request).player_id
        notices.notices_read(player_id=player_id, notice_id=notice_id)
        return Response(Unread(selectors.unread_count(player_id=player_id)))


class MyWishes(Endpoint):
    """How the caller wants to be told."""

    @describe("Show how you are told", answers={200: Wishes}, signed_in=True)
    def get(self, request: Request) -> Response:
        """Which kinds each channel carries, and your quiet hours."""
        return Response(_wishes(self.caller(request).player_id))

    @describe(
        "Choose how you are told",
        body=SetWishes,
        answers={200: Wishes},
        signed_in=True,
        problems=("bad_calendar",),
    )
    def put(self, request: Request) -> Response:
        """Kinds that you don't name stay as they are; the quiet hours become those that you give, or none."""
        player_id = self.caller(request).player_id
        body = self.read(request, SetWishes)
        quiet = body.quiet
        receivers.wishes_set(
            player_id=player_id,
            channels={
                str(name): {str(kind): on for kind, on in kinds.items()} for name, kinds in body.channels.items()
            },
            quiet=None if quiet is None else (time.fromisoformat(quiet.begins), time.fromisoformat(quiet.ends)),
        )
        return Response(_wishes(player_id))


def _wishes(player_id: int) -> Wishes:
    found = receivers.wishes_of(player_id=player_id)
    return Wishes(found.channels, present.quiet(*(found.quiet or (None, None))), found.zone, found.mail_to)
