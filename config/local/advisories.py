"""Known faults of the packages that the service runs on: `python -m config.local.advisories`, a step of every test run.

Fails for an advisory that isn't in `ACCEPTED`. A machine that can't ask for advisories says so in one line, and passes.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from config.local.places import CHECKOUT

ACCEPTED: dict[str, str] = {}
"""Ids of advisories that don't concern us, and why."""
PATIENCE_S = 60
AUDIT = (
    *("-m", "pip_audit", "--requirement", "requirements.txt", "--no-deps", "--disable-pip"),
    *("--format", "json", "--progress-spinner", "off", "--timeout", "5"),
)


def main() -> int:
    """Ask, say what came of it, and give the exit status."""
    ignored = [part for known in ACCEPTED for part in ("--ignore-vuln", known)]
    try:
        done = subprocess.run(
            [sys.executable, *AUDIT, *ignored],
            cwd=CHECKOUT,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_S,
        )
    except subprocess.TimeoutExpired:
        print("no advisories: the service that has them didn't answer in time")
        return 0
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        why = done.stderr.strip().rpartition("\n")[2] or f"pip-audit ended with {done.returncode}"
        print(f"no advisories: {why[:200]}")
        return 0
    return told(answer["dependencies"])


def told(packages: list[dict[str, Any]]) -> int:
    """Print what is known of each package; 1 when there is an advisory."""
    found = [(package, fault) for package in packages for fault in package.get("vulns", ())]
    for package, fault in found:
        fixed = ", ".join(fault["fix_versions"]) or "no version yet"
        print(f"{package['name']} {package['version']}: {fault['id']}, mended in {fixed}")
    asked = sum("skip_reason" not in package for package in packages)
    print(f"{asked} of {len(packages)} packages looked up, {len(found)} advisories, {len(ACCEPTED)} accepted")
    if asked < len(packages):
        print("of the others no advisory could be had: is this machine offline?")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
