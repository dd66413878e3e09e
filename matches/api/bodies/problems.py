"""What went wrong."""

from __future__ import annotations

from msgspec import Struct


class FieldError(Struct, frozen=True):
    """What is wrong with one field of a request; `pointer` is a JSON Pointer to it."""

    pointer: str
    detail: str


class Problem(Struct, frozen=True, omit_defaults=True):
    """What went wrong (RFC 9457). `code` never changes; `rule` is the id of the rule that forbids a move."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    rule: str | None = None
    errors: tuple[FieldError, ...] = ()
