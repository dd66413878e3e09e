"""A match is created once, however often its request is sent."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from matches.models import CreationKey, Match
from matches.services import creation
from tests.api.people import Answer, Person, problem

pytestmark = pytest.mark.django_db

KEY = "0f0e0d0c-1"


def creates(who: Person, key: str = KEY, **fields: Any) -> Answer:
    return who.post("matches", {"game": "snap", "seats": 2, **fields}, raw=None, **{"Idempotency-Key": key})


def test_the_same_request_again_is_the_same_match(anna: Person) -> None:
    first, second = creates(anna), creates(anna)
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json()
    assert Match.objects.count() == 1


def test_the_answer_is_the_match_as_it_is_now(anna: Person, ben: Person) -> None:
    match = creates(anna).json()["id"]
    ben.post(f"matches/{match}/join")
    assert creates(anna).json()["status"] == "running"


def test_another_request_under_the_same_key_is_refused(anna: Person) -> None:
    creates(anna)
    assert problem(creates(anna, seats=3)) == (422, "key_reused")
    assert Match.objects.count() == 1


def test_a_key_is_its_owners_alone(anna: Person, ben: Person) -> None:
    assert creates(anna).json()["id"] != creates(ben).json()["id"]


def test_a_refused_request_uses_no_key_up(anna: Person) -> None:
    assert problem(creates(anna, game="chess")) == (422, "unknown_game")
    assert not CreationKey.objects.exists()
    assert creates(anna).status_code == 201


@pytest.mark.parametrize("key", ["", "x" * 101, "a b", "\u00e4"])
def test_a_key_has_its_bounds(anna: Person, key: str) -> None:
    assert problem(creates(anna, key)) == (400, "malformed")
    assert not Match.objects.exists()


def test_keys_are_forgotten_after_a_day(anna: Person) -> None:
    creates(anna)
    assert creation.keys_drop() == 0
    CreationKey.objects.update(created_at=timezone.now() - timedelta(days=2))
    assert creation.keys_drop() == 1
    creates(anna)
    assert Match.objects.count() == 2
