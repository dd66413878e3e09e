"""From rows to the engine's values and back; the only module that knows both."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any
from uuid import UUID

import msgspec
import structlog

from engine import registry
from engine.bots import Level, bot_for, sight_of
from engine.core import clock as clocks
from engine.core.bots import bot_rng, is_drawn
from engine.core.clock import Fischer, PerMove, Policy, TimeControl, Total
from engine.core.codec import Codec, codec_for, encode
from engine.core.errors import NewerFormat, RefusalCode
from engine.core.fairness import derive_seed
from engine.core.referee import LAG, Referee
from engine.core.rng import Rng
from engine.core.table import FORMAT, Entry, Opening, Step, Table
from engine.export import export
from matches.calendars import zones
from matches.models import Match, Seat
from matches.timing import millis

CORRESPONDENCE_S = 12 * 3600
"""With so much time in the bank or for a turn, a match is one by correspondence."""
OUTAGE = "outage"

AnyGame = registry.AnyGame
AnyReferee = Referee[Any, Any, Any, Any, Any]
AnyTable = Table[Any, Any]
AnyEntry = Entry[Any, Any]
AnyStep = Step[Any, Any, Any]
Asked = tuple[int, int]
"""A seat, and the serial of what it is asked."""
LEVELS: tuple[str, ...] = tuple(Level)

log = structlog.get_logger()


@lru_cache(maxsize=64)
def codec_of(game: str, ruleset: int) -> Codec:
    """The codec of a stored match. Raises UnknownGame for a ruleset that this process doesn't know."""
    return codec_for(registry.find(game, ruleset))


def referee_for(*, game: str, ruleset: int, match_id: UUID, secret: bytes, salts: Sequence[bytes]) -> AnyReferee:
    """The referee of one match. Raises UnknownGame for a ruleset that this process doesn't know."""
    rules = registry.find(game, ruleset)
    return Referee(rules, derive_seed(secret, str(match_id), salts), partial(_react, rules, len(salts)))


def referee_of(match: Match, seats: Iterable[Seat]) -> AnyReferee:
    """The referee of a stored match with all its seats, by number. Raises UnknownGame as `referee_for` does."""
    return referee_for(
        game=match.game,
        ruleset=match.ruleset,
        match_id=match.pk,
        secret=bytes(match.secret),
        salts=[bytes(seat.salt) for seat in seats],
    )


def awaited_bots(table: AnyTable) -> tuple[Asked, ...]:
    """The seats for which a bot is to move, with the serials of what they are asked; none while the match stands.

    What a bot answers in a race is in the table already.
    """
    if table.is_over or table.halted is not None:
        return ()
    return tuple(
        (seat, at.decision.serial)
        for seat, at in enumerate(table.seats)
        if at.bot is not None and at.decision is not None and at.clock.awaited and not is_drawn(at)
    )


def has_players(table: AnyTable) -> bool:
    """Whether somebody plays who isn't a bot of the service."""
    return any(at.bot is None and not at.has_left for at in table.seats)


def chosen_by_bot(referee: AnyReferee, table: AnyTable, seat: int, tried: int) -> Any:
    """The move that the bot at this seat wants to make; it is shown what its seat may see, and nothing else.

    `tried` says how often that was asked before: its chance is another one each time. A bot's fault comes through, and
    ValueError when its move isn't legal.
    """
    at, game = table.seats[seat], referee.game
    if at.decision is None or at.bot is None:
        raise ValueError(f"no bot is asked anything at seat {seat}")
    rng = bot_rng(referee.seed, seat, at.decision.serial, tried)
    sight = sight_of(game, table.state, seat, seats=len(table.seats), options=_options(table.state), rng=rng)
    move = bot_for(game, at.bot, clock=_monotonic_ms).choose(sight, rng)
    refusal = game.refuse(table.state, seat, move)
    if refusal is not None:
        raise ValueError(f"a bot wants to make {move!r}: {refusal.reason}")
    return move


def default_move(referee: AnyReferee, table: AnyTable, seat: int) -> Any:
    """What this seat is taken to do when nobody decides for it."""
    return referee.game.default_move(table.state, seat)


def _react(game: AnyGame, seats: int, state: Any, seat: int, level: str, rng: Rng) -> tuple[Any, int] | None:
    """How a bot answers a race; a bot at fault has nothing to say, for it is somebody else's move that asks it."""
    try:
        sight = sight_of(game, state, seat, seats=seats, options=_options(state), rng=rng)
        reaction = bot_for(game, level).react(sight, rng)
    except Exception:
        log.exception("a bot can't answer a race", game=game.key, level=level)
        return None
    return reaction.move, reaction.after_ms


def _options(state: Any) -> Any:
    """What is played by, which the states of games with bots of their own keep."""
    return getattr(state, "options", None)


def _monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class _ClockGlance(msgspec.Struct):
    awaited: bool = False


class _SeatGlance(msgspec.Struct):
    clock: _ClockGlance
    bot: str | None = None


class _SealedGlance(msgspec.Struct):
    number: int


class Glance(msgspec.Struct):
    """Of a stored table what tells how far others may see it and whom it waits for; it costs a tenth of the whole."""

    number: int
    seats: tuple[_SeatGlance, ...]
    sealed: _SealedGlance | None = None
    ending: Any = None
    format: int = 1

    @property
    def horizon(self) -> int:
        """The last entry that others may see."""
        return self.number if self.sealed is None else self.sealed.number - 1

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.ending is not None

    def awaits(self, seat: int) -> bool:
        """Whether the match waits for the player of this seat; only for that one to know."""
        return self.seats[seat].clock.awaited and self.seats[seat].bot is None


