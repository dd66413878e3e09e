"""Strict readers of the environment: a wrong value stops the start with one line that says what would be right."""

import os
import re
from base64 import urlsafe_b64decode
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_network
from typing import Any
from urllib.parse import SplitResult, parse_qs, urlsplit

from django.core.exceptions import ImproperlyConfigured
from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off"})
BROKER_SCHEMES = frozenset({"redis", "rediss", "redis+socket", "valkey", "valkeys", "amqp", "amqps"})
CACHE_SCHEMES = frozenset({"redis", "rediss", "redis+socket", "valkey", "valkeys"})
NOT_A_DATABASE = "{name} is not a PostgreSQL address: expected postgresql://user:password@host:5432/name"
PREPARED_AFTER = 5
RATE = re.compile(r"([1-9][0-9]{0,8})/([smhd])")
PERIODS_S = {"s": 1, "m": 60, "h": 3600, "d": 86400}
NOT_A_CACHE = "CACHE_URL is not a cache's address: expected redis://host:6379/0 or redis+socket:///path/to/socket"
NOT_A_BROKER = (
    "BROKER_URL is not a broker's address: expected redis://host:6379/0, redis+socket:///path/to/socket "
    "or amqp://user:password@host:5672//"
)


@dataclass(frozen=True, slots=True)
class Env:
    """Reads settings from variables; a variable that is absent or empty has its default.

    Every reader raises ImproperlyConfigured, naming the variable but never a secret's value.
    """

    variables: Mapping[str, str] = field(default_factory=lambda: os.environ)

    def text(self, name: str, default: str = "") -> str:
        return self.variables.get(name, "").strip() or default

    def boolean(self, name: str, *, default: bool) -> bool:
        value = self.text(name).lower()
        if value not in TRUE | FALSE | {""}:
            raise ImproperlyConfigured(f"{name} is {value!r}: expected true or false")
        return value in TRUE if value else default

    def integer(self, name: str, *, default: int, least: int, most: int) -> int:
        value = self.text(name, str(default))
        if not (value.isascii() and value.isdigit() and least <= int(value) <= most):
            raise ImproperlyConfigured(f"{name} is {value!r}: expected a whole number from {least} to {most}")
        return int(value)

    def choice(self, name: str, *, default: str, choices: tuple[str, ...]) -> str:
        value = self.text(name, default)
        if value not in choices:
            raise ImproperlyConfigured(f"{name} is {value!r}: expected one of {', '.join(choices)}")
        return value

    def listed(self, name: str, *, default: tuple[str, ...] = ()) -> list[str]:
        """Items separated by commas."""
        return [item.strip() for item in self.text(name).split(",") if item.strip()] or list(default)

    def origins(self, name: str) -> list[str]:
        """Web origins separated by commas, each a scheme and a host without a path."""
        for origin in self.listed(name):
            parts = _split(origin)
            if parts is None or parts.scheme not in {"http", "https"} or not parts.netloc or parts.path:
                raise ImproperlyConfigured(f"{name} holds {origin!r}: expected origins like https://listik.example")
        return self.listed(name)

    def vapid_key(self, name: str) -> str:
        """A private key for Web Push, 32 bytes in base64url; empty without one."""
        text = self.text(name)
        try:
            is_key = not text or len(urlsafe_b64decode(text + "=" * (-len(text) % 4))) == 32
        except ValueError:
            is_key = False
        if not is_key:
            raise ImproperlyConfigured(f"{name} is no key: expected 32 bytes in base64url")
        return text

    def networks(self, name: str) -> list[str]:
        """Networks separated by commas, each as `10.1.0.0/16` or `fd00::/8`."""
        for network in self.listed(name):
            try:
                ip_network(network)
            except ValueError:
                raise ImproperlyConfigured(f"{name} holds {network!r}: expected networks like 10.1.0.0/16") from None
        return self.listed(name)

    def database(self, name: str, *, default: str) -> dict[str, Any]:
        """The keywords of Django's DATABASES for a PostgreSQL URL; libpq's further parameters become options."""
        url = self.text(name, default)
        if not url.startswith(("postgresql://", "postgres://")):
            raise ImproperlyConfigured(NOT_A_DATABASE.format(name=name))
        try:
            given = conninfo_to_dict(url)
        except (ProgrammingError, ValueError):
            # The driver's own message may repeat the password.
            raise ImproperlyConfigured(NOT_A_DATABASE.format(name=name)) from None
        ports = str(given.get("port") or "").replace(",", "")
        if not given.get("dbname") or not (ports.isdigit() or ports == ""):
            raise ImproperlyConfigured(NOT_A_DATABASE.format(name=name))
        known = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
        found = {key: str(given.pop(keyword) or "") for key, keyword in known.items() if keyword in given}
        return {**found, "OPTIONS": {**given, **self._preparing()}}

    def _preparing(self) -> dict[str, Any]:
        """A statement that a connection has carried out so often is planned no more."""
        prepares = self.boolean("DATABASE_PREPARES", default=True)
        return {"server_side_binding": prepares, "prepare_threshold": PREPARED_AFTER if prepares else None}

    def broker(self, name: str, *, default: str) -> str:
        """A broker's URL of a kind that Celery serves without losing tasks."""
        url = self.text(name, default)
        parts = _split(url)
        place = parts and (parts.path if parts.scheme == "redis+socket" else parts.hostname)
        if parts is None or parts.scheme not in BROKER_SCHEMES or not place:
            raise ImproperlyConfigured(NOT_A_BROKER)
        return url

    def cache(self, name: str, *, broker: str) -> dict[str, Any]:
        """Django's keywords for a cache on Valkey or Redis; without an address the broker's, if it is one of these.

        With another kind of broker every process has a cache of its own.
        """
        url = self.text(name, broker)
        parts = _split(url)
        if parts is None or parts.scheme not in CACHE_SCHEMES:
            if self.text(name):
                raise ImproperlyConfigured(NOT_A_CACHE)
            return {"BACKEND": "config.cache.OfOneProcess"}
        if parts.scheme == "redis+socket":
            database = parse_qs(parts.query).get("virtual_host", ["0"])[0]
            url = f"unix://{parts.path}?db={database}"
        url = url.replace("valkey", "redis", 1) if parts.scheme.startswith("valkey") else url
        options = {"socket_timeout": 1, "socket_connect_timeout": 1}
        return {"BACKEND": "config.cache.Shared", "LOCATION": url, "OPTIONS": options}

    def rate(self, name: str, *, default: str) -> tuple[int, int] | None:
        """How often within how many seconds, from `30/m` (s, m, h or d); None for `none`, without a limit."""
        value = self.text(name, default)
        if value == "none":
            return None
        found = RATE.fullmatch(value)
        if found is None:
            raise ImproperlyConfigured(f"{name} is {value!r}: expected a rate like 30/m (s, m, h or d), or none")
        return int(found[1]), PERIODS_S[found[2]]


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - reading it checks it
    except ValueError:
        return None
    return parts
