"""The outermost layer: when a request came in decides whether a move was in time."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from matches.timing import now_ms


class Received:
    """Stamps each request with the service's time before anything else is done with it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Stamp, and go on."""
        request.received = now_ms()  # type: ignore[attr-defined]
        return self._get_response(request)
