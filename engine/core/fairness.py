"""Fair deals: a commitment that is public before anybody sits down, and a seed that everybody had a part in."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from engine.core.rng import SEED_BYTES, Seed

_COMMITMENT_TAG = b"listik commitment 1\0"
_SEED_TAG = b"listik seed 1\0"
_CHOSEN_TAG = b"listik chosen 1\0"
SALT_BYTES = 64
"""The longest salt a seat may add."""


def commitment(secret: bytes, match_id: str) -> str:
    """What the service publishes when a match is created: it can't change `secret` (32 bytes) afterwards. Hex."""
    if len(secret) != SEED_BYTES:
        raise ValueError(f"the secret has {SEED_BYTES} bytes, not {len(secret)}")
    return sha256(_COMMITMENT_TAG + secret + match_id.encode()).hexdigest()


def chosen_secret(words: str) -> bytes:
    """The secret of a match whose deal was chosen, for trying things out: the same words give the same deal again.

    Anybody can see of such a secret what it is; one that was drawn looks like it once in 2^128 times.
    """
    return _CHOSEN_TAG + sha256(words.encode()).digest()[: SEED_BYTES - len(_CHOSEN_TAG)]


def derive_seed(secret: bytes, match_id: str, salts: Sequence[bytes]) -> Seed:
    """The seed of a match, from the committed secret and the salt of each seat in order (empty where it gave none).

    A chosen secret alone decides the deal, whatever the match and whoever sits in it.
    """
    if secret.startswith(_CHOSEN_TAG):
        return Seed(sha256(_SEED_TAG + secret).digest())
    digest = sha256(_SEED_TAG + match_id.encode() + b"\0" + secret)
    for salt in salts:
        digest.update(len(salt).to_bytes(2, "big") + salt)
    return Seed(digest.digest())
