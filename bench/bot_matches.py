"""`python -m bench.bot_matches`: matches of bots alone, run to their ends by workers; every export is verified.

Real processes: PostgreSQL, Valkey, a beat, two workers. Races are played in the time that bots take for them, so the
race games are given a limit of turns, and most of a race match is waiting. Exits with 1 when a match is stuck, its
snapshot isn't what its log makes of it, or its export doesn't hold.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import cycle, islice
from statistics import median
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("SECRET_KEY", "for measuring alone")
django.setup()

# ruff: noqa: E402 - models can't be imported before

from celery import current_app
from django.conf import settings
from django.db.models import Max

from bench.sweep import fresh_stage
from config.env import Env
from engine.core.errors import EngineError
from engine.export import verify
from matches import bridge
from matches.models import Match, MoveRecord, Player, Position, Status
from matches.services import lobby
from tests.faults.stage import Stage

MATCHES = 1_000
WORKERS = 2
TURNS = 40
STUCK_S = 120
POLL_S = 1.0
RACES = ("snap", "slamwich")


@dataclass
class Found:
    """What came of the matches of one game."""

    entries: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    ends: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    held: int = 0
    wrong: list[str] = field(default_factory=list)


def kinds(turns: int) -> list[dict[str, Any]]:
    """What is played, in turn: every game with two seats or more, at every level, races in both modes."""
    found: list[dict[str, Any]] = []
    pairs = (("easy", "normal"), ("normal", "hard"), ("hard", "easy", "normal"))
    for levels in pairs:
        for game, rules in sorted(bridge.games().items()):
            seats = max(len(levels), rules.seat_range(rules.options())[0])
            for mode in ("arrival", "reaction") if game in RACES else (None,):
                bots = tuple(islice(cycle(levels), seats))
                options: dict[str, Any] = {} if mode is None else {"race": {"mode": mode}, "turn_limit": turns}
                found.append({"game": game, "seats": seats, "bots": bots, "options": options})
    return found


def in_turn(matches: int, turns: int) -> list[dict[str, Any]]:
    """As many of each game as of any other."""
    of_game: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for kind in kinds(turns):
        of_game[kind["game"]].append(kind)
    each = [cycle(found) for found in of_game.values()]
    return [next(found) for found in islice(cycle(each), matches)]


def begin(matches: int, turns: int) -> list[Match]:
    """Begin them all, each host as many as one may watch."""
    begun: list[Match] = []
    host: Player | None = None
    for number, kind in enumerate(in_turn(matches, turns)):
        if host is None or number % lobby.MOST_WATCHED == 0:
            host = Player.objects.create_player(f"host-{number}")
        begun.append(lobby.match_create(host_id=host.pk, visibility="unlisted", **kind))
    return begun


def wait_for_all() -> int:
    """Until all are over, or nothing happens any more; gives how many are stuck."""
    last, since = (-1, -1), time.monotonic()
    while running := Match.objects.filter(status=Status.RUNNING).count():
        numbers = Position.objects.aggregate(most=Max("number"))["most"] or 0
        now = (running, numbers + MoveRecord.objects.count())
        if now != last:
            last, since = now, time.monotonic()
        elif time.monotonic() - since > STUCK_S:
            break
        time.sleep(POLL_S)
    return running


def look_at(match: Match, found: Found) -> None:
    """Count one match in, and verify its export."""
    match.refresh_from_db()
    entries = list(MoveRecord.objects.filter(match=match).order_by("number").values_list("entry", flat=True))
    found.entries.append(len(entries))
    if match.ended_at is None or match.started_at is None:
        found.wrong.append(f"{match.pk} is {match.status}")
        return
    found.seconds.append((match.ended_at - match.started_at).total_seconds())
    found.ends[match.outcome["reason"] if match.outcome else match.status] += 1
    stored = bridge.codec_of(match.game, match.ruleset).table(Position.objects.get(match=match).snapshot)
    try:
        table = verify(bridge.export_of(match, list(match.seats.all()), stored, entries))
    except EngineError as error:
        found.wrong.append(f"{match.pk}: {error}")
        return
    if table != stored:
        found.wrong.append(f"{match.pk} isn't what its log makes of it")
    else:
        found.held += 1


def report(found: dict[str, Found], matches: int, seconds: float, stuck: int) -> int:
    """Print the table; 1 when anything is wrong."""
    print(f"{'game':20} {'matches':>8} {'entries':>9} {'median s':>9} {'verified':>9}  ends")
    for game, one in sorted(found.items()):
        ends = ", ".join(f"{reason} {count}" for reason, count in sorted(one.ends.items()))
        middle = f"{median(one.seconds):9.1f}" if one.seconds else f"{'-':>9}"
        print(f"{game:20} {len(one.entries):8} {sum(one.entries):9} {middle} {one.held:9}  {ends}")
    entries = sum(sum(one.entries) for one in found.values())
    print(f"{matches} matches in {seconds:.1f} s: {1000 * seconds / matches:.0f} ms each")
    print(f"{entries / seconds:.0f} entries/s; stuck: {stuck}")
    wrong = [line for one in found.values() for line in one.wrong]
    for line in wrong:
        print(f"wrong: {line}")
    return 1 if wrong or stuck else 0


def run(stage: Stage, matches: int, turns: int, workers: int) -> int:
    """Begin, wait, look."""
    current_app.conf.update(broker_url=stage.valkey.url, broker_write_url=stage.valkey.url)
    settings.CACHES["default"] = Env(stage.environment).cache("CACHE_URL", broker=stage.valkey.url)
    stage.beat()
    for _ in range(workers):
        stage.worker()
    started = time.monotonic()
    begun = begin(matches, turns)
    print(f"{matches} matches are under way after {time.monotonic() - started:.1f} s", flush=True)
    stuck = wait_for_all()
    seconds = time.monotonic() - started
    found: dict[str, Found] = defaultdict(Found)
    for match in begun:
        look_at(match, found[match.game])
    return report(found, matches, seconds, stuck)


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="bot_matches", description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--workers", type=int, default=WORKERS)
    parser.add_argument("--turns", type=int, default=TURNS, help="the limit of the race games (default %(default)s)")
    chosen = parser.parse_args()
    with fresh_stage() as stage:
        return run(stage, chosen.matches, chosen.turns, chosen.workers)


if __name__ == "__main__":
    raise SystemExit(main())
