"""What schemathesis is told of us: how to log in, and how whole numbers are written."""

from __future__ import annotations

import os
import secrets
from typing import Any

import requests
import schemathesis

API = os.environ.get("LISTIK_URL", "") + "/api/v1/"
SESSION_S = 60


@schemathesis.auth(refresh_interval=SESSION_S, retry_on=[])
class Newcomer:
    """A new player every minute: among the requests are some that log out everywhere."""

    def get(self, case: Any, context: Any) -> str:
        """An access token."""
        login = {"name": f"fuzz-{secrets.token_hex(6)}", "password": secrets.token_urlsafe(16)}
        requests.post(f"{API}players", json=login, timeout=10).raise_for_status()
        answer = requests.post(f"{API}tokens", json=login, timeout=10)
        answer.raise_for_status()
        return str(answer.json()["access"])

    def set(self, case: Any, data: str, context: Any) -> None:
        """Send it along."""
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}


@schemathesis.hook
def map_body(context: Any, body: Any) -> Any:
    """A whole number has no decimal point: JSON Schema takes 2.0 for one, a strict reader doesn't."""
    return whole(body)


def whole(value: Any) -> Any:
    """The value with 2.0 written as 2."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [whole(item) for item in value]
    return value
