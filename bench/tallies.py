"""`python -m bench.tallies`: what the end of a match costs the worker that writes ratings and reliability.

A database of its own. Three people play so many moves of each game, any legal ones, through the services; then two of
them resign. Each match is then tallied: its log is played again without a lock, and one transaction writes. Printed:
the entries of the logs, the median and the worst time of a tally, and the median of the worker's own time in it.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from random import Random
from statistics import median
from typing import Any
from unittest import mock
from uuid import uuid4

from bench.sweep import fresh_stage
from engine import registry
from matches import news, timing
from matches.errors import ServiceError
from matches.models import Match, MoveRecord, Player, RatingChange, Status
from matches.services import play, tallies, wake
from tests.matches.test_every_game import begun, go_on

SEATS = 3


def play_some(game: str, moves: int, chance: Random) -> None:
    """A match of this game that is over."""
    players = [Player.objects.create_player(f"player {uuid4()}"[:30]) for _ in range(SEATS)]
    match = begun(players, game=game)
    for _ in range(moves):
        if not go_on(match, players, chance):
            return
    for player in players[1:]:
        try:
            play.match_resign(match_id=match.pk, player_id=player.pk, epoch=0, received=timing.now_ms())
        except ServiceError:
            # It is over already, or this seat has left.
            continue


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=5, help="of each game")
    parser.add_argument("--moves", type=int, default=40)
    chosen: Any = parser.parse_args()
    chance = Random(1)
    with fresh_stage():
        with mock.patch.object(wake, "_send"), mock.patch.object(news, "_publish"):
            for game in sorted(registry.games()):
                for _ in range(chosen.matches):
                    play_some(game, chosen.moves, chance)
        took: dict[str, list[float]] = defaultdict(list)
        used: dict[str, list[float]] = defaultdict(list)
        entries: dict[str, list[int]] = defaultdict(list)
        for match in Match.objects.filter(status=Status.FINISHED).order_by("ended_at", "pk"):
            before, used_before = time.perf_counter(), time.process_time()
            assert tallies.match_tally(match_id=match.pk, game=match.game)
            took[match.game].append((time.perf_counter() - before) * 1000)
            used[match.game].append((time.process_time() - used_before) * 1000)
            entries[match.game].append(MoveRecord.objects.filter(match=match).count())
        print(f"{RatingChange.objects.count()} changes of ratings")
        for game, costs in sorted(took.items()):
            shown = f"a tally takes {median(costs):.1f} ms (worst {max(costs):.1f})"
            own = f"{median(used[game]):.1f} ms of them this process's own"
            print(f"{game}: {len(costs)} matches of {median(entries[game]):.0f} entries: {shown}, {own}")


if __name__ == "__main__":
    main()
