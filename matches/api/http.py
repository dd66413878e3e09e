"""How bodies are read and written, and who is asking: the base of every endpoint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

import msgspec
from django.core.exceptions import RequestDataTooBig
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.api.middleware import LARGEST_BODY
from matches.api.throttles import Throttle
from matches.errors import ServiceError
from matches.services import heartbeat
from matches.services.players import Identity, access_token_ends, access_token_read

T = TypeVar("T")


class Bearer(BaseAuthentication):
    """A signed access token, checked without a query."""

    def authenticate(self, request: Request) -> tuple[Caller, None] | None:
        """The caller that the token names, or None without a token."""
        parts = get_authorization_header(request).split()
        if not parts or parts[0].lower() != b"bearer":
            return None
        if len(parts) != 2:
            raise AuthenticationFailed("the Authorization header must be: Bearer, one space, the access token")
        try:
            token = parts[1].decode("ascii", "replace")
            return Caller(access_token_read(token), access_token_ends(token)), None
        except ServiceError as error:
            raise AuthenticationFailed(error.message) from None

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for."""
        return "Bearer"


class Caller:
    """Who asks, and until when (seconds since 1970): what the token says, and nothing from the database."""

    is_authenticated = True
    is_active = True

    def __init__(self, identity: Identity, ends_at: int) -> None:
        self.player_id = identity.player_id
        self.epoch = identity.epoch
        self.ends_at = ends_at


class RawJson(BaseParser):
    """Leaves the bytes as they are; the endpoint decodes them into the type it expects."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        """The body's bytes. Raises RequestDataTooBig past `LARGEST_BODY` bytes."""
        data: bytes = stream.read(LARGEST_BODY + 1)
        if len(data) > LARGEST_BODY:
            raise RequestDataTooBig(f"the body is larger than {LARGEST_BODY} bytes")
        return data


class Json(BaseRenderer):
    """Writes structs; bytes are JSON already."""

    media_type = "application/json"
    format = "json"
    charset = None
    render_style = "binary"

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        """JSON in UTF-8; nothing for no content."""
        if data is None:
            return b""
        return data if isinstance(data, bytes) else msgspec.json.encode(data)


class Endpoint(APIView):
    """Base of all endpoints of the interface."""

    authentication_classes = (Bearer,)
    parser_classes = (RawJson,)
    renderer_classes: tuple[type[BaseRenderer], ...] = (Json,)
    throttle_classes = (Throttle,)
    throttle_scope: ClassVar[str | None] = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Before anything is asked of a database that doesn't answer, say so."""
        if heartbeat.is_lost():
            raise ServiceError("unavailable", "the database doesn't answer; try again")
        super().initial(request, *args, **kwargs)

    def read(self, request: Request, body: type[T]) -> T:
        """The body as this type. Raises msgspec.DecodeError, which becomes a 400 that names the field."""
        data: Any = request.data
        if isinstance(data, bytes) and b"\\u0000" in data:
            # The database can't keep it in a text.
            raise ServiceError("text_invalid", "no text may hold the sign U+0000")
        try:
            return msgspec.json.decode(data if isinstance(data, bytes) and data else b"{}", type=body)
        except RecursionError:
            raise ServiceError("malformed", "the body is nested too deeply") from None

    def caller(self, request: Request) -> Caller:
        """Who asks. Raises NotAuthenticated for nobody."""
        caller = _caller(request)
        if caller is None:
            raise NotAuthenticated("log in: send Authorization: Bearer and an access token")
        return caller

    def viewer_id(self, request: Request) -> int | None:
        """The player that asks, None for anybody."""
        caller = _caller(request)
        return None if caller is None else caller.player_id


def _caller(request: Request) -> Caller | None:
    user: Any = request.user
    return user if isinstance(user, Caller) else None
