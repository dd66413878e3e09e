"""`python -m tests.engine.playthroughs`: writes a golden playthrough for every reason with which a game may end.

A playthrough is a whole match as text: its opening, each entry with who was told what, what every viewer saw at a few
points, and how it ended. It can be read back and played again, which a test does: what it shows then must be the same.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from engine import registry
from engine.core.admission import is_possible
from engine.core.codec import codec_for, encode
from engine.core.errors import ReplayMismatch
from engine.core.referee import Referee
from engine.core.rng import Seed
from engine.core.table import Entry, Opening
from engine.core.viewing import view_table
from tests.engine.cases import GAMES, cases_of, short
from tests.engine.driver import AnyEntry, AnyGame, AnyTable, Case, Playing, Temper

GOLDEN = Path(__file__).parent / "golden"
TRIES = 400
MORE_TRIES = 40_000
LONGEST = 500
ENOUGH = 20
"""Entries from which on a playthrough is worth reading; of such the shortest is kept."""
HEADER = "== "
ENTRY = "-- "


class Herd(Playing):
    """Everybody claims what is right, at the same moment; nobody errs."""

    def act(self) -> None:
        race = self.table.state.race
        if race is None:
            super().act()
            return
        claims = [move for move in self.game.legal_moves(self.table.state, race.seats[0]) if self.is_right(move)]
        for seat in self.open_seats():
            move = claims[0] if claims else next(m for m in self.legal(seat) if type(m).__name__ == "Pass")
            self.submit(seat, move, self.now, self.now)

    def legal(self, seat: int) -> Any:
        """What this seat may do."""
        return self.game.legal_moves(self.table.state, seat)

    def is_right(self, move: Any) -> bool:
        """Whether this move claims what the turned card makes right."""
        return getattr(move, "claim", None) in self.table.state.race.right


class Hoarder(Playing):
    """Everybody reserves and takes, and buys only when there is nothing else."""

    WISHES = ("Reserve", "Take", "ReturnTokens", "ChooseNoble", "Pass", "Buy")

    def choose(self, seat: int) -> Any:
        moves = self.game.legal_moves(self.table.state, seat)
        wished = min(self.WISHES.index(type(move).__name__) for move in moves)
        return self.random.choice([move for move in moves if type(move).__name__ == self.WISHES[wished]])


RARE: dict[tuple[str, str], tuple[type[Playing], dict[str, Any]]] = {
    ("snap", "no_cards"): (Herd, {"turn_limit": 120}),
    ("splendor", "all_passed"): (Hoarder, {"turn_limit": 30}),
}
"""Ends that hardly ever come by chance: how to play towards them, with two seats."""


def search(game: AnyGame) -> dict[str, Playing]:
    """The best match found for each reason."""
    found: dict[str, Playing] = {}
    for playing in (*ordinary(game), *leaving(game)):
        keep_if_better(found, playing)
    for reason in set(game.reasons) - set(found):
        if (game.key, reason) in RARE:
            found |= search_rare(game, reason)
    return found


def ordinary(game: AnyGame) -> Iterator[Playing]:
    """Matches of every kind, by chance."""
    cases = list(cases_of(game))
    for number in range(TRIES):
        case = cases[number % len(cases)]
        yield Playing(case if number % 3 == 0 else short(case), number, tuple(Temper)[number // len(cases) % 3])


def leaving(game: AnyGame) -> Iterator[Playing]:
    """Matches in which, after a few moves, all seats leave at once, or all but one."""
    for case in list(cases_of(game))[:4]:
        for staying in (0, 1):
            playing = Playing(short(case), staying)
            list(playing.moments(3))
            seats = tuple(range(staying, case.seats))
            playing.take(playing.referee.leave(playing.table, seats, received=playing.now, now=playing.now))
            yield playing


def search_rare(game: AnyGame, reason: str) -> dict[str, Playing]:
    """The first match found that ends for a rare reason."""
    way, values = RARE[game.key, reason]
    for number in range(MORE_TRIES):
        found: dict[str, Playing] = {}
        keep_if_better(found, way(Case(game, 2, "standard", values), number))
        if reason in found:
            return {reason: found[reason]}
    return {}


def keep_if_better(found: dict[str, Playing], playing: Playing) -> None:
    """Play the match out, and keep it when it is the best one of its reason."""
    list(playing.moments(LONGEST))
    ending = playing.table.ending
    if ending is None or ending.outcome is None:
        return
    best = found.get(ending.outcome.reason)
    if best is None or rank(playing) < rank(best):
        found[ending.outcome.reason] = playing


def rank(playing: Playing) -> tuple[bool, int]:
    """The lower the better: the shortest of those that are long enough, else the longest."""
    length = len(playing.log)
    return length < ENOUGH, length if length >= ENOUGH else -length


def written(playing: Playing) -> str:
    """A match that was played, as text."""
    return rendered(playing.game, playing.opening, playing.number, playing.log)


def rendered(game: AnyGame, opening: Opening[Any], seed: int, log: list[AnyEntry]) -> str:
    """A match as text: what is asked for comes from the log, what is shown from playing it again."""
    lines = [f"{HEADER}{game.title}", f"{HEADER}seed {seed}", f"{HEADER}opening {encode(opening).decode()}"]
    shown = {1, (len(log) + 1) // 2, len(log)}
    for entry, table in again(Referee(game, Seed.from_number(seed)), opening, log):
        bare = replace(entry, events=())
        lines += ["", f"{ENTRY}{encode(bare).decode()}"]
        lines += [f"   {audience(told.to)}: {encode(told.event).decode()}" for told in entry.events]
        if entry.number in shown:
            lines += list(views(game, table))
        if table.ending is not None:
            lines += ["", f"{HEADER}ended {encode(table.ending).decode()}"]
    return "\n".join(lines) + "\n"


def again(
    referee: Referee[Any, Any, Any, Any, Any], opening: Opening[Any], log: list[AnyEntry]
) -> Iterator[tuple[AnyEntry, AnyTable]]:
    """Each entry as it comes out now, with the table after it. Raises ReplayMismatch for one that isn't possible."""
    step = referee.open(opening)
    yield step.entries[0], step.table
    for entry in log[1:]:
        if not is_possible(referee.game, step.table, entry):
            raise ReplayMismatch(f"entry {entry.number} isn't possible any more: {entry!r}")
        step = referee._again(step.table, entry)
        yield step.entries[-1], step.table


