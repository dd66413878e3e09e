#!/usr/bin/env python3
"""Generate the TypeScript client from docs/openapi.json and compile it: `python3 examples/typescript/check.py`.

Needs Node 20 or newer with npm; where there is none it says so and does nothing. The packages come by their lock.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> int:
    """Exit status of the first step that fails."""
    npm = shutil.which("npm")
    if npm is None:
        print("there is no npm here: the TypeScript client is not checked")
        return 0
    lock, installed = HERE / "package-lock.json", HERE / "node_modules" / ".package-lock.json"
    steps = [["run", "generate"], ["run", "check"]]
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        steps.insert(0, ["ci", "--no-audit", "--no-fund"])
    for step in steps:
        failed = subprocess.run([npm, "--silent", *step], cwd=HERE, check=False).returncode
        if failed:
            print(f"npm {' '.join(step)} failed", file=sys.stderr)
            return failed
    print("the TypeScript client compiles")
    return 0


if __name__ == "__main__":
    sys.exit(main())
