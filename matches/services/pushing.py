"""The browsers that a player has signed up for pushes."""

from __future__ import annotations

import base64
import binascii
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from django.db import transaction

from matches.errors import ServiceError
from matches.locking import lock_player
from matches.models import PushSubscription
from matches.services.deliveries.addresses import AddressRefusedError, place_read
from matches.services.deliveries.push import public_key
from matches.services.players import Identity

MOST_BROWSERS = 20


def push_key() -> str:
    """What a browser subscribes with. Raises `not_found` where nothing is pushed."""
    key = public_key()
    if key is None:
        raise ServiceError("not_found", "nothing is pushed here: the operator has set no VAPID_PRIVATE_KEY")
    return key


def push_subscribe(*, identity: Identity, endpoint: str, p256dh: str, auth: str, device: str) -> PushSubscription:
    """Push to this browser. It has one subscription: whoever sends it in last gets what comes."""
    push_key()
    _must_be_keys(p256dh, auth)
    try:
        # What its name stands for is checked each time that something is sent.
        place_read(endpoint)
    except AddressRefusedError as error:
        raise ServiceError("address_refused", str(error)) from None
    with transaction.atomic():
        player = lock_player(player_id=identity.player_id, epoch=identity.epoch)
        others = PushSubscription.objects.filter(player=player).exclude(endpoint=endpoint)
        if others.count() >= MOST_BROWSERS:
            raise ServiceError("too_many", f"at most {MOST_BROWSERS} browsers can be signed up")
        subscription, _ = PushSubscription.objects.update_or_create(
            endpoint=endpoint, defaults={"player": player, "p256dh": p256dh, "auth": auth, "device": device}
        )
    return subscription


def push_unsubscribe(*, player_id: int, subscription_id: UUID) -> None:
    """Push nothing more there; one that is gone is no error."""
    PushSubscription.objects.filter(player=player_id, pk=subscription_id).delete()


def _must_be_keys(p256dh: str, auth: str) -> None:
    """What a browser gives: a point on the curve P-256, and 16 bytes."""
    try:
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), _bytes(p256dh))
        is_secret = len(_bytes(auth)) == 16
    except (ValueError, binascii.Error):
        is_secret = False
    if not is_secret:
        raise ServiceError("malformed", "p256dh and auth are the keys that PushSubscription.toJSON() gives")


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
