"""What happened, and who may know it."""

from __future__ import annotations

from typing import Generic, TypeVar

from msgspec import Struct

from engine.core.moves import type_name

E = TypeVar("E", covariant=True)
X = TypeVar("X")


class Event(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=type_name):
    """Base of every event of every game; a game's events are a union of subclasses.

    An event says what everybody in its audience may know and nothing else: a hidden card is a count or a slot, never a
    name. Drawing a card is two events, one for the table and one for the drawer.
    """


class Told(Struct, Generic[E], frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An event with its audience: the seats in `to`, or everybody when `to` is None."""

    event: E
    to: tuple[int, ...] | None = None

    def reaches(self, viewer: int | None) -> bool:
        """Whether this viewer (a seat, or None for a spectator) may know the event."""
        return self.to is None or viewer in self.to


def public(event: X) -> Told[X]:
    """Tell everybody."""
    return Told(event)


def private(event: X, *seats: int) -> Told[X]:
    """Tell these seats only."""
    return Told(event, seats)
