"""Refusals, which are values, and the few exceptions the engine raises."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class RefusalCode(StrEnum):
    """Why a move was not taken; these codes never change."""

    ILLEGAL_MOVE = "illegal_move"
    NOT_YOUR_TURN = "not_your_turn"
    LATE_MOVE = "late_move"
    UNKNOWN_SERIAL = "unknown_serial"
    MATCH_OVER = "match_over"
    MATCH_PAUSED = "match_paused"
    SEAT_LEFT = "seat_left"
    TRY_AGAIN = "try_again"
    OFFER_OPEN = "offer_open"
    OFFER_IMPOSSIBLE = "offer_impossible"
    NO_OFFER = "no_offer"
    GRANT_IMPOSSIBLE = "grant_impossible"


class Refusal(Struct, frozen=True):
    """A move that was not taken.

    `reason` is a sentence for the player that says what would be right; `rule` is the id of the rule that forbids the
    move, where a rule does.
    """

    code: RefusalCode
    reason: str
    rule: str | None = None


def illegal(rule: str, reason: str) -> Refusal:
    """Refuse a move that `rule` forbids; `reason` says what would be right."""
    return Refusal(RefusalCode.ILLEGAL_MOVE, f"{rule}: {reason}", rule)


def not_your_turn(reason: str) -> Refusal:
    """Refuse a move of a seat that has nothing to decide now."""
    return Refusal(RefusalCode.NOT_YOUR_TURN, reason)


class EngineError(Exception):
    """The engine was asked for something that it can't do."""


class UnknownGame(EngineError):
    """No game, or no ruleset of it, has this name."""


class BadOptions(EngineError):
    """Options or a seat count that the game doesn't allow; the message says which and what would be right."""


class NewerFormat(EngineError):
    """Stored by a newer version of the engine than this one: leave it alone."""


class ReplayMismatch(EngineError):
    """A log doesn't lead to what is stored; the message names the first entry that differs."""
