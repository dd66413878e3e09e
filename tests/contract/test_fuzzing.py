"""A short run of `python3 run.py fuzz-api`."""

from __future__ import annotations

import pytest

from tests.contract.fuzz import fuzz
from tests.contract.service import running_service

pytestmark = pytest.mark.live


def test_schemathesis_finds_nothing_in_a_short_run(capfd: pytest.CaptureFixture[str]) -> None:
    with running_service() as url:
        status = fuzz(url, seconds=40, seed=20_261_130)
    output = capfd.readouterr().out
    assert status == 0, output[-6000:]
    assert "Tested: " in output
