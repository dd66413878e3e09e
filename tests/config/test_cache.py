"""The cache that counts requests: by Valkey, and within a process."""

from __future__ import annotations

import pickle
import uuid
from typing import Any

import pytest
import redis
from django.core.cache import caches
from redis.exceptions import RedisError

from config.env import Env

BOOM: list[str] = []


def boom(word: str) -> None:
    """Notes that code out of the cache was run."""
    BOOM.append(word)


class Bomb:
    """What runs code when it is unpickled."""

    def __reduce__(self) -> Any:
        return boom, ("boom",)


@pytest.fixture(params=["shared", "of one process"])
def cache(request: pytest.FixtureRequest, broker: str, settings: Any) -> Any:
    """Both kinds of cache, with keys that no other test has."""
    of_a_broker = broker if request.param == "shared" else "amqp://mq"
    chosen = Env({}).cache("CACHE_URL", broker=of_a_broker)
    settings.CACHES = {"default": {**chosen, "KEY_PREFIX": str(uuid.uuid4()), "LOCATION": chosen.get("LOCATION", "")}}
    return caches["default"]


def test_it_counts_each_key_from_one(cache: Any) -> None:
    assert cache.count(["one", "other"], 60) == [1, 1]
    assert cache.count(["one"], 60) == [2]
    assert cache.count(["other", "one"], 60) == [2, 3]


def test_a_count_is_forgotten_after_its_time(cache: Any) -> None:
    assert cache.count(["one"], 0) == [1]
    assert cache.count(["one"], 60) == [1]


def test_values_come_back_as_they_were(cache: Any) -> None:
    cache.set_many({"number": 7, "text": "seven", "nothing": None, "list": [1, "two"]}, 60)
    assert cache.get_many(["number", "text", "nothing", "list"]) == {
        "number": 7,
        "text": "seven",
        "nothing": None,
        "list": [1, "two"],
    }


def test_nothing_that_lies_in_valkey_is_run(broker: str, settings: Any) -> None:
    settings.CACHES = {"default": Env({}).cache("CACHE_URL", broker=broker)}
    cache, key = caches["default"], str(uuid.uuid4())
    with redis.Redis.from_url(settings.CACHES["default"]["LOCATION"]) as client:
        client.set(cache.make_key(key), pickle.dumps(Bomb()), ex=60)
    assert cache.get(key) is None
    assert BOOM == []
    pickle.loads(pickle.dumps(Bomb()))  # noqa: S301 - it would have gone off
    assert BOOM == ["boom"]


def test_a_server_that_cant_be_reached_is_an_error_that_says_so(settings: Any, tmp_path: Any) -> None:
    nowhere = Env({"CACHE_URL": f"redis+socket://{tmp_path}/nothing"}).cache("CACHE_URL", broker="")
    settings.CACHES = {"default": nowhere}
    with pytest.raises(RedisError):
        caches["default"].count(["one"], 60)  # type: ignore[attr-defined]
