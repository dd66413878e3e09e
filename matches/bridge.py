"""From rows to the engine's values and back; the only module that knows both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any
from uuid import UUID

import msgspec

from engine import registry
from engine.core import clock as clocks
from engine.core.clock import Fischer, PerMove, Policy, TimeControl, Total
from engine.core.codec import Codec, codec_for, encode
from engine.core.errors import NewerFormat, RefusalCode
from engine.core.fairness import derive_seed
from engine.core.referee import LAG, Referee
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


@lru_cache(maxsize=64)
def codec_of(game: str, ruleset: int) -> Codec:
    """The codec of a stored match. Raises UnknownGame for a ruleset that this process doesn't know."""
    return codec_for(registry.find(game, ruleset))


def referee_for(*, game: str, ruleset: int, match_id: UUID, secret: bytes, salts: Sequence[bytes]) -> AnyReferee:
    """The referee of one match. Raises UnknownGame for a ruleset that this process doesn't know."""
    return Referee(registry.find(game, ruleset), derive_seed(secret, str(match_id), salts))


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
    """Give back the time of outages (begin and end, UTC milliseconds) before anything that was due in them happens."""
    entries: tuple[AnyEntry, ...] = ()
    for begins, ends in outages:
        for request, at in ((referee.stop, begins), (referee.start, ends)):
            step = request(table, OUTAGE, received=at, now=at)
            entries += step.entries
            while step.refusal is not None and step.refusal.code is RefusalCode.TRY_AGAIN:
                step = request(step.table, OUTAGE, received=at, now=at)
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
    salts = [bytes(seat.salt) for seat in seats]
    referee = referee_for(
        game=match.game, ruleset=match.ruleset, match_id=match.pk, secret=bytes(match.secret), salts=salts
    )
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
