"""Matches before they begin: every function locks the match's own row, so of two requests one comes first."""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

import msgspec
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from engine.core.errors import BadOptions
from engine.core.fairness import SALT_BYTES, chosen_secret, commitment
from engine.core.rng import SEED_BYTES
from engine.core.table import FORMAT
from matches import bridge
from matches.errors import ServiceError
from matches.gates import OPEN, Gate
from matches.ids import uuid7
from matches.locking import Locked, hold_player, lock_lobby, lock_next_expired, write_position
from matches.models import Block, Invited, Match, Position, Seat, Status, Visibility, shown_matches
from matches.paces import pace_of
from matches.services import asking, notices
from matches.services.gates import must_be_possible, must_pass
from matches.services.wake import wake_soon
from matches.timing import moment, now_ms

MOST_LOBBIES = 100
"""So many lobbies may wait for players of one host."""
MOST_WATCHED = 20
"""So many matches of bots alone may run at once for one host."""


def match_create(
    *,
    host_id: int,
    game: str,
    seats: int,
    preset: str = "standard",
    options: Mapping[str, Any] | None = None,
    control: Mapping[str, Any] | None = None,
    pace: str | None = None,
    policy: Mapping[str, Any] | None = None,
    visibility: str = Visibility.PUBLIC,
    autostart: bool = True,
    title: str = "",
    wait_s: int | None = None,
    spectator_delay_s: int = 0,
    seed: str | None = None,
    match_id: UUID | None = None,
    rated: bool = True,
    rates_bots: bool = False,
    gate: Gate = OPEN,
    rematch_of: UUID | None = None,
    others: Sequence[int] = (),
    bots: Sequence[str] = (),
) -> Match:
    """Open a match, whose host takes seat 0. What the deal will be made of is fixed, and promised, from now on.

    `control` spells the time control out, `pace` names it. The lobby is called off after `wait_s` seconds. A chosen
    `seed` makes it a sandbox, which is never `rated`. Spectators see what happens `spectator_delay_s` seconds later.
    `gate` is whom it lets in, its host among them. `others` sit down at once, and after them `bots` of these levels.
    Where those take all seats the host only watches.
    """
    rules = asking.game_for(game)
    chosen = asking.options_for(rules, seats, preset, options or {})
    clocks = asking.control_for(control, pace)
    levels = asking.bots_for(bots, seats)
    players = () if len(levels) == seats else (host_id, *others)
    match_id = match_id or uuid7()
    must_be_possible(gate)
    secret = secrets.token_bytes(SEED_BYTES) if seed is None else chosen_secret(seed)
    with transaction.atomic():
        for player_id in (host_id, *others):
            hold_player(player_id=player_id)
        if not others:
            _must_have_room(host_id)
        must_pass(gate, player_id=host_id, game=rules.key)
        if not players:
            _must_watch_few(host_id)
        match = Match.objects.create(
            id=match_id,
            game=rules.key,
            ruleset=rules.ruleset,
            preset=preset,
            options=msgspec.to_builtins(chosen),
            seat_count=seats,
            host_id=host_id,
            title=asking.title_for(title),
            visibility=asking.visibility_for(visibility),
            join_code=asking.join_code() if visibility == Visibility.PRIVATE else "",
            autostart=autostart,
            sandbox=seed is not None,
            rated=rated and seed is None,
            rates_bots=rates_bots,
            **gate._asdict(),
            spectator_delay_s=spectator_delay_s,
            control=clocks,
            pace=pace_of(clocks),
            policy=asking.checked("policy", bridge.policy, policy or {}),
            secret=secret,
            commitment=commitment(secret, str(match_id)),
            expires_at=asking.expiry_for(pace_of(clocks), wait_s),
            rematch_of_id=rematch_of,
        )
        for number, player_id in enumerate(players):
            Seat.objects.create(match=match, number=number, player_id=player_id)
        for number, level in enumerate(levels, len(players)):
            Seat.objects.create(match=match, number=number, bot_level=level)
        start_when_full(match)
    return shown(match)


def match_join(*, match_id: UUID, player_id: int, code: str | None = None) -> Match:
    """Take the next seat; who sits there already is told so with the same answer. A full match begins by itself."""
    with transaction.atomic():
        match = locked(match_id)
        take_seat(match, player_id, code)
    return shown(match)


