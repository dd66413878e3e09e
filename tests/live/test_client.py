"""The example's client asks again whatever becomes of an answer."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from examples.play_match import Client

WHOLE = b'HTTP/1.1 200 OK\r\nContent-Length: 11\r\nETag: "1"\r\n\r\n{"is":"it"}'
BROKEN = {
    "nothing": b"",
    "no end of the head": b"HTTP/1.1 200 OK\r\nContent-Le",
    "no body": b'HTTP/1.1 200 OK\r\nContent-Length: 11\r\nETag: "1"\r\n\r\n',
    "half a body": b'HTTP/1.1 200 OK\r\nContent-Length: 11\r\nETag: "1"\r\n\r\n{"is":',
    "something else": b"220 mail.example ESMTP\r\n",
}


@contextmanager
def answering(*answers: bytes) -> Iterator[str]:
    """A server that gives these answers, a connection each."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(10)

        def serve() -> None:
            for answer in answers:
                with server.accept()[0] as connection:
                    connection.recv(65536)
                    connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        thread.join()


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN.keys())
def test_an_answer_that_breaks_off_is_asked_for_again(broken: bytes) -> None:
    with answering(broken, broken, WHOLE) as url:
        client = Client(url)
        assert client.news("matches/1/view") == {"is": "it"}
