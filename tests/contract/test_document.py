"""The document in the repository is the one that is served, and shows a true example of every operation."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from matches.api.document import JSON
from matches.api.schema import EVENT_STREAM, PROBLEM_JSON
from matches.errors import CODES
from tests.contract.document import API, Operation, document, operations, validity_faults
from tests.contract.record import DOCUMENT

EVERY = pytest.mark.parametrize("operation", operations(), ids=lambda operation: operation.name)


def test_the_one_in_the_repository_is_the_one_that_is_served() -> None:
    kept = msgspec.json.decode(DOCUMENT.read_bytes())
    assert kept == document(), "`python3 run.py examples` writes docs/openapi.json anew"


@EVERY
def test_every_operation_says_what_it_does(operation: Operation) -> None:
    assert operation.description["summary"]
    assert operation.description["description"].endswith((".", "`", "`."))


@EVERY
def test_every_operation_has_a_true_example(operation: Operation) -> None:
    """Where one is missing a test of `tests/api` has to call the operation; then `python3 run.py examples`."""
    described = operation.description
    answers = [
        content[JSON]
        for status, content in contents(described)
        if status.startswith("2") and EVENT_STREAM not in content
    ]
    shown = [(answer["schema"], answer.get("example")) for answer in answers]
    if "requestBody" in described:
        request = described["requestBody"]["content"][JSON]
        shown.append((request["schema"], request.get("example")))
    for schema, example in shown:
        assert example is not None, f"no example for {operation.method} {operation.path}"
        assert validity_faults(schema, example) == []


@EVERY
def test_every_operation_describes_its_refusals(operation: Operation) -> None:
    problems = [content for _, content in contents(operation.description) if PROBLEM_JSON in content]
    assert problems
    for content in problems:
        assert content[PROBLEM_JSON]["schema"] == {"$ref": "#/components/schemas/Problem"}


@EVERY
def test_every_list_that_goes_by_pages_has_a_largest_page(operation: Operation) -> None:
    limits = [item["schema"] for item in operation.description.get("parameters", ()) if item["name"] == "limit"]
    assert all({"minimum", "maximum", "default"} <= set(schema) for schema in limits)


def test_every_code_has_a_title_and_a_status_of_its_kind() -> None:
    assert all(code.title and 400 <= code.status < 600 for code in CODES.values())


def test_a_new_match_leads_to_everything_that_can_be_done_with_it() -> None:
    creation = next(operation for operation in operations() if operation.name == "create_a_match")
    of_a_match = {
        operation.name for operation in operations() if operation.path.startswith(f"{API}matches/{{match_id}}")
    }
    assert set(creation.description["responses"]["201"]["links"]) == of_a_match


def contents(described: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Status and content of every answer that has one."""
    return [(status, answer["content"]) for status, answer in described["responses"].items() if "content" in answer]
