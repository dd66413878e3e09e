"""Streams: the ticket that opens one, and what their events carry."""

from __future__ import annotations

from uuid import UUID

from msgspec import Struct


class Ticket(Struct, frozen=True):
    """Opens one stream, once, within `expires_in` seconds: put it behind the address as `?ticket=`.

    `my_stream` is the address of your own stream; that of a match is in the match.
    """

    ticket: str
    expires_in: int
    my_stream: str


class Horizon(Struct, frozen=True):
    """What the events `table` and `refetch` carry: the last entry of the log that you may see now."""

    horizon: int


class Hint(Struct, frozen=True):
    """One of your matches has changed: its log goes up to `horizon`, and it waits for you or it doesn't."""

    match: UUID
    horizon: int
    your_turn: bool
    is_over: bool


class StreamEnd(Struct, frozen=True):
    """Why a stream ends: `match_over`, or the code of a problem. At `token_invalid` renew your token and come back."""

    code: str
    detail: str
