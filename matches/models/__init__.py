"""What is kept: players and their devices, matches, seats and logs, and all that leads to a match or comes of it."""

from matches.models.accounts import (
    FOR_EVER,
    LONGEST_LOOK,
    NAME_LENGTH,
    Player,
    PlayerManager,
    PlayerNote,
    RefreshToken,
    Staff,
    name_key,
    name_look,
)
from matches.models.audit import AuditEntry
from matches.models.conduct import Block, ConfirmationRequest, Reason, RecoveryRequest, Report
from matches.models.figures import Figure, MoveCount
from matches.models.lobbies import CreationKey, Invitation, Invited, PairingTicket, shown_matches
from matches.models.log import MoveRecord, Position
from matches.models.notices import (
    LASTING,
    PASSING,
    Delivery,
    DeliveryState,
    DeliveryTally,
    Notice,
    NoticeKind,
    PushSubscription,
    Receiver,
)
from matches.models.ratings import Rating, RatingChange
from matches.models.reliability import Conduct, Reliability
from matches.models.tables import COUNTS, STATUS_RULE, TITLE_LENGTH, TO_TALLY, Match, Seat, Status, Visibility
from matches.models.time import Habits, Heartbeat, Outage, Vacation
from matches.models.webhooks import PING, EventState, Stopped, Webhook, WebhookAttempt, WebhookEvent

__all__ = [
    "COUNTS",
    "FOR_EVER",
    "LASTING",
    "LONGEST_LOOK",
    "NAME_LENGTH",
    "PASSING",
    "PING",
    "STATUS_RULE",
    "TITLE_LENGTH",
    "TO_TALLY",
    "AuditEntry",
    "Block",
    "Conduct",
    "ConfirmationRequest",
    "CreationKey",
    "Delivery",
    "DeliveryState",
    "DeliveryTally",
    "EventState",
    "Figure",
    "Habits",
    "Heartbeat",
    "Invitation",
    "Invited",
    "Match",
    "MoveCount",
    "MoveRecord",
    "Notice",
    "NoticeKind",
    "Outage",
    "PairingTicket",
    "Player",
    "PlayerManager",
    "PlayerNote",
    "Position",
    "PushSubscription",
    "Rating",
    "RatingChange",
    "Reason",
    "Receiver",
    "RecoveryRequest",
    "RefreshToken",
    "Reliability",
    "Report",
    "Seat",
    "Staff",
    "Status",
    "Stopped",
    "Vacation",
    "Visibility",
    "Webhook",
    "WebhookAttempt",
    "WebhookEvent",
    "name_key",
    "name_look",
    "shown_matches",
]
