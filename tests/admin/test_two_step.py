"""The second step of the staff's log-in: set up once, asked for each time, and lost at worst until somebody helps."""

from __future__ import annotations

import re
import time
from base64 import b32decode
from typing import Any

import pytest
from django.test import Client
from django_otp.oath import totp
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from matches.models import AuditEntry, Player

pytestmark = pytest.mark.django_db
PASSWORD = "a long enough password"
STEP = "/admin/second-step/"


@pytest.fixture(autouse=True)
def demanded(settings: Any) -> None:
    settings.TWO_STEP = True
    settings.OTP_TOTP_THROTTLE_FACTOR = settings.OTP_STATIC_THROTTLE_FACTOR = 0


@pytest.fixture
def staff() -> Player:
    return Player.objects.create_superuser("of the staff", PASSWORD)


def logged_in() -> Client:
    client = Client()
    client.post("/admin/login/", {"username": "of the staff", "password": PASSWORD})
    return client


def set_up(client: Client) -> tuple[bytes, list[str]]:
    """The authenticator's key, and the codes for its loss."""
    page = client.get(STEP).text
    found = re.search(r'listik-key">([A-Z2-7=]+)<', page)
    assert found is not None
    key = b32decode(found[1])
    page = client.post(STEP, {"code": f"{totp(key):06}"}).text
    return key, re.findall(r"<li>([a-z2-7]{8})</li>", page)


def inside(client: Client) -> bool:
    return client.get("/admin/matches/match/").status_code == 200


def later(monkeypatch: pytest.MonkeyPatch, seconds: int) -> int:
    """It is so many seconds later for authenticators."""
    now = time.time() + seconds
    monkeypatch.setattr("django_otp.plugins.otp_totp.models.time.time", lambda: now)
    return seconds


def code(key: bytes, seconds: int = 0) -> dict[str, str]:
    return {"code": f"{totp(key, t0=-seconds):06}"}


def test_the_password_alone_leads_to_the_second_step_and_no_further(staff: Player) -> None:
    client = logged_in()
    assert client.get("/admin/matches/match/", follow=True).redirect_chain[-1][0].startswith(STEP)
    assert not inside(client)


def test_the_first_time_an_authenticator_is_set_up(staff: Player) -> None:
    client = logged_in()
    page = client.get(STEP).text
    assert 'src="data:image/svg+xml' in page
    _, codes = set_up(client)
    assert len(set(codes)) == 10
    assert inside(client)
    assert [entry.what for entry in AuditEntry.objects.all()] == ["second_step_set_up"]


def test_from_then_on_its_code_is_asked_for(staff: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    key, _ = set_up(logged_in())
    client = logged_in()
    assert "listik-key" not in client.get(STEP).text
    assert "doesn&#x27;t hold" in client.post(STEP, {"code": "000000"}).text
    assert not inside(client)
    seconds = later(monkeypatch, 60)
    answer = client.post(STEP, {**code(key, seconds), "next": "/admin/matches/seat/"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/admin/matches/seat/")
    assert inside(client)


def test_a_code_holds_once(staff: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    key, _ = set_up(logged_in())
    used = {"code": f"{totp(key):06}"}
    assert logged_in().post(STEP, used).status_code == 200
    seconds = later(monkeypatch, 60)
    assert logged_in().post(STEP, code(key, seconds)).status_code == 302
    assert logged_in().post(STEP, code(key, seconds)).status_code == 200


def test_a_recovery_code_holds_once_and_is_written_down(staff: Player) -> None:
    _, codes = set_up(logged_in())
    client = logged_in()
    assert client.post(STEP, {"code": f" {codes[0].upper()} "}).status_code == 302
    assert inside(client)
    assert logged_in().post(STEP, {"code": codes[0]}).status_code == 200
    assert StaticToken.objects.count() == 9
    assert AuditEntry.objects.latest("pk").what == "recovery_code_used"


def test_after_wrong_codes_even_a_right_one_has_to_wait(
    staff: Player, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, _ = set_up(logged_in())
    settings.OTP_TOTP_THROTTLE_FACTOR = 1000
    client = logged_in()
    client.post(STEP, {"code": "000000"})
    seconds = later(monkeypatch, 60)
    assert client.post(STEP, code(key, seconds)).status_code == 200
    assert not inside(client)


def test_codes_are_tried_no_more_often_than_passwords(staff: Player, settings: Any) -> None:
    set_up(logged_in())
    client = logged_in()
    settings.THROTTLES = {"login": (1, 3600)}
    client.post(STEP, {"code": "000000"})
    assert "Too many tries" in client.post(STEP, {"code": "000001"}).text


def test_a_key_that_was_seen_before_and_not_confirmed_is_worth_nothing(staff: Player) -> None:
    seen = re.search(r'listik-key">([A-Z2-7=]+)<', logged_in().get(STEP).text)
    assert seen is not None
    owner = logged_in()
    owner.get(STEP)
    assert logged_in().post(STEP, {"code": f"{totp(b32decode(seen[1])):06}"}).status_code == 200
    assert not TOTPDevice.objects.filter(confirmed=True).exists()


def test_a_lost_authenticator_is_reset_by_a_superuser_and_sessions_end(staff: Player) -> None:
    client = logged_in()
    set_up(client)
    boss = Player.objects.create_superuser("boss", PASSWORD)
    with_step = Client()
    with_step.post("/admin/login/", {"username": "boss", "password": PASSWORD})
    set_up(with_step)
    page = f"/admin/matches/staff/{staff.pk}/do/reset-device/"
    assert with_step.post(page, {"reason": "lost on a train"}).status_code == 302
    assert not inside(client)
    assert "listik-key" in logged_in().get(STEP).text
    entry = AuditEntry.objects.get(what="second_step_reset")
    assert (entry.actor_id, entry.target_id, entry.reason) == (boss.pk, str(staff.pk), "lost on a train")


@pytest.mark.parametrize("given", ["https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)"])
def test_nobody_is_led_elsewhere_afterwards(staff: Player, given: str) -> None:
    _, codes = set_up(logged_in())
    assert logged_in().post(STEP, {"code": codes[0], "next": given}).headers["Location"] == "/admin/"


def test_the_step_is_for_the_staff_alone(client: Client) -> None:
    assert client.get(STEP).headers["Location"] == "/admin/login/"
    client.force_login(Player.objects.create_player("a player"))
    assert client.get(STEP).headers["Location"] == "/admin/login/"
    assert not TOTPDevice.objects.exists()


def test_where_it_isnt_demanded_the_password_is_enough(staff: Player, settings: Any) -> None:
    settings.TWO_STEP = False
    client = logged_in()
    assert inside(client)
    assert client.get(STEP).headers["Location"] == "/admin/"
