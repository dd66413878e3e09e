"""Bots for company: put on seats of a lobby by its host, or in a match for practice that begins at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import transaction

from engine.core.errors import BadOptions
from matches import bridge
from matches.errors import ServiceError
from matches.models import Match, Player, Seat, Status, Visibility
from matches.services import asking, lobby


def bot_add(*, match_id: UUID, player_id: int, level: str) -> Match:
    """A bot takes the next seat of a lobby; for the host. A full match begins by itself."""
    level = asking.level_for(level)
    with transaction.atomic():
        match = lobby.locked_for_host(match_id, player_id)
        taken = match.seats.count()
        if taken + lobby.kept(match, player_id) >= match.seat_count:
            raise ServiceError("match_full", f"all {match.seat_count} seats are taken")
        Seat.objects.create(match=match, number=taken, bot_level=level)
        lobby.start_when_full(match)
    return lobby.shown(match)


def bot_remove(*, match_id: UUID, player_id: int, number: int) -> Match:
    """Send the bot at this seat of a lobby away; for the host. Those behind move up."""
    with transaction.atomic():
        match = lobby.locked_for_host(match_id, player_id)
        seat = match.seats.filter(number=number, player=None).first()
        if seat is None:
            raise ServiceError("no_such_player", f"no bot sits at seat {number}")
        lobby.give_back(match, seat)
    return lobby.shown(match)


def practice_start(
    *,
    player_id: int,
    game: str,
    level: str,
    seats: int | None = None,
    preset: str = "standard",
    options: Mapping[str, Any] | None = None,
) -> Match:
    """A match against bots, without clocks, that begins at once; of two if not said otherwise."""
    rules = asking.game_for(game)
    if seats is None:
        seats = max(2, _fewest(rules, preset, options or {}))
    if seats < 2:
        raise ServiceError("bad_options", "practice needs a bot: at least two seats")
    return lobby.match_create(
        host_id=player_id,
        game=game,
        seats=seats,
        preset=preset,
        options=options,
        visibility=Visibility.UNLISTED,
        rated=False,
        bots=(level,) * (seats - 1),
    )


def practice_ensure(*, name: str, level: str) -> None:
    """The player of this name has a match for practice of every game under way."""
    player = Player.objects.get_by_natural_key(name)
    practising = Match.objects.filter(host=player, status=Status.RUNNING, seats__player=None)
    known = set(practising.values_list("game", flat=True))
    for game in sorted(set(bridge.games()) - known):
        practice_start(player_id=player.pk, game=game, level=level)


def _fewest(rules: bridge.AnyGame, preset: str, options: Mapping[str, Any]) -> int:
    try:
        return rules.seat_range(rules.options(options, preset))[0]
    except BadOptions as error:
        raise ServiceError("bad_options", str(error)) from None
