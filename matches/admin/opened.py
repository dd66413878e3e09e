"""Which matches' secrets lie open to whoever is logged in: for a quarter of an hour after they said why."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest

from matches.permits import Permit
from matches.timing import now_ms

KEY = "secrets_open_until"


def remember(request: HttpRequest, match_id: UUID, until: int) -> None:
    """They lie open until then (UTC milliseconds)."""
    now = now_ms()
    held = {key: end for key, end in request.session.get(KEY, {}).items() if end > now}
    request.session[KEY] = {**held, str(match_id): until}


def is_open(request: HttpRequest, match_id: UUID) -> bool:
    """Whether they do, for somebody who still may look."""
    until = request.session.get(KEY, {}).get(str(match_id), 0)
    return bool(until > now_ms() and request.user.has_perm(Permit.SEE_SECRETS.full))
