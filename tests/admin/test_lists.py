"""Lists count nothing, sort by indexes alone, and find by id, name and code."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib import admin
from django.db import OperationalError, connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from psycopg.errors import QueryCanceled

from matches.admin.lists import MOST_PAGES
from matches.admin.pages import Page
from matches.models import Player, Seat
from matches.services.audit import audit_write
from matches.services.conduct import report_file
from tests.matches.factories import make_match, make_player, make_players

pytestmark = pytest.mark.django_db
TABLES = sorted(model._meta.model_name or "" for model, page in admin.site._registry.items() if isinstance(page, Page))


@pytest.fixture
def boss() -> Client:
    client = Client()
    client.force_login(Player.objects.create_superuser("boss"))
    return client


def listed(client: Client, table: str, **query: Any) -> list[Any]:
    answer = client.get(f"/admin/matches/{table}/", query)
    assert answer.status_code == 200, answer.headers
    return [row.pk for row in answer.context["cl"].result_list]


def searched(client: Client, table: str, term: object) -> list[Any]:
    return listed(client, table, q=str(term))


def test_matches_are_found_by_id_code_name_and_number_of_a_player(boss: Client) -> None:
    anna, ben, carl = make_players(3)
    public, private = make_match(anna, ben), make_match(ben, carl, visibility="private")
    assert searched(boss, "match", public.pk) == [public.pk]
    assert searched(boss, "match", public.pk.hex) == [public.pk]
    assert searched(boss, "match", private.join_code) == [private.pk]
    assert searched(boss, "match", anna.name.upper()) == [public.pk]
    assert searched(boss, "match", ben.pk) == [private.pk, public.pk]
    assert searched(boss, "match", "nobody") == []


def test_players_are_found_by_the_beginning_of_a_name_by_number_and_by_address(boss: Client) -> None:
    anna = make_player("Annabel")
    other = make_player("annabella")
    Player.objects.filter(pk=anna.pk).update(email="Anna@mail.example")
    assert searched(boss, "player", "ANNABEL") == [other.pk, anna.pk]
    assert searched(boss, "player", anna.pk) == [anna.pk]
    assert searched(boss, "player", "anna@MAIL.example") == [anna.pk]
    assert searched(boss, "player", "nnabel") == []


def test_seats_reports_and_the_audit_log_are_found_by_what_they_are_about(boss: Client) -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    (seat,) = Seat.objects.filter(match=match, player=ben).values_list("pk", flat=True)
    assert searched(boss, "seat", ben.name) == [seat]
    assert len(searched(boss, "seat", match.pk)) == 2
    report_file(reporter_id=anna.pk, player_id=ben.pk, match_id=match.pk, reason="stalling")
    for term in (anna.name, ben.name, match.pk):
        assert len(searched(boss, "report", term)) == 1
    audit_write(actor_id=anna.pk, what="match_seen", target_kind="match", target_id=match.pk, reason="of a test")
    for term in (anna.name, "match_seen", str(match.pk).upper()):
        assert len(searched(boss, "auditentry", term)) == 1
    assert searched(boss, "auditentry", ben.name) == []


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("query", [{}, {"q": "7"}, {"q": "anna"}, {"q": "01a22d8e-ae9f-71cf-b629-6abf24cb0769"}])
def test_no_list_counts_anything(boss: Client, table: str, query: dict[str, str]) -> None:
    with CaptureQueriesContext(connection) as captured:
        listed(boss, table, **query)
    whole = [q["sql"] for q in captured if "COUNT(" in q["sql"].upper() and "LIMIT" not in q["sql"]]
    # Outages are few, and the figure above their list is how many.
    assert [sql for sql in whole if "matches_outage" not in sql] == []
    assert not any("DISTINCT" in q["sql"] for q in captured)


@pytest.mark.parametrize("table", TABLES)
def test_nobody_sorts_by_what_has_no_index_or_pages_without_end(boss: Client, table: str) -> None:
    page = next(page for model, page in admin.site._registry.items() if model._meta.model_name == table)
    request = RequestFactory().get("/")
    assert page.get_sortable_by(request) == ()
    assert boss.get(f"/admin/matches/{table}/", {"p": MOST_PAGES + 1}).status_code == 302


def plans(client: Client, table: str, **query: Any) -> list[dict[str, Any]]:
    """How PostgreSQL goes about the list's own queries."""
    with CaptureQueriesContext(connection) as captured:
        listed(client, table, **query)
    own = [q["sql"] for q in captured if f'FROM "matches_{table}"' in q["sql"] and "LIMIT 50" in q["sql"]]
    assert own
    found = []
    with connection.cursor() as cursor:
        for sql in own:
            cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}")
            (plan,) = cursor.fetchone()
            found.append((json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"])
    return found


def nodes(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [plan, *(node for below in plan.get("Plans", ()) for node in nodes(below))]


MANY = 5_000
_PLAYERS = """
INSERT INTO matches_player
    (name, name_key, password, email, is_superuser, is_active, is_staff, is_guest, is_bot)
SELECT 'p' || n, 'p' || n, '', '', false, true, false, false, false FROM generate_series(1, %s) n
"""
_MATCHES = """
INSERT INTO matches_match (id, game, ruleset, preset, options, seat_count, host_id, visibility, join_code,
    control, policy, status, secret, commitment, started_at, ended_at, outcome)
SELECT gen_random_uuid(), 'heap', 1, 'standard', '{}', 2, id, 'public', '', '{}', '{}', 'finished', '', '',
    now(), now(), '{}' FROM matches_player WHERE name LIKE 'p%%'
"""
_SEATS = """
INSERT INTO matches_seat (match_id, number, player_id, salt)
SELECT id, 0, host_id, '' FROM matches_match WHERE status = 'finished'
"""

TOLD = (
    """
    INSERT INTO matches_webhook (player_id, url, kinds, secret, former_until, is_enabled, stopped, is_to_be_mailed,
        told, paused_until, claimed_until, fails, is_slow, created_at)
    SELECT id, 'https://hook.example/', '[]', '', 0, true, '', false, 1, 0, 0, 0, false, 1 FROM matches_player
    """,
    """
    INSERT INTO matches_webhookevent (id, webhook_id, sequence, kind, body, state, attempts, due_at, created_at)
    SELECT matches_uuid7(), id, 1, 'turn', '{}', 'sent', 1, 1, id FROM matches_webhook
    """,
    """
    INSERT INTO matches_delivery (id, notice_id, player_id, match_id, kind, sequence, channel, target, state, due_at,
        attempts, error)
    SELECT matches_uuid7(), gen_random_uuid(), host_id, id, 'turn', 1, 'mail', '', 'sent', 1, 1, ''
    FROM matches_match WHERE status = 'finished'
    """,
)


def fill() -> None:
    """Enough rows that reading a whole table costs more than its index, with statistics that say so."""
    with connection.cursor() as cursor:
        cursor.execute(_PLAYERS, [MANY])
        cursor.execute(_MATCHES)
        cursor.execute(_SEATS)
        for statement in TOLD:
            cursor.execute(statement)
        for table in ("player", "match", "seat", "webhook", "webhookevent", "delivery"):
            cursor.execute(f"ANALYZE matches_{table}")


QUERIES: list[tuple[str, dict[str, str]]] = [
    ("player", {}),
    ("player", {"q": "p77"}),
    ("player", {"q": "77"}),
    ("player", {"q": "a@mail.example"}),
    ("player", {"is_staff__exact": "1"}),
    ("player", {"is_guest__exact": "1"}),
    ("player", {"is_bot__exact": "1"}),
    ("player", {"is_active__exact": "0"}),
    ("match", {}),
    ("match", {"q": "01a22d8e-ae9f-71cf-b629-6abf24cb0769"}),
    ("match", {"q": "some-code"}),
    ("match", {"q": "p77"}),
    ("match", {"status__exact": "running"}),
    ("match", {"game": "snap"}),
    ("seat", {}),
    ("seat", {"q": "p77"}),
    ("seat", {"q": "01a22d8e-ae9f-71cf-b629-6abf24cb0769"}),
    ("webhook", {}),
    ("webhook", {"q": "p77"}),
    ("webhook", {"q": "77"}),
    ("webhook", {"state": "failing"}),
    ("webhook", {"state": "off"}),
    ("webhook", {"state": "staff"}),
    ("webhookevent", {}),
    ("webhookevent", {"q": "77"}),
    ("webhookevent", {"q": "p77"}),
    ("webhookevent", {"q": "01a22d8e-ae9f-71cf-b629-6abf24cb0769"}),
    ("webhookevent", {"state__exact": "failed"}),
    ("webhookevent", {"state__exact": "waiting"}),
    ("delivery", {}),
    ("delivery", {"q": "p77"}),
    ("delivery", {"q": "01a22d8e-ae9f-71cf-b629-6abf24cb0769"}),
    ("delivery", {"state__exact": "failed"}),
    ("delivery", {"state__exact": "waiting"}),
    ("delivery", {"channel": "mail", "state__exact": "failed"}),
]


def test_no_list_and_no_search_reads_a_whole_table(boss: Client) -> None:
    fill()
    wrong = [
        (table, query, node["Relation Name"])
        for table, query in QUERIES
        for plan in plans(boss, table, **query)
        for node in nodes(plan)
        if node["Node Type"] == "Seq Scan"
    ]
    assert wrong == []


def test_what_takes_too_long_is_given_up(boss: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*_: Any, **__: Any) -> None:
        raise OperationalError from QueryCanceled()

    with monkeypatch.context() as patch:
        patch.setattr("unfold.admin.ModelAdmin.changelist_view", slow)
        answer = boss.get("/admin/matches/match/", {"visibility__exact": "private"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/admin/matches/match/")
    assert "takes too long to find" in boss.get("/admin/matches/match/").text
