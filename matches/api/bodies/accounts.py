"""Players and their tokens."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from matches.api.bodies.common import Body, Millis
from matches.api.bodies.notices import BrowserBody, NoticeBody, QuietBody
from matches.api.bodies.ratings import ConductBody, RatingBody, RatingChangeBody, ReliabilityBody
from matches.api.bodies.webhooks import WebhookBody

Name = Annotated[str, Meta(min_length=2, max_length=30, description="Unique; no two names look alike.")]
Password = Annotated[str, Meta(min_length=10, max_length=200)]
Email = Annotated[str, Meta(max_length=254, description="For a forgotten password; nobody sees it.")]
Device = Annotated[str, Meta(max_length=100, description="Your own word for where the tokens will be used.")]
KnownPassword = Annotated[str, Meta(max_length=200)]


class Register(Body, frozen=True):
    """A new player. A program that plays says so with `is_bot`: everybody sees it, and nobody is paired with it."""

    name: Name
    password: Password
    email: Email = ""
    is_bot: bool = False


class LogIn(Body, frozen=True):
    """Name and password, for tokens; `device` is your own word for where they will be used."""

    name: Annotated[str, Meta(max_length=100)]
    password: KnownPassword
    device: Device = ""


class RefreshToken(Body, frozen=True):
    """A refresh token, which each use replaces."""

    refresh: Annotated[str, Meta(max_length=500)]


class PlayerBody(Struct, frozen=True):
    """A player, as anybody may see it."""

    id: int
    name: str
    is_guest: bool
    is_bot: bool


class Session(Struct, frozen=True):
    """Send `access` as `Authorization: Bearer …`; when it ends, after `expires_in` seconds, trade in `refresh`."""

    access: str
    refresh: str
    expires_in: int


class BecomeGuest(Body, frozen=True):
    """A guest: an account without a name of your choice or a password, which lives as long as its tokens."""

    device: Device = ""


class GuestSession(Struct, frozen=True):
    """A guest that was made, and its tokens."""

    player: PlayerBody
    session: Session


class Upgrade(Body, frozen=True):
    """What makes a guest a full player."""

    name: Name
    password: Password
    email: Email = ""


class ChangePassword(Body, frozen=True):
    """The password as it was, and as it shall be."""

    old: KnownPassword
    new: Password
    device: Device = ""


class ChangeEmail(Body, frozen=True):
    """Another address, confirmed by your password."""

    password: KnownPassword
    email: Email


class CloseAccount(Body, frozen=True):
    """Your password, as a confirmation; guests have none."""

    password: KnownPassword = ""


class AskRecovery(Body, frozen=True):
    """The name of the account, or its address of mail."""

    about: Annotated[str, Meta(min_length=1, max_length=254)]


class FinishRecovery(Body, frozen=True):
    """The code out of the mail, and another password."""

    code: Annotated[str, Meta(max_length=100)]
    password: Password


class AccountBody(PlayerBody, frozen=True):
    """A player, as it sees itself."""

    email: str
    created_at: datetime
    email_confirmed: bool


class RecordBody(Struct, frozen=True):
    """What a player made of a game: matches finished, won alone, first place shared, left before their end."""

    game: str
    played: int
    won: int
    shared: int
    left: int


class Profile(PlayerBody, frozen=True):
    """A player with a record for each game that it has finished a match of, and its ratings.

    `reliability` is null until there were twenty turns to tell by.
    """

    created_at: datetime
    records: tuple[RecordBody, ...]
    ratings: tuple[RatingBody, ...]
    reliability: ReliabilityBody | None


class DeviceBody(Struct, frozen=True):
    """A device that was logged in."""

    device: str
    created_at: datetime
    last_used_at: datetime
    revoked_at: datetime | None


class SeatRecord(Struct, frozen=True):
    """A seat that a player has or had; `salt` in hex. The moves are in the match's own export."""

    match: UUID
    game: str
    status: str
    seat: int
    salt: str
    has_left: bool
    place: int | None
    score: int | None


class ReportRecord(Struct, frozen=True):
    """A report that a player has filed."""

    reason: str
    player: int | None
    match: UUID | None
    text: str
    created_at: datetime


class WishRecord(Struct, frozen=True):
    """Where your wishes differ from the usual ones, your quiet hours, and when you were last mailed notices."""

    channels: dict[str, dict[str, bool]]
    quiet: QuietBody | None
    mailed_at: Millis | None


class PersonalData(Struct, frozen=True):
    """Everything that is kept of you."""

    account: AccountBody
    devices: tuple[DeviceBody, ...]
    seats: tuple[SeatRecord, ...]
    blocked: tuple[PlayerBody, ...]
    reports: tuple[ReportRecord, ...]
    ratings: tuple[RatingBody, ...]
    rating_changes: tuple[RatingChangeBody, ...]
    webhooks: tuple[WebhookBody, ...]
    conducts: tuple[ConductBody, ...]
    wishes: WishRecord
    browsers: tuple[BrowserBody, ...]
    notices: tuple[NoticeBody, ...]
