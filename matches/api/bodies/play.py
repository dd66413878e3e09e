"""Playing: what a seat sends and is shown."""

from __future__ import annotations

from typing import Annotated, Generic
from uuid import UUID

from msgspec import Meta, Raw, Struct

from engine.core.viewing import EntryView, TableView
from matches.api.bodies.common import Body, E, M, Millis, V

Serial = Annotated[int, Meta(ge=0, le=2**31 - 1, description="The `serial` of your open decision.")]


class SubmitMove(Body, frozen=True):
    """`MoveRequest` as it is read: the move stays bytes until the game is known."""

    serial: Serial
    move: Raw


class MoveRequest(Body, Generic[M], frozen=True):
    """A move, as the answer to your open decision with this `serial`; sent again it is the same answer."""

    serial: Serial
    move: M


class MatchView(Struct, Generic[V, M], frozen=True):
    """A running or finished match as you may know it. `now` is the service's time; count deadlines down from it."""

    match: UUID
    game: str
    now: Millis
    table: TableView[V, M]


class LegalMoves(Struct, Generic[M], frozen=True):
    """What you may do now: `serial` names the decision, null when nothing is asked of you."""

    serial: int | None
    occasion: str | None
    deadline: Millis | None
    moves: tuple[M, ...]


class LogPage(Struct, Generic[M, E], frozen=True):
    """Entries of the log in order, without a gap; `horizon` is the last one that you may see now."""

    entries: tuple[EntryView[M, E], ...]
    horizon: int


class Played(Struct, Generic[V, M, E], frozen=True):
    """The answer to a move: what happened up to your horizon, and the table now.

    `repeated` says that this very move was in the log already: nothing happened a second time.
    """

    repeated: bool
    entries: tuple[EntryView[M, E], ...]
    view: MatchView[V, M]
