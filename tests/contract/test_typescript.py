"""The client that is generated from the document compiles, and plays."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

from config.local.places import CHECKOUT
from tests.contract.service import running_service

pytestmark = pytest.mark.live
FOLDER = CHECKOUT / "examples" / "typescript"


def test_its_packages_are_pinned_and_come_from_no_named_address() -> None:
    lock = json.loads((FOLDER / "package-lock.json").read_text())
    packages = {name: found for name, found in lock["packages"].items() if name}
    assert all("integrity" in found and "resolved" not in found for found in packages.values())
    assert packages["node_modules/typescript"]["version"] == "5.9.3"


if shutil.which("npm"):

    def test_it_compiles_and_plays_a_match_to_its_end() -> None:
        checked = subprocess.run([sys.executable, FOLDER / "check.py"], check=False, capture_output=True, text=True)
        assert checked.returncode == 0, checked.stdout + checked.stderr
        subprocess.run(["npm", "--silent", "run", "build"], cwd=FOLDER, check=True, timeout=120)
        with running_service() as url:
            played = subprocess.run(
                ["node", "build/play.js", url], cwd=FOLDER, check=False, capture_output=True, text=True, timeout=240
            )
        assert played.returncode == 0, played.stderr
        assert " is over after " in played.stdout
