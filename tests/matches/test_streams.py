"""Readers of streams: slow ones, many at once, and what is kept ready for them."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from msgspec import Struct

from matches.errors import ServiceError
from matches.selectors import Opened
from matches.streams.feeds import MOST_FRAMES, Feed, Frame
from matches.streams.of_matches import MOST_BEHIND, MatchStream
from matches.streams.places import Places

OPENED = Opened("snap", 1, None, 0, 1, 1, is_over=False)


class Entry(Struct):
    """As much of one as is looked at."""

    number: int


class Watcher:
    """Sleeps on."""

    def wake(self) -> None:
        """It doesn't."""


class Wire:
    """A connection that takes nothing until it is let."""

    def __init__(self) -> None:
        self.is_free = asyncio.Event()
        self.sent: list[bytes] = []

    async def send(self, message: dict[str, Any]) -> None:
        await self.is_free.wait()
        self.sent.append(message["body"])


async def turns() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def frames(first: int, last: int) -> list[Frame]:
    return [Frame(number, b'{"number":%d}' % number) for number in range(first, last + 1)]


def opened(wire: Wire, log: int = 0) -> MatchStream:
    """A stream of a match whose first entry its reader has; the log can be read up to an entry."""

    async def asking(question: Any, *, after: int, limit: int, **_: Any) -> Any:
        numbers = range(after + 1, min(after + limit, log) + 1)
        return [Entry(number) for number in numbers], log

    stream = MatchStream(wire.send, None, asking, Feed(uuid4()), sent=1)  # type: ignore[arg-type]
    stream.begin(OPENED, None)
    stream.open()
    return stream


def test_a_reader_that_takes_nothing_holds_nothing_and_is_told_to_look_anew() -> None:
    async def run() -> None:
        wire = Wire()
        stream = opened(wire)
        audience = stream.audience
        assert audience is not None
        audience.show(frames(2, 2), 2)
        await turns()
        for number in range(3, 3 * MOST_BEHIND):
            audience.show(frames(number, number), number)
            await turns()
            assert len(audience._frames) <= MOST_FRAMES
        last = 3 * MOST_BEHIND - 1
        wire.is_free.set()
        await turns()
        assert wire.sent == [
            b'id: 2\nevent: entry\ndata: {"number":2}\n\n',
            b'id: %d\nevent: refetch\ndata: {"horizon":%d}\n\n' % (last, last),
        ]
        audience.show(frames(last + 1, last + 1), last + 1)
        await turns()
        assert wire.sent[2:] == [b'id: %d\nevent: entry\ndata: {"number":%d}\n\n' % (last + 1, last + 1)]

    asyncio.run(run())


def test_what_is_ready_no_more_is_read_from_the_log() -> None:
    async def run() -> None:
        wire = Wire()
        stream = opened(wire, log=300)
        audience = stream.audience
        assert audience is not None
        audience.show(frames(237, 300), 300)
        wire.is_free.set()
        await turns()
        text = b"".join(wire.sent).decode()
        assert [int(line[4:]) for line in text.splitlines() if line.startswith("id: ")] == list(range(2, 301))

    asyncio.run(run())


def test_frames_are_kept_for_two_looks_at_most() -> None:
    feed = Feed(uuid4())
    feed.begin(horizon=1, is_over=False)
    audience = feed.join(Watcher(), seat=None, viewer_id=None, delay_s=0, late=0)
    audience.show(frames(2, 5), 5)
    audience.forget_old()
    audience.show(frames(6, 7), 7)
    assert audience.behind(1) == frames(2, 7)
    audience.forget_old()
    assert audience.behind(5) == frames(6, 7)
    assert audience.behind(1) is None
    audience.forget_old()
    assert audience.behind(7) == []
    assert audience.behind(6) is None


def test_places_are_counted_in_all_by_player_and_by_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "STREAMS", {"process": 3, "player": 1, "address": 2})
    places = Places()
    with places.take(player_id=1, address="a"):
        assert refused(places, 1, "b") == (429, "too_many_streams", 5)
        with places.take(player_id=None, address="a"):
            assert refused(places, 2, "a") == (429, "too_many_streams", 5)
            with places.take(player_id=2, address="b"):
                assert refused(places, 3, "c") == (503, "streams_full", 5)
    assert (places.taken, places.refused, dict(places._by)) == (0, 3, {})


def refused(places: Places, player_id: int | None, address: str) -> tuple[int, str, int]:
    with pytest.raises(ServiceError) as caught, places.take(player_id=player_id, address=address):
        pass
    return caught.value.status, caught.value.code, caught.value.extra["retry_after"]
