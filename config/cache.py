"""Django's cache: in Valkey or Redis where there is one, else in the process. Both count, and neither unpickles."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient


class Plain:
    """JSON. What lies in Valkey is read as data, never run as code, whoever wrote it."""

    def dumps(self, obj: Any) -> Any:
        """Whole numbers as they are, so that they can be counted up."""
        return obj if type(obj) is int else json.dumps(obj)

    def loads(self, data: Any) -> Any:
        """The value, None for what isn't JSON: nobody here has written it."""
        try:
            return json.loads(data)
        except ValueError:
            return None


class _Client(RedisCacheClient):
    """Keeps its client, for there is one server: making one takes longer than asking it."""

    def __init__(self, servers: Any, **options: Any) -> None:
        super().__init__(servers, serializer=Plain(), **options)
        self._kept: Any = None

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        """It takes a connection from its pool for each command."""
        if self._kept is None:
            self._kept = super().get_client(key, write=write)
        return self._kept

    def count(self, keys: Sequence[str], timeout: int) -> list[int]:
        """Count each key up by one; all in one round trip."""
        with self.get_client(write=True).pipeline(transaction=False) as pipe:
            for key in keys:
                pipe.incr(key)
                pipe.expire(key, timeout)
            return [int(count) for count in pipe.execute()[::2]]


class Shared(RedisCache):
    """The cache that all processes share."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = _Client

    def count(self, keys: Sequence[str], timeout: int) -> list[int]:
        """Count each key up by one, from 0; each is forgotten `timeout` seconds after it was counted last.

        Raises RedisError when the server can't be reached.
        """
        client: Any = self._cache
        found: list[int] = client.count([self.make_and_validate_key(key) for key in keys], timeout)
        return found


class OfOneProcess(LocMemCache):
    """The cache of a process where there is nothing to share one by."""

    def count(self, keys: Sequence[str], timeout: int) -> list[int]:
        """As `Shared.count`, save that a key is forgotten `timeout` seconds after it was counted first."""
        return [self._count(key, timeout) for key in keys]

    def _count(self, key: str, timeout: int) -> int:
        self.add(key, 0, timeout)
        try:
            return int(self.incr(key))
        except ValueError:  # thrown out meanwhile, to make room for others
            return 1
