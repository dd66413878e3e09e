"""Browser clients that were loaded from another origin."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db
PLAY = "https://play.example"


def preflight(origin: str, path: str = "/api/v1/matches") -> Any:
    """What a browser asks before it sends a token along."""
    headers = {
        "origin": origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type,if-none-match",
    }
    return Client().options(path, headers=headers)


def test_nobody_is_let_in_by_default() -> None:
    assert "Access-Control-Allow-Origin" not in preflight(PLAY).headers


def test_an_origin_of_the_setting_is_let_in_and_others_are_not(settings: Any) -> None:
    settings.CORS_ALLOWED_ORIGINS = [PLAY]
    answer = preflight(PLAY)
    assert answer.headers["Access-Control-Allow-Origin"] == PLAY
    assert {"authorization", "if-none-match"} <= set(answer.headers["Access-Control-Allow-Headers"].split(", "))
    assert "Access-Control-Allow-Origin" not in preflight("https://other.example").headers


def test_a_page_may_read_the_entity_tag_and_sends_no_cookies(settings: Any) -> None:
    settings.CORS_ALLOWED_ORIGINS = [PLAY]
    answer = Client().get("/api/v1/games", headers={"origin": PLAY})
    assert "ETag" in answer.headers["Access-Control-Expose-Headers"]
    assert "Access-Control-Allow-Credentials" not in answer.headers


def test_the_admin_is_for_no_other_origin(settings: Any) -> None:
    settings.CORS_ALLOWED_ORIGINS = [PLAY]
    assert "Access-Control-Allow-Origin" not in preflight(PLAY, "/admin/").headers
