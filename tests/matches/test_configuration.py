"""Checks of the configuration, the service's clock, the demo accounts and the admin."""

from __future__ import annotations

import io
import time
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from matches import bridge, checks, timing
from matches.models import Player
from matches.services.players import player_authenticate
from tests.matches.factories import make_match, make_players, stored

POSTGRESQL = {"ENGINE": "django.db.backends.postgresql"}


@pytest.mark.parametrize(
    ("database", "found"),
    [
        (POSTGRESQL, []),
        ({"ENGINE": "django.db.backends.sqlite3"}, ["matches.E001"]),
        ({**POSTGRESQL, "ATOMIC_REQUESTS": True}, ["matches.E002"]),
        ({**POSTGRESQL, "OPTIONS": {"isolation_level": 3}}, ["matches.E003"]),
    ],
)
def test_a_database_that_breaks_promises_is_found(
    monkeypatch: pytest.MonkeyPatch, database: dict[str, Any], found: list[str]
) -> None:
    monkeypatch.setattr(checks, "settings", SimpleNamespace(DATABASES={"default": database}))
    assert [message.id for message in checks.database_keeps_promises(None)] == found


def test_a_service_without_games_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert checks.games_are_found(None) == []
    monkeypatch.setattr(bridge, "games", lambda: MappingProxyType({}))
    assert [message.id for message in checks.games_are_found(None)] == ["matches.E004"]


@pytest.mark.django_db
def test_the_time_is_that_of_the_database() -> None:
    timing.measure_again()
    with connection.cursor() as cursor:
        cursor.execute("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint")
        (before,) = cursor.fetchone()
        now = timing.now_ms()
        cursor.execute("SELECT ceil(extract(epoch FROM clock_timestamp()) * 1000)::bigint")
        (after,) = cursor.fetchone()
    slack = timing.uncertainty_ms() + 1
    assert before - slack <= now <= after + slack


@pytest.mark.django_db
def test_the_database_is_asked_for_the_time_only_when_that_is_old(monkeypatch: pytest.MonkeyPatch) -> None:
    timing.measure_again()
    timing.now_ms()
    with CaptureQueriesContext(connection) as queries:
        timing.now_ms()
    assert len(queries) == 0
    later = time.monotonic_ns() + int(timing.FRESH_S * 1e9)
    monkeypatch.setattr(time, "monotonic_ns", lambda: later)
    with CaptureQueriesContext(connection) as queries:
        timing.now_ms()
    assert len(queries) == timing.SAMPLES
    timing.measure_again()


def test_moments_are_exact_to_the_millisecond() -> None:
    for ms in (0, 1, 1_764_500_000_001, 1_999_999_999_999):
        assert timing.millis(timing.moment(ms)) == ms
    assert timing.moment(1_764_500_000_001).isoformat() == "2025-11-30T10:53:20.001000+00:00"


def seed_demo() -> str:
    out = io.StringIO()
    call_command("seed_demo", stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_demo_accounts_have_the_password_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for password in ("first password", "second password"):
        monkeypatch.setenv("LISTIK_DEMO_PASSWORD", password)
        assert password in seed_demo()
        for name in ("demo-1", "demo-2", "demo-3", "demo-admin"):
            assert player_authenticate(name=name, password=password).name == name
    assert list(Player.objects.filter(is_staff=True).values_list("name", flat=True)) == ["demo-admin"]
    assert Player.objects.count() == 4


@pytest.mark.django_db
def test_a_demo_password_of_chance_stays_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("LISTIK_DEMO_PASSWORD", raising=False)
    monkeypatch.setenv("LISTIK_DATA", str(tmp_path))
    assert seed_demo() == seed_demo()
    (kept,) = tmp_path.iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert player_authenticate(name="demo-2", password=kept.read_text()).name == "demo-2"


def test_demo_accounts_need_a_place_for_their_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LISTIK_DEMO_PASSWORD", raising=False)
    monkeypatch.delenv("LISTIK_DATA", raising=False)
    with pytest.raises(CommandError, match="LISTIK_DEMO_PASSWORD"):
        seed_demo()


@pytest.mark.django_db
def test_the_admin_shows_matches_without_their_secrets_and_changes_nothing(client: Client) -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, visibility="private")
    before = stored(match)
    client.force_login(Player.objects.create_superuser("root", "a long password"))
    pages = [
        reverse("admin:matches_match_changelist"),
        reverse("admin:matches_match_change", args=[match.pk]),
        reverse("admin:matches_player_changelist"),
        reverse("admin:matches_player_change", args=[anna.pk]),
        reverse("admin:matches_seat_changelist"),
        reverse("admin:matches_seat_change", args=[match.seats.all()[0].pk]),
    ]
    for page in pages:
        response = client.get(page)
        assert response.status_code == 200
        assert bytes(match.secret).hex() not in response.text
        assert match.join_code not in response.text
    for name, row in (("match", match), ("player", anna), ("seat", match.seats.all()[0])):
        assert client.get(reverse(f"admin:matches_{name}_add")).status_code == 403
        for way in ("change", "delete"):
            assert (
                client.post(reverse(f"admin:matches_{name}_{way}", args=[row.pk]), {"post": "yes"}).status_code == 403
            )
    assert stored(match) == before
