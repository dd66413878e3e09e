"""Creating a match once, however often the request is sent."""

from __future__ import annotations

import hashlib
import hmac
import re
from datetime import timedelta
from typing import Any

import msgspec
from django.db import IntegrityError, transaction
from django.utils import timezone

from matches.errors import ServiceError
from matches.ids import uuid7
from matches.models import CreationKey, Match
from matches.services import lobby

KEPT = timedelta(days=1)
"""For so long a key is remembered at least."""
FORM = "^[!-~]{1,100}$"
"""What a key looks like, as a pattern of JSON Schema and of Python."""


def match_create_once(*, key: str, host_id: int, **fields: Any) -> Match:
    """`match_create` under a key of the host's choice: the same request under the same key is the same match.

    The key is written in the match's own transaction. A second request at the same moment waits for the first one's
    end, and does the work itself if that fails.
    """
    if not re.fullmatch(FORM, key):
        raise ServiceError("malformed", "Idempotency-Key has 1 to 100 printable ASCII characters without spaces")
    digest = hashlib.sha256(msgspec.json.encode(fields, order="deterministic")).digest()
    match_id = uuid7()
    try:
        with transaction.atomic():
            CreationKey.objects.create(player_id=host_id, key=key, digest=digest, match_id=match_id)
            return lobby.match_create(host_id=host_id, match_id=match_id, **fields)
    except IntegrityError:
        known = CreationKey.objects.select_related("match").filter(player=host_id, key=key).first()
        if known is None:
            raise
    if not hmac.compare_digest(bytes(known.digest), digest):
        raise ServiceError("key_reused", "this Idempotency-Key belongs to another request; take a new one")
    return lobby.shown(known.match)


def keys_drop() -> int:
    """Forget old keys; gives how many."""
    return CreationKey.objects.filter(created_at__lt=timezone.now() - KEPT).delete()[0]
