"""`python -m bench.bots`: the levels of the bots against each other, and what a decision of theirs costs.

Two seats a match, which the levels change after each, so that both have every deal from both sides. A shared place is
half a win. Races are decided by the times that the bots say. Searches are bounded by their number of deals alone, so
that the wins don't depend on how busy the machine is; the time is that of the process.
"""

from __future__ import annotations

import argparse
import math
import sys
from statistics import median
from typing import Any

import msgspec

from engine import registry
from engine.bots import Level, bot_for
from tests.engine.bots.driver import BotMatch

MATCHES = 200
PAIRS = ((Level.NORMAL, Level.EASY), (Level.HARD, Level.NORMAL), (Level.HARD, Level.EASY))
FOR_TWO: dict[str, dict[str, Any]] = {"gnoming_a_round": {"two_seats": True}}
"""Options without which a game isn't for two seats."""
Z = 1.96


class Tally(msgspec.Struct):
    """How one level fared against another: wins, shared places, matches; milliseconds of each of its decisions."""

    wins: int = 0
    shared: int = 0
    matches: int = 0
    times: list[float] = []

    @property
    def share(self) -> float:
        """The share of matches won, shared ones half."""
        return (self.wins + self.shared / 2) / self.matches

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of that share."""
        number, share = self.matches, self.share
        middle = (share + Z * Z / (2 * number)) / (1 + Z * Z / number)
        width = Z * math.sqrt(share * (1 - share) / number + Z * Z / (4 * number * number)) / (1 + Z * Z / number)
        return middle - width, middle + width


def play_pair(game: registry.AnyGame, options: Any, pair: tuple[Level, Level], matches: int, first: int = 0) -> Tally:
    """So many matches of the first level against the second, from the deal `first` on."""
    tally = Tally()
    for number in range(matches):
        own = number % 2
        levels = pair if own == 0 else pair[::-1]
        match = BotMatch(game, options, [bot_for(game, level) for level in levels], first + number // 2)
        places = match.play_out().places
        tally.wins += places[own] < places[1 - own]
        tally.shared += places[0] == places[1]
        tally.matches += 1
        tally.times += match.spent[own]
    return tally


def main(arguments: list[str]) -> int:
    """Print a line for each pair of levels of each game."""
    parser = argparse.ArgumentParser(prog="bots", description=__doc__)
    parser.add_argument("--game", choices=sorted(registry.games()), help="one game instead of all")
    parser.add_argument("--matches", type=int, default=MATCHES, help="of each pair of levels (default %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first deal; each is played twice")
    parser.add_argument("--pair", metavar="LEVEL,LEVEL", help="one pair of levels, such as hard,normal")
    parser.add_argument("--preset", default="standard")
    parser.add_argument("--options", default="{}", help="option values as JSON")
    chosen = parser.parse_args(arguments)
    pairs = PAIRS if chosen.pair is None else (_pair(chosen.pair),)
    for key, game in sorted(registry.games().items()):
        if chosen.game not in {None, key}:
            continue
        options = game.options({**FOR_TWO.get(key, {}), **msgspec.json.decode(chosen.options)}, chosen.preset)
        for pair in pairs:
            tally = play_pair(game, options, pair, chosen.matches, chosen.first)
            low, high = tally.interval
            print(
                f"{key:20}{pair[0]:>7} beats {pair[1]:7}{tally.share:7.1%} of {tally.matches}"
                f"  ({tally.wins} won, {tally.shared} shared; {low:.1%} to {high:.1%})  {_milliseconds(tally.times)}",
                flush=True,
            )
    return 0


def _pair(text: str) -> tuple[Level, Level]:
    first, second = text.split(",")
    return Level(first), Level(second)


def _milliseconds(times: list[float]) -> str:
    if not times:
        return "no decision but answers to races"
    ordered = sorted(times)
    return f"a decision: {median(ordered) * 1000:.2f} ms, at most {ordered[-1] * 1000:.1f} ms"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