def match_join_by_code(*, player_id: int, code: str) -> Match:
    """Join the private match with this code."""
    match_id = Match.objects.filter(join_code=code).exclude(join_code="").values_list("pk", flat=True).first()
    if match_id is None:
        raise ServiceError("not_found", "no match has this code")
    return match_join(match_id=match_id, player_id=player_id, code=code)


def take_seat(match: Match, player_id: int, code: str | None = None) -> None:
    """Take the next seat of a match that is locked."""
    seats = list(match.seats.all())
    if any(seat.player_id == player_id for seat in seats):
        return
    state = match.invitations.filter(player_id=player_id).values_list("state", flat=True).first()
    if state != Invited.OPEN:
        _must_know_code(match, code)
    must_be_open(match)
    if state == Invited.KICKED:
        raise ServiceError("kicked", "the host sent you away; only a new invitation lets you in again")
    if len(seats) + kept(match, player_id) >= match.seat_count:
        raise ServiceError("match_full", f"all {match.seat_count} seats are taken")
    hold_player(player_id=player_id)
    must_get_along(player_id, [seat.player_id for seat in seats if seat.player_id is not None])
    must_pass(match.gate, player_id=player_id, game=match.game)
    Seat.objects.create(match=match, number=len(seats), player_id=player_id)
    match.invitations.filter(player_id=player_id).delete()
    notices.invited_take_back(match, player_id)
    start_when_full(match)


def match_leave_lobby(*, match_id: UUID, player_id: int) -> Match:
    """Give the seat back; those behind move up. The host is followed by the next player, or the match is cancelled."""
    with transaction.atomic():
        match, seat = locked_for(match_id, player_id)
        must_be_open(match)
        give_back(match, seat)
    return shown(match)


def give_back(match: Match, seat: Seat) -> None:
    """Free a seat of a lobby that is locked."""
    seat.delete()
    rest = list(match.seats.all())
    for number, other in enumerate(rest):
        other.number = number
        other.save(update_fields=["number"])
    people = [other.player_id for other in rest if other.player_id is not None]
    if not people:
        _cancel(match)
    elif match.host_id == seat.player_id:
        match.host_id = people[0]
        match.save(update_fields=["host"])


def match_start(*, match_id: UUID, player_id: int) -> Match:
    """Begin with those who are there; for the host."""
    with transaction.atomic():
        match = locked_for_host(match_id, player_id)
        _start(match)
    return shown(match)


def match_cancel(*, match_id: UUID, player_id: int) -> Match:
    """Call the match off; for the host."""
    with transaction.atomic():
        match = locked_for_host(match_id, player_id)
        _cancel(match)
    return shown(match)


def seat_salt(*, match_id: UUID, player_id: int, salt: bytes) -> Match:
    """Have a part in the deal: what a player adds, the service can't have known when it promised its own part."""
    if len(salt) > SALT_BYTES:
        raise ServiceError("salt_too_long", f"a salt has at most {SALT_BYTES} bytes, not {len(salt)}")
    with transaction.atomic():
        match, seat = locked_for(match_id, player_id)
        must_be_open(match)
        seat.salt = salt
        seat.save(update_fields=["salt"])
    return shown(match)


# Who may, and when


def locked(match_id: UUID) -> Match:
    """The match, whose row is ours until the transaction ends."""
    match = lock_lobby(match_id=match_id)
    if match is None:
        raise ServiceError("not_found", "there is no such match")
    return match


def locked_for(match_id: UUID, player_id: int) -> tuple[Match, Seat]:
    """The same for somebody who sits in it."""
    match = locked(match_id)
    seat = match.seats.filter(player_id=player_id).first()
    if seat is not None:
        return match, seat
    if match.visibility == Visibility.PRIVATE:
        raise ServiceError("not_found", "there is no such match")
    raise ServiceError("not_seated")


def locked_for_host(match_id: UUID, player_id: int) -> Match:
    """The same for the host of a lobby."""
    match = locked(match_id)
    if match.host_id != player_id:
        if match.visibility == Visibility.PRIVATE and not match.seats.filter(player_id=player_id).exists():
            raise ServiceError("not_found", "there is no such match")
        raise ServiceError("not_host")
    must_be_open(match)
    return match


def must_be_open(match: Match) -> None:
    """The match still waits for players."""
    if match.status != Status.LOBBY:
        raise ServiceError("match_not_open", f"the match is {match.get_status_display()}; this is for lobbies")
    if match.expires_at is not None and match.expires_at <= timezone.now():
        raise ServiceError("match_not_open", "the lobby has waited too long for players; it is called off")


