"""How many may read at once: in a process, from one address, and as one player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings

from matches.errors import ServiceError

WAIT_S = 5


class Places:
    """The places that are taken now."""

    def __init__(self) -> None:
        self.taken = 0
        self.refused = 0
        self._by: Counter[str] = Counter()

    @contextmanager
    def take(self, *, player_id: int | None, address: str) -> Iterator[None]:
        """A place for as long as the block lasts. Raises ServiceError `streams_full` or `too_many_streams`."""
        most = settings.STREAMS
        if self.taken >= most["process"]:
            self.refused += 1
            raise ServiceError("streams_full", "all streams are taken; try again soon", retry_after=WAIT_S)
        owners = {f"address-{address}": most["address"]}
        if player_id is not None:
            owners[f"player-{player_id}"] = most["player"]
        for owner, number in owners.items():
            if self._by[owner] >= number:
                self.refused += 1
                detail = f"you may have {number} streams open at once; close one of them first"
                raise ServiceError("too_many_streams", detail, retry_after=WAIT_S)
        self.taken += 1
        self._by.update(owners.keys())
        try:
            yield
        finally:
            self.taken -= 1
            self._by.subtract(owners.keys())
            for owner in owners:
                if not self._by[owner]:
                    del self._by[owner]
