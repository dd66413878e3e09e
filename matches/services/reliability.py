"""Reliability: read off the log of each match when it is over, and summed up over a player's latest matches.

A turn is an occasion other than a race: it is in time unless the clock ran out in it. How long somebody thought is
counted while the clock could run: no pause, no night, no vacation. Resigning ends a match of two as well as any move;
with more it is leaving, as a clock that ran out too often is, and a bot at the seat in the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from msgspec import Struct, field

from engine.core.game import RACE, Occasion
from engine.core.table import Cause, SeatState
from matches import bridge
from matches.bridge import AnyEntry, AnyTable
from matches.locking import lock_reliabilities
from matches.models import Conduct, Match, MoveRecord, Player, Seat, Status

WINDOW = 50
"""So many matches of a player count: the latest."""
FEWEST_TURNS = 20
"""With fewer turns in them nothing is said."""
MOST_REPLIES = 100
"""Of one match, so many replies are kept: the latest."""


class Turns(Struct):
    """What a seat has done so far. `thought` is how long it has thought in its occasion, milliseconds."""

    kept: dict[Occasion, bool] = field(default_factory=dict)
    replies: list[int] = field(default_factory=list)
    occasion: Occasion | None = None
    thought: int = 0
    has_left: bool = False

    def pass_time(self, seat: SeatState, milliseconds: int) -> None:
        """So long the seat was as it is."""
        if seat.clock.awaited and not seat.clock.stops and seat.bot is None:
            self.thought += max(0, milliseconds)

    def close(self, occasion: Occasion, *, in_time: bool) -> None:
        """A decision of this occasion was made, or missed."""
        if occasion not in self.kept and in_time:
            self.replies.append(self.thought)
        self.kept[occasion] = self.kept.get(occasion, True) and in_time

    def open(self, seat: SeatState) -> None:
        """The seat is asked for this from now on."""
        if seat.clock.awaited and seat.clock.occasion != self.occasion:
            self.occasion, self.thought = seat.clock.occasion, 0


def conducts_of(match: Match) -> list[Conduct]:
    """What a match that is over shows of the people in it; nothing when they weren't two at least, or it is void.

    Seats and their players are to be fetched. Raises UnknownGame or NewerFormat for what a newer process has written.
    """
    seats = sorted(match.seats.all(), key=lambda seat: seat.number)
    people = [(seat, seat.player) for seat in seats if seat.player is not None and _is_somebody(seat.player)]
    if match.status != Status.FINISHED or match.sandbox or len(people) < 2 or match.ended_at is None:
        return []
    turns = _turns(match, seats)
    return [
        Conduct(
            match=match,
            player=player,
            ended_at=match.ended_at,
            turns=len(turns[seat.number].kept),
            in_time=sum(turns[seat.number].kept.values()),
            replies=turns[seat.number].replies[-MOST_REPLIES:],
            has_left=turns[seat.number].has_left,
        )
        for seat, player in people
    ]


def conducts_write(match: Match, conducts: list[Conduct]) -> None:
    """Store what a match shows, and sum up its players' latest anew; once is as good as twice."""
    gone = Conduct.objects.filter(match=match).exclude(player__in=[conduct.player_id for conduct in conducts])
    players = {*gone.values_list("player", flat=True), *(conduct.player_id for conduct in conducts)}
    if not players:
        return
    gone.delete()
    Conduct.objects.bulk_create(conducts, ignore_conflicts=True)
    for row in lock_reliabilities(players=sorted(players)):
        latest = list(Conduct.objects.filter(player=row.player_id).order_by("-ended_at", "-match"))
        counted = latest[:WINDOW]
        row.matches = len(counted)
        row.left = sum(conduct.has_left for conduct in counted)
        row.turns = sum(conduct.turns for conduct in counted)
        row.in_time = sum(conduct.in_time for conduct in counted)
        replies: list[int] = [reply for conduct in counted for reply in conduct.replies]
        row.reply_ms = round(median(replies)) if replies else None
        row.percent = _percent(row.matches, row.left, row.turns, row.in_time)
        row.save(update_fields=["matches", "left", "turns", "in_time", "reply_ms", "percent"])
        if latest[WINDOW:]:
            Conduct.objects.filter(pk__in=[conduct.pk for conduct in latest[WINDOW:]]).delete()


def _percent(matches: int, left: int, turns: int, in_time: int) -> int | None:
    """The smaller of both shares, rounded down."""
    return None if turns < FEWEST_TURNS else min(100 * in_time // turns, 100 * (matches - left) // matches)


def _is_somebody(player: Player) -> bool:
    return not player.is_bot and player.deleted_at is None


def _turns(match: Match, seats: list[Seat]) -> list[Turns]:
    turns = [Turns() for _ in seats]
    before: AnyTable | None = None
    for entry, table in _played(match, seats):
        for number, seat in enumerate(table.seats):
            mine = turns[number]
            if before is not None:
                _go_on(mine, before, entry, number)
                mine.has_left = mine.has_left or (
                    seat.has_left and not before.seats[number].has_left and not _is_resigning(entry, len(seats))
                )
            mine.open(seat)
        before = table
    for mine, seat in zip(turns, () if before is None else before.seats, strict=False):
        mine.has_left = mine.has_left or seat.lent
    return turns


def _go_on(mine: Turns, before: AnyTable, entry: AnyEntry, number: int) -> None:
    was = before.seats[number]
    is_own = entry.seat == number or number in entry.seats
    end = entry.received if is_own else entry.at
    mine.pass_time(was, before.match_time(end) - before.match_time(before.at))
    occasion = was.clock.occasion
    if not is_own or not was.clock.awaited or occasion is None or occasion.kind == RACE or was.bot is not None:
        return
    if entry.cause in {Cause.MOVE, Cause.FLAG, Cause.TAKE_OVER}:
        mine.close(occasion, in_time=entry.cause is Cause.MOVE)


def _is_resigning(entry: AnyEntry, seats: int) -> bool:
    return entry.cause is Cause.LEAVE and seats == 2


def _played(match: Match, seats: list[Seat]) -> Iterator[tuple[AnyEntry, AnyTable]]:
    rows = MoveRecord.objects.filter(match=match).order_by("number").values_list("entry", flat=True)
    return bridge.played_again(match, seats, rows)