def must_get_along(player_id: int, others: Collection[int]) -> None:
    """Nobody of them has blocked the player, nor the other way round."""
    blocks = Block.objects.filter(
        Q(player=player_id, blocked__in=others) | Q(player__in=others, blocked=player_id),
    )
    if blocks.exists():
        raise ServiceError("blocked", "you and somebody in this match don't play with each other")


def shown(match: Match) -> Match:
    """The match as it is now, with its seats, their players and who is invited."""
    return shown_matches().get(pk=match.pk)


def _must_know_code(match: Match, code: str | None) -> None:
    if match.visibility == Visibility.PRIVATE and not secrets.compare_digest(
        match.join_code.encode(), (code or "").encode()
    ):
        raise ServiceError("not_found", "there is no such match")


def kept(match: Match, player_id: int) -> int:
    """How many seats are kept for others: in a rematch, for those who played and haven't answered yet."""
    if match.rematch_of_id is None:
        return 0
    return match.invitations.filter(state=Invited.OPEN).exclude(player=player_id).count()


def _must_have_room(host_id: int) -> None:
    if Match.objects.filter(host=host_id, status=Status.LOBBY).count() >= MOST_LOBBIES:
        raise ServiceError("too_many", f"{MOST_LOBBIES} matches of yours wait for players; cancel some first")


def _must_watch_few(host_id: int) -> None:
    running = Match.objects.filter(host=host_id, status__in=[Status.LOBBY, Status.RUNNING])
    if running.exclude(seats__player__isnull=False).count() >= MOST_WATCHED:
        raise ServiceError("too_many", f"{MOST_WATCHED} matches of bots alone run for you; wait until one is over")


# What happens


def lobbies_expire(*, seconds: float = 20) -> int:
    """Call off the lobbies that have waited too long, one after another; gives how many."""
    end = time.monotonic() + seconds
    expired = 0
    while time.monotonic() < end:
        with transaction.atomic():
            match = lock_next_expired()
            if match is None:
                break
            _cancel(match)
        expired += 1
    return expired


def start_when_full(match: Match) -> None:
    """Begin if nobody is missing and nobody wants to wait."""
    if match.autostart and match.seats.count() == match.seat_count:
        _start(match)


def _cancel(match: Match) -> None:
    match.status, match.ended_at = Status.CANCELLED, timezone.now()
    match.save(update_fields=["status", "ended_at"])
    notices.invited_take_back(match)


def _start(match: Match) -> None:
    """Deal: the seats that are taken are the seats of the match, in the order in which they were taken."""
    if match.rematch_of_id is not None:
        _turn_seats(match, match.rematch_of_id)
    seats = list(match.seats.all())
    opened = _opened(match, seats)
    referee = opened.referee()
    opening = bridge.opening_of(match, seats)
    try:
        step = referee.open(opening)
    except BadOptions as error:
        raise ServiceError("too_few_seats", str(error)) from None
    match.status, match.seat_count = Status.RUNNING, len(seats)
    match.save(update_fields=["status", "seat_count", "started_at", "format"])
    notices.invited_take_back(match)
    Position.objects.create(match=match, snapshot="", number=0)
    due_at = write_position(opened, referee, None, step)
    wake_soon(match_id=match.pk, due_at=due_at, now=opened.now)


def _turn_seats(match: Match, first_id: UUID) -> None:
    """In a rematch everybody moves up one seat and the first is last, whoever asked for it; newcomers come behind."""
    former: list[tuple[int | None, int]] = list(Seat.objects.filter(match=first_id).values_list("player_id", "number"))
    before = {player_id: number for player_id, number in former if player_id is not None}
    of_bots = [number for player_id, number in former if player_id is None]

    def place(seat: Seat) -> tuple[bool, int]:
        number = before.get(seat.player_id) if seat.player_id is not None else of_bots.pop(0) if of_bots else None
        return number is None, number or len(former)

    seats = list(match.seats.all())
    turned = sorted(seats, key=place)
    # Past all numbers first, for no two seats may have the same one.
    match.seats.update(number=F("number") + len(seats))
    for number, seat in enumerate(turned):
        seat.number = number
        seat.save(update_fields=["number"])


def _opened(match: Match, seats: list[Seat]) -> Locked:
    """The match begins now, to the millisecond: a replay has to begin at the same one."""
    now = now_ms()
    match.started_at, match.format = moment(now), FORMAT
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
