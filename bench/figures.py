"""What a load came to, and the processor time that it took."""

from __future__ import annotations

import os
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple

TICKS = os.sysconf("SC_CLK_TCK")


class Figures(NamedTuple):
    """What came of a load. Milliseconds of time a request, and of processor time in web and database."""

    rate: float
    p50: float
    p95: float
    p99: float
    web: float
    database: float
    failed: dict[str, int]

    def __str__(self) -> str:
        failed = f"  FAILED {self.failed}" if self.failed else ""
        return (
            f"{self.rate:7.0f}/s  p50 {self.p50:6.2f}  p95 {self.p95:6.2f}  p99 {self.p99:6.2f} ms"
            f"   processor time: web {self.web:.2f} ms, database {self.database:.2f} ms{failed}"
        )


def figures(found: dict[str, Any], web_s: float, database_s: float) -> Figures:
    """Sum up what the load printed."""
    took = found["took"]
    if len(took) < 2:
        raise SystemExit(f"no answers: {found['failed']}")
    cuts = quantiles(took, n=100)
    each = 1000 / len(took)
    return Figures(
        len(took) / found["seconds"], median(took), cuts[94], cuts[98], web_s * each, database_s * each, found["failed"]
    )


def processor_s(root: int) -> float:
    """Processor time of a process and all below it, in seconds."""
    parents: dict[int, int] = {}
    used: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        pid = int(stat.parent.name)
        parents[pid] = int(fields[1])
        # Its own, and that of children which are gone.
        used[pid] = sum(int(fields[place]) for place in (11, 12, 13, 14))
    wanted = {root}
    while more := {pid for pid, parent in parents.items() if parent in wanted and pid not in wanted}:
        wanted |= more
    return sum(used.get(pid, 0) for pid in wanted) / TICKS
