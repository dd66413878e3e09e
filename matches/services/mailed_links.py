"""Links in mails that need no log-in: each is signed, and says for itself what it is good for."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core import signing

from matches.errors import ServiceError

CONFIRM_FOR = timedelta(days=3)
_STOP = "listik stop mails 1"
_CONFIRM = "listik confirm address 1"


def stop_link(player_id: int, address: str) -> str | None:
    """Where mails to this address are stopped, at any time; None when the service doesn't know its own URL."""
    return _link("stop", signing.Signer(salt=_STOP).sign_object([player_id, _digest(address)]))


def stop_read(token: str) -> tuple[int, str]:
    """The player, and the digest of the address. Raises ServiceError `code_invalid`."""
    return _read(lambda: signing.Signer(salt=_STOP).unsign_object(token.strip()))


def confirm_token(player_id: int, address: str) -> str:
    """What proves that somebody reads the mails that go to this address."""
    return signing.dumps([player_id, _digest(address)], salt=_CONFIRM)


def confirm_link(token: str) -> str | None:
    """Where it is handed in."""
    return _link("confirm", token)


def confirm_read(token: str) -> tuple[int, str]:
    """The player, and the digest of the address. Raises ServiceError `code_invalid`."""
    return _read(lambda: signing.loads(token.strip(), salt=_CONFIRM, max_age=CONFIRM_FOR))


def is_of(digest: str, address: str) -> bool:
    """Whether a link was made for this address."""
    return bool(address) and digest == _digest(address)


def _link(what: str, token: str) -> str | None:
    return f"{settings.PUBLIC_URL}/mail/{what}/{token}" if settings.PUBLIC_URL else None


def _read(load: Callable[[], Any]) -> tuple[int, str]:
    try:
        player_id, digest = load()
    except (signing.BadSignature, ValueError, TypeError):
        raise ServiceError("code_invalid", "the link or code is wrong or too old") from None
    return int(player_id), str(digest)


def _digest(address: str) -> str:
    return hashlib.sha256(address.encode()).hexdigest()[:16]
