"""Who may call what: a row for every operation, and what each rule answers to each kind of caller."""

from __future__ import annotations

from typing import Any, NamedTuple

PASSES = 0
"""Let in; what then comes of the request depends on the match."""

COLUMNS = ("host", "seated", "elsewhere", "stranger", "staff", "anonymous", "spectator", "passer-by")
"""Callers. Host to anonymous ask about a private match; a spectator is logged in and asks about a public one of others,
a passer-by is not logged in and asks about a public one. `elsewhere` sits in another match, `stranger` in none, `staff`
may do everything in the admin."""

RULES: dict[str, tuple[int, ...]] = {
    "anybody": (PASSES,) * 8,
    "logged in": (PASSES, PASSES, PASSES, PASSES, PASSES, 401, PASSES, 401),
    "may know of the match": (PASSES, PASSES, 404, 404, 404, 404, PASSES, PASSES),
    "may join": (PASSES, PASSES, 404, 404, 404, 401, PASSES, 401),
    "seated": (PASSES, PASSES, 404, 404, 404, 401, 403, 401),
    "host": (PASSES, 403, 404, 404, 404, 401, 403, 401),
    "invited": (PASSES, PASSES, 404, 404, 404, 401, PASSES, 401),
    "holder of the secret": (401,) * 8,
    "knows the code": (404, 404, 404, 404, 404, 401, 404, 401),
    "knows the password": (403, 403, 403, 403, 403, 401, 403, 401),
}


class Access(NamedTuple):
    """A row: the rule, the kind of match that is asked about, and what differs from the recorded example."""

    rule: str
    match: str = ""
    body: dict[str, Any] | None = None


ACCESS: dict[str, Access] = {
    "GET games": Access("anybody"),
    "GET games/{key}": Access("anybody"),
    "GET paces": Access("anybody"),
    "POST players": Access("anybody", body={"name": "somebody new", "password": "a long enough password"}),
    "GET names/{name}": Access("anybody"),
    "GET players/{player_id}": Access("anybody"),
    "GET players/{player_id}/ratings/{key}": Access("anybody"),
    "GET leaderboards/{key}": Access("anybody"),
    "POST guests": Access("anybody"),
    "POST tokens": Access("holder of the secret", body={"name": "anna", "password": "not the password"}),
    "POST tokens/refresh": Access("holder of the secret"),
    "POST tokens/revoke": Access("anybody"),
    "POST tokens/revoke-all": Access("logged in"),
    "POST recovery": Access("anybody"),
    "POST recovery/finish": Access("anybody"),
    "GET me": Access("logged in"),
    "GET me/counts": Access("logged in"),
    "GET me/data": Access("logged in"),
    "POST me/upgrade": Access("logged in"),
    "POST me/password": Access("knows the password", body={"old": "not the password", "new": "a long enough password"}),
    "POST me/email": Access("knows the password", body={"password": "not the password", "email": "a@mail.example"}),
    "POST me/email/confirm": Access("logged in"),
    "POST email/confirm": Access("anybody"),
    "GET push/key": Access("anybody"),
    "GET me/browsers": Access("logged in"),
    "POST me/browsers": Access("logged in"),
    "DELETE me/browsers/{browser_id}": Access("logged in"),
    "POST me/close": Access("knows the password", body={"password": "not the password"}),
    "GET me/invitations": Access("logged in"),
    "GET me/blocks": Access("logged in"),
    "PUT me/blocks/{player_id}": Access("logged in"),
    "DELETE me/blocks/{player_id}": Access("logged in"),
    "GET me/calendar": Access("logged in"),
    "PUT me/calendar": Access("logged in"),
    "POST me/vacations": Access("logged in"),
    "DELETE me/vacations/{vacation_id}": Access("logged in"),
    "GET me/stream": Access("logged in"),
    "POST me/tickets": Access("logged in"),
    "GET me/notices": Access("logged in"),
    "GET me/webhooks": Access("logged in"),
    "POST me/webhooks": Access("logged in"),
    "GET me/webhooks/{webhook_id}": Access("logged in"),
    "PUT me/webhooks/{webhook_id}": Access("logged in"),
    "DELETE me/webhooks/{webhook_id}": Access("logged in"),
    "POST me/webhooks/{webhook_id}/secret": Access("logged in"),
    "POST me/webhooks/{webhook_id}/ping": Access("logged in"),
    "GET me/webhooks/{webhook_id}/events": Access("logged in"),
    "POST me/webhooks/{webhook_id}/events/{sequence}/resend": Access("logged in"),
    "POST me/notices/read": Access("logged in"),
    "POST me/notices/{notice_id}/read": Access("logged in"),
    "GET me/notices/wishes": Access("logged in"),
    "PUT me/notices/wishes": Access("logged in"),
    "GET me/matches": Access("logged in"),
    "POST reports": Access("logged in", body={"player": 1, "reason": "name"}),
    "GET pairing": Access("logged in"),
    "POST pairing": Access("logged in", body={"game": "snap", "seats": 2, "pace": "day"}),
    "DELETE pairing": Access("logged in"),
    "POST codes": Access("knows the code"),
    "POST codes/join": Access("logged in"),
    "GET matches": Access("anybody"),
    "POST matches": Access("logged in"),
    "GET matches/{match_id}": Access("may know of the match", "running"),
    "POST matches/{match_id}/join": Access("may join", "lobby", body={}),
    "POST matches/{match_id}/leave": Access("seated", "lobby"),
    "POST matches/{match_id}/start": Access("host", "lobby"),
    "POST matches/{match_id}/cancel": Access("host", "lobby"),
    "POST matches/{match_id}/invitations": Access("host", "lobby", body={"name": "dora"}),
    "DELETE matches/{match_id}/invitations/{player_id}": Access("host", "lobby"),
    "POST matches/{match_id}/decline": Access("invited", "lobby"),
    "POST matches/{match_id}/kick": Access("host", "lobby"),
    "PUT matches/{match_id}/salt": Access("seated", "lobby"),
    "POST matches/{match_id}/bots": Access("host", "lobby"),
    "DELETE matches/{match_id}/bots/{number}": Access("host", "lobby"),
    "POST matches/{match_id}/return": Access("seated", "running"),
    "POST practice": Access("logged in"),
    "POST matches/{match_id}/rematch": Access("seated", "over"),
    "POST matches/{match_id}/offers": Access("seated", "running"),
    "POST matches/{match_id}/offers/{number}/answer": Access("seated", "running"),
    "GET matches/{match_id}/view": Access("may know of the match", "running"),
    "GET matches/{match_id}/legal-moves": Access("seated", "running"),
    "POST matches/{match_id}/moves": Access("seated", "running"),
    "POST matches/{match_id}/resign": Access("seated", "running"),
    "GET matches/{match_id}/log": Access("may know of the match", "running"),
    "GET matches/{match_id}/stream": Access("may know of the match", "running"),
    "GET matches/{match_id}/history/{number}": Access("may know of the match", "running"),
    "GET matches/{match_id}/export": Access("may know of the match", "over"),
}
