"""What operators may be allowed to do beyond looking, and the roles that bundle it."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Permit(StrEnum):
    """A permission of its own for every page without a table and for every change; its value is Django's codename."""

    SEE_DASHBOARD = "see_dashboard"
    SEE_SECRETS = "see_secrets"
    SEE_ADDRESSES = "see_addresses"
    HANDLE_REPORT = "handle_report"
    PAUSE_MATCH = "pause_match"
    GIVE_TIME = "give_time"
    SETTLE_MATCH = "settle_match"
    VERIFY_MATCH = "verify_match"
    EXPORT_MATCH = "export_match"
    SEAT_BOT = "seat_bot"
    REMOVE_PLAYER = "remove_player"
    VOID_MATCH = "void_match"
    VOID_TIMEOUT = "void_timeout"
    REVOKE_TOKENS = "revoke_tokens"
    SUSPEND_PLAYER = "suspend_player"
    MERGE_PLAYER = "merge_player"
    NOTE_PLAYER = "note_player"
    EXPORT_PLAYER = "export_player"
    CLOSE_PLAYER = "close_player"
    MANAGE_WEBHOOKS = "manage_webhooks"
    MANAGE_STAFF = "manage_staff"

    @property
    def full(self) -> str:
        """As `has_perm` takes it."""
        return f"matches.{self.value}"


PERMITS: dict[Permit, str] = {
    Permit.SEE_DASHBOARD: "May see the dashboard",
    Permit.SEE_SECRETS: "May see hidden cards and seeds of running matches; every look is written down",
    Permit.SEE_ADDRESSES: "May see players' addresses of mail",
    Permit.HANDLE_REPORT: "May handle reports",
    Permit.PAUSE_MATCH: "May pause and resume matches",
    Permit.GIVE_TIME: "May give time back and extend deadlines",
    Permit.SETTLE_MATCH: "May settle a match now",
    Permit.VERIFY_MATCH: "May have a match replayed and compared",
    Permit.EXPORT_MATCH: "May download the export of a match",
    Permit.SEAT_BOT: "May put a bot on a seat",
    Permit.REMOVE_PLAYER: "May remove a player from a match",
    Permit.VOID_MATCH: "May end a match without a result",
    Permit.VOID_TIMEOUT: "May take back that a clock ran out",
    Permit.REVOKE_TOKENS: "May log devices of players out",
    Permit.SUSPEND_PLAYER: "May suspend and ban players",
    Permit.MERGE_PLAYER: "May merge a guest into a player",
    Permit.NOTE_PLAYER: "May write notes about players",
    Permit.EXPORT_PLAYER: "May download all data of a player",
    Permit.CLOSE_PLAYER: "May delete an account",
    Permit.MANAGE_WEBHOOKS: "May resend and stop webhooks",
    Permit.MANAGE_STAFF: "May give and take roles, and reset lost devices; in no role",
}


class Role(NamedTuple):
    """A group of the admin: whose tables its members may look at, and what else they may do."""

    title: str
    sees: tuple[str, ...]
    permits: frozenset[Permit]


_TOLD = ("webhook", "webhookevent", "webhookattempt", "delivery")
_TABLES = ("player", "match", "seat", "report", "outage", "auditentry", "staff", *_TOLD)

ROLES: dict[str, Role] = {
    "moderator": Role(
        "Moderator: matches and players",
        _TABLES,
        frozenset(Permit) - {Permit.MANAGE_WEBHOOKS, Permit.MANAGE_STAFF},
    ),
    "operator": Role(
        "Operator: tasks, webhooks, outages, time",
        ("player", "match", "seat", "outage", "auditentry", "staff", *_TOLD),
        frozenset(
            {
                Permit.SEE_DASHBOARD,
                Permit.PAUSE_MATCH,
                Permit.GIVE_TIME,
                Permit.SETTLE_MATCH,
                Permit.VERIFY_MATCH,
                Permit.EXPORT_MATCH,
                Permit.MANAGE_WEBHOOKS,
            }
        ),
    ),
    "analyst": Role("Analyst: looks, changes nothing", _TABLES, frozenset({Permit.SEE_DASHBOARD})),
}
"""By the name of the group. What is demanded of a page that comes later is added here and nowhere else."""