_glance = msgspec.json.Decoder(Glance)


def glance(snapshot: str) -> Glance:
    """A glance at a stored table. Raises NewerFormat for one that a newer engine has written."""
    found = _glance.decode(snapshot)
    if found.format > FORMAT:
        raise NewerFormat(f"written in format {found.format}, the newest known here is {FORMAT}")
    return found


def opening_of(match: Match, seats: Sequence[Seat]) -> Opening[Any]:
    """Everything that a match begins with, save its seed; it must have been started. `seats` in their order."""
    if match.started_at is None:
        raise ValueError(f"match {match.pk} was never started")
    levels = tuple(bot_from_the_start(seat) for seat in seats)
    game = registry.find(match.game, match.ruleset)
    return Opening(
        game=match.game,
        ruleset=match.ruleset,
        seats=len(seats),
        options=msgspec.convert(match.options, game.options_type),
        at=millis(match.started_at),
        control=time_control(match.control),
        policy=policy(match.policy),
        format=match.format,
        bots=levels if any(levels) else (),
    )


def bot_from_the_start(seat: Seat) -> str | None:
    """The level of the bot whose own seat this is; a seat with a player is at most lent to one."""
    return seat.bot_level if seat.player_id is None else None


def time_control(values: Mapping[str, Any]) -> TimeControl:
    """Raises msgspec.ValidationError that names the faulty field."""
    control: TimeControl = msgspec.convert(values, TimeControl)
    return control


def policy(values: Mapping[str, Any]) -> Policy:
    """Raises msgspec.ValidationError that names the faulty field."""
    found: Policy = msgspec.convert(values, Policy)
    if found.weekends is not None and found.weekends not in zones():
        raise msgspec.ValidationError("weekends must be a time zone such as Europe/Berlin, or null - at `$.weekends`")
    return found


def dump(value: object) -> str:
    """Values of the engine as they are stored."""
    return encode(value).decode()


def wake_at(referee: AnyReferee, table: AnyTable) -> int | None:
    """When the match must be settled next (UTC milliseconds): nothing is fired before its due + `LAG`."""
    due = referee.due(table)
    return None if due is None else due + LAG


def made_good(referee: AnyReferee, table: AnyTable, outages: Iterable[tuple[int, int]]) -> AnyStep:
    """Give back the time of outages (begin and end, UTC milliseconds) before anything that was due in them happens.

    What was due by their begin happens first, as it did where a worker was quicker than whoever noticed the outage.
    """
    entries: tuple[AnyEntry, ...] = ()
    for begins, ends in outages:
        for request, at, now in ((referee.stop, begins, begins + LAG), (referee.start, ends, ends)):
            step = request(table, OUTAGE, received=at, now=now)
            entries += step.entries
            while step.refusal is not None and step.refusal.code is RefusalCode.TRY_AGAIN:
                step = request(step.table, OUTAGE, received=at, now=now)
                entries += step.entries
            table = step.table
    return Step(table, entries)


def is_by_correspondence(control: TimeControl) -> bool:
    """Whether players have so much time that nights and vacations matter."""
    match control:
        case PerMove(move_s=seconds) | Fischer(bank_s=seconds) | Total(bank_s=seconds):
            return seconds >= CORRESPONDENCE_S
        case _:
            return False


def flag_at(table: AnyTable, seat: int) -> int | None:
    """When this seat's clock runs out (UTC milliseconds), None while it stands."""
    due = clocks.due(table.seats[seat].clock)
    return None if due is None or table.halted is not None else table.utc(due)


def export_of(match: Match, seats: Sequence[Seat], table: AnyTable, entries: Iterable[str]) -> bytes:
    """The document with which anybody can verify a match that is over."""
    if table.ending is None:
        raise ValueError(f"match {match.pk} is not over")
    salts = [bytes(seat.salt) for seat in seats]
    log = [entry.encode() for entry in entries]
    return export(str(match.pk), bytes(match.secret), salts, opening_of(match, seats), log, table.ending)


def played_again(match: Match, seats: Sequence[Seat], entries: Iterable[str]) -> Iterator[tuple[AnyEntry, AnyTable]]:
    """A stored log, each entry with the table right after it; `seats` in their order."""
    codec = codec_of(match.game, match.ruleset)
    table: AnyTable | None = None
    referee = referee_of(match, seats)
    for line in entries:
        entry = codec.entry(line)
        if table is None:
            table = referee.replay(opening_of(match, seats), [entry])
        else:
            table = referee.replay_on(table, [entry])
        yield entry, table


def running_export_of(match: Match, seats: Sequence[Seat], table: AnyTable, entries: Iterable[str]) -> bytes:
    """Everything that is stored of a match that still runs, secrets and all."""
    document = {
        "match": str(match.pk),
        "commitment": match.commitment,
        "secret": bytes(match.secret).hex(),
        "salts": [bytes(seat.salt).hex() for seat in seats],
        "opening": opening_of(match, seats),
        "entries": [msgspec.Raw(entry.encode()) for entry in entries],
        "table": table,
    }
    return encode(document)


def games() -> Mapping[str, AnyGame]:
    """The newest ruleset of every game, by key."""
    return registry.games()


def game_of(key: str, ruleset: int | None = None) -> AnyGame:
    """A game in this ruleset, or in its newest one. Raises UnknownGame."""
    return registry.find(key, ruleset)
