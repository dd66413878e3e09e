"""Pages: no list is without an end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from uuid import UUID

from rest_framework.request import Request

from matches.errors import ServiceError

USUAL = 25
MOST = 100
LONGEST_TEXT = 100


class Page(NamedTuple):
    """Continue behind `after`, with at most `limit` rows; a selector fetches one more to tell whether that is all."""

    after: UUID | None
    limit: int


def page_of(request: Request) -> Page:
    """The page a request asks for. Raises ServiceError `malformed`."""
    after = request.query_params.get("after")
    try:
        return Page(None if after is None else UUID(after), whole_number(request, "limit", USUAL, 1, MOST))
    except ValueError:
        raise ServiceError(
            "malformed", f"after must be the id of a match, not {after[:50]!r}" if after else ""
        ) from None


def whole_number(request: Request, name: str, usual: int, least: int, most: int) -> int:
    """A number in the query. Raises ServiceError `malformed` when it isn't one within its bounds."""
    return number_in(request.query_params, name, usual, least, most)


def number_in(fields: Mapping[str, str], name: str, usual: int, least: int, most: int) -> int:
    """The same, of whatever has names and texts."""
    text = fields.get(name)
    if text is None:
        return usual
    if not text.isascii() or not text.isdigit() or len(text) > 12 or not least <= int(text) <= most:
        raise ServiceError("malformed", f"{name} must be a whole number from {least} to {most}, not {text[:50]!r}")
    return int(text)


def flag_of(request: Request, name: str) -> bool | None:
    """Yes or no in the query, None without a word. Raises ServiceError `malformed`."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if text not in {"true", "false"}:
        raise ServiceError("malformed", f"{name} is true or false, not {text[:50]!r}")
    return text == "true"


def text_of(request: Request, name: str) -> str | None:
    """A text in the query, None without one. Raises ServiceError `malformed` or `text_invalid`."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not 1 <= len(text) <= LONGEST_TEXT:
        raise ServiceError("malformed", f"{name} has 1 to {LONGEST_TEXT} signs, not {len(text)}")
    if "\0" in text:
        raise ServiceError("text_invalid", f"{name} may not hold the sign U+0000")
    return text
