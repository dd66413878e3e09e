"""The outermost layer: when a request came in decides whether a move was in time."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request

from matches.timing import ms_of


class Received:
    """Notes when each request came in before anything else is done with it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Note the time, and go on."""
        request.received = time.monotonic_ns()  # type: ignore[attr-defined]
        return self._get_response(request)


def received_at(request: HttpRequest | Request) -> int:
    """When the request came in, in the service's time (UTC, milliseconds)."""
    reading: int = request.received  # type: ignore[union-attr]
    return ms_of(reading)
