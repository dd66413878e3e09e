"""Whoever shows matches live is told of every move after its commit, and of none that wasn't committed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
import redis
from django.conf import settings
from django.core.cache import caches
from django.db import transaction

from config.env import Env
from matches import bridge, calling, news, valkey
from matches.models import Position
from matches.services import presence, wake
from tests.matches.factories import make_match, make_players, take

Heard = redis.client.PubSub


@pytest.fixture
def cached(broker: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The service's cache lies in a Valkey; gives its address."""
    monkeypatch.setattr(settings, "CACHES", {"default": Env({}).cache("CACHE_URL", broker=broker)})
    monkeypatch.setattr(caches, "settings", caches.configure_settings(settings.CACHES))
    monkeypatch.setattr(presence, "cache", caches.create_connection("default"))
    monkeypatch.setattr(news, "_rest", valkey.Rest())
    return str(valkey.address())


@pytest.fixture
def heard(cached: str) -> Iterator[Heard]:
    """Somebody who listens."""
    with redis.Redis.from_url(cached).pubsub(ignore_subscribe_messages=True) as pubsub:  # type: ignore[no-untyped-call]
        pubsub.subscribe(news.CHANNEL)
        pubsub.get_message(timeout=5)
        yield pubsub


def told(heard: Heard, match: UUID, number: int = 1) -> list[int]:
    """The numbers that were told of this match: as many as are waited for, and then all that are there."""
    numbers: list[int] = []
    end = time.monotonic() + 5
    while time.monotonic() < end:
        message = heard.get_message(timeout=0.1 if len(numbers) >= number else 1)
        if message is None and len(numbers) >= number:
            break
        if message is not None:
            found, last = news.read_moved(message["data"])
            numbers += [last] if found == match else []
    return numbers


@pytest.mark.django_db(transaction=True)
def test_a_start_and_every_move_are_told_once(heard: Heard) -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    take(match, anna, 1)
    take(match, ben, 1)
    assert told(heard, match.pk, 3) == [1, 2, 3]
    assert Position.objects.get(match=match).number == 3


@pytest.mark.django_db(transaction=True)
def test_nothing_is_told_before_the_commit(heard: Heard) -> None:
    match_id = uuid4()
    with transaction.atomic():
        news.tell_moved(match_id=match_id, number=7)
        assert told(heard, match_id, 0) == []
    assert told(heard, match_id) == [7]


@pytest.mark.django_db(transaction=True)
def test_what_is_rolled_back_is_never_told(heard: Heard) -> None:
    match_id = uuid4()
    with transaction.atomic():
        news.tell_moved(match_id=match_id, number=7)
        transaction.set_rollback(True)
    assert told(heard, match_id, 0) == []


@pytest.mark.django_db(transaction=True)
def test_moves_go_on_while_valkey_is_down(monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = Env({}).cache("CACHE_URL", broker="redis+socket:///nowhere/valkey.sock")
    monkeypatch.setattr(settings, "CACHES", {"default": nowhere})
    monkeypatch.setattr(news, "_rest", valkey.Rest())
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    take(match, anna, 1)
    assert Position.objects.get(match=match).number == 2
    assert news._rest.is_on


NO_TABLE: Any = None


def fail(*_: Any, **__: Any) -> None:
    raise RuntimeError("something else is wrong")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("of", "broken", "tell"),
    [
        (news, "_publish", lambda: news.tell_moved(match_id=uuid4(), number=1)),
        (wake, "settle_later", lambda: wake.wake_soon(match_id=uuid4(), due_at=1, now=0)),
        (calling, "send_calls", lambda: calling.call_bots(match_id=uuid4(), before=None, table=NO_TABLE)),
    ],
)
def test_whatever_goes_wrong_after_the_commit_is_logged_and_no_error_of_the_move(
    of: Any, broken: str, tell: Callable[[], None], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(of, broken, fail)
    monkeypatch.setattr(bridge, "awaited_bots", lambda _: [(0, 1)])
    monkeypatch.setattr(bridge, "has_players", lambda _: True)
    with transaction.atomic():
        tell()
    assert "something else is wrong" in caplog.text


def test_a_message_that_is_none_of_ours_is_refused() -> None:
    for wrong in (b"", b"no match", b"0190f5fe000070008000000000000001 many", b"\xff 1"):
        with pytest.raises(ValueError, match=r"."):
            news.read_moved(wrong)


def test_who_looks_at_a_match_is_known_for_a_while(cached: str) -> None:
    match, other = uuid4(), uuid4()
    presence.presence_note(player_id=1, match_id=match)
    presence.presences_note(watching=[(2, match), (1, other)])
    seen = [
        (player, at)
        for player in (1, 2)
        for at in (match, other)
        if presence.is_watching(player_id=player, match_id=at)
    ]
    assert seen == [(1, match), (1, other), (2, match)]
    left: Any = redis.Redis.from_url(cached).ttl(f":1:watching:{match}:1")
    assert 0 < left <= presence.WATCHES_S


def test_without_valkey_nobody_is_known_to_look(monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = Env({}).cache("CACHE_URL", broker="redis+socket:///nowhere/valkey.sock")
    monkeypatch.setattr(caches, "settings", caches.configure_settings({"default": nowhere}))
    monkeypatch.setattr(presence, "cache", caches.create_connection("default"))
    presence.presence_note(player_id=1, match_id=uuid4())
    assert presence.is_watching(player_id=1, match_id=uuid4()) is False
