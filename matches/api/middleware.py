"""The outermost layers: when a request came in decides whether a move was in time; and every request has an id."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request
from structlog.contextvars import bind_contextvars

from config import figures
from config.tracing import HEADER, begin_request
from matches.timing import ms_of

METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
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


class Watched:
    """Gives each request an id that everything logged for it bears, and counts what was asked and how long it took."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer it, and tell the id with the answer."""
        begun = time.perf_counter()
        request_id = begin_request(request.headers.get(HEADER))
        response = self._get_response(request)
        response.headers[HEADER] = request_id
        found = request.resolver_match
        # What leads nowhere, or was answered before anybody looked where it leads, has no route.
        route = found.route if found is not None else "?"
        method = request.method if request.method in METHODS else "?"
        figures.request_took(f"{method} {route}", response.status_code, time.perf_counter() - begun)
        return response

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]) -> None:
        """The match that it is about is logged as well."""
        if "match_id" in kwargs:
            bind_contextvars(match_id=str(kwargs["match_id"]))


def received_at(request: HttpRequest | Request) -> int:
    """When the request came in, in the service's time (UTC, milliseconds)."""
    reading: int = request.received  # type: ignore[union-attr]
    return ms_of(reading)


def _is_readable(request: HttpRequest) -> bool:
    length = request.META.get("CONTENT_LENGTH") or "0"
    return length.isdecimal() and int(length) <= LARGEST_BODY
