"""Quick pairing: who wants the same game at the same pace is seated together.

A ticket's row is the only thing that decides. A pairing locks the tickets it uses, seats their owners and writes the
match on them, all in one transaction; leaving the queue locks the same row. So whoever leaves is either never paired,
or told that it has happened.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable
from datetime import timedelta
from typing import NamedTuple

import structlog
from django.db import transaction
from django.db.models import Count, Q
from django.db.models.functions import Now
from django.utils import timezone

from matches.errors import ServiceError
from matches.gates import OPEN, Gate
from matches.locking import hold_player, lock_ticket, lock_tickets
from matches.models import Block, PairingTicket, Player
from matches.paces import PACES
from matches.services import asking, lobby
from matches.services.gates import closed_between, must_be_possible, must_pass

log = structlog.get_logger()


class Wish(NamedTuple):
    """What somebody wants to play. `pace` is the name of a time control."""

    game: str
    preset: str
    seats: int
    pace: str


def pairing_enter(*, player_id: int, wish: Wish, gate: Gate = OPEN) -> PairingTicket:
    """Wait for others with the same wish. The same wish again keeps the place, another one takes a new place.

    `gate` is whom the others have to be for this player; who asks has to pass it as well.
    """
    rules = asking.game_for(wish.game)
    asking.options_for(rules, wish.seats, wish.preset, {})
    if wish.seats < 2:
        raise ServiceError("bad_options", "a pairing needs at least two seats")
    asking.named_pace(wish.pace)
    must_be_possible(gate)
    must_pass(gate, player_id=player_id, game=wish.game)
    now = timezone.now()
    until = now + timedelta(seconds=PACES[wish.pace].stays_s)
    fresh = {**wish._asdict(), **gate._asdict(), "since": now, "expires_at": until}
    if Player.objects.filter(pk=player_id, is_bot=True).exists():
        raise ServiceError("not_for_bots", "people are paired with people; a bot waits for an invitation")
    with transaction.atomic():
        PairingTicket.objects.bulk_create([PairingTicket(player_id=player_id, **fresh)], ignore_conflicts=True)
        ticket = lock_ticket(player_id=player_id)
        if ticket is None:
            raise ServiceError("try_again")
        hold_player(player_id=player_id)
        keeps_place = ticket.match_id is None and ticket.expires_at > now and _wish_of(ticket) == wish
        for field, value in fresh.items():
            if field != "since" or not keeps_place:
                setattr(ticket, field, value)
        ticket.match = None
        ticket.save(update_fields=[*fresh, "match"])
    return ticket


def pairing_leave(*, player_id: int) -> None:
    """Wait no longer; no error for somebody who doesn't wait. Raises `already_paired` when it is too late."""
    with transaction.atomic():
        ticket = lock_ticket(player_id=player_id)
        if ticket is None:
            return
        if ticket.match_id is not None:
            raise ServiceError("already_paired", f"you are paired already, in match {ticket.match_id}")
        ticket.delete()


def players_pair(*, seconds: float = 1.5) -> int:
    """Seat those who have the same wish together, the longest waiting first; gives the number of matches."""
    end = time.monotonic() + seconds
    made = 0
    for wish in _wishes():
        while time.monotonic() < end:
            paired = _pair(wish)
            if not paired:
                break
            made += paired
    return made


def tickets_drop() -> int:
    """Forget those who have waited without asking again for too long, and pairings of long ago."""
    old = Q(match=None, expires_at__lte=Now()) | Q(match__isnull=False, since__lte=timezone.now() - timedelta(days=1))
    return PairingTicket.objects.filter(old).delete()[0]


def _wishes() -> list[Wish]:
    """Every wish that enough people share."""
    waiting = PairingTicket.objects.filter(match=None, expires_at__gt=Now(), player__is_active=True)
    shared = waiting.values_list("game", "preset", "seats", "pace").annotate(people=Count("player"))
    return [Wish(*wish) for *wish, people in shared if people >= wish[2]]


def _pair(wish: Wish) -> int:
    """One match of people who get along; 0 when there is none to make."""
    try:
        with transaction.atomic():
            gates = {ticket.player_id: ticket.gate for ticket in lock_tickets(**wish._asdict())}
            apart = _blocks_among(gates) | closed_between(gates, game=wish.game)
            chosen = _who_get_along(list(gates), wish.seats, apart)
            if chosen is None:
                return 0
            # Seats are drawn: waiting long is no advantage in the game.
            host, *others = secrets.SystemRandom().sample(chosen, len(chosen))
            match = lobby.match_create(host_id=host, others=others, **wish._asdict())
            PairingTicket.objects.filter(player__in=chosen).update(match=match)
    except ServiceError as error:
        # An account was closed this very moment, or the game has new options: the next look knows.
        log.info("not paired", game=wish.game, reason=error.code)
        return 0
    log.info("paired", match=str(match.pk), game=wish.game)
    return 1


def _who_get_along(people: list[int], seats: int, apart: set[tuple[int, int]]) -> list[int] | None:
    """The first that fit: somebody, and the next ones who aren't kept apart from anybody chosen so far."""
    for first, player_id in enumerate(people):
        chosen = [player_id]
        for other in people[first + 1 :]:
            if len(chosen) < seats and apart.isdisjoint((other, one) for one in chosen):
                chosen.append(other)
        if len(chosen) == seats:
            return chosen
    return None


def _blocks_among(people: Iterable[int]) -> set[tuple[int, int]]:
    people = list(people)
    found = Block.objects.filter(player__in=people, blocked__in=people).values_list("player", "blocked")
    return {pair for one, other in found for pair in ((one, other), (other, one))}


def _wish_of(ticket: PairingTicket) -> Wish:
    return Wish(ticket.game, ticket.preset, ticket.seats, ticket.pace)
