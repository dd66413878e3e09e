"""A body may come in pieces, and late: what counts is when all of it was there, and none of it gets lost."""

from __future__ import annotations

import time
from io import BytesIO
from typing import Any
from wsgiref.util import setup_testing_defaults

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from config.bodies import with_length
from matches.api.middleware import LARGEST_BODY, Received

MOVE = b'{"serial": 1, "move": {"type": "turn"}}'


class Dawdling(BytesIO):
    """A body whose last byte was there at `ended`, on the monotonic clock."""

    ended: int | None = None

    def read(self, size: int | None = -1) -> bytes:
        """The bytes, which nobody has before the clock has gone on."""
        data = super().read(size)
        self.ended = time.monotonic_ns()
        while time.monotonic_ns() == self.ended:
            pass
        return data


def test_a_request_was_received_when_the_last_of_its_bytes_was_there() -> None:
    """Or else who sends the body once the card is seen answers at the time of the request's beginning: 0 ms."""
    body = Dawdling(MOVE)
    arriving: dict[str, Any] = {"wsgi.input": body}
    request = RequestFactory().post("/", MOVE, content_type="application/json", **arriving)
    read: list[bytes] = []

    def note(request: HttpRequest) -> HttpResponse:
        read.append(request.body)
        return HttpResponse()

    Received(note)(request)
    assert read == [MOVE]
    assert body.ended is not None
    assert getattr(request, "received", 0) > body.ended


def chunked(body: bytes) -> tuple[str, bytes]:
    """Status and answer to a request for a guest's account whose body came in chunks, as the web server hands it on."""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/api/v1/guests",
        "CONTENT_TYPE": "application/json",
        "HTTP_TRANSFER_ENCODING": "chunked",
        "wsgi.input": BytesIO(body),
        "wsgi.input_terminated": True,
    }
    setup_testing_defaults(environ)
    statuses: list[str] = []

    def start(status: str, headers: Any, error: Any = None) -> Any:
        statuses.append(status)

    answer = b"".join(with_length(WSGIHandler())(environ, start))
    return statuses[0], answer


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (b'{"device": 7}', "400 Bad Request", b"/device"),
        (b" " * (LARGEST_BODY + 1), "413 Request Entity Too Large", b"too_large"),
    ],
)
def test_a_body_that_comes_in_chunks_is_read(body: bytes, status: str, words: bytes) -> None:
    told, answer = chunked(body)
    assert told == status
    assert words in answer
