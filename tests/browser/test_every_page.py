"""Every page of the admin in a browser, by day and by night; its pictures are kept for who wants to look."""

from __future__ import annotations

import pytest

from matches.models import Match, Outage, Player, Report
from matches.services import conduct
from tests.browser.conftest import Visit
from tests.matches.factories import make_lobby, make_match, make_players

pytestmark = [pytest.mark.live, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def world(boss: Player) -> Match:
    """Something of everything."""
    anna, ben, carl = make_players(3)
    match = make_match(anna, ben, game="snap")
    make_lobby(carl, game="splendor", visibility="public")
    conduct.report_file(reporter_id=anna.pk, player_id=ben.pk, reason="name", text="not nice")
    conduct.report_file(reporter_id=ben.pk, player_id=carl.pk, reason="stalling", text="always late")
    handled = Report.objects.latest("pk")
    conduct.report_handle(report_id=handled.pk, actor_id=boss.pk, reason="talked to them")
    Outage.objects.create(begins=1_796_000_000_000, ends=1_796_000_090_000)
    return match


def test_the_page_to_log_in_at(visit: Visit) -> None:
    visit.go("/admin/login/")
    visit.keep("log-in")


def test_every_list_and_every_row(visit: Visit, boss: Player, world: Match) -> None:
    visit.log_in("boss")
    visit.page.wait_for_url("**/admin/")
    visit.keep("dashboard")
    for table in ("match", "seat", "player", "report", "outage", "auditentry"):
        visit.go(f"/admin/matches/{table}/")
        visit.keep(f"{table}-list")
        visit.page.locator("#result_list tbody th a, #result_list tbody td a").first.click()
        visit.page.wait_for_url("**/change/**")
        visit.keep(f"{table}-row")


def test_a_deed_asks_for_its_reason(visit: Visit, boss: Player, world: Match) -> None:
    visit.log_in("boss")
    report = Report.objects.get(handled_at=None)
    visit.go(f"/admin/matches/report/{report.pk}/change/")
    visit.page.get_by_role("link", name="Mark as handled").click()
    visit.keep("deed")
    visit.page.fill("textarea[name=reason]", "talked to them")
    visit.page.get_by_role("button", name="Mark as handled").click()
    visit.page.wait_for_url("**/change/")
    visit.keep("deed-done")
    report.refresh_from_db()
    assert report.handled_at is not None
