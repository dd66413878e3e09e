"""Operators see what players report, and say that they are done with it."""

from __future__ import annotations

import pytest
from django.test import Client

from matches.models import Player, Report
from matches.services import conduct
from tests.matches.factories import make_players

pytestmark = pytest.mark.django_db

PAGE = "/admin/matches/report/"


@pytest.fixture
def report() -> Report:
    anna, ben = make_players(2)
    conduct.report_file(reporter_id=anna.pk, player_id=ben.pk, reason="name", text="not nice")
    return Report.objects.get()


def admin(player: Player) -> Client:
    client = Client()
    client.force_login(player)
    return client


def test_an_operator_reads_reports_and_marks_them_as_handled(report: Report) -> None:
    operator = admin(Player.objects.create_superuser("operator-1"))
    assert b"the name is offensive" in operator.get(PAGE).content
    assert b"not nice" in operator.get(f"{PAGE}{report.pk}/change/").content
    operator.post(PAGE, {"action": "handle", "_selected_action": [str(report.pk)]})
    report.refresh_from_db()
    assert report.handled_at is not None


def test_a_player_doesnt(report: Report) -> None:
    assert report.player is not None
    player = admin(report.player)
    assert player.get(PAGE).status_code == 302
    player.post(PAGE, {"action": "handle", "_selected_action": [str(report.pk)]})
    report.refresh_from_db()
    assert report.handled_at is None
