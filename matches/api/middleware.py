"""The outermost layer: when a request came in decides whether a move was in time."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request

from matches.timing import ms_of

LARGEST_BODY = 64 * 1024
"""In bytes; what is larger is refused by whoever is to read it."""


class Received:
    """Notes when each request came in, with the last byte of its body, before anything else is done with it.

    Who sends the beginning early and makes up their mind about the rest later, a card later perhaps, gains nothing.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Note the time, and go on."""
        if _is_readable(request):
            _ = request.body
        request.received = time.monotonic_ns()  # type: ignore[attr-defined]
        return self._get_response(request)


def received_at(request: HttpRequest | Request) -> int:
    """When the request came in, in the service's time (UTC, milliseconds)."""
    reading: int = request.received  # type: ignore[union-attr]
    return ms_of(reading)


def _is_readable(request: HttpRequest) -> bool:
    length = request.META.get("CONTENT_LENGTH") or "0"
    return length.isdecimal() and int(length) <= LARGEST_BODY
