"""What a channel is: how what a player is to be told leaves the service."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol
from uuid import UUID

from msgspec import Struct

from matches.models import DeliveryState, NoticeKind

BACKOFF_S = (30, 120, 600, 3_600, 14_400, 43_200)
"""So long a delivery waits after each try that failed, in seconds; after the last one it is given up."""


class Outgoing(Struct, frozen=True):
    """A notice on its way to one target of one channel. Times are UTC milliseconds.

    `id` is the notice's, the same in every channel and at every try: receivers tell repeats by it. `sequence` grows
    with each notice of the player. `serial` and `about` are those of the notice; `attempt` counts from 1.
    """

    id: UUID
    delivery_id: UUID
    sequence: int
    player_id: int
    target: str
    kind: NoticeKind
    match_id: UUID
    game: str
    seat: int | None
    serial: int
    about: int | None
    since: int
    deadline: int | None
    attempt: int


class Result(NamedTuple):
    """What came of a try: `sent`, `dropped` or `failed` for good, or `waiting` for another try.

    `error` goes to the operators, and holds no secret; `after_s` is when to try again, None for the channel's usual.
    """

    state: DeliveryState
    error: str = ""
    after_s: float | None = None


SENT = Result(DeliveryState.SENT)


def again(error: str, *, after_s: float | None = None) -> Result:
    """It failed and may succeed later."""
    return Result(DeliveryState.WAITING, error, after_s)


def dropped(error: str) -> Result:
    """There is nobody to send it to any more."""
    return Result(DeliveryState.DROPPED, error)


def failed(error: str) -> Result:
    """It will never succeed."""
    return Result(DeliveryState.FAILED, error)


class Channel(Protocol):
    """One way out. `name` is what preferences call it; `usual` are the kinds that it carries unless the player says so.

    One that `rests` keeps still in the player's quiet hours, and tells nothing that was read or is being looked at.
    One that `collects` is handed all that waits for a target at once, others one notice at a time. `backoff_s` is how
    long a delivery waits after each try that failed.
    """

    @property
    def name(self) -> str: ...

    @property
    def usual(self) -> frozenset[NoticeKind]: ...

    @property
    def rests(self) -> bool: ...

    @property
    def collects(self) -> bool: ...

    @property
    def backoff_s(self) -> tuple[int, ...]: ...

    def targets(self, player_ids: Collection[int]) -> Mapping[int, Sequence[str]]:
        """Where to reach these players; who isn't in it can't be reached."""

    def wait_s(self, kind: NoticeKind) -> int:
        """How long, in seconds, a notice waits for others to go with."""

    def send(self, outgoing: Sequence[Outgoing]) -> Result:
        """Try it, within half a minute. Raises nothing that is to be expected; holds no lock and no transaction."""
