"""The matches on which the laws are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.cases import all_cases, short
from tests.engine.driver import Case, Playing, Temper

CASES = all_cases()
MOST = 80
"""Entries of a match on which the laws of a moment are tried."""

on_every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.text)


def played(*tempers: Temper) -> Callable[[Any], Any]:
    """Try a law on a few matches with players of these tempers; by default all of them in turn."""
    return given(number=st.integers(0, 10_000), temper=st.sampled_from(tempers or tuple(Temper)))


def start(case: Case, number: int, temper: Temper) -> Playing:
    """A match of this case that is soon over, in every second one."""
    return Playing(short(case) if number % 2 else case, number, temper)


def only(cases: Iterable[Case], *keys: str) -> list[Case]:
    """The cases of these games."""
    return [case for case in cases if case.game.key in keys]
