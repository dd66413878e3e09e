"""Web Push (RFC 8030): a small message to each browser that a player has signed up, encrypted for it alone."""

from __future__ import annotations

import base64
import hashlib
import time
from collections.abc import Collection, Mapping, Sequence
from http import HTTPStatus
from urllib.parse import urlsplit

import msgspec
from django.conf import settings
from py_vapid import Vapid02
from pywebpush import WebPusher

from matches.models import NoticeKind, PushSubscription
from matches.services.deliveries import outgoing as requests
from matches.services.deliveries.contract import BACKOFF_S, SENT, Outgoing, Result, again, dropped, failed
from matches.services.deliveries.outgoing import Failure
from matches.timing import now_ms

LONGEST_TTL_S = 7 * 86_400
SHORTEST_TTL_S = 60
SIGNED_FOR_S = 12 * 3_600
GONE = {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}
LATER = {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.REQUEST_TIMEOUT}
LONGEST_PAUSE_S = 43_200


class Push:
    """The channel `push`; there is none without a key."""

    name = "push"
    usual = frozenset(NoticeKind) - {NoticeKind.LEFT}
    rests = True
    collects = False
    backoff_s = BACKOFF_S

    def targets(self, player_ids: Collection[int]) -> Mapping[int, Sequence[str]]:
        """Every browser of these players."""
        found: dict[int, list[str]] = {}
        if settings.VAPID_PRIVATE_KEY:
            rows = PushSubscription.objects.filter(player__in=player_ids).order_by("pk")
            for pk, player_id in rows.values_list("pk", "player_id"):
                found.setdefault(player_id, []).append(str(pk))
        return found

    def wait_s(self, kind: NoticeKind) -> int:
        """Not at all."""
        return 0

    def send(self, outgoing: Sequence[Outgoing]) -> Result:
        """One message to the push service that the browser named."""
        (one,) = outgoing
        subscription = PushSubscription.objects.filter(pk=one.target, player=one.player_id).first()
        if subscription is None or not settings.VAPID_PRIVATE_KEY:
            return dropped("there is no such subscription any more")
        answer = requests.post(
            subscription.endpoint,
            body=_encrypted(one, subscription),
            headers={**_headers(one), **_signature(subscription.endpoint)},
        )
        if answer.is_taken:
            return SENT
        if answer.status in GONE:
            subscription.delete()
            return dropped("the browser has ended its subscription")
        if answer.failure is Failure.REFUSED:
            return failed(answer.failure)
        if answer.status is None or answer.status in LATER or answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            wanted = int(answer.retry_after) if answer.retry_after.isdigit() and len(answer.retry_after) < 7 else None
            pause = None if wanted is None else min(wanted, LONGEST_PAUSE_S)
            return again(answer.failure or f"status {answer.status}", after_s=pause)
        return failed(f"status {answer.status}")


def public_key() -> str | None:
    """The key that a browser subscribes with, as `applicationServerKey`; None when nothing is pushed."""
    if not settings.VAPID_PRIVATE_KEY:
        return None
    numbers = Vapid02.from_raw(settings.VAPID_PRIVATE_KEY.encode()).public_key.public_numbers()
    return _base64(b"\x04" + numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big"))


def _encrypted(one: Outgoing, subscription: PushSubscription) -> bytes:
    message = {
        "id": str(one.id),
        "sequence": one.sequence,
        "kind": one.kind.value,
        "match": str(one.match_id),
        "game": one.game,
        "serial": one.serial,
        "deadline": one.deadline,
    }
    keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
    pusher = WebPusher({"endpoint": subscription.endpoint, "keys": keys})
    return bytes(pusher.encode(msgspec.json.encode(message))["body"])


def _headers(one: Outgoing) -> dict[str, str]:
    """Of a match the newest message takes the place of those that the browser hasn't fetched yet."""
    left = LONGEST_TTL_S if one.deadline is None else (one.deadline - now_ms()) // 1000
    return {
        "TTL": str(max(SHORTEST_TTL_S, min(LONGEST_TTL_S, left))),
        "Topic": _base64(hashlib.sha256(one.match_id.bytes).digest()[:24]),
        "Urgency": "high" if one.kind == NoticeKind.WARNING else "normal",
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
    }


def _signature(endpoint: str) -> dict[str, str]:
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": str(int(time.time()) + SIGNED_FOR_S),
        "sub": settings.VAPID_SUBJECT,
    }
    signed: dict[str, str] = Vapid02.from_raw(settings.VAPID_PRIVATE_KEY.encode()).sign(claims)
    return signed


def _base64(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()
