"""`python -m tests.engine.soak`: whole matches at random under every law; exits with 1 when one is broken."""

from __future__ import annotations

import argparse
import os
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from tests.engine import laws
from tests.engine.cases import BROKEN, GAMES, case_from, cases_of, short
from tests.engine.driver import Moment, Playing, Temper, moves_and_timers

MATCHES = 10_000
CHUNK = 20
MOST_VIOLATIONS = 10
TOLD_EVERY = 5_000
Task = tuple[str, int, int]


@dataclass
class Covered:
    """What some matches of one game have shown."""

    game: str
    matches: int = 0
    entries: int = 0
    moves: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    longest: tuple[float, int, int] = (0.0, 0, 0)
    violations: list[str] = field(default_factory=list)

    def add(self, other: Covered) -> None:
        """Count these in."""
        self.matches += other.matches
        self.entries += other.entries
        self.moves += other.moves
        self.ends += other.ends
        self.refusals += other.refusals
        self.longest = max(self.longest, other.longest)
        self.violations += other.violations


def match_of(key: str, number: int) -> Playing:
    """The match with this number: cases and tempers in turn, three in four with options with which it is soon over."""
    cases = list(cases_of(GAMES[key]))
    case = cases[number % len(cases)]
    temper = tuple(Temper)[number // len(cases) % len(Temper)]
    return Playing(case if number % 4 == 0 else short(case), number, temper)


def play(playing: Playing) -> Covered:
    """Play one match to its end under the laws. Raises AssertionError when one is broken."""
    game, covered = playing.game, Covered(playing.game.key, matches=1)
    random = Random(playing.number)
    keys: set[str] = set()
    seen: dict[int, list[object]] = {}
    for moment in playing.moments():
        keys |= {timer.key for timer in game.timers(moment.before.state)}
        try_cheap_laws(playing, moment, random, seen)
        if random.random() < 0.05 or moment.after.is_over:
            try_dear_laws(playing, moment, random, keys)
        if moment.entry.move is not None:
            covered.moves[type(moment.entry.move).__name__] += 1
    laws.an_ended_match_is_over(game, playing.table, random)
    if len(playing.log) < 1000:
        laws.the_log_leads_to_the_table(playing)
    taken, bound = moves_and_timers(playing.log), game.longest(playing.case.seats, playing.case.options)
    assert taken <= bound, f"{taken} moves and timers, the bound is {bound}"
    covered.longest = (taken / bound, taken, bound)
    covered.entries = len(playing.log)
    covered.refusals = playing.refusals
    ending = playing.table.ending
    assert ending is not None
    covered.ends[ending.outcome.reason if ending.outcome else str(ending.status)] += 1
    return covered


def try_cheap_laws(playing: Playing, moment: Moment, random: Random, seen: dict[int, list[object]]) -> None:
    """Laws 1, 8, 12, 17, and 16 for one viewer now and then."""
    game = playing.game
    laws.something_is_awaited(game, moment.after)
    laws.nothing_is_lost(game, moment)
    laws.places_are_places(game, moment.after)
    laws.occasions_never_come_again(seen, game, moment.after)
    if random.random() < 0.25:
        laws.sealed_answers_move_nothing(game, moment, watching=[random.choice(laws.viewers(moment.after))])


def try_dear_laws(playing: Playing, moment: Moment, random: Random, keys: set[str]) -> None:
    """The other laws, at some moments only."""
    game, table = playing.game, moment.after
    laws.awaited_seats_can_move(game, table)
    laws.listed_moves_are_legal(game, table, random)
    laws.other_moves_are_refused_with_a_reason(game, table, random, tries=3)
    laws.everything_survives_json(game, moment)
    laws.events_name_only_what_is_seen(game, moment)
    laws.hidden_things_do_not_show(game, table, random.choice(laws.viewers(table)), random, shuffles=2)
    laws.a_timer_that_is_gone_changes_nothing(game, table, keys)
    if table is playing.table:
        laws.settling_twice_is_settling_once(playing)
        laws.a_repeat_changes_nothing(playing)


def soak(task: Task) -> Covered:
    """Play these matches; what breaks a law is described, with the line that plays it again."""
    key, start, stop = task
    covered = Covered(key)
    for number in range(start, stop):
        playing = match_of(key, number)
        try:
            covered.add(play(playing))
        except Exception:  # noqa: BLE001 - whatever it is, the match is reported
            covered.violations.append(f"{traceback.format_exc()}\nagain: {again(playing)}")
    return covered


def again(playing: Playing) -> str:
    """The command that plays this match again."""
    return f"python -m tests.engine.soak --again '{playing.case.text}' {playing.number} {playing.temper}"


def tasks(games: Iterable[str], matches: int, deadline: float | None) -> Iterator[Task]:
    """Chunks of the games in turn, until the number is reached or the time is up."""
    for start in range(0, matches, CHUNK):
        for key in games:
            if deadline is not None and time.monotonic() > deadline:
                return
            yield key, start, min(start + CHUNK, matches)


def in_turn(pool: Executor, todo: Iterator[Task]) -> Iterator[Covered]:
    """Hand out a chunk whenever one is done, so that the deadline is asked as late as can be."""
    running = {pool.submit(soak, task) for task in islice(todo, 2 * (os.cpu_count() or 1))}
    while running:
        done, running = wait(running, return_when=FIRST_COMPLETED)
        running |= {pool.submit(soak, task) for task in islice(todo, len(done))}
        yield from (future.result() for future in done)


def report(covered: Covered) -> None:
    """Print what one game has shown."""
    game = GAMES[covered.game]
    share, taken, bound = covered.longest
    moves = {kind.__name__ for kind in getattr(game.move_type, "__args__", (game.move_type,))}
    print(f"\n{game.title}: {covered.matches} matches, {covered.entries} entries, {len(covered.violations)} violations")
    print(f"  ends      {listed(covered.ends)}; never: {', '.join(set(game.reasons) - set(covered.ends)) or 'none'}")
    print(f"  moves     {listed(covered.moves)}; never: {', '.join(moves - set(covered.moves)) or 'none'}")
    print(f"  refusals  {listed(covered.refusals)}")
    print(f"  longest   {taken} moves and timers of at most {bound} ({share:.0%})")


def listed(counts: Counter[str]) -> str:
    """The most frequent first."""
    return ", ".join(f"{name} {count}" for name, count in counts.most_common()) or "none"


def repeat(text: str, number: str, temper: str) -> int:
    """Play one match again, with the error as it comes."""
    covered = play(Playing(case_from(text), int(number), Temper(temper)))
    report(covered)
    return 0


def run(games: list[str], matches: int, seconds: float | None) -> int:
    """Soak these games on every core; 1 when a law was broken."""
    deadline = None if seconds is None else time.monotonic() + seconds
    totals = {key: Covered(key) for key in games}
    with ProcessPoolExecutor() as pool:
        for covered in in_turn(pool, tasks(games, matches, deadline)):
            totals[covered.game].add(covered)
            played = sum(total.matches for total in totals.values())
            if played // TOLD_EVERY > (played - covered.matches) // TOLD_EVERY:
                print(f"{played} matches", file=sys.stderr, flush=True)
            if sum(len(total.violations) for total in totals.values()) >= MOST_VIOLATIONS:
                break
    violations = [violation for total in totals.values() for violation in total.violations]
    for total in totals.values():
        report(total)
    for violation in violations:
        print(f"\n{violation}", file=sys.stderr)
    for name, error in BROKEN.items():
        print(f"\n{name} can't be imported: {error!r}", file=sys.stderr)
    return 1 if violations or BROKEN else 0


def main(arguments: list[str]) -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="soak", description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES, help="of each game (default %(default)s)")
    parser.add_argument("--game", choices=sorted(GAMES), action="append", help="only this one; may be repeated")
    parser.add_argument("--seconds", type=float, help="begin no more matches after that")
    parser.add_argument("--again", nargs=3, metavar=("CASE", "NUMBER", "TEMPER"), help="play one match again")
    chosen = parser.parse_args(arguments)
    if chosen.again:
        return repeat(*chosen.again)
    return run(chosen.game or sorted(GAMES), chosen.matches, chosen.seconds)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
