"""The stream of a match, and the long poll: a log as it grows, for one viewer."""

from __future__ import annotations

import asyncio
from uuid import UUID

import msgspec

from matches import selectors
from matches.api.bodies import Horizon
from matches.services.tickets import Admission
from matches.streams.asking import Asking
from matches.streams.feeds import Audience, Feed, Frame
from matches.streams.readers import Send, Stream, event

MOST_BEHIND = 500
"""Who is further behind than so many entries is told to look at the table anew."""
PAGE = 100
MATCH_OVER = "everything that happened was sent"


class MatchStream(Stream):
    """A match's log for one viewer. `sent` is the last entry that the reader has."""

    def __init__(self, send: Send, admission: Admission | None, asking: Asking, feed: Feed, *, sent: int) -> None:
        super().__init__(send, admission)
        self.feed = feed
        self.audience: Audience | None = None
        self.sent = sent
        self._asking = asking
        self._seen_changes = 0
        self._is_lost = False

    def begin(self, opened: selectors.Opened, viewer_id: int | None) -> None:
        """Have all news from now on."""
        self.feed.begin(horizon=opened.horizon, is_over=opened.is_over)
        self.audience = self.feed.join(
            self, seat=opened.seat, viewer_id=viewer_id, delay_s=opened.delay_s, late=opened.shown
        )
        # What the seat has done out of the others' sight is told to who comes back as well.
        self._seen_changes = -1 if self.feed.has_sealed_of(opened.seat) else self.audience.changes
        # Numbers that nobody may know of were never sent to anybody by this service.
        self._is_lost = self.sent > opened.shown
        if viewer_id is not None and opened.seat is not None:
            self.pair = viewer_id, self.feed.match_id

    async def news(self) -> bytes:
        """Entries, a change that only this seat may see, a call to look anew, or the end of the match."""
        audience = self.audience
        if audience is None:
            return b""
        if self._is_lost or audience.horizon - self.sent > MOST_BEHIND:
            self._is_lost, self.sent = False, audience.horizon
            return event("refetch", msgspec.json.encode(Horizon(self.sent)), self.sent)
        frames = audience.behind(self.sent)
        if frames is None:
            frames = await backlog(self._asking, self.feed.match_id, audience, self.sent)
        if frames:
            self.sent = frames[-1].number
        elif self.feed.is_over and self.sent >= self.feed.horizon:
            self.end("match_over", MATCH_OVER)
        return b"".join(event("entry", frame.body, frame.number) for frame in frames) + self._change(audience)

    def _change(self, audience: Audience) -> bytes:
        if self._seen_changes == audience.changes:
            return b""
        self._seen_changes = audience.changes
        return event("table", msgspec.json.encode(Horizon(self.sent)))


class Poll:
    """Somebody who waits for the next entry."""

    def __init__(self) -> None:
        self._is_awake = asyncio.Event()

    def wake(self) -> None:
        """There is something."""
        self._is_awake.set()

    async def wait(self, seconds: float) -> None:
        """Until there is something, or the time is up."""
        try:
            await asyncio.wait_for(self._is_awake.wait(), seconds)
        except TimeoutError:
            return


async def backlog(asking: Asking, match_id: UUID, audience: Audience, after: int) -> list[Frame]:
    """A page of what an audience may see behind a number, from the database."""
    entries, _ = await asking(
        selectors.entries_after, match_id=match_id, viewer_id=audience.viewer_id, after=after, limit=PAGE
    )
    return [Frame(entry.number, msgspec.json.encode(entry)) for entry in entries]


def page_of(frames: list[Frame], horizon: int, limit: int) -> bytes:
    """A page of the log out of what is ready, as `GET log` has it."""
    return msgspec.json.encode({"entries": [msgspec.Raw(frame.body) for frame in frames[:limit]], "horizon": horizon})
