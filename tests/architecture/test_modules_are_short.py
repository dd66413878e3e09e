"""A module that is too long to be read at once wants splitting by topic."""

from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
LONGEST = 400
CODE = ("bench", "config", "engine", "examples", "matches", "tests")
MODULES = [
    file for folder in CODE for file in sorted((CHECKOUT / folder).rglob("*.py")) if "migrations" not in file.parts
]


@pytest.mark.parametrize("file", MODULES, ids=lambda file: str(file.relative_to(CHECKOUT)))
def test_a_module_is_at_most_400_lines_long(file: Path) -> None:
    assert len(file.read_text().splitlines()) <= LONGEST
