"""The numbers on the dashboard are those of the database, in a number of queries that doesn't grow."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from config import figures
from config.queues import queue_lengths
from matches import selectors, timing
from matches.models import Figure, Match, MoveCount, MoveRecord, Player, Position, RefreshToken, Webhook
from matches.services import players, stock
from tests.matches.factories import (
    MOVE_S,
    PER_MOVE,
    begin_ago,
    make_lobby,
    make_match,
    make_player,
    make_players,
    take,
)

pytestmark = pytest.mark.django_db
MINUTE_MS = 60_000


@pytest.fixture
def boss() -> Client:
    client = Client()
    client.force_login(Player.objects.create_superuser("boss"))
    return client


def tiles(page: str) -> dict[str, str]:
    return dict(re.findall(r'<h2>([^<]+)</h2><p class="listik-figure[^"]*">([^<]+)</p>', page))


def test_matches_are_counted_by_game_and_status(boss: Client) -> None:
    anna, ben = make_players(2)
    make_lobby(anna)
    running = [make_match(anna, ben) for _ in range(2)]
    make_match(anna, ben, game="snap")
    Match.objects.filter(pk=running[0].pk).update(status="void", ended_at=timezone.now())
    stock.stock_take()
    assert selectors.stock().matches == {"heap": {"lobby": 1, "running": 1, "void": 1}, "snap": {"running": 1}}
    found = tiles(boss.get("/admin/").text)
    assert found["Running matches"] == str(Match.objects.filter(status="running").count()) == "2"


def test_players_are_active_who_used_a_device_today_or_in_seven_days(boss: Client) -> None:
    now = timezone.now()
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    days = timedelta(days=1)
    for used in (now, midnight, midnight - days / 24, now - 6 * days, now - 8 * days):
        player = make_player()
        for _ in range(2):
            players.tokens_issue(player=player)
        RefreshToken.objects.filter(player=player).update(last_used_at=used)
    bot = Player.objects.create_player("a program", is_bot=True)
    players.tokens_issue(player=bot)
    stock.stock_take()
    found = selectors.stock()
    assert (found.today, found.week) == (2, 4)
    assert tiles(boss.get("/admin/").text)["Players today"] == "2"


def test_moves_are_counted_by_the_minute_and_nothing_else_is() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    take(match, anna, 1)
    at = MoveRecord.objects.get(match=match, cause="move").at
    minute = at // MINUTE_MS
    stock.stock_take(now=(minute + 1) * MINUTE_MS)
    assert list(MoveCount.objects.values_list("minute", "moves")) == [(minute, 1)]
    found = selectors.stock()
    assert (len(found.moves), found.moves[-1], sum(found.moves), found.until) == (1440, 1, 1, minute + 1)


def test_the_minute_that_isnt_over_waits() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    take(match, anna, 1)
    minute = MoveRecord.objects.get(match=match, cause="move").at // MINUTE_MS
    stock.stock_take(now=(minute + 1) * MINUTE_MS - 1)
    assert not MoveCount.objects.exists()
    stock.stock_take(now=(minute + 1) * MINUTE_MS)
    assert MoveCount.objects.get().moves == 1


def test_what_comes_late_is_counted_again_and_once() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    take(match, anna, 1)
    minute = MoveRecord.objects.get(match=match, cause="move").at // MINUTE_MS
    stock.stock_take(now=(minute + 1) * MINUTE_MS)
    other = make_match(anna, ben)
    take(other, anna, 1)
    for later in (2, 3):
        stock.stock_take(now=(minute + later) * MINUTE_MS)
    assert (
        sum(MoveCount.objects.values_list("moves", flat=True)) == MoveRecord.objects.filter(cause="move").count() == 2
    )


def test_after_a_pause_of_the_workers_no_minute_is_missing() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    take(match, anna, 1)
    minute = MoveRecord.objects.get(match=match, cause="move").at // MINUTE_MS
    stock.stock_take(now=(minute - 60) * MINUTE_MS)
    stock.stock_take(now=(minute + 60) * MINUTE_MS)
    assert list(MoveCount.objects.values_list("minute", "moves")) == [(minute, 1)]
    assert selectors.stock().moves[-60:] == [1] + [0] * 59


def test_old_minutes_go() -> None:
    now = timing.now_ms()
    for days in (7, 9):
        MoveCount.objects.create(minute=now // MINUTE_MS - days * 1440, moves=5)
    stock.stock_take(now=now)
    assert MoveCount.objects.count() == 1


def test_overdue_and_stuck_matches_are_seen(boss: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    late = [begin_ago(monkeypatch, MOVE_S * 1000 + 9_000, anna, ben, control=PER_MOVE) for _ in range(3)]
    stuck = late[-1]
    Position.objects.filter(match=stuck).update(
        retry_at=timing.now_ms() + 60_000, fails=3, last_error="SettlingFailed: of the test"
    )
    page = boss.get("/admin/").text
    found = tiles(page)
    assert (found["Overdue matches"], found["Failed settlements"]) == ("2", "1")
    assert str(stuck.pk) in page
    assert "SettlingFailed: of the test" in page


def test_the_slowest_endpoints_come_first() -> None:
    figures.forget()
    for endpoint, seconds, times in (("GET a", 0.003, 20), ("GET b", 0.2, 20), ("GET c", 9.0, 2), ("GET d", 0.02, 19)):
        for _ in range(times):
            figures.request_took(endpoint, 200, seconds)
    # One in twenty is just within the 95 %.
    figures.request_took("GET d", 200, 0.9)
    found = [(row.name, row.requests, round(row.mean_ms), row.p95_ms) for row in selectors.slowest_endpoints()]
    assert found == [("GET c", 2, 9000, None), ("GET b", 20, 200, 250), ("GET d", 20, 64, 25), ("GET a", 20, 3, 5)]
    figures.forget()


def test_latest_errors_are_shown_as_text(boss: Client) -> None:
    figures.forget()
    figures.note_error({"at": 1_796_000_000, "logger": "x", "event": "<b>failed</b>", "raised": "ValueError at a.py:1"})
    page = boss.get("/admin/").text
    assert "&lt;b&gt;failed&lt;/b&gt;" in page
    assert "2026-11-30 00:53:20" in page
    figures.forget()


def test_webhooks_that_fail_are_shown_by_player_and_host_without_their_address(boss: Client) -> None:
    anna = make_player("anna")
    common = {"player": anna, "kinds": [], "secret": b"", "created_at": 1}
    Webhook.objects.create(url="https://hook.example/secret-path?key=hidden", fails=4, failing_since=1, **common)
    Webhook.objects.create(url="https://gone.example/x", is_enabled=False, stopped="gone", **common)
    Webhook.objects.create(url="https://fine.example/x", **common)
    page = boss.get("/admin/").text
    assert "hook.example" in page
    assert "failed 4 times in a row" in page
    assert "the receiver answered 410" in page
    assert "secret-path" not in page
    assert "fine.example" not in page


def test_a_broker_that_is_down_is_told_and_breaks_nothing(boss: Client, settings: Any) -> None:
    settings.BROKER_URL = "redis+socket:///nowhere/valkey"
    page = boss.get("/admin/")
    assert (
        page.status_code,
        "The broker doesn&#x27;t answer" in page.text or "The broker doesn't answer" in page.text,
    ) == (
        200,
        True,
    )


def test_tasks_that_wait_are_counted(broker: str) -> None:
    from config.celery import app  # noqa: PLC0415 - configured by the fixture

    before = queue_lengths()
    assert before is not None
    for _ in range(3):
        app.send_task("matches.settle_due", ignore_result=True)
    after = queue_lengths()
    app.control.purge()
    assert after is not None
    assert after["celery"] - before["celery"] == 3


def test_the_number_of_queries_is_the_same_however_much_there_is(boss: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            assert boss.get("/admin/").status_code == 200
        return len(captured)

    queries()
    empty = queries()
    anna, ben = make_players(2)
    for _ in range(5):
        take(make_match(anna, ben), anna, 1)
    Position.objects.update(retry_at=timing.now_ms() + 60_000, fails=1)
    stock.stock_take(now=timing.now_ms() + MINUTE_MS)
    assert queries() == empty <= 16


def test_nothing_is_counted_while_somebody_waits(boss: Client) -> None:
    with CaptureQueriesContext(connection) as captured:
        boss.get("/admin/")
    whole = [q["sql"] for q in captured if "count(" in q["sql"].lower() and "LIMIT" not in q["sql"]]
    assert [sql for sql in whole if "matches_outage" not in sql] == []
    assert not any("matches_moverecord" in q["sql"] for q in captured)


def test_before_the_first_count_the_page_says_so(boss: Client) -> None:
    assert not Figure.objects.exists()
    assert "were not counted yet" in boss.get("/admin/").text
