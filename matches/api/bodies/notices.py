"""Notices: what there is to tell, and how players want to be told."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct, field

from matches.api.bodies.common import Body, Millis
from matches.api.bodies.time import WallTime

Kind = Literal["turn", "warning", "offer", "invited", "started", "over", "left"]
ChannelName = Literal["in_app", "mail", "push"]


class NoticeBody(Struct, frozen=True):
    """Something to tell you. `id` is the same in the list, in mails, pushes and webhooks.

    `turn`: you are to move. `warning`: a fifth of your time is left. `offer`: your consent is asked for. `invited`: to
    a lobby. These are gone once they aren't true any more. `started`, `over`, and `left` (the seat `about` has left)
    are kept for 30 days. `serial` is that of the decision, the number of the offer, or of the log's entry.
    """

    id: UUID
    match: UUID
    game: str
    seat: int | None
    kind: str
    serial: int
    about: int | None
    since: Millis
    deadline: Millis | None
    read_at: Millis | None


class Notices(Struct, frozen=True):
    """A page of what there is to tell you now, the newest first. `unread` counts all of it; null `next`: no more."""

    notices: tuple[NoticeBody, ...]
    unread: int
    next: str | None


class ReadAll(Body, frozen=True):
    """Everything that you could have seen by `until`; now, if you don't say."""

    until: Annotated[int, Meta(ge=0, le=2**53, description="UTC, milliseconds since 1970.")] | None = None


class Unread(Struct, frozen=True):
    """How much you haven't read."""

    unread: int


class QuietBody(Body, frozen=True):
    """When nothing is mailed or pushed to you, by the clock on your wall; what is still true then comes at the end."""

    begins: WallTime
    ends: WallTime


class SetWishes(Body, frozen=True):
    """What you want to be told by which channel. What isn't named stays as it is; `quiet` is set as it is given."""

    channels: dict[ChannelName, dict[Kind, bool]] = field(default_factory=dict)
    quiet: QuietBody | None = None


class Wishes(Struct, frozen=True):
    """All your wishes. `zone` is that of your calendar; `mail_to` is where mails go, null while they can't go."""

    channels: dict[str, dict[str, bool]]
    quiet: QuietBody | None
    zone: str
    mail_to: str | None


class PushKey(Struct, frozen=True):
    """What a browser subscribes with, as `applicationServerKey`: a point on the curve P-256 in base64url."""

    public_key: str


class BrowserKeys(Body, frozen=True):
    """The `keys` of a browser's `PushSubscription`."""

    p256dh: Annotated[str, Meta(min_length=80, max_length=100)]
    auth: Annotated[str, Meta(min_length=20, max_length=40)]


class SubscribeBrowser(Struct, frozen=True):
    """What `PushSubscription.toJSON()` gives, whatever else is in it, and what you call the `device`."""

    endpoint: Annotated[str, Meta(min_length=1, max_length=1000)]
    keys: BrowserKeys
    device: Annotated[str, Meta(max_length=100)] = ""


class BrowserBody(Struct, frozen=True):
    """A browser that your notices are pushed to. `service` is the host of its push service."""

    id: UUID
    device: str
    service: str
    created_at: datetime


class ConfirmEmail(Body, frozen=True):
    """The code that was mailed."""

    code: Annotated[str, Meta(min_length=1, max_length=200)]
