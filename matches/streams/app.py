"""The stream service's way in, and its addresses: a small ASGI application without a framework."""

from __future__ import annotations

import asyncio
import hmac
import re
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from types import FrameType
from typing import Any
from uuid import UUID

import msgspec
from django.conf import settings
from django.db import connection
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from matches import selectors
from matches.api.paging import number_in
from matches.api.play import LAST_NUMBER, LONGEST_LOG_PAGE, LONGEST_WAIT_S, USUAL_LOG_PAGE
from matches.api.throttles import wait_of
from matches.errors import ServiceError
from matches.services.presence import presence_note
from matches.services.tickets import Admission, ticket_redeem
from matches.streams.asking import Unreachable
from matches.streams.figures import FIGURES
from matches.streams.listening import listen
from matches.streams.of_matches import MatchStream, Poll, page_of
from matches.streams.of_players import PlayerStream
from matches.streams.places import Places
from matches.streams.readers import Stream
from matches.streams.requests import Answer, Headers, Request, Send
from matches.streams.service import Service

Receive = Callable[[], Awaitable[dict[str, Any]]]

OF_A_MATCH = re.compile(r"/api/v1/matches/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/(stream|log)", re.IGNORECASE)
MINE = "/api/v1/me/stream"
JSON = "application/json"
SWITCH_S = 0.001
"""For so long at most a thread keeps the others waiting, in seconds."""
STREAM_HEADERS: Headers = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]
COME_AGAIN = b"retry: 2000\n\n"


