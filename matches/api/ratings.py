"""Ratings: the best of a game, and how somebody's rating came about."""

from __future__ import annotations

import math
import re

from rest_framework.request import Request
from rest_framework.response import Response

from matches import selectors
from matches.api import present
from matches.api.bodies import LeaderBody, LeaderPage, RatingHistory
from matches.api.http import Endpoint
from matches.api.paging import MOST, USUAL, text_of, whole_number
from matches.api.schema import Query, describe
from matches.errors import ServiceError
from matches.skill import SETTLED_MATCHES

MARK = re.compile(r"([0-9]{1,9})_(-?[0-9]{1,9}(?:\.[0-9]{1,20})?(?:e-[0-9]{1,2})?)_([0-9]{1,18})")
LIMIT: Query = {"limit": ({"type": "integer", "minimum": 1, "maximum": MOST, "default": USUAL}, "How many.")}


class Leaders(Endpoint):
    """The best of a game."""

    @describe(
        "List the best players of a game",
        answers={200: LeaderPage},
        query={
            "after": (
                {"type": "string", "pattern": f"^{MARK.pattern}$"},
                "Continue there: the `next` of the page before.",
            ),
            **LIMIT,
        },
        problems=("malformed", "text_invalid", "not_found"),
    )
    def get(self, request: Request, key: str) -> Response:
        """By rating, those with enough rated matches; guests and closed accounts aren't in it."""
        limit = whole_number(request, "limit", USUAL, 1, MOST)
        rows = selectors.leaders_of(game=key, after=_mark(request), limit=limit)
        shown, more = rows[:limit], len(rows) > limit
        leaders = tuple(
            LeaderBody(row.place, present.player(row.rating.player), present.rating(row.rating)) for row in shown
        )
        return Response(LeaderPage(key, SETTLED_MATCHES, leaders, _next(shown[-1]) if more else None))


class History(Endpoint):
    """How a rating came about."""

    @describe(
        "List how a rating came about",
        answers={200: RatingHistory},
        query={
            "after": (
                {"type": "integer", "minimum": 1, "maximum": 10**12 - 1},
                "Continue there: the `next` of the page before.",
            ),
            **LIMIT,
        },
        problems=("malformed", "not_found"),
    )
    def get(self, request: Request, player_id: int, key: str) -> Response:
        """What each rated match of a game made of a player's rating, the newest first."""
        limit = whole_number(request, "limit", USUAL, 1, MOST)
        after = whole_number(request, "after", 0, 1, 10**12 - 1) if "after" in request.query_params else None
        player = selectors.player_get(player_id=player_id)
        rows = selectors.rating_changes(
            player_id=player.pk, game=key, viewer_id=self.viewer_id(request), after=after, limit=limit
        )
        shown, more = rows[:limit], len(rows) > limit
        changes = tuple(present.rating_change(row) for row in shown)
        return Response(RatingHistory(changes, str(shown[-1].row.pk) if more else None))


def _mark(request: Request) -> selectors.Mark | None:
    text = text_of(request, "after")
    if text is None:
        return None
    found = MARK.fullmatch(text)
    if found is None or not math.isfinite(float(found[2])):
        raise ServiceError("malformed", "after must be the next of a page of this list")
    return selectors.Mark(int(found[1]), float(found[2]), int(found[3]))


def _next(last: selectors.Leader) -> str:
    return f"{last.place}_{last.rating.ordinal!r}_{last.rating.player_id}"
