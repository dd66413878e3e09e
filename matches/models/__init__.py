"""What is kept: players, matches, the position of a match that has begun, its seats, its log, and devices logged in."""

from matches.models.accounts import NAME_LENGTH, Player, PlayerManager, RefreshToken, name_key
from matches.models.log import MoveRecord, Position
from matches.models.tables import STATUS_RULE, Match, Seat, Status, Visibility

__all__ = [
    "NAME_LENGTH",
    "STATUS_RULE",
    "Match",
    "MoveRecord",
    "Player",
    "PlayerManager",
    "Position",
    "RefreshToken",
    "Seat",
    "Status",
    "Visibility",
    "name_key",
]
