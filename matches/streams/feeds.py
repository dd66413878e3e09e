"""The matches that are served: how far each has come, and what every audience of it may see."""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import NamedTuple, Protocol
from uuid import UUID

from matches import selectors
from matches.selectors import AnyEntry, News

MOST_FRAMES = 64
"""So many entries are kept ready for each audience, and no longer than a few seconds."""


class Watcher(Protocol):
    """Whoever waits for an audience's news."""

    def wake(self) -> None:
        """There are some."""


class Frame(NamedTuple):
    """An entry as one audience may see it, in JSON."""

    number: int
    body: bytes


class Audience:
    """All who may see the same of a match: a seat's readers, the spectators, or those whom it is shown late.

    `horizon` is the last entry that they may see. `changes` counts what changed for the seat alone, out of the others'
    sight. `viewer_id` is one of them.
    """

    def __init__(self, seat: int | None, viewer_id: int | None, delay_s: int, horizon: int) -> None:
        self.seat = seat
        self.viewer_id = viewer_id
        self.delay_s = delay_s
        self.horizon = horizon
        self.changes = 0
        self.watchers: set[Watcher] = set()
        self._frames: deque[Frame] = deque(maxlen=MOST_FRAMES)
        self._old = 0

    def show(self, frames: list[Frame], horizon: int) -> None:
        """From now on they may see so far; the frames are the newest, in order."""
        self._frames.extend(frames)
        self._old = min(self._old, len(self._frames))
        self.horizon = max(horizon, self.horizon)
        self.wake()

    def wake(self) -> None:
        """Wake everybody."""
        for watcher in tuple(self.watchers):
            watcher.wake()

    def behind(self, number: int) -> list[Frame] | None:
        """What comes behind a number, up to the horizon; None when it has to be read from the database."""
        if number >= self.horizon:
            return []
        if not self._frames or not self._frames[0].number <= number + 1 <= self._frames[-1].number:
            return None
        return list(islice(self._frames, number + 1 - self._frames[0].number, None))

    def forget_old(self) -> None:
        """Drop what was there when this was called last."""
        for _ in range(self._old):
            self._frames.popleft()
        self._old = len(self._frames)


class Feed:
    """A match that is served. `number` is the last entry that was read, None while none was.

    `people` are the ids of players here who sit in it and are hinted at it.
    """

    def __init__(self, match_id: UUID) -> None:
        self.match_id = match_id
        self.number: int | None = None
        self.horizon = 0
        self.is_over = False
        self.players: tuple[int | None, ...] = ()
        self.people: set[int] = set()
        self.audiences: dict[tuple[int | None, int], Audience] = {}
        self._sealed: list[AnyEntry] = []

    @property
    def is_wanted(self) -> bool:
        """Whether anybody here still asks for it."""
        return bool(self.people or self.audiences)

    def begin(self, *, horizon: int, is_over: bool) -> None:
        """It was read for the first time; whatever is behind the horizon comes with its next news."""
        if self.number is None:
            self.number = self.horizon = horizon
            self.is_over = is_over

    def join(self, watcher: Watcher, *, seat: int | None, viewer_id: int | None, delay_s: int, late: int) -> Audience:
        """Let a watcher have all news from now on; `late` is how far those see whom it is shown `delay_s` late."""
        key = seat, delay_s
        audience = self.audiences.get(key)
        if audience is None:
            audience = self.audiences[key] = Audience(seat, viewer_id, delay_s, late if delay_s else self.horizon)
        audience.watchers.add(watcher)
        return audience

    def leave(self, watcher: Watcher, audience: Audience) -> None:
        """No more news for this watcher."""
        audience.watchers.discard(watcher)
        if not audience.watchers:
            self.audiences.pop((audience.seat, audience.delay_s), None)

    def has_sealed_of(self, seat: int | None) -> bool:
        """Whether something that this seat did lies sealed."""
        return any(_is_of(entry, seat) for entry in self._sealed)

    def advance(self, news: News) -> bool:
        """Take what was read; gives whether there is more to read.

        What lies sealed waits here until its race is over; then it is shown like everything else.
        """
        self.players = news.players
        known = self.number or 0
        is_decoded = bool(self.audiences) or news.glance.number > news.glance.horizon
        fresh = [
            selectors.entry_read(game=news.game, ruleset=news.ruleset, entry=entry)
            for number, entry in enumerate(news.entries, news.after + 1)
            if is_decoded and number > known
        ]
        self.number = max(known, news.after + len(news.entries))
        self.horizon = max(self.horizon, min(news.glance.horizon, self.number))
        is_complete = self.number >= news.glance.number
        self.is_over = is_complete and news.glance.is_over
        waiting = self._sealed + fresh
        self._sealed = [entry for entry in waiting if entry.number > self.horizon]
        self._show([entry for entry in waiting if entry.number <= self.horizon])
        self._touch([entry for entry in fresh if entry.number > self.horizon])
        return not is_complete

    def _show(self, entries: list[AnyEntry]) -> None:
        for audience in self.audiences.values():
            if self.is_over and audience.delay_s:
                # All of it is shown at once now; who hasn't had it reads it from the log.
                audience.show([], self.horizon)
            elif entries and not audience.delay_s:
                frames = [
                    Frame(entry.number, selectors.entry_shown(entry, audience.seat, is_over=self.is_over))
                    for entry in entries
                ]
                audience.show(frames, self.horizon)

    def _touch(self, sealed: list[AnyEntry]) -> None:
        """A seat's own look or answer is told to its own readers, and to nobody else."""
        for audience in self.audiences.values():
            if any(_is_of(entry, audience.seat) for entry in sealed):
                audience.changes += 1
                audience.wake()


def _is_of(entry: AnyEntry, seat: int | None) -> bool:
    return seat is not None and (entry.seat == seat or seat in entry.seats)
