"""Bodies that come in chunks, whose length nobody tells beforehand."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

MOST = 64 * 1024 + 1
"""In bytes: one more than the interface takes, so that it refuses a larger one like any other."""


def with_length(application: WSGIApplication) -> WSGIApplication:
    """Has them read first: Django takes a body without a length for none, and answers as if none had been sent."""

    def whole(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ.get("wsgi.input_terminated") and "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower():
            body = environ["wsgi.input"].read(MOST)
            environ = {**environ, "CONTENT_LENGTH": str(len(body)), "wsgi.input": BytesIO(body)}
        return application(environ, start_response)

    return whole
