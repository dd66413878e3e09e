"""What a process of the stream service does: reads what has moved, and hands it to those who read."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from itertools import islice
from uuid import UUID

import msgspec
import structlog

from matches import selectors
from matches.api.bodies import Hint
from matches.services.presence import presences_note
from matches.streams.asking import Asking, Unreachable
from matches.streams.feeds import Feed, Frame
from matches.streams.figures import FIGURES
from matches.streams.of_matches import PAGE, MatchStream
from matches.streams.of_players import Person, PlayerStream
from matches.streams.readers import Stream

COMPARE_S = 3.0
"""How often, in seconds, all that is served is compared with the database."""
BEAT_S = 15.0
SLOTS = 60
CHECK_S = 5.0
PRESENCE_S = 15.0
LATE_S = 1.0
ADMISSION_OVER = "the token has ended or was revoked; renew it and open the stream again"
MOST_AT_ONCE = 500
MOST_STRANGERS = 50_000
NO_ENTRIES = 2**31 - 1

log = structlog.get_logger()


class Service:
    """All matches, players and streams of a process."""

    def __init__(self) -> None:
        self.asking = Asking()
        self.feeds: dict[UUID, Feed] = {}
        self.people: dict[int, Person] = {}
        self.streams: set[Stream] = set()
        self._moved: dict[UUID, float] = {}
        self._has_moved = asyncio.Event()
        self._strangers: OrderedDict[UUID, tuple[int | None, ...]] = OrderedDict()
        self._slots: list[set[Stream]] = [set() for _ in range(SLOTS)]
        self._slot = 0
        self._late: dict[UUID, tuple[int, int]] = {}

    def tasks(self) -> list[Awaitable[None]]:
        """What runs as long as the process does."""
        return [
            self._read_on(),
            _every(COMPARE_S, self.compare),
            _every(BEAT_S / SLOTS, self._beat),
            _every(CHECK_S, self._check_tokens),
            _every(PRESENCE_S, self._note_presence),
            _every(PRESENCE_S, self._find_begun),
            _every(LATE_S, self._show_late),
        ]

    # Who reads

    def add(self, stream: Stream) -> None:
        """A stream is open."""
        self.streams.add(stream)
        self._slots[id(stream) // 64 % SLOTS].add(stream)

    def remove(self, stream: Stream) -> None:
        """A stream is no more."""
        stream.close()
        self.streams.discard(stream)
        self._slots[id(stream) // 64 % SLOTS].discard(stream)

    def feed(self, match_id: UUID) -> Feed:
        """The feed of a match, made when it is asked for."""
        return self.feeds.setdefault(match_id, Feed(match_id))

    def begin(self, stream: MatchStream, opened: selectors.Opened, viewer_id: int | None) -> None:
        """Serve a match's stream from now on."""
        stream.begin(opened, viewer_id)
        self.add(stream)
        self.mark(stream.feed.match_id)

    def drop(self, feed: Feed) -> None:
        """Forget a match that nobody reads any more."""
        if not feed.is_wanted and self.feeds.get(feed.match_id) is feed:
            del self.feeds[feed.match_id]
            self._late.pop(feed.match_id, None)

    async def follow(self, stream: PlayerStream) -> None:
        """Serve a player's stream from now on; it begins with all that is known."""
        player_id = stream.player_id
        person = self.people.setdefault(player_id, Person())
        person.streams.add(stream)
        self.add(stream)
        for known in await self.asking(selectors.standings_of, player_id=player_id):
            # News that came meanwhile are newer than what was read.
            if known.match_id not in person.hints:
                person.hints[known.match_id] = Hint(
                    match=known.match_id, horizon=known.horizon, your_turn=known.your_turn, is_over=False
                )
            feed = self.feed(known.match_id)
            feed.begin(horizon=known.horizon, is_over=False)
            feed.people.add(player_id)
        for hint in person.hints.values():
            stream.tell(hint)

    def forsake(self, stream: PlayerStream) -> None:
        """A player's stream is no more."""
        self.remove(stream)
        person = self.people.get(stream.player_id)
        if person is None:
            return
        person.streams.discard(stream)
        if not person.streams:
            del self.people[stream.player_id]
            for feed in [feed for feed in self.feeds.values() if stream.player_id in feed.people]:
                feed.people.discard(stream.player_id)
                self.drop(feed)

    def stop(self) -> None:
        """End all streams; their readers come again, here or elsewhere."""
        for stream in tuple(self.streams):
            stream.stop()
        for feed in tuple(self.feeds.values()):
            for audience in tuple(feed.audiences.values()):
                audience.wake()

    # What has moved

    def moved(self, match_id: UUID, number: int) -> None:
        """Somebody tells that a match's last entry is `number`; nothing is believed but that it is worth a look."""
        feed = self.feeds.get(match_id)
        if feed is None:
            if not self.people or self._is_of_nobody(match_id):
                return
        elif feed.number is not None and number <= feed.number:
            return
        self.mark(match_id)

    def mark(self, match_id: UUID) -> None:
        """Have a match read soon."""
        self._moved.setdefault(match_id, time.monotonic())
        self._has_moved.set()

    async def compare(self) -> None:
        """Whatever went on without a message is read now; frames that everybody has had are dropped."""
        known = [(feed.match_id, feed.number) for feed in self.feeds.values() if feed.number is not None]
        if known:
            behind = await self.asking.news(selectors.feeds_behind, known=known)
            for match_id in behind:
                FIGURES.missed.inc(match_id not in self._moved)
                self.mark(match_id)
        for feed in self.feeds.values():
            for audience in feed.audiences.values():
                audience.forget_old()

    async def _read_on(self) -> None:
        while True:
            await self._has_moved.wait()
            batch = dict(islice(self._moved.items(), MOST_AT_ONCE))
            for match_id in batch:
                del self._moved[match_id]
            if not self._moved:
                self._has_moved.clear()
            try:
                await self._read(batch)
            except Unreachable as error:
                log.warning("the database can't be read", reason=str(error))
                await asyncio.sleep(1)
                for match_id in batch:
                    self.mark(match_id)
            except Exception:
                log.exception("news can't be read")
                await asyncio.sleep(1)

    async def _read(self, batch: dict[UUID, float]) -> None:
        wanted = [(match_id, self._number_of(match_id)) for match_id in batch]
        for news in await self.asking.news(selectors.feed_news, wanted=wanted):
            try:
                self._take(news)
            except Exception:
                # One match that can't be shown keeps no other from being shown.
                log.exception("news of a match can't be shown", match=str(news.match_id))
            FIGURES.delay.observe(time.monotonic() - batch[news.match_id])

    def _number_of(self, match_id: UUID) -> int:
        feed = self.feeds.get(match_id)
        return NO_ENTRIES if feed is None or feed.number is None else feed.number

    def _take(self, news: selectors.News) -> None:
        here = [(seat, player) for seat, player in enumerate(news.players) if player in self.people]
        feed = self.feeds.get(news.match_id)
        if feed is None:
            self._strangers[news.match_id] = news.players
            while len(self._strangers) > MOST_STRANGERS:
                self._strangers.popitem(last=False)
            if not here:
                return
            feed = self.feed(news.match_id)
            feed.begin(horizon=news.glance.horizon, is_over=news.glance.is_over)
        elif news.after != NO_ENTRIES and feed.advance(news):
            self.mark(news.match_id)
        for seat, player in here:
            if player is not None:
                self._hint(feed, news, seat, player)
        self.drop(feed)

    def _hint(self, feed: Feed, news: selectors.News, seat: int, player: int) -> None:
        is_over = news.glance.is_over
        self.people[player].tell(
            Hint(
                match=feed.match_id,
                horizon=news.glance.horizon,
                your_turn=not is_over and news.glance.awaits(seat),
                is_over=is_over,
            )
        )
        (feed.people.discard if is_over else feed.people.add)(player)

    def _is_of_nobody(self, match_id: UUID) -> bool:
        players = self._strangers.get(match_id)
        return players is not None and not any(player in self.people for player in players)

    # What happens now and then

    async def _show_late(self) -> None:
        """Matches that are shown late: what was there so long ago is read when there is more of it."""
        late = [
            (feed, audience)
            for feed in self.feeds.values()
            for audience in feed.audiences.values()
            if audience.delay_s and not feed.is_over
        ]
        if not late:
            return
        wanted = [(feed.match_id, audience.delay_s) for feed, audience in late]
        ripe = await self.asking.news(selectors.feeds_ripe, wanted=wanted)
        for feed, audience in late:
            stands = ripe.get(feed.match_id, 0), feed.horizon
            if self._late.get(feed.match_id) == stands:
                continue
            entries, horizon = await self.asking(
                selectors.entries_after,
                match_id=feed.match_id,
                viewer_id=audience.viewer_id,
                after=audience.horizon,
                limit=PAGE,
            )
            if len(entries) < PAGE:
                self._late[feed.match_id] = stands
            if entries:
                frames = [Frame(entry.number, msgspec.json.encode(entry)) for entry in entries]
                audience.show(frames, min(horizon, frames[-1].number))

    async def _beat(self) -> None:
        self._slot = (self._slot + 1) % SLOTS
        for stream in tuple(self._slots[self._slot]):
            stream.beat()

    async def _check_tokens(self) -> None:
        """A stream ends with the token that opened it: by its time, a log-out everywhere, or the account's end."""
        readers = [(stream, stream.admission) for stream in self.streams if stream.admission is not None]
        players = {admission.player_id for _, admission in readers}
        epochs = await self.asking.news(selectors.epochs_of, players=list(players)) if players else {}
        now = time.time()
        for stream, admission in readers:
            if admission.ends_at <= now or epochs.get(admission.player_id) != admission.epoch:
                stream.end("token_invalid", ADMISSION_OVER)

    async def _note_presence(self) -> None:
        pairs = {stream.pair for stream in self.streams if stream.pair is not None}
        if pairs:
            await self.asking(presences_note, watching=list(pairs))

    async def _find_begun(self) -> None:
        """Matches that began without a message: their players' streams don't know of them yet."""
        if self.people:
            for match_id in await self.asking(selectors.matches_begun, players=list(self.people)):
                if match_id not in self.feeds:
                    self.mark(match_id)


async def _every(seconds: float, work: Callable[[], Awaitable[None]]) -> None:
    while True:
        await asyncio.sleep(seconds)
        try:
            await work()
        except Unreachable as error:
            log.warning("the database can't be read", reason=str(error))
        except Exception:
            log.exception("something that is done now and then failed", what=work.__name__)
