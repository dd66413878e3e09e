"""A database from before names had looks and lobbies an end is brought up to date."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from matches.models import Match, Player

pytestmark = pytest.mark.django_db(transaction=True)

BEFORE = [("matches", "0003_sandbox_and_spectators")]


def at(targets: list[tuple[str, str]]) -> Any:
    """The models as they are after these migrations."""
    executor = MigrationExecutor(connection)
    executor.migrate(targets)
    return executor.loader.project_state(targets).apps


def test_rows_from_before_get_what_new_ones_have() -> None:
    former = at(BEFORE)
    people, matches = former.get_model("matches", "Player"), former.get_model("matches", "Match")
    host = people.objects.create(name="Ian", name_key="ian", password="")
    people.objects.create(name="lan", name_key="lan", password="")
    alike = {"game": "snap", "ruleset": 1, "preset": "standard", "options": {}, "seat_count": 2, "host": host}
    alike |= {"visibility": "public", "policy": {}, "secret": bytes(32), "commitment": "0" * 64, "status": "lobby"}
    matches.objects.create(**alike, control={"type": "per_move", "move_s": 86_400})
    matches.objects.create(**alike, control={"type": "none", "idle_limit_s": 60})
    at(MigrationExecutor(connection).loader.graph.leaf_nodes("matches"))
    assert sorted(Player.objects.values_list("name", "name_look")) == [("Ian", "lan"), ("lan", None)]
    assert sorted(Match.objects.values_list("pace", flat=True)) == ["day", "unlimited"]
    assert not Match.objects.filter(expires_at=None).exists()
