"""What leaves the service ends in time and within bounds, whatever the receiver does."""

from __future__ import annotations

import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from matches.services.deliveries import outgoing
from matches.services.deliveries.outgoing import Answer, Failure
from tests.deliveries.receiver import Receiver, receiving


def send(url: str, total_s: float = 5.0) -> Answer:
    return outgoing.post(url, body=b'{"a": 1}', headers={"webhook-id": "x"}, total_s=total_s)


def came_of(answer: Answer) -> tuple[int | None, Failure | None]:
    return answer.status, answer.failure


@pytest.mark.parametrize(("status", "is_taken"), [(200, True), (204, True), (299, True), (404, False), (503, False)])
def test_any_2xx_has_taken_it(receiver: Receiver, status: int, is_taken: bool) -> None:  # noqa: FBT001
    receiver.script = [status]
    answer = send(receiver.url())
    assert (answer.status, answer.is_taken, answer.failure) == (status, is_taken, None)
    assert receiver.seen[0].body == b'{"a": 1}'
    assert receiver.seen[0].headers["webhook-id"] == "x"


def test_a_redirect_is_an_answer_and_is_not_followed(receiver: Receiver) -> None:
    receiver.script = [(302, f"Location: http://127.0.0.1:{receiver.port}/inside"), (307, "Location: /inside")]
    assert [send(receiver.url()).status for _ in range(2)] == [302, 307]
    assert [request.target for request in receiver.seen] == ["/hook", "/hook"]


def test_when_to_come_again_is_told(receiver: Receiver) -> None:
    receiver.script = [(429, "Retry-After: 7")]
    assert send(receiver.url()).retry_after == "7"


@pytest.mark.parametrize("answer", ["silent", "dripping"])
def test_who_is_silent_or_answers_byte_by_byte_is_left_in_time(receiver: Receiver, answer: str) -> None:
    receiver.usual = answer
    begun = time.monotonic()
    assert came_of(send(receiver.url(), total_s=0.3)) == (None, Failure.TIMEOUT)
    # Far less than the receiver's patience, and far more than what a busy machine needs.
    assert time.monotonic() - begun < 15


def test_a_body_without_end_is_not_read(receiver: Receiver) -> None:
    receiver.usual = "huge"
    assert came_of(send(receiver.url())) == (200, None)
    with receiver.counting:
        # What fits into the sockets' own buffers may have been sent.
        assert receiver.sent < 16 * 2**20


def test_what_is_no_http_is_told(receiver: Receiver) -> None:
    receiver.script = ["noise", "dead"]
    assert [send(receiver.url()).failure for _ in range(2)] == [Failure.BROKEN, Failure.BROKEN]


def test_a_port_where_nobody_listens_is_told(settings: Settings) -> None:
    settings.OUTGOING_NETWORKS, settings.OUTGOING_HTTP = ["127.0.0.0/8"], True
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        answer = send(f"http://127.0.0.1:{bound.getsockname()[1]}/")
    assert (answer.failure, answer.reason) == (Failure.CONNECT, "127.0.0.1: Connection refused")


def test_what_may_not_be_reached_gets_no_byte(receiver: Receiver, settings: Settings) -> None:
    settings.OUTGOING_NETWORKS = []
    assert send(receiver.url()).failure is Failure.REFUSED
    assert receiver.seen == []


def test_the_next_address_is_tried_where_one_takes_no_connection(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look_up(host: str, port: int, *_: Any, **__: Any) -> Any:
        found = ["127.0.0.9", "127.0.0.1"] if host == "bot.example" else [host]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    assert send(f"http://bot.example:{receiver.port}/").status == 204


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Key and certificate of bot.example, trusted by nobody but who is told to."""
    file = tmp_path_factory.mktemp("tls") / "bot.pem"
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    named = ["-subj", "/CN=bot.example", "-addext", "subjectAltName=DNS:bot.example,IP:127.0.0.1"]
    subprocess.run([*made, *named, "-keyout", str(file), "-out", str(file) + ".crt"], check=True, capture_output=True)
    file.write_bytes(file.read_bytes() + Path(str(file) + ".crt").read_bytes())
    return file


@pytest.fixture
def secure(certificate: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """A receiver with TLS, whose certificate the system trusts; every name leads to it."""
    settings.OUTGOING_NETWORKS = ["127.0.0.0/8"]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    outgoing._trust.cache_clear()

    def look_up(host: str, port: int, *_: Any, **__: Any) -> Any:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with receiving(context=context) as server:
        yield server
    outgoing._trust.cache_clear()


def test_the_certificate_is_for_the_name_and_not_for_the_address(secure: Receiver) -> None:
    assert came_of(send(f"https://bot.example:{secure.port}/")) == (204, None)
    other = send(f"https://other.example:{secure.port}/")
    assert (other.failure, "other.example" in other.reason) == (Failure.TLS, True)
    assert len(secure.seen) == 1


def test_an_address_can_have_a_certificate(secure: Receiver) -> None:
    assert came_of(send(f"https://127.0.0.1:{secure.port}/")) == (204, None)


def test_whom_the_system_does_not_trust_gets_nothing(secure: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    outgoing._trust.cache_clear()
    assert came_of(send(f"https://bot.example:{secure.port}/")) == (None, Failure.TLS)
    assert secure.seen == []


def test_a_handshake_that_is_never_answered_ends_in_time(receiver: Receiver) -> None:
    receiver.usual = "silent"
    answer = send(f"https://127.0.0.1:{receiver.port}/", total_s=0.3)
    assert answer.failure in {Failure.TIMEOUT, Failure.TLS}
    assert receiver.seen == []
