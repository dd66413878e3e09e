"""`python -m bench.mutants`: plants faults in the games and counts those that a game's own tests notice.

A random sample of all faults is tried, a fresh process each, so that faults in what is computed at import count too.
Survivors that somebody has looked at and found to change nothing are named in bench/equivalent_mutants.md.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

CHECKOUT = Path(__file__).resolve().parent.parent
GAMES = CHECKOUT / "engine" / "games"
EQUIVALENT = Path(__file__).with_name("equivalent_mutants.md")
SAMPLE = 200
SECONDS = 600
ENOUGH = 0.9
"""The share that a game's own tests must notice."""
SURVIVED = {0, 33}
"""Exit statuses of a test run that noticed nothing: all passed, or no test came near."""
SETTINGS = """\
[tool.pytest.ini_options]
pythonpath = ["."]
addopts = ["--import-mode=importlib", "-p", "no:django", "-p", "no:xdist", "-p", "no:schemathesis", "-p", "no:cov"]
markers = ["rule(id): the rule that the test proves"]

[tool.mutmut]
source_paths = ["engine"]
only_mutate = ["engine/games/{game}/*"]
also_copy = ["engine", "docs"]
pytest_add_cli_args = ["-x", "-q"]
pytest_add_cli_args_test_selection = ["tests/engine/games/{game}"]
process_isolation = "forkserver"
forkserver_warmup = "none"
use_git_change_detection = false
"""


@dataclass(frozen=True)
class Tried:
    """What came of the faults planted in one game, out of `all`."""

    game: str
    all: int
    killed: int
    equivalent: int
    survivors: tuple[str, ...]

    @property
    def share(self) -> float:
        """The share of those noticed among all that change something."""
        return self.killed / max(1, self.killed + len(self.survivors))


def try_game(game: str, sample: int, seconds: float, seed: int) -> Tried:
    """Plant faults in a copy of the engine and run the game's own tests on each."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_what_is_needed(folder, game)
        mutmut(folder, ["no such fault"], seconds)  # makes all faults, and finds out which tests come near which
        everything = sorted(name for name, _ in results(folder, game))
        if not everything:
            raise SystemExit(f"{game}: no fault could be planted; do its tests pass?")
        chosen = Random(seed).sample(everything, min(sample, len(everything)))
        mutmut(folder, chosen, seconds)
        return judged(game, len(everything), {name: status for name, status in results(folder, game) if name in chosen})


def copy_what_is_needed(folder: Path, game: str) -> None:
    """The engine, the game's tests and rules, and settings that know nothing of the service."""
    without_caches = shutil.ignore_patterns("__pycache__")
    tests = Path("tests", "engine", "games", game)
    for part in (Path("engine"), Path("docs"), tests):
        shutil.copytree(CHECKOUT / part, folder / part, ignore=without_caches)
    (folder / "pyproject.toml").write_text(SETTINGS.format(game=game))


def mutmut(folder: Path, names: list[str], seconds: float) -> None:
    """Run the tool on these faults; what isn't done when the time is up isn't counted."""
    command = [sys.executable, "-m", "mutmut", "run", "--max-children", str(os.cpu_count() or 1), *names]
    with (folder / "output.txt").open("ab") as output:
        running = subprocess.Popen(command, cwd=folder, stdout=output, stderr=output, start_new_session=True)
        try:
            running.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()


def results(folder: Path, game: str) -> Iterator[tuple[str, int | None]]:
    """Each fault with the exit status of its test run, None when there was none yet."""
    for file in (folder / "mutants" / "engine" / "games" / game).glob("*.meta"):
        yield from json.loads(file.read_text())["exit_code_by_key"].items()


def judged(game: str, number: int, statuses: dict[str, int | None]) -> Tried:
    """Count what was noticed."""
    looked_at = equivalent()
    alive = sorted(name for name, status in statuses.items() if status in SURVIVED)
    killed = sum(status is not None and status not in SURVIVED for status in statuses.values())
    survivors = tuple(name for name in alive if name not in looked_at)
    return Tried(game, number, killed, len(alive) - len(survivors), survivors)


def equivalent() -> set[str]:
    """The faults that are known to change nothing."""
    return set(re.findall(r"`(engine\.games\.[\w.ǁ]+__mutmut_\d+)`", EQUIVALENT.read_text()))


def main(arguments: list[str]) -> int:
    """Print a line a game and its survivors; 1 when a game's tests notice too few."""
    known = sorted(path.name for path in GAMES.iterdir() if (path / "__init__.py").exists())
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__)
    parser.add_argument("--game", choices=known, action="append", help="only this one; may be repeated")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="faults a game (default %(default)s)")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="at most for a game (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which sample (default %(default)s)")
    chosen = parser.parse_args(arguments)
    status = 0
    for game in chosen.game or known:
        tried = try_game(game, chosen.sample, chosen.seconds, chosen.seed)
        total = tried.killed + len(tried.survivors) + tried.equivalent
        print(
            f"{game}: {tried.share:.0%} noticed of {total} tried ({tried.all} possible), {tried.equivalent} equivalent"
        )
        for survivor in tried.survivors:
            print(f"  survived: {survivor}")
        sys.stdout.flush()
        status |= tried.share < ENOUGH
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
