"""What travels in requests and responses. The OpenAPI schema is made from these types."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Generic, Literal, TypeVar
from uuid import UUID

from msgspec import Meta, Raw, Struct, field

from engine.core.clock import PerMove, Policy, TimeControl
from engine.core.outcome import Outcome
from engine.core.viewing import EntryView, TableView

V = TypeVar("V")
M = TypeVar("M")
E = TypeVar("E")

Visibility = Literal["public", "unlisted", "private"]
MatchStatus = Literal["lobby", "running", "finished", "abandoned", "void", "cancelled"]

THREE_DAYS_S = 3 * 24 * 3600
LONGEST_DELAY_S = 24 * 3600

Name = Annotated[str, Meta(min_length=2, max_length=30, description="Unique, whatever the case of its letters.")]
Password = Annotated[str, Meta(min_length=10, max_length=200)]
Millis = Annotated[int, Meta(description="UTC, milliseconds since 1970.")]


class Body(Struct, frozen=True, forbid_unknown_fields=True):
    """Base of what a request may carry; an unknown field is an error."""


class Register(Body, frozen=True):
    """A new player."""

    name: Name
    password: Password
    email: Annotated[str, Meta(max_length=254)] = ""


class LogIn(Body, frozen=True):
    """Name and password, for tokens; `device` is your own word for where they will be used."""

    name: str
    password: str
    device: Annotated[str, Meta(max_length=100)] = ""


class RefreshToken(Body, frozen=True):
    """A refresh token, which each use replaces."""

    refresh: Annotated[str, Meta(max_length=500)]


class CreateMatch(Body, frozen=True):
    """A new match, with you on seat 0.

    `options` are those values of the game's options that differ from the preset. It starts by itself once all seats are
    taken, unless `autostart` is false. Whoever watches sees it `spectator_delay_s` seconds late. With a `seed` of your
    choice it is a sandbox: the same seed is the same deal every time, it counts for nothing and is in no list.
    """

    game: str
    seats: Annotated[int, Meta(ge=1, le=64)]
    preset: str = "standard"
    options: dict[str, Any] = field(default_factory=dict)
    control: TimeControl = PerMove(THREE_DAYS_S)
    policy: Policy = Policy()
    visibility: Visibility = "public"
    autostart: bool = True
    spectator_delay_s: Annotated[int, Meta(ge=0, le=LONGEST_DELAY_S)] = 0
    seed: Annotated[str, Meta(min_length=1, max_length=64)] | None = None


class JoinMatch(Body, frozen=True):
    """The join code, for a private match."""

    code: Annotated[str, Meta(max_length=40)] | None = None


class SubmitMove(Body, frozen=True):
    """`MoveRequest` as it is read: the move stays bytes until the game is known."""

    serial: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    move: Raw


class MoveRequest(Struct, Generic[M], frozen=True):
    """A move, as the answer to your open decision with this `serial`; sent again it is the same answer."""

    serial: int
    move: M


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


class GameBody(Struct, frozen=True):
    """A game, in short."""

    key: str
    title: str
    ruleset: int
    min_seats: int
    max_seats: int
    presets: tuple[str, ...]


class GameDetail(GameBody, frozen=True, kw_only=True):
    """A game with its rules and the JSON Schemas of its options, moves, events and view.

    `rules` is Markdown; `presets_options` the option values of each preset; `catalogue` the game's tables of cards, for
    games that have them.
    """

    rules: str
    preset_options: dict[str, dict[str, Any]]
    options_schema: dict[str, Any]
    move_schema: dict[str, Any]
    event_schema: dict[str, Any]
    view_schema: dict[str, Any]
    reasons: tuple[str, ...]
    catalogue: dict[str, Any]


class SeatBody(Struct, frozen=True):
    """A seat of a match; `place` is there once the match is over by the rules."""

    number: int
    player: PlayerBody | None
    has_left: bool
    place: int | None
    score: int | None


class MatchBody(Struct, frozen=True):
    """A match: what it is, who sits where, how far it is. `join_code` is there for who sits in it."""

    id: UUID
    game: str
    ruleset: int
    preset: str
    options: dict[str, Any]
    seat_count: int
    control: TimeControl
    policy: Policy
    visibility: Visibility
    autostart: bool
    sandbox: bool
    spectator_delay_s: int
    status: MatchStatus
    host: int
    seats: tuple[SeatBody, ...]
    your_seat: int | None
    your_turn: bool
    deadline: datetime | None
    join_code: str | None
    commitment: str
    outcome: Outcome | None
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None


class MatchPage(Struct, frozen=True):
    """Some matches; ask again with `after` = `next` for more, unless it is null."""

    matches: tuple[MatchBody, ...]
    next: str | None


class MatchView(Struct, Generic[V, M], frozen=True):
    """A running or finished match as you may know it. `now` is the service's time; count deadlines down from it."""

    match: UUID
    game: str
    now: Millis
    table: TableView[V, M]


class LegalMoves(Struct, Generic[M], frozen=True):
    """What you may do now: `serial` names the decision, null when nothing is asked of you."""

    serial: int | None
    occasion: str | None
    deadline: Millis | None
    moves: tuple[M, ...]


class LogPage(Struct, Generic[M, E], frozen=True):
    """Entries of the log in order, without a gap; `horizon` is the last one that you may see now."""

    entries: tuple[EntryView[M, E], ...]
    horizon: int


class Played(Struct, Generic[V, M, E], frozen=True):
    """The answer to a move: what happened up to your horizon, and the table now.

    `repeated` says that this very move was in the log already: nothing happened a second time.
    """

    repeated: bool
    entries: tuple[EntryView[M, E], ...]
    view: MatchView[V, M]


class FieldError(Struct, frozen=True):
    """What is wrong with one field of a request; `pointer` is a JSON Pointer to it."""

    pointer: str
    detail: str


class Problem(Struct, frozen=True, omit_defaults=True):
    """What went wrong (RFC 9457). `code` never changes; `rule` is the id of the rule that forbids a move."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    rule: str | None = None
    errors: tuple[FieldError, ...] = ()
