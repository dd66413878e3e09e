"""Matches, as lobbies and lists show them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import Meta, Struct, field

from engine.core.clock import PerMove, Policy, TimeControl
from engine.core.outcome import Outcome
from matches.api.bodies.accounts import PlayerBody
from matches.api.bodies.common import Body

Visibility = Literal["public", "unlisted", "private"]
MatchStatus = Literal["lobby", "running", "finished", "abandoned", "void", "cancelled"]

THREE_DAYS_S = 3 * 24 * 3600
LONGEST_DELAY_S = 24 * 3600


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
