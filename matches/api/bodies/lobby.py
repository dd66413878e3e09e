"""Matches, as lobbies and lists show them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import Meta, Struct, field

from engine.core.clock import Policy, TimeControl
from engine.core.outcome import Outcome
from matches.api.bodies.accounts import PlayerBody
from matches.api.bodies.common import Body, Level, PlayerId
from matches.api.bodies.time import MatchTime
from matches.paces import LONGEST_WAIT_S, SHORTEST_WAIT_S

Visibility = Literal["public", "unlisted", "private"]
MatchStatus = Literal["lobby", "running", "finished", "abandoned", "void", "cancelled"]

Pace = Literal["blitz", "live", "day", "three_days", "week"]
ListedPace = Literal["blitz", "live", "day", "three_days", "week", "unlimited", "other"]

USUAL_PACE: Pace = "three_days"
TITLE_LENGTH = 60
LONGEST_DELAY_S = 24 * 3600


class Gate(Body, frozen=True):
    """Who may join: ratings of the match's game, rated matches of it, and a reliability in percent; null for no limit.

    Whose reliability isn't known yet is let in. You have to pass your own gate.
    """

    least_rating: Annotated[int, Meta(ge=-10_000, le=10_000)] | None = None
    most_rating: Annotated[int, Meta(ge=-10_000, le=10_000)] | None = None
    least_matches: Annotated[int, Meta(ge=0, le=10_000)] | None = None
    least_reliability: Annotated[int, Meta(ge=0, le=100)] | None = None


class CreateMatch(Body, frozen=True):
    """A new match, with you on seat 0.

    `options` are those values of the game's options that differ from the preset. It starts by itself once all seats are
    taken, unless `autostart` is false. Whoever watches sees it `spectator_delay_s` seconds late. With a `seed` of your
    choice it is a sandbox: the same seed is the same deal every time, it counts for nothing and is in no list.

    `bots` of these levels take the seats behind yours; if they take all seats, you only watch.

    `pace` names a time control (see `/paces`), `control` spells one out; give at most one of them, or have
    `three_days`. The lobby is called off when the match hasn't begun after `wait_s` seconds.

    `rated`: what comes of it changes the ratings of the people in it, if there are two at least; a sandbox never does.
    With `rates_bots` players that are programs are rated in it like people. `gate` says who may join.
    """

    game: str
    seats: Annotated[int, Meta(ge=1, le=64)]
    preset: str = "standard"
    options: dict[str, Any] = field(default_factory=dict)
    pace: Pace | None = None
    control: TimeControl | None = None
    policy: Policy = Policy()
    visibility: Visibility = "public"
    autostart: bool = True
    title: Annotated[str, Meta(max_length=TITLE_LENGTH)] = ""
    wait_s: Annotated[int, Meta(ge=SHORTEST_WAIT_S, le=LONGEST_WAIT_S)] | None = None
    spectator_delay_s: Annotated[int, Meta(ge=0, le=LONGEST_DELAY_S)] = 0
    seed: Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    bots: Annotated[tuple[Level, ...], Meta(max_length=64)] = ()
    rated: bool = True
    rates_bots: bool = False
    gate: Gate | None = None


class StartPractice(Body, frozen=True):
    """A match against bots of one `level`, without clocks; with as few `seats` as may be, if you don't say."""

    game: str
    level: Level
    seats: Annotated[int, Meta(ge=2, le=64)] | None = None
    preset: str = "standard"
    options: dict[str, Any] = field(default_factory=dict)


class AddBot(Body, frozen=True):
    """How well the bot is to play."""

    level: Level


class JoinMatch(Body, frozen=True):
    """The join code, for a private match."""

    code: Annotated[str, Meta(max_length=40)] | None = None


class JoinCode(Body, frozen=True):
    """The join code of a private match."""

    code: Annotated[str, Meta(min_length=1, max_length=40)]


class SeatBody(Struct, frozen=True):
    """A seat of a match; `place` is there once the match is over by the rules.

    A `bot` of the service plays it: its own when there is no `player`, else until that player comes back.
    """

    number: int
    player: PlayerBody | None
    bot: Level | None
    has_left: bool
    place: int | None
    score: int | None


class MatchBody(Struct, frozen=True):
    """A match: what it is, who sits where, how far it is.

    `join_code` and `invited` are there for who sits in it. `rematch_of` is the match that it is the rematch of. `time`
    is there in the answer for one match that runs: lists don't have it. `stream` is where it is followed once it runs.
    """

    id: UUID
    game: str
    ruleset: int
    preset: str
    options: dict[str, Any]
    seat_count: int
    title: str
    pace: ListedPace
    control: TimeControl
    policy: Policy
    visibility: Visibility
    autostart: bool
    sandbox: bool
    rated: bool
    rates_bots: bool
    gate: Gate | None
    spectator_delay_s: int
    status: MatchStatus
    host: int
    seats: tuple[SeatBody, ...]
    your_seat: int | None
    invited: tuple[PlayerBody, ...]
    you_are_invited: bool
    your_turn: bool
    deadline: datetime | None
    join_code: str | None
    commitment: str
    outcome: Outcome | None
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    expires_at: datetime | None
    rematch_of: UUID | None
    stream: str
    time: MatchTime | None


class MatchPage(Struct, frozen=True):
    """Some matches; ask again with `after` = `next` for more, unless it is null."""

    matches: tuple[MatchBody, ...]
    next: str | None


class PaceBody(Struct, frozen=True):
    """A time control with a name. `wait_s`: for how long a lobby with it waits for players if you don't say."""

    name: Pace
    control: TimeControl
    wait_s: int


class Salt(Body, frozen=True):
    """What you add to the deal: up to 64 bytes in hex."""

    salt: Annotated[str, Meta(pattern="^([0-9a-fA-F]{2}){0,64}$")]


class Invite(Body, frozen=True):
    """Whom you want in the match, by name."""

    name: Annotated[str, Meta(max_length=100)]


class Kick(Body, frozen=True):
    """The id of the player whom you send away."""

    player: PlayerId


class Counts(Struct, frozen=True):
    """What a badge shows. `deadline` is the next one among the matches that wait for you; `unread` are notices."""

    your_turn: int
    running: int
    lobbies: int
    invitations: int
    deadline: datetime | None
    unread: int


class EnterPairing(Body, frozen=True):
    """What you want to play, with as many people as there are `seats`, and who they have to be."""

    game: str
    seats: Annotated[int, Meta(ge=2, le=64)]
    pace: Pace
    preset: str = "standard"
    gate: Gate | None = None


class Pairing(Struct, frozen=True):
    """Where you stand in the queue. With a `match` you are seated in it; without, you wait until `expires_at`."""

    game: str
    preset: str
    seats: int
    pace: Pace
    gate: Gate | None
    since: datetime
    expires_at: datetime
    match: UUID | None


class FileReport(Body, frozen=True):
    """What is wrong with a player, with a match, or with a player in a match."""

    reason: Literal["name", "title", "cheating", "stalling", "other"]
    player: PlayerId | None = None
    match: UUID | None = None
    text: Annotated[str, Meta(max_length=1000)] = ""
