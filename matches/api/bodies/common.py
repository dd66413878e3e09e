"""What bodies of every topic are made of."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

from msgspec import Meta, Struct

V = TypeVar("V")
M = TypeVar("M")
E = TypeVar("E")

Level = Literal["easy", "normal", "hard"]
PlayerId = Annotated[int, Meta(ge=1, le=2**63 - 1)]
Millis = Annotated[int, Meta(description="UTC, milliseconds since 1970.")]


class Body(Struct, frozen=True, forbid_unknown_fields=True):
    """Base of what a request may carry; an unknown field is an error."""