class Application:
    """ASGI: one object a process."""

    def __init__(self) -> None:
        self.places = Places()
        self.is_stopping = False
        self._service: Service | None = None
        self._tasks: list[asyncio.Future[None]] = []

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """One request, or the life of the process."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            request = Request(scope)
            answer = Answer(request, send)
            try:
                await self._answer(request, answer, receive, send)
            except Exception as error:
                if answer.has_begun:
                    raise
                await answer.refuse(error)

    @property
    def service(self) -> Service:
        """What runs in this process, from its start on."""
        if self._service is None:
            raise ServiceError("try_again", "the service is just coming up")
        return self._service

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        sys.setswitchinterval(SWITCH_S)
        service = self._service = Service()
        self._stop_early()
        joined = lambda: asyncio.ensure_future(service.compare())  # noqa: E731
        self._tasks = [asyncio.ensure_future(task) for task in (*service.tasks(), listen(service.moved, joined))]
        await send({"type": "lifespan.startup.complete"})
        await receive()
        self.stop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        service.asking.close()
        await send({"type": "lifespan.shutdown.complete"})

    def _stop_early(self) -> None:
        """The server waits for open streams before it says that it stops, so they end with the signal itself."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            usual = signal.getsignal(number)

            def stop(number: int, frame: FrameType | None, usual: Any = usual) -> None:
                loop.call_soon_threadsafe(self.stop)
                if callable(usual):
                    usual(number, frame)

            signal.signal(number, stop)

    def stop(self) -> None:
        """End all that is open, and begin nothing."""
        self.is_stopping = True
        if self._service is not None:
            self._service.stop()

    async def _answer(self, request: Request, answer: Answer, receive: Receive, send: Send) -> None:
        if request.path == "/healthz":
            await answer.whole(200, b'{"status":"ok"}', JSON)
        elif request.path == "/readyz":
            await self._ready(answer)
        elif request.path == "/metrics":
            await self._metrics(request, answer)
        elif request.path == MINE or OF_A_MATCH.fullmatch(request.path):
            await self._api(request, answer, receive, send)
        else:
            raise ServiceError("not_found", f"there is nothing at {request.path}")

    async def _ready(self, answer: Answer) -> None:
        has_database = True
        try:
            await self.service.asking(_select_one)
        except Unreachable:
            has_database = False
        parts = {"database": has_database, "messages": bool(FIGURES.is_told._value.get())}  # noqa: SLF001
        words = {name: "ok" if fine else "unavailable" for name, fine in parts.items()}
        fine = all(parts.values()) and not self.is_stopping
        body = msgspec.json.encode({"status": "ok" if fine else "unavailable", **words})
        await answer.whole(200 if fine else 503, body, JSON)

    async def _metrics(self, request: Request, answer: Answer) -> None:
        given = request.headers.get("authorization", "").encode("latin-1")
        if not settings.METRICS_TOKEN or not hmac.compare_digest(given, f"Bearer {settings.METRICS_TOKEN}".encode()):
            raise ServiceError("not_found")
        FIGURES.streams.set(self.places.taken)
        FIGURES.matches.set(len(self.service.feeds))
        FIGURES.refused.inc(self.places.refused - FIGURES.refused._value.get())  # noqa: SLF001
        await answer.whole(200, generate_latest(FIGURES.registry), CONTENT_TYPE_LATEST)

    async def _api(self, request: Request, answer: Answer, receive: Receive, send: Send) -> None:
        if not request.is_for_us:
            raise ServiceError("malformed", "the request isn't one that this service takes")
        if request.method == "OPTIONS":
            await answer.preflight()
            return
        if request.method != "GET":
            raise ServiceError("method_not_allowed", f"this address takes GET, not {request.method[:20]!r}")
        if self.is_stopping:
            raise ServiceError("try_again", "this process stops; ask again")
        admission = await self._admitted(request)
        player_id = None if admission is None else admission.player_id
        found = OF_A_MATCH.fullmatch(request.path)
        is_poll = found is not None and found[2] == "log"
        await self._count(request, player_id, "read" if is_poll else "stream")
        with self.places.take(player_id=player_id, address=request.address):
            if found is None:
                await self._mine(answer, admission, receive, send)
            elif is_poll:
                await self._poll(request, answer, UUID(found[1]), admission)
            else:
                await self._match(request, answer, UUID(found[1]), admission, receive, send)

    async def _admitted(self, request: Request) -> Admission | None:
        """Who asks, by token or ticket; None for anybody. Raises ServiceError `token_invalid`."""
        ticket = request.query.get("ticket")
        admission = request.bearer() if ticket is None else await self.service.asking(ticket_redeem, ticket=ticket)
        if admission is None:
            return None
        epochs = await self.service.asking(selectors.epochs_of, players=[admission.player_id])
        if epochs.get(admission.player_id) != admission.epoch or admission.ends_at <= time.time():
            raise ServiceError("token_invalid", "the token was revoked or is too old; log in again")
        return admission

    async def _count(self, request: Request, player_id: int | None, scope: str) -> None:
        who = f"address-{request.address}" if player_id is None else f"player-{player_id}"
        wait = await self.service.asking(wait_of, scope=scope, whom=[who])
        if wait is not None:
            raise ServiceError("throttled", f"asked too often; ask again in {wait} seconds", retry_after=wait + 1)

    async def _match(
        self,
        request: Request,
        answer: Answer,
        match_id: UUID,
        admission: Admission | None,
        receive: Receive,
        send: Send,
    ) -> None:
        viewer_id = None if admission is None else admission.player_id
        sent = _last_sent(request)
        opened = await self.service.asking(selectors.feed_open, match_id=match_id, viewer_id=viewer_id)
        feed = self.service.feed(match_id)
        stream = MatchStream(send, admission, self.service.asking, feed, sent=sent)
        self.service.begin(stream, opened, viewer_id)
        try:
            if stream.pair is not None:
                await self.service.asking(presence_note, player_id=stream.pair[0], match_id=match_id)
            await self._serve(stream, answer, receive, send)
        finally:
            self.service.remove(stream)
            if stream.audience is not None:
                feed.leave(stream, stream.audience)
            self.service.drop(feed)

    async def _mine(self, answer: Answer, admission: Admission | None, receive: Receive, send: Send) -> None:
        if admission is None:
            raise ServiceError(
                "not_authenticated", "log in: send Authorization: Bearer and an access token, or a ticket"
            )
        stream = PlayerStream(send, admission)
        try:
            await self.service.follow(stream)
            await self._serve(stream, answer, receive, send)
        finally:
            self.service.forsake(stream)

    async def _serve(self, stream: Stream, answer: Answer, receive: Receive, send: Send) -> None:
        await answer.begin(200, STREAM_HEADERS)
        await send({"type": "http.response.body", "body": COME_AGAIN, "more_body": True})
        stream.open()
        while (await receive())["type"] != "http.disconnect":
            pass

    async def _poll(self, request: Request, answer: Answer, match_id: UUID, admission: Admission | None) -> None:
        viewer_id = None if admission is None else admission.player_id
        after = number_in(request.query, "after", 0, 0, LAST_NUMBER)
        limit = number_in(request.query, "limit", USUAL_LOG_PAGE, 1, LONGEST_LOG_PAGE)
        wait = number_in(request.query, "wait", 0, 0, LONGEST_WAIT_S)
        asking = self.service.asking
        opened = await asking(selectors.feed_open, match_id=match_id, viewer_id=viewer_id)
        if viewer_id is not None and opened.seat is not None:
            await asking(presence_note, player_id=viewer_id, match_id=match_id)
        if after == opened.shown and wait and not opened.is_over:
            page = await self._wait(match_id, opened, viewer_id, after, wait, limit)
            if page is not None:
                await answer.whole(200, page, JSON)
                return
        entries, horizon = await asking(
            selectors.entries_after, match_id=match_id, viewer_id=viewer_id, after=after, limit=limit
        )
        body = msgspec.json.encode({"entries": entries, "horizon": horizon})
        await answer.whole(200, body, JSON)

    async def _wait(
        self, match_id: UUID, opened: selectors.Opened, viewer_id: int | None, after: int, wait: int, limit: int
    ) -> bytes | None:
        """What comes behind `after` once it is there; None when it has to be read from the database."""
        poll = Poll()
        feed = self.service.feed(match_id)
        feed.begin(horizon=opened.horizon, is_over=opened.is_over)
        audience = feed.join(poll, seat=opened.seat, viewer_id=viewer_id, delay_s=opened.delay_s, late=opened.shown)
        self.service.mark(match_id)
        try:
            if audience.horizon <= after:
                await poll.wait(wait)
            frames = audience.behind(after)
            return None if frames is None else page_of(frames, max(after, audience.horizon), limit)
        finally:
            feed.leave(poll, audience)
            self.service.drop(feed)


def _last_sent(request: Request) -> int:
    """The last entry that the reader has: what its browser says when it comes again, or what its address says."""
    again = request.headers.get("last-event-id")
    fields = request.query if again is None else {"Last-Event-ID": again}
    return number_in(fields, "after" if again is None else "Last-Event-ID", 0, 0, LAST_NUMBER)


def _select_one() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
