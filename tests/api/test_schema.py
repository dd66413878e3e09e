"""The OpenAPI document, the pages beside it, and what every answer has in common."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from engine import registry
from matches.api.reference import markdown
from matches.api.urls import urlpatterns
from tests.api.people import Person, problem

pytestmark = pytest.mark.django_db
CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture
def document(db: None) -> dict[str, Any]:
    """The document as it is served."""
    answer = Client().get("/api/v1/openapi.json")
    assert answer.status_code == 200
    schema: dict[str, Any] = answer.json()
    return schema


def references(schema: Any) -> set[str]:
    """Every `$ref` below, save in examples, which may be schemas of their own."""
    if isinstance(schema, dict):
        own = {schema["$ref"]} if isinstance(schema.get("$ref"), str) else set()
        return own.union(*(references(value) for key, value in schema.items() if key != "example"))
    if isinstance(schema, list):
        return set().union(*(references(item) for item in schema))
    return set()


def test_it_is_openapi_3_1_and_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    assert document["openapi"] == "3.1.1"
    known = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert references(document) <= known


def addresses(patterns: list[Any], prefix: str = "") -> set[str]:
    """Every address below these patterns, with the names of what is variable in it."""
    found: set[str] = set()
    for pattern in patterns:
        here = prefix + re.sub(r"<\w+:(\w+)>", r"{\1}", str(pattern.pattern))
        found |= addresses(pattern.url_patterns, here) if hasattr(pattern, "url_patterns") else {here}
    return found


def test_every_address_is_in_it(document: dict[str, Any]) -> None:
    described = {path.removeprefix("/api/v1/") for path in document["paths"]}
    assert described == addresses(urlpatterns)


def test_every_move_and_event_of_every_game_is_typed_in_it(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    tags = {tag for schema in schemas.values() for tag in schema.get("properties", {}).get("type", {}).get("enum", ())}
    for game in registry.games().values():
        for union in (game.move_type, game.event_type):
            for cls in getattr(union, "__args__", (union,)):
                assert cls.__struct_config__.tag in tags, f"{game.key}: {cls.__name__}"


def test_each_game_has_its_own_match_view(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    assert set(schemas["MatchView"]["discriminator"]["mapping"]) == set(registry.games())
    assert schemas["SnapMatchView"]["properties"]["game"] == {"const": "snap"}


def test_operations_have_names_of_their_own(document: dict[str, Any]) -> None:
    names = [operation["operationId"] for path in document["paths"].values() for operation in path.values()]
    assert len(names) == len(set(names))


def test_the_interactive_pages_are_served_without_another_host() -> None:
    for path in ("/api/docs/", "/api/docs/problems"):
        page = Client().get(path)
        assert page.status_code == 200
        assert b"https://" not in page.content


def test_the_table_of_problems_is_the_one_in_the_repository() -> None:
    assert (CHECKOUT / "docs" / "problems.md").read_text() == markdown()


def test_an_address_that_leads_nowhere_is_a_problem(nobody: Person) -> None:
    assert problem(nobody.get("nonsense")) == (404, "not_found")
    assert problem(nobody.get("matches/0190f5fe-0000-7000-8000-000000000001")) == (404, "not_found")
    assert problem(nobody.get("games/chess")) == (404, "not_found")


def test_a_method_that_isnt_there_is_a_problem(nobody: Person, anna: Person) -> None:
    assert problem(nobody.post("games")) == (405, "method_not_allowed")


def test_only_json_is_read(anna: Person) -> None:
    answer = Client().post("/api/v1/matches", {"game": "snap"}, headers={"authorization": f"Bearer {anna.access}"})
    assert problem(answer) == (415, "unsupported_media_type")


def test_a_game_comes_with_rules_and_types(nobody: Person) -> None:
    keys = [game["key"] for game in nobody.get("games").json()]
    assert keys == sorted(registry.games())
    for key in keys:
        game = nobody.get(f"games/{key}").json()
        assert game["rules"].startswith("# ")
        assert "standard" in game["preset_options"]
        assert game["move_schema"]["$defs"]


def test_the_document_is_made_once_and_not_sent_again_to_who_has_it(nobody: Person) -> None:
    first = nobody.get("openapi.json", accept="application/vnd.oai.openapi+json")
    assert first.headers["Content-Type"] == "application/vnd.oai.openapi+json"
    again = nobody.get("openapi.json", if_none_match=first.headers["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    assert problem(nobody.post("openapi.json")) == (405, "method_not_allowed")


def test_views_say_that_they_have_an_entity_tag(document: dict[str, Any]) -> None:
    view = document["paths"]["/api/v1/matches/{match_id}/view"]["get"]["responses"]
    assert set(view["200"]["headers"]) == set(view["304"]["headers"]) == {"ETag"}
    assert set(view["429"]["headers"]) == {"Retry-After"}
