"""An account as the staff sees it."""

from __future__ import annotations

from typing import NamedTuple

from matches.models import AuditEntry, Player, PlayerNote, Rating, RefreshToken, Reliability, Report, Seat
from matches.selectors.players import Record, records_of
from matches.selectors.ratings import ratings_of

MOST_SEATS = 50
MOST_ROWS = 50


class Account(NamedTuple):
    """What the page of a player shows: the newest seats, devices, records, notes, reports, what the staff did."""

    player: Player
    seats: list[Seat]
    devices: list[RefreshToken]
    records: list[Record]
    ratings: list[Rating]
    reliability: Reliability | None
    notes: list[PlayerNote]
    reports: list[Report]
    deeds: list[AuditEntry]


def account_get(*, player: Player) -> Account:
    """Everything, each list with its newest rows first."""
    return Account(
        player=player,
        seats=list(Seat.objects.filter(player=player).select_related("match").order_by("-match")[:MOST_SEATS]),
        devices=list(RefreshToken.objects.filter(player=player).order_by("-last_used_at")[:MOST_ROWS]),
        records=records_of(player_id=player.pk),
        ratings=ratings_of(player_id=player.pk),
        reliability=Reliability.objects.filter(player=player).first(),
        notes=list(PlayerNote.objects.filter(player=player).select_related("author").order_by("-pk")[:MOST_ROWS]),
        reports=list(Report.objects.filter(player=player).select_related("reporter").order_by("-pk")[:MOST_ROWS]),
        deeds=list(
            AuditEntry.objects.filter(target_kind="player", target_id=str(player.pk))
            .select_related("actor")
            .order_by("-pk")[:MOST_ROWS]
        ),
    )
