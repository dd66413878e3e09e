"""What may be read, and by whom. A match that a viewer may not know of is `not_found`, like one that doesn't exist."""

from matches.models import Match, Player, Seat
from matches.selectors.games import GameInfo, game_get, game_types, games_all
from matches.selectors.matches import match_get, matches_of, matches_public, player_get
from matches.selectors.table import Seen, entries_after, match_export, table_view, table_view_at

__all__ = [
    "GameInfo",
    "Match",
    "Player",
    "Seat",
    "Seen",
    "entries_after",
    "game_get",
    "game_types",
    "games_all",
    "match_export",
    "match_get",
    "matches_of",
    "matches_public",
    "player_get",
    "table_view",
    "table_view_at",
]
