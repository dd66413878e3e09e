"""Ids that grow with time, so that new rows lie side by side in their indexes."""

from __future__ import annotations

import secrets
import time
import uuid


def uuid7() -> uuid.UUID:
    """A UUID of version 7 (RFC 9562): 48 bits of UTC milliseconds, then 74 random ones."""
    value = (time.time_ns() // 1_000_000) << 80 | secrets.randbits(80)
    value = value & ~(0xF << 76) | 7 << 76
    value = value & ~(0x3 << 62) | 2 << 62
    return uuid.UUID(int=value)


def first_of(ms: int) -> uuid.UUID:
    """The least id that can be made from this moment (UTC milliseconds) on."""
    return uuid.UUID(int=ms << 80 | 7 << 76 | 2 << 62)
