"""What may be read, and by whom. A match that a viewer may not know of is `not_found`, like one that doesn't exist."""

from matches.models import Match, PairingTicket, Player, Rating, Seat
from matches.selectors.games import GameInfo, game_get, game_types, games_all
from matches.selectors.matches import (
    Counts,
    counts_of,
    match_get,
    match_with_code,
    matches_inviting,
    matches_of,
    matches_public,
    ticket_of,
)
from matches.selectors.players import (
    PersonalData,
    Record,
    blocked_by,
    own_account,
    personal_data,
    player_get,
    player_named,
    records_of,
)
from matches.selectors.ratings import Change, Leader, Mark, leaders_of, rating_changes, ratings_of
from matches.selectors.table import Seen, entries_after, match_export, table_view, table_view_at
from matches.selectors.time import Calendar, Punctuality, Told, calendar_of, notices_of, punctuality
from matches.selectors.watching import Endpoint, Stock, Stuck, slowest_endpoints, stock, stuck_matches

__all__ = [
    "Calendar",
    "Change",
    "Counts",
    "Endpoint",
    "GameInfo",
    "Leader",
    "Mark",
    "Match",
    "PairingTicket",
    "PersonalData",
    "Player",
    "Punctuality",
    "Rating",
    "Record",
    "Seat",
    "Seen",
    "Stock",
    "Stuck",
    "Told",
    "blocked_by",
    "calendar_of",
    "counts_of",
    "entries_after",
    "game_get",
    "game_types",
    "games_all",
    "leaders_of",
    "match_export",
    "match_get",
    "match_with_code",
    "matches_inviting",
    "matches_of",
    "matches_public",
    "notices_of",
    "own_account",
    "personal_data",
    "player_get",
    "player_named",
    "punctuality",
    "rating_changes",
    "ratings_of",
    "records_of",
    "slowest_endpoints",
    "stock",
    "stuck_matches",
    "table_view",
    "table_view_at",
    "ticket_of",
]
