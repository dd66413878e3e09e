"""Tickets: what a browser shows to open a stream, since its EventSource can't send a token.

A ticket is an opaque word that is good for one stream, opened within seconds. It lies in Valkey as a digest alone, and
is taken out as it is read, so that of two who show it at once one is let in.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Any, NamedTuple

import msgspec
from redis.exceptions import RedisError

from matches import valkey
from matches.errors import ServiceError

TICKET_S = 30
"""For how many seconds a ticket holds."""
LONGEST = 64


class Admission(NamedTuple):
    """Whom a ticket or an access token lets in, and until when: `ends_at` is in seconds since 1970."""

    player_id: int
    epoch: int
    ends_at: float


def ticket_issue(*, admission: Admission) -> str:
    """A ticket that lets in as the token does for which it is made. Raises ServiceError `unavailable`."""
    ticket = secrets.token_urlsafe(24)
    _ask("set", _key(ticket), msgspec.json.encode(admission), ex=TICKET_S)
    return ticket


def ticket_redeem(*, ticket: str) -> Admission:
    """Whom it lets in; it can't be used again. Raises ServiceError `token_invalid` or `unavailable`."""
    found = _ask("getdel", _key(ticket)) if len(ticket) <= LONGEST else None
    if found is None:
        raise ServiceError("token_invalid", "the ticket was used, or is too old; get another one")
    return msgspec.json.decode(found, type=Admission)


def _ask(command: str, *arguments: Any, **options: Any) -> Any:
    client = valkey.client()
    if client is None:
        raise ServiceError("unavailable", "tickets need a Valkey: its operators set CACHE_URL")
    try:
        return getattr(client, command)(*arguments, **options)
    except RedisError:
        raise ServiceError("unavailable", "tickets can't be had at the moment; try again") from None


def _key(ticket: str) -> str:
    return f"ticket:{hashlib.sha256(ticket.encode()).hexdigest()}"
