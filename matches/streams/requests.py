"""Requests and answers of the stream service, with the same errors and the same rules for browsers as the API."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qsl

import msgspec
import structlog
from django.conf import settings
from django.http.request import split_domain_port, validate_host

from config.headers import EVERYWHERE, HSTS, OF_DATA
from matches.api.problems import MEDIA_TYPE, of_error, problem
from matches.errors import ServiceError
from matches.services.players import access_token_ends, access_token_read
from matches.services.tickets import Admission

Send = Callable[[dict[str, Any]], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

LONGEST_TOKEN = 4096
NO_STORE = (b"cache-control", b"no-store")

log = structlog.get_logger()


class Request:
    """A request, read from what ASGI tells of it."""

    def __init__(self, scope: dict[str, Any]) -> None:
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self.query = dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))
        self.headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        client = scope.get("client")
        self._peer = client[0] if client else "local"

    @property
    def address(self) -> str:
        """Where it comes from: behind a proxy, what the proxy says."""
        forwarded = self.headers.get("x-forwarded-for", "") if settings.BEHIND_PROXY else ""
        return forwarded.rsplit(",", 1)[-1].strip() or self._peer

    @property
    def is_for_us(self) -> bool:
        """Whether its Host is one that is served."""
        domain, _ = split_domain_port(self.headers.get("host", ""))
        return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)

    def bearer(self) -> Admission | None:
        """Whom the access token lets in, None without one. Raises ServiceError `token_invalid`."""
        scheme, _, token = self.headers.get("authorization", "").strip().partition(" ")
        if scheme.lower() != "bearer":
            return None
        token = token.strip()
        if not token or len(token) > LONGEST_TOKEN:
            raise ServiceError("token_invalid", "the Authorization header must be: Bearer, one space, the access token")
        identity = access_token_read(token)
        return Admission(identity.player_id, identity.epoch, access_token_ends(token))

    def cross_origin(self) -> Headers:
        """What lets a page of another origin read the answer, when the operator allows it."""
        origin = self.headers.get("origin")
        if origin is None or not self.path.startswith("/api/v1/"):
            return []
        headers = [(b"vary", b"origin")]
        if origin in settings.CORS_ALLOWED_ORIGINS:
            exposed = ", ".join(settings.CORS_EXPOSE_HEADERS).encode()
            headers += [
                (b"access-control-allow-origin", origin.encode("latin-1")),
                (b"access-control-expose-headers", exposed),
            ]
        return headers


class Answer:
    """How one request is answered; `has_begun` once its first line was sent."""

    def __init__(self, request: Request, send: Send) -> None:
        self.has_begun = False
        self._request = request
        self._send = send

    async def whole(self, status: int, body: bytes, media_type: str, more: Headers | None = None) -> None:
        """All of an answer."""
        headers = [(b"content-type", media_type.encode()), (b"content-length", b"%d" % len(body)), NO_STORE]
        await self.begin(status, [*headers, *(more or [])])
        await self._send({"type": "http.response.body", "body": body, "more_body": False})

    async def begin(self, status: int, headers: Headers) -> None:
        """The first lines of an answer."""
        self.has_begun = True
        every = [*headers, *_guards(), *self._request.cross_origin()]
        await self._send({"type": "http.response.start", "status": status, "headers": every})

    async def refuse(self, error: Exception) -> None:
        """A problem in place of an answer."""
        found, headers = of_error(error)
        if found is None:
            log.error("a request failed", exc_info=error)
            found = problem("server_error", "the service failed; nothing was changed by this request")
        more = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        await self.whole(found.status, msgspec.json.encode(found), MEDIA_TYPE, more)

    async def preflight(self) -> None:
        """What a browser asks before it sends a token to another origin."""
        headers = [(b"content-length", b"0")]
        if self._request.headers.get("origin") in settings.CORS_ALLOWED_ORIGINS:
            headers += [
                (b"access-control-allow-methods", b"GET, OPTIONS"),
                (b"access-control-allow-headers", ", ".join(settings.CORS_ALLOW_HEADERS).encode()),
                (b"access-control-max-age", b"86400"),
            ]
        await self.begin(200, headers)
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})


def _guards() -> Headers:
    """What browsers may not do with any answer."""
    every = {**EVERYWHERE, "Content-Security-Policy": OF_DATA}
    if settings.HTTPS_ONLY:
        every["Strict-Transport-Security"] = HSTS
    return [(name.lower().encode(), value.encode()) for name, value in every.items()]
