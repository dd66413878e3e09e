"""Rows as bodies."""

from __future__ import annotations

from typing import cast

import msgspec

from engine.core.clock import Policy, TimeControl
from engine.core.outcome import Outcome
from matches.api.bodies import MatchBody, MatchStatus, PlayerBody, SeatBody, Visibility
from matches.selectors import Match, Player, Seat


def player(row: Player) -> PlayerBody:
    """A player, as anybody may see it."""
    return PlayerBody(row.pk, row.name, row.is_guest, row.is_bot)


def match(row: Match, viewer_id: int | None) -> MatchBody:
    """A match with its seats, for one viewer; the seats and their players must have been fetched."""
    seats = sorted(row.seats.all(), key=lambda seat: seat.number)
    own = next((seat for seat in seats if seat.player_id is not None and seat.player_id == viewer_id), None)
    return MatchBody(
        id=row.pk,
        game=row.game,
        ruleset=row.ruleset,
        preset=row.preset,
        options=row.options,
        seat_count=row.seat_count,
        control=msgspec.convert(row.control, TimeControl),
        policy=msgspec.convert(row.policy, Policy),
        visibility=cast("Visibility", row.visibility),
        autostart=row.autostart,
        sandbox=row.sandbox,
        spectator_delay_s=row.spectator_delay_s,
        status=cast("MatchStatus", row.status),
        host=row.host_id,
        seats=tuple(_seat(seat) for seat in seats),
        your_seat=None if own is None else own.number,
        your_turn=own is not None and own.awaited_since is not None,
        deadline=None if own is None else own.deadline,
        join_code=row.join_code or None if own is not None else None,
        commitment=row.commitment,
        outcome=None if row.outcome is None else msgspec.convert(row.outcome, Outcome),
        created_at=row.created_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
    )


def _seat(row: Seat) -> SeatBody:
    return SeatBody(row.number, None if row.player is None else player(row.player), row.has_left, row.place, row.score)
