"""A receiver of webhooks on the loopback, which does to each request what it was told to do."""

from __future__ import annotations

import socket
import socketserver
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple


class Request(NamedTuple):
    """What came in; header names in lower case."""

    target: str
    headers: dict[str, str]
    body: bytes


class Receiver(socketserver.ThreadingTCPServer):
    """Answers from `script`, request by request, and with `usual` when that is used up.

    An answer is a status; `(status, header lines)`; `silent`: none at all; `dripping`: byte by byte without end;
    `huge`: a body without end; `noise`: no HTTP; `dead`: the connection ends.
    """

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, *, context: ssl.SSLContext | None = None, port: int = 0) -> None:
        self.script: list[Any] = []
        self.usual: Any = 204
        self.seen: list[Request] = []
        self.sent = 0
        self.at_once = self.most_at_once = 0
        self.closed = threading.Event()
        self.counting = threading.Lock()
        self._context = context
        super().__init__(("127.0.0.1", port), _Handler)

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def url(self, path: str = "/hook") -> str:
        return f"{'https' if self._context else 'http'}://127.0.0.1:{self.port}{path}"

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        connection.settimeout(30)
        if self._context is not None:
            connection = self._context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        return connection, address

    def take(self, request: Request) -> None:
        """Note a request; a call for each, one at a time."""
        self.seen.append(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Callers that go away are what is tested."""

    def shutdown(self) -> None:
        self.closed.set()
        super().shutdown()


class _Handler(socketserver.StreamRequestHandler):
    server: Receiver

    def handle(self) -> None:
        request = self._read()
        if request is None:
            return
        with self.server.counting:
            self.server.take(request)
            self.server.at_once += 1
            self.server.most_at_once = max(self.server.most_at_once, self.server.at_once)
            answer = self.server.script.pop(0) if self.server.script else self.server.usual
        try:
            with suppress(OSError):
                self._answer(answer)
        finally:
            with self.server.counting:
                self.server.at_once -= 1

    def _read(self) -> Request | None:
        line = self.rfile.readline().decode()
        if not line:
            return None
        headers: dict[str, str] = {}
        while (header := self.rfile.readline().decode().strip()) != "":
            name, _, value = header.partition(":")
            headers[name.lower()] = value.strip()
        return Request(line.split()[1], headers, self.rfile.read(int(headers.get("content-length", 0))))

    def _answer(self, answer: Any) -> None:
        match answer:
            case int():
                self._write(f"HTTP/1.1 {answer} x\r\nContent-Length: 2\r\n\r\nok".encode())
            case (int() as status, str() as lines):
                self._write(f"HTTP/1.1 {status} x\r\n{lines}\r\nContent-Length: 0\r\n\r\n".encode())
            case "silent":
                self.server.closed.wait(30)
            case "dripping":
                self._write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
                while not self.server.closed.wait(0.05):
                    self._write(b"a")
            case "huge":
                self._write(b"HTTP/1.1 200 OK\r\n\r\n")
                while True:
                    self._write(b"x" * 65_536)
            case "noise":
                self._write(b"220 mail.example ESMTP\r\n")
            case float() as seconds:
                time.sleep(seconds)
                self._write(b"HTTP/1.1 204 No Content\r\n\r\n")

    def _write(self, data: bytes) -> None:
        self.wfile.write(data)
        with self.server.counting:
            self.server.sent += len(data)


@contextmanager
def receiving(*, context: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """A receiver that listens."""
    with Receiver(context=context) as receiver:
        thread = threading.Thread(target=receiver.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield receiver
        finally:
            receiver.shutdown()
            thread.join()
