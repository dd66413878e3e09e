"""Web Push: encrypted for one browser, signed, small, and ended with the browser's subscription."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from matches.errors import ServiceError
from matches.models import Delivery, Match, Notice, Player, PushSubscription
from matches.services import pushing
from matches.services.deliveries import carry, spread
from matches.services.deliveries.push import public_key
from matches.services.players import Identity
from tests.matches.factories import PER_MOVE, make_match, make_players, take
from tests.matches.receivers import Browser, push_service

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser(settings: Any, clock: Callable[[int], None]) -> Iterator[Browser]:
    with push_service(settings) as found:
        yield found


@pytest.fixture
def anna(browser: Browser) -> Player:
    """Anna, whose browser is signed up."""
    (player,) = make_players(1)
    pushing.push_subscribe(identity=Identity(player.pk, 0), endpoint=browser.url, device="", **browser.keys)
    return player


@pytest.fixture
def match(anna: Player) -> Match:
    """Anna is to move."""
    found = make_match(anna, *make_players(1), control=PER_MOVE)
    Notice.objects.filter(match=found, kind="started").delete()
    return found


def deliver() -> None:
    spread.notices_spread()
    carry.deliveries_send(channel="push")


def state() -> tuple[str, str]:
    row = Delivery.objects.get(channel="push")
    return row.state, row.error


def test_a_turn_is_pushed_once_to_whoever_has_the_keys_and_to_nobody_else(match: Match, browser: Browser) -> None:
    deliver()
    deliver()
    (got,) = browser.got
    notice = Notice.objects.get(match=match, kind="turn")
    assert got.message == {
        "id": str(notice.pk),
        "sequence": 1,
        "kind": "turn",
        "match": str(match.pk),
        "game": "heap",
        "serial": 1,
        "deadline": (notice.not_before or 0) + 60_000,
    }
    assert str(match.pk).encode() not in got.body
    assert len(got.body) < 1_000
    assert got.headers["Content-Encoding"] == "aes128gcm"
    assert got.headers["Urgency"] == "normal"
    assert int(got.headers["TTL"]) == 60
    assert state() == ("sent", "")


def test_it_is_signed_for_the_push_service(match: Match, browser: Browser, settings: Any) -> None:
    settings.VAPID_SUBJECT = "mailto:operator@listik.example"
    deliver()
    parts = dict(
        part.split("=", 1) for part in browser.got[0].headers["Authorization"].removeprefix("vapid ").split(",")
    )
    assert parts["k"] == public_key()
    head, claims, signature = parts["t"].split(".")
    raw = unpacked(signature)
    key = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), unpacked(parts["k"]))
    number = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key.verify(number, f"{head}.{claims}".encode(), ECDSA(SHA256()))
    claimed = json.loads(unpacked(claims))
    assert claimed["aud"] == browser.url.removesuffix("/push/1")
    assert claimed["sub"] == "mailto:operator@listik.example"


def unpacked(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def test_of_a_match_the_newest_takes_the_place_of_those_not_fetched_yet(
    match: Match, anna: Player, browser: Browser, clock: Callable[[int], None]
) -> None:
    deliver()
    clock(49_000)
    deliver()
    make_match(anna, *make_players(1))
    deliver()
    topics = [got.headers["Topic"] for got in browser.got]
    assert [got.message["kind"] for got in browser.got[:2]] == ["turn", "warning"]
    assert browser.got[1].headers["Urgency"] == "high"
    assert topics[0] == topics[1] != topics[2]
    assert all(len(topic) <= 32 for topic in topics)


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_signed_off(status: int, match: Match, browser: Browser) -> None:
    browser.answers = [(status, {})]
    deliver()
    assert not PushSubscription.objects.exists()
    assert state() == ("dropped", "the browser has ended its subscription")


@pytest.mark.parametrize(("status", "headers", "wait_ms"), [(503, {}, 34_000), (429, {"Retry-After": "300"}, 301_000)])
def test_a_service_that_is_busy_is_asked_again_with_the_same_id(
    status: int, headers: dict[str, str], wait_ms: int, match: Match, browser: Browser, clock: Callable[[int], None]
) -> None:
    Notice.objects.filter(kind="warning").delete()
    browser.answers = [(status, headers)]
    deliver()
    assert state() == ("waiting", f"status {status}")
    clock(wait_ms // 2)
    deliver()
    assert len(browser.got) == 1
    clock(wait_ms // 2 + 1)
    carry.deliveries_send(channel="push")
    assert len({got.message["id"] for got in browser.got}) == 1
    assert len(browser.got) == 2
    assert state() == ("sent", "")


def test_what_the_service_refuses_is_given_up(match: Match, browser: Browser) -> None:
    browser.answers = [(413, {})]
    deliver()
    assert state() == ("failed", "status 413")
    assert PushSubscription.objects.exists()


def test_an_address_that_has_become_private_is_not_asked(match: Match, browser: Browser, settings: Any) -> None:
    settings.OUTGOING_NETWORKS = []
    deliver()
    assert browser.got == []
    assert state() == ("failed", "address_refused")


def test_each_browser_gets_it_and_one_that_is_signed_off_does_not(match: Match, anna: Player, browser: Browser) -> None:
    second = pushing.push_subscribe(
        identity=Identity(anna.pk, 0), endpoint=browser.url + "2", device="", **browser.keys
    )
    spread.notices_spread()
    pushing.push_unsubscribe(player_id=anna.pk, subscription_id=second.pk)
    carry.deliveries_send(channel="push")
    assert [got.path for got in browser.got] == ["/push/1"]
    assert sorted(Delivery.objects.values_list("state", flat=True)) == ["dropped", "sent"]


def test_without_a_key_nothing_is_pushed(match: Match, browser: Browser, settings: Any) -> None:
    settings.VAPID_PRIVATE_KEY = ""
    deliver()
    assert browser.got == []
    assert public_key() is None


def test_nothing_of_a_log_that_is_out_holds_the_endpoint(anna: Player, browser: Browser, settings: Any) -> None:
    settings.OUTGOING_NETWORKS = []
    with pytest.raises(ServiceError) as refused:
        pushing.push_subscribe(identity=Identity(anna.pk, 0), endpoint=browser.url + "3", device="", **browser.keys)
    assert refused.value.code == "address_refused"
    assert "/push/1" not in str(refused.value)


def test_who_has_moved_is_not_pushed_to_any_more(match: Match, anna: Player, browser: Browser) -> None:
    spread.notices_spread()
    take(match, anna, 1)
    carry.deliveries_send(channel="push")
    assert browser.got == []
    assert state() == ("dropped", "no longer true")
