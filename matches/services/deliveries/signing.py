"""Signatures as the Standard Webhooks specification has them, and the secrets that they are made with.

A secret has to be readable to sign with, so a digest won't do. It is encrypted with a key that is made from SECRET_KEY:
a copy of the database alone signs nothing.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from uuid import UUID

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

PREFIX = "whsec_"
SECRET_BYTES = 32
_DOMAIN = b"listik webhook secrets 1"


class SecretLostError(Exception):
    """The secret was encrypted with a key that nobody has any more."""


def secret_make() -> bytes:
    """The bytes of a new secret."""
    return secrets.token_bytes(SECRET_BYTES)


def secret_text(secret: bytes) -> str:
    """A secret as its owner gets it."""
    return PREFIX + base64.b64encode(secret).decode()


def seal(secret: bytes) -> bytes:
    """A secret as it is stored."""
    return _box().encrypt(secret)


def unseal(sealed: bytes) -> bytes:
    """A stored secret, also one of a former SECRET_KEY that is among the fallbacks. Raises SecretLostError."""
    try:
        return _box().decrypt(sealed)
    except InvalidToken:
        raise SecretLostError from None


def signature(secret: bytes, *, event_id: UUID, at_s: int, body: bytes) -> str:
    """`v1,` and the HMAC-SHA256 of id, time (seconds) and body in base64."""
    signed = f"{event_id}.{at_s}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(secret, signed, "sha256")).decode()


def headers_of(sealed: Sequence[bytes], *, event_id: UUID, at_s: int, body: bytes) -> dict[str, str]:
    """The headers of a request, with a signature for each of these sealed secrets. Raises SecretLostError."""
    signed = [signature(unseal(one), event_id=event_id, at_s=at_s, body=body) for one in sealed]
    return {
        "Content-Type": "application/json",
        "webhook-id": str(event_id),
        "webhook-timestamp": str(at_s),
        "webhook-signature": " ".join(signed),
    }


def _box() -> MultiFernet:
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(_key(key))) for key in keys])


def _key(key: str) -> bytes:
    return hashlib.blake2b(_DOMAIN, key=hashlib.sha512(key.encode()).digest(), digest_size=32).digest()
