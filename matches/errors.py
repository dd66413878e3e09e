"""Every refusal of the service: an exception with a code that never changes, and the HTTP status that goes with it."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, NamedTuple

from engine.core.errors import Refusal

RETRY_AFTER_S = 1


class Code(NamedTuple):
    """What stands behind a code: the HTTP status, and a title for people."""

    status: int
    title: str


CODES: MappingProxyType[str, Code] = MappingProxyType(
    {
        # Any request
        "malformed": Code(400, "The request can't be read"),
        "text_invalid": Code(422, "A text holds a sign that can't be kept"),
        "method_not_allowed": Code(405, "The address doesn't take this method"),
        "not_acceptable": Code(406, "There is no answer of the wanted type"),
        "too_large": Code(413, "The request is too large"),
        "unsupported_media_type": Code(415, "The body must be JSON"),
        "throttled": Code(429, "Too many requests"),
        "server_error": Code(500, "The service failed"),
        # Any request
        "unavailable": Code(503, "The service can't reach its database"),
        # Who is asking
        "not_authenticated": Code(401, "Log in first"),
        "bad_credentials": Code(401, "The name or the password is wrong"),
        "token_invalid": Code(401, "The token is not valid any more"),
        "suspended": Code(403, "The account is suspended"),
        "forbidden": Code(403, "Not allowed"),
        "not_found": Code(404, "There is nothing here that you may know of"),
        # Accounts
        "name_invalid": Code(422, "The name can't be used"),
        "email_invalid": Code(422, "This is no address of mail"),
        "name_taken": Code(409, "The name is taken"),
        "password_weak": Code(422, "The password is too easy to guess"),
        "wrong_password": Code(403, "The password is wrong"),
        "not_a_guest": Code(409, "The account is a full one already"),
        "guests_only_upgrade": Code(409, "A guest has no password to change"),
        "code_invalid": Code(422, "The code doesn't hold any more"),
        "report_invalid": Code(422, "The report is about nothing"),
        "no_such_player": Code(422, "There is no such player"),
        "too_many": Code(409, "There are too many of them already"),
        "webhook_url": Code(422, "Nothing can be sent there"),
        "webhook_off": Code(409, "The webhook is switched off"),
        "address_refused": Code(422, "Nothing is sent to this address"),
        # Lobbies
        "unknown_game": Code(422, "There is no such game"),
        "bad_options": Code(422, "The game can't be played like that"),
        "match_not_open": Code(409, "The match is no lobby any more"),
        "match_full": Code(409, "All seats are taken"),
        "already_seated": Code(409, "You sit in this match already"),
        "not_seated": Code(403, "You have no seat in this match"),
        "not_host": Code(403, "Only the host of the match may do this"),
        "too_few_seats": Code(409, "Too few seats are taken"),
        "not_invited": Code(409, "You aren't invited"),
        "kicked": Code(403, "The host sent you away"),
        "blocked": Code(403, "These players don't play with each other"),
        "gate_closed": Code(403, "The host wants to play with others"),
        "not_for_bots": Code(403, "This is for people alone"),
        "already_paired": Code(409, "You are paired already"),
        "key_reused": Code(422, "The key belongs to another request"),
        "salt_too_long": Code(422, "The salt is too long"),
        # Play
        "match_not_running": Code(409, "The match has not begun"),
        "match_not_over": Code(409, "The match is not over"),
        "malformed_move": Code(400, "This is not a move of the game"),
        "illegal_move": Code(422, "The rules forbid the move"),
        "not_your_turn": Code(409, "You have nothing to decide now"),
        "late_move": Code(409, "The decision is over"),
        "already_answered": Code(409, "You have decided otherwise already"),
        "unknown_serial": Code(409, "You were never asked this decision"),
        "match_over": Code(409, "The match is over"),
        "match_paused": Code(409, "The match stands"),
        "not_paused": Code(409, "The match isn't paused"),
        "seat_left": Code(409, "The seat has left the match"),
        # Time
        "offer_open": Code(409, "Another offer is open"),
        "offer_impossible": Code(422, "This can't be offered"),
        "no_offer": Code(409, "There is no such offer"),
        "grant_impossible": Code(422, "There is nothing to give back"),
        "bad_calendar": Code(422, "The calendar can't be like that"),
        "vacation_taken": Code(409, "There is a vacation at that time"),
        "vacation_spent": Code(409, "There is not so much vacation left"),
        "try_again": Code(503, "Busy for a moment"),
        "match_stuck": Code(503, "The match is out of order"),
        "newer_format": Code(503, "The match was written by a newer version of the service"),
        # Streams
        "too_many_streams": Code(429, "Too many streams are open"),
        "streams_full": Code(503, "All streams are taken"),
        "streams_elsewhere": Code(503, "Streams aren't served at this address"),
    }
)
"""Every code that a client may meet, from which the API's documentation is made."""


class ServiceError(Exception):
    """A request that isn't granted. `message` says what would be right; `extra` goes to the client as it is."""

    def __init__(self, code: str, message: str = "", **extra: Any) -> None:
        self.code = code
        self.status, self.title = CODES[code]
        self.message = message or self.title
        self.extra = {"retry_after": RETRY_AFTER_S, **extra} if self.status == 503 else extra
        super().__init__(f"{code}: {self.message}")


def refused(refusal: Refusal) -> ServiceError:
    """The engine's refusal as an exception; the codes are the same."""
    extra = {"rule": refusal.rule} if refusal.rule else {}
    return ServiceError(refusal.code.value, refusal.reason, **extra)