def audience(seats: tuple[int, ...] | None) -> str:
    """Who is told."""
    return "all" if seats is None else f"only {', '.join(map(str, seats))}"


def views(game: AnyGame, table: AnyTable) -> Iterator[str]:
    """What everybody sees; each name of the view once."""
    for viewer in (*range(len(table.seats)), None):
        who = "spectator" if viewer is None else f"seat {viewer}"
        yield f"   seen by {who}: {encode(view_table(game, table, viewer)).decode()}"


def read(text: str) -> tuple[AnyGame, Opening[Any], int, list[Entry[Any, Any]]]:
    """A playthrough read back: game, opening, seed and the bare entries."""
    lines = text.splitlines()
    seed = int(lines[1].removeprefix(f"{HEADER}seed "))
    raw = lines[2].removeprefix(f"{HEADER}opening ")
    head = msgspec.json.decode(raw)
    game = registry.find(head["game"], head["ruleset"])
    codec = codec_for(game)
    entries = [codec.entry(line.removeprefix(ENTRY).encode()) for line in lines if line.startswith(ENTRY)]
    return game, codec.opening(raw.encode()), seed, entries


def main(arguments: list[str]) -> int:
    """Write all playthroughs anew; 1 when a reason wasn't reached."""
    parser = argparse.ArgumentParser(prog="playthroughs", description=__doc__)
    parser.add_argument("--game", choices=sorted(GAMES), action="append", help="only this one; may be repeated")
    missing = []
    for key in parser.parse_args(arguments).game or sorted(GAMES):
        found = search(GAMES[key])
        folder = GOLDEN / key
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.txt"):
            old.unlink()
        for reason, playing in sorted(found.items()):
            (folder / f"{reason}.txt").write_text(written(playing))
            print(f"{key}/{reason}: {len(playing.log)} entries, {playing.case.text}")
        missing += [f"{key}/{reason}" for reason in GAMES[key].reasons if reason not in found]
    for name in missing:
        print(f"{name}: no match found that ends so", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
