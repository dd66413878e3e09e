"""`python -m tests.faults.under_load`: every fault in turn while clients play; after each the logs are looked through.

Prints a table. The exit status is 1 when anything is wrong: a move that was acknowledged and isn't in the log exactly
once, a table that isn't what its log leads to, a match that doesn't go on, a client that got no answer or an answer
that is no problem document, a clock that ran out in a match whose clients play, a fault that can't be inflicted here.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import groupby

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("SECRET_KEY", "for measuring alone")
django.setup()

# ruff: noqa: E402 - models can't be imported before

from django.db import OperationalError, connections

from config.local import places
from config.local.processes import wait_until
from tests.faults import audit
from tests.faults import matches as boards
from tests.faults.clients import Seen
from tests.faults.clocks import Impossible
from tests.faults.inflicted import FAULTS, Fault, mount_small_disk, unmount
from tests.faults.scene import Scene, scene_on

GOES_ON_S = 75
"""A bot whose task died with its worker is called again within a minute."""
COLUMNS = (
    "fault", "before", "during", "after", "longest wait", "first move after", "answers other than 200",
    "lost", "doubled", "replays", "stuck", "timed out",
)  # fmt: skip


@dataclass
class Row:
    """A line of the report, and what is wrong."""

    cells: list[str]
    wrong: list[str] = field(default_factory=list)


def main(arguments: Sequence[str] | None = None) -> int:
    """Inflict the faults; gives the exit status."""
    parser = argparse.ArgumentParser(prog="faults", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=4, help="how long clients play before and after each fault")
    parser.add_argument("--connections", type=int, default=8, help="so many connections, with three matches each")
    parser.add_argument("--only", action="append", choices=[fault.key for fault in FAULTS], help="only this fault")
    chosen = parser.parse_args(arguments)
    # Servers outlive who has started them: whoever is told to stop takes them along.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    faults = [fault for fault in FAULTS if chosen.only is None or fault.key in chosen.only]
    rows: list[Row] = []
    begun = time.monotonic()
    for needs, group in groupby(faults, key=lambda fault: fault.needs):
        rows += _act(needs, list(group), chosen.connections, chosen.seconds)
    wrong = [line for row in rows for line in row.wrong]
    print("\n" + _table([row.cells for row in rows]) + "\n", flush=True)
    print(*wrong or ["everything held"], sep="\n")
    print(f"{len(rows)} faults in {time.monotonic() - begun:.0f} s", flush=True)
    return 1 if wrong else 0


def _act(needs: str, faults: list[Fault], connections: int, seconds: float) -> list[Row]:
    """Faults that need the same, one after another on one stage."""
    rows = []
    try:
        with places.throwaway("faults-") as data, ExitStack() as stack:
            if needs == "disk":
                account = places.service_account()
                disk = data / "postgres"
                disk.mkdir()
                mount_small_disk(disk, (account.uid, account.gid))
                stack.callback(unmount, disk)
            scene = stack.enter_context(scene_on(data, connections, steps_clocks=needs == "clocks"))
            assert not _standing(scene, GOES_ON_S), "the clients don't begin"
            for fault in faults:
                rows.append(_round(scene, fault, seconds))
                print(f"  {fault.name}: {'; '.join(rows[-1].wrong) or 'held'}", flush=True)
            # Also those in which bots are awaited whose calls were lost with a worker.
            if standing := _standing(scene, GOES_ON_S + max(fault.late_s for fault in faults)):
                rows[-1].wrong.append(f"after all of it {standing} matches don't go on")
            entries = boards.must_be_undisturbed(scene.left_alone)
            print(f"  {entries} entries of matches left alone are what the engine makes of them", flush=True)
    except Impossible as error:
        rows += [Row([fault.name, "not possible here"], [f"{fault.name}: {error}"]) for fault in faults[len(rows) :]]
    return rows


def _standing(scene: Scene, seconds: float) -> int:
    """At how many tables nobody moves for so long."""
    begun = time.monotonic()
    scene.crowd.play()
    wait_until(lambda: not scene.crowd.waiting_since(begun, for_bots=True), seconds)
    return scene.crowd.waiting_since(begun, for_bots=True)


def _round(scene: Scene, fault: Fault, seconds: float) -> Row:
    """Play, inflict the fault, play on, pause, look through the logs."""
    crowd = scene.crowd
    before = crowd.play()
    time.sleep(seconds)
    seen = crowd.play()
    begun = time.monotonic()
    fault.begin(scene)
    time.sleep(fault.hold_s)
    held = time.monotonic()
    if not fault.endures:
        fault.end(scene)
    since = held if fault.hold_s else begun
    is_ready = wait_until(scene.is_ready, 60)
    ended = time.monotonic()
    entries = _entries_left_alone(scene)
    time.sleep(seconds)
    within = GOES_ON_S + fault.late_s
    wait_until(lambda: not crowd.waiting_since(ended) and _entries_left_alone(scene) > entries, within)
    stuck = crowd.waiting_since(ended) + (_entries_left_alone(scene) <= entries)
    wrong = [] if crowd.pause() else ["the clients don't come to rest"]
    crowd.went()
    wrong += [] if is_ready else ["the service doesn't get ready again"]
    wrong += [f"{stuck} matches don't go on"] if stuck else []
    wrong += [f"{number} times: {what}" for what, number in (before.wrong + seen.wrong).items()]
    first = next((at - since for at, _ in seen.acknowledged if at >= since), None)
    if fault.endures:
        fault.end(scene)
    found = _look_through(scene, before, seen)
    wrong += found.wrong
    cells = [
        fault.name,
        str(len(before.acknowledged)),
        str(seen.between(begun, ended)),
        str(seen.between(ended, float("inf"))),
        f"{seen.longest_s:.1f} s",
        "none" if first is None else f"{first:.1f} s",
        ", ".join(f"{what} × {number}" for what, number in sorted(seen.answers.items())),
        *found.cells,
    ]
    cells[10] = str(stuck + int(cells[10]))
    return Row(cells, [f"{fault.name}: {line}" for line in wrong])


def _entries_left_alone(scene: Scene) -> int:
    """How many entries there are of matches that workers alone keep going; 0 while the database can't say."""
    try:
        return audit.entries_of([match.pk for match in scene.left_alone])
    except OperationalError:
        connections["default"].close()
        return 0


def _look_through(scene: Scene, *seen: Seen) -> Row:
    """Cells: moves lost and doubled, replays that don't come out, matches stuck, clocks that ran out."""
    connections["default"].close()
    acknowledged = [move for one in seen for _, move in one.acknowledged]
    matches = {move.match for move in acknowledged}
    fates = audit.fates(acknowledged)
    faults = audit.faults_of(matches)
    stuck = sum("is stuck" in fault for fault in faults)
    late = audit.lost_on_time(matches)
    wrong = [] if fates == audit.GOOD else [f"of {len(acknowledged)} acknowledged moves: {fates}"]
    wrong += faults
    wrong += [f"{late} clocks ran out"] if late else []
    cells = [fates.lost, fates.doubled + fates.altered, len(faults) - stuck, stuck, late]
    return Row([str(cell) for cell in cells], wrong)


def _table(rows: list[list[str]]) -> str:
    """The report, as Markdown has tables."""
    lines = [list(COLUMNS), *([*row, *[""] * (len(COLUMNS) - len(row))] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(COLUMNS))]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in lines
    )


if __name__ == "__main__":
    sys.exit(main())
