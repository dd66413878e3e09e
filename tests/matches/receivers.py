"""A mail server and a push service on the loopback, which keep what they get and refuse what they are told to."""

from __future__ import annotations

import base64
import email
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from email.policy import default
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import http_ece
import msgspec
from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.ports import free_port


class Postbox:
    """A mail server. `answers` are its next words on a message; then it takes everything."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.answers: list[str] = []
        self.refused: set[str] = set()

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        if address in self.refused:
            return "550 5.1.1 no such mailbox: " + address
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        answer = self.answers.pop(0) if self.answers else "250 OK"
        if answer.startswith("250"):
            self.mails.append(email.message_from_bytes(envelope.content, _class=EmailMessage, policy=default))
        return answer


@contextmanager
def mail_server(settings: Any, box: Postbox | None = None) -> Iterator[Postbox]:
    """Real SMTP, to which the service's mails go."""
    box = box or Postbox()
    port = free_port()
    controller = Controller(box, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
        settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
        settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
        yield box
    finally:
        controller.stop()


class Push:
    """A message as the push service has got it, and as the browser reads it."""

    def __init__(self, path: str, headers: dict[str, str], body: bytes, browser: Browser) -> None:
        self.path, self.headers, self.body = path, headers, body
        opened = http_ece.decrypt(body, private_key=browser.key, auth_secret=browser.secret, version="aes128gcm")
        self.message: dict[str, Any] = msgspec.json.decode(opened)


class Browser:
    """A push service with one browser. `answers` are the status and headers of its next answers; then 201."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = bytes(range(16))
        self.got: list[Push] = []
        self.answers: list[tuple[int, dict[str, str]]] = []
        self.url = ""

    @property
    def keys(self) -> dict[str, str]:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"p256dh": _base64(point), "auth": _base64(self.secret)}


@contextmanager
def push_service(settings: Any) -> Iterator[Browser]:
    """Real HTTP, in a network that the operator lets be reached."""
    browser = Browser()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            browser.got.append(Push(self.path, dict(self.headers), body, browser))
            status, headers = browser.answers.pop(0) if browser.answers else (201, {})
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    browser.url = f"http://127.0.0.1:{server.server_port}/push/1"
    settings.OUTGOING_HTTP, settings.OUTGOING_NETWORKS = True, ["127.0.0.0/8"]
    try:
        yield browser
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _base64(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()
