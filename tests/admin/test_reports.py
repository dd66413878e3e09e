"""Operators see what players report, and say what came of it."""

from __future__ import annotations

import pytest
from django.test import Client

from matches.models import AuditEntry, Player, Report
from matches.services import conduct
from tests.matches.factories import make_players

pytestmark = pytest.mark.django_db

PAGE = "/admin/matches/report/"


@pytest.fixture
def report() -> Report:
    anna, ben = make_players(2)
    conduct.report_file(reporter_id=anna.pk, player_id=ben.pk, reason="name", text="not nice")
    return Report.objects.get()


@pytest.fixture
def operator() -> Client:
    return logged_in(Player.objects.create_superuser("operator-1"))


def logged_in(player: Player) -> Client:
    client = Client()
    client.force_login(player)
    return client


def test_an_operator_reads_a_report_and_handles_it_with_a_reason(report: Report, operator: Client) -> None:
    assert b"the name is offensive" in operator.get(PAGE).content
    page = operator.get(f"{PAGE}{report.pk}/change/").text
    assert "not nice" in page
    assert f"{PAGE}{report.pk}/do/handle/" in page
    assert "Say what came of it" in operator.get(f"{PAGE}{report.pk}/do/handle/").text
    done = operator.post(f"{PAGE}{report.pk}/do/handle/", {"reason": "the name was changed"}, follow=True)
    assert done.redirect_chain == [(f"{PAGE}{report.pk}/change/", 302)]
    assert "The report is handled." in done.text
    assert "/do/handle/" not in done.text
    report.refresh_from_db()
    assert report.handled_at is not None
    entry = AuditEntry.objects.get()
    assert (entry.actor.name, entry.what, entry.target_kind, entry.target_id, entry.reason) == (
        "operator-1",
        "report_handled",
        "report",
        str(report.pk),
        "the name was changed",
    )


def test_without_a_reason_it_stays_open(report: Report, operator: Client) -> None:
    refused = operator.post(f"{PAGE}{report.pk}/do/handle/", {"reason": " "})
    assert (refused.status_code, "This field is required" in refused.text) == (200, True)
    report.refresh_from_db()
    assert report.handled_at is None
    assert not AuditEntry.objects.exists()


def test_handling_it_again_changes_nothing(report: Report, operator: Client) -> None:
    for _ in range(2):
        operator.post(f"{PAGE}{report.pk}/do/handle/", {"reason": "the name was changed"})
    assert AuditEntry.objects.count() == 1


def test_several_are_handled_at_once_after_one_question(report: Report, operator: Client) -> None:
    carl, dora = make_players(2)
    conduct.report_file(reporter_id=carl.pk, player_id=dora.pk, reason="stalling")
    chosen = {"action": "handle", "_selected_action": [str(row.pk) for row in Report.objects.all()]}
    asked = operator.post(PAGE, chosen)
    assert "Mark as handled" in asked.text
    assert Report.objects.filter(handled_at=None).count() == 2
    operator.post(PAGE, {**chosen, "confirmed": "1", "reason": "talked to both"})
    assert Report.objects.filter(handled_at=None).count() == 0
    assert AuditEntry.objects.filter(reason="talked to both").count() == 2


def test_a_player_doesnt(report: Report) -> None:
    assert report.player is not None
    player = logged_in(report.player)
    assert player.get(PAGE).status_code == 302
    player.post(f"{PAGE}{report.pk}/do/handle/", {"reason": "no reason"})
    player.post(PAGE, {"action": "handle", "_selected_action": [str(report.pk)], "confirmed": "1", "reason": "none"})
    report.refresh_from_db()
    assert report.handled_at is None
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize("address", ["1/do/unknown/", "999999/do/handle/"])
def test_what_isnt_there_is_not_found(report: Report, operator: Client, address: str) -> None:
    assert operator.get(f"{PAGE}{address}").status_code == 404
