"""What must hold after every fault: acknowledged moves are in the logs, and the logs lead to what is stored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import NamedTuple
from uuid import UUID

from django.db.models import Count, Max

from matches import bridge, selectors
from matches.models import Match, MoveRecord, Position
from matches.services import upkeep


class Acknowledged(NamedTuple):
    """A move (JSON) to which the answer was 200."""

    match: UUID
    seat: int
    serial: int
    move: bytes


class Fates(NamedTuple):
    """How many acknowledged moves aren't in the log, are there more than once, or are there as another move."""

    lost: int
    doubled: int
    altered: int


GOOD = Fates(0, 0, 0)


def fates(acknowledged: Iterable[Acknowledged]) -> Fates:
    """What became of these moves."""
    sent = list(dict.fromkeys(acknowledged))
    matches = Match.objects.in_bulk({one.match for one in sent})
    logged: dict[tuple[UUID, int | None, int | None], list[str]] = defaultdict(list)
    rows = MoveRecord.objects.filter(match__in=matches, cause="move")
    for match_id, seat, serial, entry in rows.values_list("match_id", "seat", "serial", "entry"):
        logged[match_id, seat, serial].append(entry)
    lost = doubled = altered = 0
    for one in sent:
        found = logged[one.match, one.seat, one.serial]
        lost += not found
        doubled += len(found) > 1
        if found:
            match = matches[one.match]
            codec = bridge.codec_of(match.game, match.ruleset)
            altered += codec.entry(found[0]).move != codec.move(one.move)
    return Fates(lost, doubled, altered)


def faults_of(matches: Collection[UUID]) -> list[str]:
    """What is wrong with these matches, which have begun: gaps, a replay that leads elsewhere, settling that fails."""
    faults = []
    for match_id in matches:
        fault = selectors.match_verify(match_id=match_id).fault
        if fault is not None:
            faults.append(f"{match_id}: {fault}")
        _, failure = upkeep.match_settle_again(match_id=match_id)
        if failure is not None:
            faults.append(f"{match_id} is stuck: {failure}")
    numbers = MoveRecord.objects.filter(match__in=matches).values_list("match").annotate(Count("pk"), Max("number"))
    faults += [f"{match_id}: {count} entries up to {last}" for match_id, count, last in numbers if count != last]
    stuck = Position.objects.filter(match__in=matches, fails__gt=0).values_list("match", "last_error")
    return faults + [f"{match_id} is stuck: {error}" for match_id, error in stuck]


def lost_on_time(matches: Collection[UUID]) -> int:
    """How many clocks have run out in them."""
    return MoveRecord.objects.filter(match__in=matches, cause="flag").count()


def entries_of(matches: Collection[UUID]) -> int:
    """How many entries there are in their logs."""
    return MoveRecord.objects.filter(match__in=matches).count()
