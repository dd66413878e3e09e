"""Whom operators keep out, for a time or for good."""

from __future__ import annotations

from matches.errors import ServiceError
from matches.models import FOR_EVER, Player


def must_be_let_in(player: Player) -> None:
    """Raises ServiceError `suspended`, which says until when."""
    if player.is_suspended and player.suspended_until is not None:
        until = None if player.suspended_until >= FOR_EVER else player.suspended_until.isoformat()
        message = "the account is banned" if until is None else f"the account is suspended until {until}"
        raise ServiceError("suspended", message, until=until)
