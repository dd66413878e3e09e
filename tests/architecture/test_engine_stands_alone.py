"""What the contracts of import-linter can't say: the engine needs nothing but the standard library and msgspec."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
ENGINE = sorted((CHECKOUT / "engine").rglob("*.py"))
MAY_BE_IMPORTED = {"engine", "msgspec", *sys.stdlib_module_names}
NOT_FOR_PURE_CODE = {
    "asyncio",
    "datetime",
    "os",
    "random",
    "secrets",
    "socket",
    "subprocess",
    "threading",
    "time",
    "uuid",
}
"""Modules with a clock, chance or an outside world of their own."""
COMMANDS = {"engine/verify.py"}


def imported(file: Path) -> Iterator[str]:
    """The first part of the name of every module that this one imports."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0]


@pytest.mark.parametrize("file", ENGINE, ids=lambda file: str(file.relative_to(CHECKOUT)))
def test_a_module_of_the_engine_imports_the_standard_library_and_msgspec_only(file: Path) -> None:
    assert set(imported(file)) - MAY_BE_IMPORTED == set()


@pytest.mark.parametrize("file", ENGINE, ids=lambda file: str(file.relative_to(CHECKOUT)))
def test_a_module_of_the_engine_has_no_clock_no_chance_and_no_outside_world(file: Path) -> None:
    if str(file.relative_to(CHECKOUT)) not in COMMANDS:
        assert set(imported(file)) & NOT_FOR_PURE_CODE == set()


def test_the_engine_works_where_nothing_else_is_installed() -> None:
    program = "import sys, engine.export, engine.registry; engine.registry.games(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert loaded & {"django", "rest_framework", "celery", "kombu", "psycopg", "redis", "matches", "config"} == set()
