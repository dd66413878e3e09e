"""Requests to addresses that players have chosen: bounded in time and size, to public addresses alone."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from functools import cache
from http.client import HTTPException
from typing import NamedTuple

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError

from matches.services.deliveries.addresses import AddressRefusedError, Checked, Place, address_check

CONNECT_S = 4.0
READ_S = 8.0
"""So long the other side may be silent."""
TOTAL_S = 10.0
"""From the look-up to the last byte that is read, however the bytes trickle."""
MOST_READ = 16_384
"""So much of an answer's body is read, and thrown away, so that a short one ends as its sender means it to."""
AGENT = "Listik/1"


class Failure(StrEnum):
    """Why there is no answer."""

    REFUSED = "address_refused"
    CONNECT = "no_connection"
    TLS = "tls_failed"
    TIMEOUT = "timeout"
    BROKEN = "broken_answer"
    UNSIGNED = "secret_lost"


class Answer(NamedTuple):
    """What came of a request: a status, or why there is none.

    `reason` says it in words, which hold nothing of what was sent. `retry_after` is that header as it came.
    """

    status: int | None
    failure: Failure | None
    reason: str
    retry_after: str
    took_ms: int

    @property
    def is_taken(self) -> bool:
        """Whether the receiver has taken it: any 2xx."""
        return self.status is not None and 200 <= self.status < 300


class _NoAnswerError(Exception):
    def __init__(self, failure: Failure, reason: str) -> None:
        self.failure, self.reason = failure, reason
        super().__init__(reason)


class _Plain(HTTPConnection):
    """Speaks over a socket that is connected already."""

    ready: socket.socket

    def _new_conn(self) -> socket.socket:
        return self.ready


class _Secure(HTTPSConnection):
    """The same with TLS; the certificate must be for the name, whatever the address is."""

    ready: socket.socket

    def _new_conn(self) -> socket.socket:
        return self.ready


def post(url: str, *, body: bytes, headers: Mapping[str, str], total_s: float = TOTAL_S) -> Answer:
    """POST to a public address; no redirect is followed. Whatever the other side does is told as an answer."""
    begun = time.monotonic()
    status, failure, reason, retry_after = None, None, "", ""
    try:
        status, retry_after = _post(address_check(url), body, headers, begun + total_s)
    except AddressRefusedError as error:
        failure, reason = Failure.REFUSED, str(error)
    except _NoAnswerError as error:
        failure, reason = error.failure, error.reason
    return Answer(status, failure, reason, retry_after, round((time.monotonic() - begun) * 1000))


def _post(checked: Checked, body: bytes, headers: Mapping[str, str], end: float) -> tuple[int, str]:
    sock = _connected(checked, end)
    with sock, _cut_at(sock, end) as is_cut:
        try:
            return _exchange(_connection(sock, checked.place), checked.place, body, headers, is_cut)
        except ssl.SSLCertVerificationError as error:
            raise _NoAnswerError(Failure.TLS, error.verify_message) from None
        except (HTTPError, HTTPException, OSError, ValueError) as error:
            if is_cut.is_set() or isinstance(error, TimeoutError):
                raise _NoAnswerError(Failure.TIMEOUT, "no answer in time") from None
            if isinstance(error, ssl.SSLError):
                raise _NoAnswerError(Failure.TLS, error.reason or "no TLS") from None
            raise _NoAnswerError(Failure.BROKEN, type(error).__name__) from None


def _connected(checked: Checked, end: float) -> socket.socket:
    """A connection to the first of the checked addresses that takes one. No name is looked up any more."""
    failed = _NoAnswerError(Failure.TIMEOUT, "no answer in time")
    for address in checked.addresses:
        left = end - time.monotonic()
        if left <= 0:
            break
        try:
            return socket.create_connection((address, checked.place.port), timeout=min(CONNECT_S, left))
        except TimeoutError:
            failed = _NoAnswerError(Failure.CONNECT, f"{address} doesn't answer")
        except OSError as error:
            failed = _NoAnswerError(Failure.CONNECT, f"{address}: {error.strerror}")
    raise failed


def _connection(sock: socket.socket, place: Place) -> _Plain | _Secure:
    connection: _Plain | _Secure
    if place.is_secure:
        connection = _Secure(place.host, place.port, timeout=READ_S, ssl_context=_trust(), server_hostname=place.host)
    else:
        connection = _Plain(place.host, place.port, timeout=READ_S)
    sock.settimeout(READ_S)
    connection.ready = sock
    return connection


def _exchange(
    connection: _Plain | _Secure, place: Place, body: bytes, headers: Mapping[str, str], is_cut: threading.Event
) -> tuple[int, str]:
    try:
        connection.connect()
        sent = {"Host": place.authority, "User-Agent": AGENT, "Connection": "close", **headers}
        connection.request("POST", place.target, body=body, headers=sent, preload_content=False, decode_content=False)
        response = connection.getresponse()
        if is_cut.is_set():
            # Headers that end with the connection are taken for whole ones.
            raise TimeoutError
        # The status is known: whatever becomes of the body changes nothing.
        with contextlib.suppress(HTTPError, HTTPException, OSError, ValueError):
            response.read(MOST_READ, decode_content=False)
        return response.status, response.headers.get("Retry-After", "")
    finally:
        connection.close()


@contextmanager
def _cut_at(sock: socket.socket, end: float) -> Iterator[threading.Event]:
    """The connection ends then, whatever is under way: a time limit of the socket begins anew with every byte."""
    is_cut = threading.Event()
    # TLS takes the socket over; a second handle stays ours.
    with sock.dup() as handle:

        def cut() -> None:
            is_cut.set()
            with contextlib.suppress(OSError):
                handle.shutdown(socket.SHUT_RDWR)

        timer = threading.Timer(max(end - time.monotonic(), 0), cut)
        timer.daemon = True
        timer.start()
        try:
            yield is_cut
        finally:
            timer.cancel()
            timer.join()


@cache
def _trust() -> ssl.SSLContext:
    """The authorities that the system trusts."""
    return ssl.create_default_context()
