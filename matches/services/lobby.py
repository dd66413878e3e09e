"""Matches before they begin: every function locks the match's own row, so of two requests one comes first."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec
from django.db import transaction
from django.utils import timezone

from engine.core.errors import BadOptions, UnknownGame
from engine.core.fairness import SALT_BYTES, chosen_secret, commitment
from engine.core.rng import SEED_BYTES
from matches import bridge
from matches.bridge import AnyGame
from matches.errors import ServiceError
from matches.ids import uuid7
from matches.locking import Locked, lock_lobby, write_position
from matches.models import Match, Position, Seat, Status, Visibility
from matches.services.wake import wake_soon
from matches.timing import moment, now_ms

CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
CODE_LENGTH = 10


def match_create(
    *,
    host_id: int,
    game: str,
    seats: int,
    preset: str = "standard",
    options: Mapping[str, Any] | None = None,
    control: Mapping[str, Any] | None = None,
    policy: Mapping[str, Any] | None = None,
    visibility: str = Visibility.PUBLIC,
    autostart: bool = True,
    spectator_delay_s: int = 0,
    seed: str | None = None,
) -> Match:
    """Open a match, whose host takes seat 0. What the deal will be made of is fixed, and promised, from now on.

    A chosen `seed` makes it a sandbox. Spectators see what happens `spectator_delay_s` seconds later.
    """
    rules = _game(game)
    chosen = _options(rules, seats, preset, options or {})
    match_id, secret = uuid7(), secrets.token_bytes(SEED_BYTES) if seed is None else chosen_secret(seed)
    with transaction.atomic():
        match = Match.objects.create(
            id=match_id,
            game=rules.key,
            ruleset=rules.ruleset,
            preset=preset,
            options=msgspec.to_builtins(chosen),
            seat_count=seats,
            host_id=host_id,
            visibility=_visibility(visibility),
            join_code=_join_code() if visibility == Visibility.PRIVATE else "",
            autostart=autostart,
            sandbox=seed is not None,
            spectator_delay_s=spectator_delay_s,
            control=_checked("control", bridge.time_control, control or {"type": "none"}),
            policy=_checked("policy", bridge.policy, policy or {}),
            secret=secret,
            commitment=commitment(secret, str(match_id)),
        )
        Seat.objects.create(match=match, number=0, player_id=host_id)
        _start_when_full(match)
    return _shown(match)


def match_join(*, match_id: UUID, player_id: int, code: str | None = None) -> Match:
    """Take the next seat; who sits there already is told so with the same answer. A full match begins by itself."""
    with transaction.atomic():
        match = _locked(match_id)
        seats = list(match.seats.all())
        if any(seat.player_id == player_id for seat in seats):
            return _shown(match)
        if match.visibility == Visibility.PRIVATE and not secrets.compare_digest(
            match.join_code.encode(), (code or "").encode()
        ):
            raise ServiceError("not_found", "there is no such match")
        _must_be_open(match)
        if len(seats) >= match.seat_count:
            raise ServiceError("match_full", f"all {match.seat_count} seats are taken")
        Seat.objects.create(match=match, number=len(seats), player_id=player_id)
        _start_when_full(match)
    return _shown(match)


def match_leave_lobby(*, match_id: UUID, player_id: int) -> Match:
    """Give the seat back; those behind move up. The host is followed by the next player, or the match is cancelled."""
    with transaction.atomic():
        match, seat = _locked_for(match_id, player_id)
        _must_be_open(match)
        seat.delete()
        rest = list(match.seats.all())
        for number, other in enumerate(rest):
            other.number = number
            other.save(update_fields=["number"])
        if not rest:
            _cancel(match)
        elif match.host_id == player_id:
            match.host_id = rest[0].player_id or match.host_id
            match.save(update_fields=["host"])
    return _shown(match)


def match_start(*, match_id: UUID, player_id: int) -> Match:
    """Begin with those who are there; for the host."""
    with transaction.atomic():
        match = _locked_for_host(match_id, player_id)
        _start(match)
    return _shown(match)


def match_cancel(*, match_id: UUID, player_id: int) -> Match:
    """Call the match off; for the host."""
    with transaction.atomic():
        match = _locked_for_host(match_id, player_id)
        _cancel(match)
    return _shown(match)


def seat_salt(*, match_id: UUID, player_id: int, salt: bytes) -> Match:
    """Have a part in the deal: what a player adds, the service can't have known when it promised its own part."""
    if len(salt) > SALT_BYTES:
        raise ServiceError("salt_too_long", f"a salt has at most {SALT_BYTES} bytes, not {len(salt)}")
    with transaction.atomic():
        match, seat = _locked_for(match_id, player_id)
        _must_be_open(match)
        seat.salt = salt
        seat.save(update_fields=["salt"])
    return _shown(match)


