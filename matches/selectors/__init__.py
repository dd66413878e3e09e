"""What may be read, and by whom. A match that a viewer may not know of is `not_found`, like one that doesn't exist."""

from matches.models import Match, PairingTicket, Player, Seat
from matches.selectors.games import GameInfo, game_get, game_types, games_all
from matches.selectors.matches import (
    Counts,
    counts_of,
    match_get,
    matches_inviting,
    matches_of,
    matches_public,
    ticket_of,
)
from matches.selectors.players import (
    PersonalData,
    Record,
    blocked_by,
    personal_data,
    player_get,
    player_named,
    records_of,
)
from matches.selectors.table import Seen, entries_after, match_export, table_view, table_view_at

__all__ = [
    "Counts",
    "GameInfo",
    "Match",
    "PairingTicket",
    "PersonalData",
    "Player",
    "Record",
    "Seat",
    "Seen",
    "blocked_by",
    "counts_of",
    "entries_after",
    "game_get",
    "game_types",
    "games_all",
    "match_export",
    "match_get",
    "matches_inviting",
    "matches_of",
    "matches_public",
    "personal_data",
    "player_get",
    "player_named",
    "records_of",
    "table_view",
    "table_view_at",
    "ticket_of",
]
