"""Who of the staff may open which page and do what: a row for each, and what it answers to each role."""

from __future__ import annotations

COLUMNS = ("superuser", "moderator", "operator", "analyst", "no role", "player", "nobody")
"""Who asks. `no role` is one of the staff without any; a player isn't one of the staff, nobody isn't logged in."""

OPEN, NO, LOGIN = 200, 403, 302

RULES: dict[str, tuple[int, ...]] = {
    "every role": (OPEN, OPEN, OPEN, OPEN, NO, LOGIN, LOGIN),
    "who looks at reports": (OPEN, OPEN, NO, OPEN, NO, LOGIN, LOGIN),
    "moderator": (OPEN, OPEN, NO, NO, NO, LOGIN, LOGIN),
    "operator": (OPEN, NO, OPEN, NO, NO, LOGIN, LOGIN),
    "who puts matches right": (OPEN, OPEN, OPEN, NO, NO, LOGIN, LOGIN),
    "superuser": (OPEN, NO, NO, NO, NO, LOGIN, LOGIN),
    "the staff": (OPEN, OPEN, OPEN, OPEN, OPEN, LOGIN, LOGIN),
    "nobody at all": (NO, NO, NO, NO, NO, LOGIN, LOGIN),
}

PAGES: dict[str, str] = {
    "index": "the staff",
    "match": "every role",
    "seat": "every role",
    "player": "every role",
    "outage": "every role",
    "auditentry": "every role",
    "staff": "every role",
    "webhook": "every role",
    "webhookevent": "every role",
    "delivery": "every role",
    "report": "who looks at reports",
}
"""The list and the rows of each table."""

DEEDS: dict[str, str] = {
    "report handle": "moderator",
    "webhook stop": "operator",
    "webhook start": "operator",
    "webhookevent resend": "operator",
    "delivery retry": "operator",
    "staff give-role": "superuser",
    "staff take-role": "superuser",
    "staff reset-device": "superuser",
    "staff join": "superuser",
}
"""What can be done, by table and name of the deed."""

DEEDS_OF_ROWS: dict[str, str] = {
    "match pause": "who puts matches right",
    "match resume": "who puts matches right",
    "match give-time": "who puts matches right",
    "match settle": "who puts matches right",
    "match verify": "who puts matches right",
    "match void-timeout": "moderator",
    "match seat-bot": "moderator",
    "match remove-player": "moderator",
    "match void": "moderator",
    "match void-result": "moderator",
    "match see-secrets": "moderator",
    "match take-out": "moderator",
    "player note": "moderator",
    "player log-device-out": "moderator",
    "player log-out": "moderator",
    "player suspend": "moderator",
    "player ban": "moderator",
    "player let-in": "moderator",
    "player merge": "moderator",
    "player take-out": "moderator",
    "player close": "moderator",
}
"""The same for deeds that some rows are not fit for: who may is then led back to the row, by a 302."""
