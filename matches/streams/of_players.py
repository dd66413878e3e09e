"""The stream of a player: which of their matches have moved, and where it is their turn."""

from __future__ import annotations

from uuid import UUID

import msgspec

from matches.api.bodies import Hint
from matches.services.tickets import Admission
from matches.streams.readers import Send, Stream, event


class PlayerStream(Stream):
    """Hints for one player. Of several about one match only the last is kept for a reader that is slow."""

    def __init__(self, send: Send, admission: Admission) -> None:
        super().__init__(send, admission)
        self.player_id = admission.player_id
        self._waiting: dict[UUID, Hint] = {}

    def tell(self, hint: Hint) -> None:
        """Send it as soon as the reader takes it."""
        self._waiting[hint.match] = hint
        self.wake()

    async def news(self) -> bytes:
        """All hints that wait."""
        waiting, self._waiting = self._waiting, {}
        return b"".join(event("hint", msgspec.json.encode(hint)) for hint in waiting.values())


class Person:
    """A player who reads hints here, and the last hint about each of their matches."""

    def __init__(self) -> None:
        self.streams: set[PlayerStream] = set()
        self.hints: dict[UUID, Hint] = {}

    def tell(self, hint: Hint) -> None:
        """Tell it unless it says what the last one said."""
        if self.hints.get(hint.match) == hint:
            return
        self.hints[hint.match] = hint
        for stream in self.streams:
            stream.tell(hint)
        if hint.is_over:
            del self.hints[hint.match]
