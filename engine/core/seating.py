"""Seats are numbered clockwise from 0; "left of" is the next one still in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def clockwise(start: int, seats: int) -> Iterator[int]:
    """Every seat once, beginning with the one left of `start` and ending with `start`."""
    return ((start + step) % seats for step in range(1, seats + 1))


def next_in(start: int, inside: Sequence[bool]) -> int:
    """The next seat still in, left of `start`; `start` itself when it is the only one.

    Raises ValueError when nobody is in.
    """
    for seat in clockwise(start, len(inside)):
        if inside[seat]:
            return seat
    raise ValueError("nobody is in")


def previous_in(start: int, inside: Sequence[bool]) -> int:
    """The previous seat still in, right of `start`; `start` itself when it is the only one."""
    seats = len(inside)
    for step in range(1, seats + 1):
        seat = (start - step) % seats
        if inside[seat]:
            return seat
    raise ValueError("nobody is in")
