"""The log of what the staff does: written with the change, in one transaction, or not at all."""

from __future__ import annotations

from typing import Any

from django.db import connection

from matches.models import AuditEntry

SHORTEST_REASON = 3
LONGEST_REASON = 500


def audit_write(
    *, actor_id: int, what: str, target_kind: str, target_id: object, reason: str, data: dict[str, Any] | None = None
) -> None:
    """Write down that `actor_id` did `what`, and why. Called inside the transaction that makes the change.

    Raises ValueError for a reason that says nothing; forms ask for a better one before.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("what is written down and what is done belong into one transaction")
    reason = " ".join(reason.split())
    if not SHORTEST_REASON <= len(reason) <= LONGEST_REASON:
        raise ValueError(f"a reason has {SHORTEST_REASON} to {LONGEST_REASON} characters, not {len(reason)}")
    AuditEntry.objects.create(
        actor_id=actor_id,
        what=what,
        target_kind=target_kind,
        target_id=str(target_id),
        reason=reason,
        data=data or {},
    )
