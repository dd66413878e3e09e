"""Nothing is sent but to public addresses, however they are written and whatever a name stands for a moment later."""

from __future__ import annotations

import socket
import threading
from typing import Any

import pytest
from pytest_django import Settings

from matches.services.deliveries import addresses, outgoing
from matches.services.deliveries.addresses import AddressRefusedError, address_check, place_read
from tests.deliveries.receiver import Receiver

PUBLIC = ["93.184.215.14", "1.1.1.1", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
NOT_PUBLIC = [
    *("127.0.0.1", "127.8.9.1", "0.0.0.1", "10.0.0.1", "172.16.5.4", "192.168.1.1", "169.254.169.254", "100.64.0.1"),
    *("192.0.0.8", "192.0.2.1", "198.18.0.1", "192.88.99.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "fec0::1", "ff02::1", "2001:db8::1", "3fff::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "2002:7f00:1::", "2002:808:808::", "2001::1"),
    *("64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::808:808", "5f00::1", "2606:4700::1%1"),
]


def stands_for(monkeypatch: pytest.MonkeyPatch, *found: str) -> None:
    """Every name stands for these addresses from now on."""
    rows = [(socket.AF_INET6 if ":" in it else socket.AF_INET, socket.SOCK_STREAM, 6, "", (it, 443)) for it in found]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: rows)


@pytest.mark.parametrize("address", PUBLIC)
def test_a_name_of_a_public_address_is_let_through(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    stands_for(monkeypatch, address)
    assert address_check("https://bot.example/hook").addresses == (address,)


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_a_name_of_another_address_is_refused(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    stands_for(monkeypatch, address)
    with pytest.raises(AddressRefusedError, match="no public address"):
        address_check("https://bot.example/hook")


def test_one_bad_address_among_good_ones_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    stands_for(monkeypatch, "1.1.1.1", "10.0.0.1")
    with pytest.raises(AddressRefusedError, match="no public address"):
        address_check("https://bot.example/hook")


@pytest.mark.parametrize("address", [it for it in NOT_PUBLIC if "%" not in it])
def test_such_an_address_is_refused_without_a_look_up_too(address: str) -> None:
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(AddressRefusedError, match="no public address"):
        place_read(f"https://{host}/")


@pytest.mark.parametrize(
    "url",
    [
        *("https://2130706433/", "https://0x7f000001/", "https://017700000001/", "https://127.1/", "https://0/"),
        *("https://0x7f.0.0.1/", "https://127.0.0.1./", "https://010.0.0.1/", "https://1.1.1.256/", "https://1.1.0x1/"),
        *(
            "https://１２７.0.0.1/",
            "https://①.①.①.①/",
            "https://[::1%25lo]/",
            "https://[::ffff:7f00:1]/",
            "https://[1.1.1.1]x/",
        ),
        *("https://user@bot.example/", "https://bot.example@10.0.0.1/", "https://a:b@bot.example/"),
        *(
            "https://bot.example\\@10.0.0.1/",
            "https://bot.example#x",
            "https://bot.example/#x",
            "https://bot .example/",
        ),
        *(
            "https://bot.example/a b",
            "https://bot.example/\r\nx: y",
            "https://bot.example/\n",
            "\thttps://bot.example/",
        ),
        *("ftp://bot.example/", "file:///etc/passwd", "gopher://bot.example/", "//bot.example/", "bot.example", ""),
        *("https://", "https:///x", "https://.bot.example/", "https://bot..example/", "https://münchen.example/"),
        *("https://bot.example:22/", "https://bot.example:25/", "https://bot.example:0/", "https://bot.example:65536/"),
        *("https://bot.example:6000/", "https://bot.example:/", "https://bot.example:-1/", "https://bot.example:4４3/"),
        *(f"https://{'a' * 64}.example/", f"https://bot.example/{'a' * 1000}", "http://bot.example/"),
    ],
)
def test_what_is_no_clear_url_of_a_public_server_is_refused(url: str) -> None:
    with pytest.raises(AddressRefusedError):
        place_read(url)


def test_a_url_is_taken_apart_in_one_way() -> None:
    assert place_read("https://Bot.Example") == (True, "bot.example", 443, "/")
    assert place_read("https://bot.example.:8443/a%20b?c=d").authority == "bot.example:8443"
    assert place_read("https://bot.example?c=d").target == "/?c=d"
    assert place_read("https://[2606:4700:4700:0::1111]/").authority == "[2606:4700:4700::1111]"


def test_a_name_that_is_not_found_and_one_behind_our_walls_are_told_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(-2, "Name or service not known")

    found: list[str] = []
    for look_up in (fail, lambda *_, **__: [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.1", 443))]):
        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        answer = outgoing.post("https://bot.example/", body=b"", headers={})
        found.append(f"{answer.failure} {answer.reason}")
    assert found == ["address_refused bot.example stands for no public address"] * 2


def test_nobody_waits_for_a_look_up_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    is_over = threading.Event()
    monkeypatch.setattr(addresses, "LOOKUP_S", 0.05)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: is_over.wait(10))
    with pytest.raises(AddressRefusedError, match="no public address"):
        address_check("https://bot.example/")
    is_over.set()


def test_the_operator_may_let_networks_be_reached(settings: Settings) -> None:
    settings.OUTGOING_NETWORKS = ["127.0.0.0/8"]
    assert address_check("https://127.0.0.1:8443/").addresses == ("127.0.0.1",)
    assert place_read("https://[::ffff:127.0.0.1]/").host == "::ffff:7f00:1"
    with pytest.raises(AddressRefusedError):
        address_check("https://10.0.0.1/")


def test_the_connection_goes_to_the_address_that_was_checked(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that stands for something else from the second look on (rebinding) is looked at once."""
    asked: list[str] = []
    truth = socket.getaddrinfo

    def look_up(host: str, port: int, *arguments: Any, **more: Any) -> Any:
        asked.append(host)
        return truth("127.0.0.1" if asked.count("bot.example") == 1 else "10.255.255.1", port, *arguments, **more)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    answer = outgoing.post(f"http://bot.example:{receiver.port}/hook?a=b", body=b"{}", headers={})
    assert answer.status == 204
    # Only a literal is "looked up" again.
    assert asked == ["bot.example", "127.0.0.1"]
    assert receiver.seen[0].headers["host"] == f"bot.example:{receiver.port}"
    assert receiver.seen[0].target == "/hook?a=b"