# What is asked for


def _game(key: str) -> AnyGame:
    try:
        return bridge.game_of(key)
    except UnknownGame as error:
        raise ServiceError("unknown_game", str(error)) from None


def _options(game: AnyGame, seats: int, preset: str, values: Mapping[str, Any]) -> Any:
    try:
        chosen = game.options(values, preset)
        game.check(seats, chosen)
    except BadOptions as error:
        raise ServiceError("bad_options", str(error)) from None
    return chosen


def _checked(name: str, read: Any, values: Mapping[str, Any]) -> Any:
    try:
        return msgspec.to_builtins(read(values))
    except msgspec.ValidationError as error:
        raise ServiceError("bad_options", f"{name}: {error}") from None


def _visibility(value: str) -> str:
    if value not in Visibility.values:
        raise ServiceError("bad_options", f"visibility is one of {', '.join(Visibility.values)}, not {value!r}")
    return value


def _join_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


# Who may, and when


def _locked(match_id: UUID) -> Match:
    match = lock_lobby(match_id=match_id)
    if match is None:
        raise ServiceError("not_found", "there is no such match")
    return match


def _locked_for(match_id: UUID, player_id: int) -> tuple[Match, Seat]:
    match = _locked(match_id)
    seat = match.seats.filter(player_id=player_id).first()
    if seat is not None:
        return match, seat
    if match.visibility == Visibility.PRIVATE:
        raise ServiceError("not_found", "there is no such match")
    raise ServiceError("not_seated")


def _locked_for_host(match_id: UUID, player_id: int) -> Match:
    match = _locked(match_id)
    if match.host_id != player_id:
        if match.visibility == Visibility.PRIVATE and not match.seats.filter(player_id=player_id).exists():
            raise ServiceError("not_found", "there is no such match")
        raise ServiceError("not_host")
    _must_be_open(match)
    return match


def _must_be_open(match: Match) -> None:
    if match.status != Status.LOBBY:
        raise ServiceError("match_not_open", f"the match is {match.get_status_display()}; this is for lobbies")


def _shown(match: Match) -> Match:
    """The match as it is now, with its seats and their players."""
    return Match.objects.prefetch_related("seats__player").get(pk=match.pk)


# What happens


def _cancel(match: Match) -> None:
    match.status, match.ended_at = Status.CANCELLED, timezone.now()
    match.save(update_fields=["status", "ended_at"])


def _start_when_full(match: Match) -> None:
    if match.autostart and match.seats.count() == match.seat_count:
        _start(match)


def _start(match: Match) -> None:
    """Deal: the seats that are taken are the seats of the match, in the order in which they were taken."""
    seats = list(match.seats.all())
    locked = _opened(match, seats)
    referee = locked.referee()
    opening = bridge.opening_of(match, len(seats))
    try:
        step = referee.open(opening)
    except BadOptions as error:
        raise ServiceError("too_few_seats", str(error)) from None
    match.status, match.seat_count = Status.RUNNING, len(seats)
    match.save(update_fields=["status", "seat_count", "started_at"])
    Position.objects.create(match=match, snapshot="", number=0)
    due_at = write_position(locked, referee, None, step)
    wake_soon(match_id=match.pk, due_at=due_at, now=locked.now)


def _opened(match: Match, seats: list[Seat]) -> Locked:
    """The match begins now, to the millisecond: a replay has to begin at the same one."""
    now = now_ms()
    match.started_at = moment(now)
    return Locked(
        match_id=match.pk,
        snapshot="",
        due_at=None,
        retry_at=None,
        seat=None,
        game=match.game,
        ruleset=match.ruleset,
        secret=bytes(match.secret),
        salts=[bytes(seat.salt) for seat in seats],
        now=now,
    )
