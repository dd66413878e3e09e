"""Every rule that players read is proven by a test, and every rule that a test names can be read."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.engine.cases import GAMES

CHECKOUT = Path(__file__).resolve().parents[2]
RULES = CHECKOUT / "docs" / "rules"
STATED = re.compile(r"^\s*- \*\*([A-Z]+-\d+)\*\*", re.MULTILINE)
SHARED = ("ALL-", "RACE-")
CITED = re.compile(r"\b(?:ALL|RACE|GNO|SLM|SNP|SPL|TUD)-\d+\b")


@cache
def stated() -> dict[str, str]:
    """Every rule of docs/rules, and the file that states it; a game may say what a shared one means for it."""
    rules: dict[str, str] = {}
    for file in sorted(RULES.glob("*.md")):
        for rule in STATED.findall(file.read_text()):
            is_new = rules.setdefault(rule, file.name) == file.name
            assert is_new or rule.startswith(SHARED), f"{rule} is stated in {rules[rule]} and in {file.name}"
    return rules


@cache
def proven() -> dict[str, str]:
    """Every rule that a test says it proves, and a file in which one does."""
    rules: dict[str, str] = {}
    for file in sorted((CHECKOUT / "tests").rglob("test_*.py")):
        for rule in marked(ast.parse(file.read_text())):
            rules.setdefault(rule, str(file.relative_to(CHECKOUT)))
    return rules


def marked(tree: ast.Module) -> Iterator[str]:
    """The rules named by `pytest.mark.rule(...)` anywhere in a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("mark.rule"):
            for argument in node.args:
                value = ast.literal_eval(argument)
                assert isinstance(value, str), f"rule() takes ids as text, not {value!r}"
                yield value


def by_number(rules: set[str]) -> list[str]:
    """Rules in the order in which they are read."""
    return sorted(rules, key=lambda rule: (rule.split("-")[0], int(rule.split("-")[1])))


def test_every_rule_is_proven_by_a_test() -> None:
    assert by_number(set(stated()) - set(proven())) == []


def test_every_rule_that_a_test_names_is_stated() -> None:
    unknown = set(proven()) - set(stated())
    assert [f"{rule} ({proven()[rule]})" for rule in by_number(unknown)] == []


def test_every_rule_that_the_engine_names_is_stated() -> None:
    unknown = {
        f"{rule} ({file.relative_to(CHECKOUT)})"
        for file in (CHECKOUT / "engine").rglob("*.py")
        for rule in CITED.findall(file.read_text())
        if rule not in stated()
    }
    assert sorted(unknown) == []


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_its_rules_for_players(key: str) -> None:
    text = (RULES / f"{key}.md").read_text()
    assert text.startswith(f"# {GAMES[key].title}\n")
    rules = by_number({rule for rule in STATED.findall(text) if not rule.startswith(SHARED)})
    prefix = rules[0].split("-")[0]
    assert rules == [f"{prefix}-{number}" for number in range(1, len(rules) + 1)]
    for preset in GAMES[key].presets:
        assert f"`{preset}`" in text


@pytest.mark.parametrize("key", GAMES)
def test_every_option_is_explained_to_players(key: str) -> None:
    text = (RULES / f"{key}.md").read_text()
    assert [name for name in GAMES[key].options_type.__struct_fields__ if f"`{name}`" not in text] == []
