"""Every page of the admin in a browser, by day and by night; its pictures are kept for who wants to look."""

from __future__ import annotations

import re
from base64 import b32decode
from math import sin
from typing import Any

import pytest
from django_otp.oath import totp

from config import figures
from matches.models import Match, MoveCount, Outage, Player, Position, Report, Webhook
from matches.services import conduct, stock
from matches.timing import now_ms
from tests.admin.told import told_world
from tests.browser.conftest import Visit
from tests.matches.factories import make_lobby, make_match, make_players

pytestmark = [pytest.mark.live, pytest.mark.django_db(transaction=True)]
TOLD = ("webhook", "webhookevent", "delivery")


@pytest.fixture
def world(boss: Player) -> Match:
    """Something of everything."""
    anna, ben, carl = make_players(3)
    match = make_match(anna, ben, game="snap")
    make_lobby(carl, game="splendor", visibility="public")
    Position.objects.update(retry_at=now_ms() + 60_000, fails=3, last_error="SettlingFailed: of the test")
    until = now_ms() // 60_000
    MoveCount.objects.bulk_create(
        [MoveCount(minute=until - ago, moves=round(40 + 30 * sin(ago / 200))) for ago in range(1, 1400)]
    )
    stock.stock_take()
    figures.note_error(
        {"at": until * 60, "logger": "django.request", "event": "GET api/v1/games/<slug:key>", "raised": "KeyError"}
    )
    conduct.report_file(reporter_id=anna.pk, player_id=ben.pk, reason="name", text="not nice")
    conduct.report_file(reporter_id=ben.pk, player_id=carl.pk, reason="stalling", text="always late")
    handled = Report.objects.latest("pk")
    conduct.report_handle(report_id=handled.pk, actor_id=boss.pk, reason="talked to them")
    Outage.objects.create(begins=1_796_000_000_000, ends=1_796_000_090_000)
    told_world(anna, match)
    return match


def test_the_page_to_log_in_at(visit: Visit) -> None:
    visit.go("/admin/login/")
    visit.keep("log-in")


def test_every_list_and_every_row(visit: Visit, boss: Player, world: Match) -> None:
    visit.log_in("boss")
    visit.page.wait_for_url("**/admin/")
    visit.keep("dashboard")
    for table in ("match", "seat", "player", "report", "outage", "auditentry", "staff", *TOLD):
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


def test_a_webhook_is_stopped_started_and_its_event_sent_again(visit: Visit, boss: Player, world: Match) -> None:
    visit.log_in("boss")
    hook = Webhook.objects.get(fails__gt=0)
    visit.go(f"/admin/matches/webhook/{hook.pk}/change/")
    for title in ("Switch off", "Switch on"):
        visit.page.get_by_role("link", name=title).click()
        visit.page.fill("textarea[name=reason]", "the receiver's owner asks for it")
        visit.keep(f"webhook-{title.split()[1]}")
        visit.page.get_by_role("button", name=title).click()
        visit.page.wait_for_url("**/change/")
    visit.page.locator("#latest-events a", has_text="3").first.click()
    visit.page.get_by_role("link", name="Send again").click()
    visit.page.fill("textarea[name=reason]", "the receiver is well again")
    visit.page.get_by_role("button", name="Send again").click()
    visit.page.wait_for_url("**/change/")
    visit.keep("webhook-resent")
    hook.refresh_from_db()
    assert (hook.is_enabled, hook.fails, hook.events.get(sequence=3).state) == (True, 0, "waiting")


def test_the_second_step_is_set_up_from_the_picture(visit: Visit, boss: Player, settings: Any) -> None:
    settings.TWO_STEP = True
    visit.log_in("boss")
    visit.page.wait_for_url("**/second-step/**")
    visit.keep("second-step-first")
    key = visit.page.locator(".listik-key").inner_text()
    visit.page.fill("input[name=code]", f"{totp(b32decode(key)):06}")
    visit.page.get_by_role("button", name="Go on").click()
    visit.page.locator(".listik-codes").wait_for()
    codes = visit.page.locator(".listik-codes").inner_text().split()
    assert len(codes) == 10
    # What is kept as a picture lets nobody in: the account goes with the test.
    visit.keep("recovery-codes")
    visit.page.get_by_role("link", name="I have kept them").click()
    visit.page.wait_for_url(re.compile(r"/admin/$"))


def test_somebody_is_taken_into_the_staff(visit: Visit, boss: Player) -> None:
    Player.objects.create_player("dora")
    visit.log_in("boss")
    visit.go("/admin/matches/staff/join/")
    visit.keep("join")
    visit.page.fill("input[name=name]", "dora")
    visit.page.select_option("select[name=role]", "analyst")
    visit.page.fill("textarea[name=reason]", "looks at figures")
    visit.page.get_by_role("button", name="Take somebody into the staff").click()
    visit.page.get_by_text("dora is analyst now.").wait_for()
    visit.keep("joined")
