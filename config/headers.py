"""What every answer tells a browser that it may not do, whichever part of the service it comes from."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

OF_PAGES = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
OF_DATA = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"
EVERYWHERE = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
HSTS = "max-age=31536000; includeSubDomains; preload"


class Guarded:
    """Adds them to whatever Django answers; a page that needs another policy of its own has set it already."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and say what the answer isn't for."""
        response = self._get_response(request)
        for name, value in EVERYWHERE.items():
            response.headers.setdefault(name, value)
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        response.headers.setdefault("Content-Security-Policy", OF_PAGES if is_page else OF_DATA)
        return response
