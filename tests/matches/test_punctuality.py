"""How far behind the sweep is can be watched, by programs and by people."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from matches.models import Outage, Player, Position
from matches.selectors import Punctuality, punctuality
from matches.services import upkeep
from tests.matches.factories import MOVE_S, PER_MOVE, begin_ago, make_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two matches that are overdue, one that is set aside, and an outage."""
    anna, ben = make_players(2)
    matches = [
        begin_ago(monkeypatch, MOVE_S * 1000 + ago, anna, ben, control=PER_MOVE) for ago in (5_000, 9_000, 7_000)
    ]
    Position.objects.filter(match=matches[-1]).update(retry_at=9_000_000_000_000)
    Outage.objects.create(begins=1_000_000, ends=1_090_000)


def test_what_is_overdue_by_how_much_and_what_is_set_aside(late: None) -> None:
    found = punctuality()
    assert (found.overdue, found.stuck, found.outages) == (2, 1, 1)
    # It was due 9 s ago, less the lag.
    assert 8_700 <= found.behind_ms < 60_000


def test_once_all_is_settled_nothing_is_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    begin_ago(monkeypatch, MOVE_S * 1000 + 5_000, anna, ben, control=PER_MOVE)
    upkeep.settle_due()
    assert punctuality() == Punctuality(0, 0, 0, 0)


def test_prometheus_reads_the_figures_with_its_token(late: None, settings: Any) -> None:
    settings.METRICS_TOKEN = "of the operators"
    answer = Client().get("/metrics", headers={"Authorization": "Bearer of the operators"})
    figures = dict(line.rsplit(" ", 1) for line in answer.content.decode().splitlines() if not line.startswith("#"))
    assert answer.headers["Content-Type"].startswith("text/plain")
    assert (figures["listik_overdue_matches"], figures["listik_stuck_matches"]) == ("2.0", "1.0")
    assert figures["listik_outages_total"] == "1.0"
    assert float(figures["listik_behind_seconds"]) >= 8.7


@pytest.mark.parametrize(("setting", "given"), [("secret", ""), ("secret", "Bearer secre"), ("", "Bearer ")])
def test_for_others_there_are_no_figures(settings: Any, setting: str, given: str) -> None:
    settings.METRICS_TOKEN = setting
    assert Client().get("/metrics", headers={"Authorization": given}).status_code == 404


def test_operators_see_outages_and_figures_in_the_admin(late: None) -> None:
    operator = Player.objects.create_superuser("operator", "a long enough password")
    client = Client()
    client.force_login(operator)
    page = client.get("/admin/matches/outage/").content.decode()
    assert re.search(r"Matches overdue</dt><dd[^>]*>2</dd>", page)
    assert re.search(r'<td class="field-lasted_s[^>]*>\s*90\s*</td>', page)
    assert "add/" not in page.split("content-main")[1]
