"""A forgotten password: a code by mail, good once, that no log ever shows."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from datetime import timedelta
from smtplib import SMTPRecipientsRefused, SMTPServerDisconnected
from typing import Any

import pytest
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core import mail
from django.utils import timezone

from matches.models import Player, RecoveryRequest
from matches.services import recovery
from tests.api.people import PASSWORD, Person, problem

pytestmark = pytest.mark.django_db

NEW = "another long password"


@pytest.fixture
def anna(anna: Person) -> Person:
    """Anna, who has an address."""
    anna.post("me/email", {"password": PASSWORD, "email": "Anna@example.org"})
    return anna


@pytest.fixture
def logged() -> Iterator[list[str]]:
    """Whatever is logged, at any level, as it would be written."""
    lines: list[str] = []

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(f"{record.getMessage()} {record.__dict__}")

    handler, root = Lines(0), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(0)
    yield lines
    root.removeHandler(handler)
    root.setLevel(level)


def code_for(nobody: Person, about: str) -> str:
    """The code that is mailed to whoever asks."""
    assert nobody.post("recovery", {"about": about}).status_code == 202
    recovery.recoveries_send()
    found = re.search(r"^\d+-\S+$", str(mail.outbox[-1].body), re.MULTILINE)
    assert found is not None
    return found[0]


@pytest.mark.parametrize("about", ["anna", "ANNA", "anna@example.org", " Anna@Example.org "])
def test_a_code_is_mailed_by_name_or_address(anna: Person, nobody: Person, about: str) -> None:
    code_for(nobody, about)
    assert [message.to for message in mail.outbox] == [["Anna@example.org"]]
    assert not RecoveryRequest.objects.exists()


def test_the_code_sets_another_password_once_and_logs_every_device_out(anna: Person, nobody: Person) -> None:
    phone = nobody.post("tokens", {"name": "anna", "password": PASSWORD}).json()
    code = code_for(nobody, "anna")
    assert nobody.post("recovery/finish", {"code": code, "password": NEW}).status_code == 204
    assert nobody.post("tokens", {"name": "anna", "password": NEW}).status_code == 200
    assert problem(nobody.post("tokens", {"name": "anna", "password": PASSWORD})) == (401, "bad_credentials")
    assert problem(nobody.post("tokens/refresh", {"refresh": phone["refresh"]})) == (401, "token_invalid")
    again = nobody.post("recovery/finish", {"code": code, "password": "a third long password"})
    assert problem(again) == (422, "code_invalid")
    assert nobody.post("tokens", {"name": "anna", "password": NEW}).status_code == 200


def test_a_weak_password_leaves_the_code_good(anna: Person, nobody: Person) -> None:
    code = code_for(nobody, "anna")
    weak = nobody.post("recovery/finish", {"code": code, "password": "password12"})
    assert problem(weak) == (422, "password_weak")
    assert nobody.post("recovery/finish", {"code": code, "password": NEW}).status_code == 204


@pytest.mark.parametrize("change", ["email", "everywhere", "password"])
def test_a_code_is_over_when_its_owner_acts(anna: Person, nobody: Person, change: str) -> None:
    code = code_for(nobody, "anna")
    if change == "email":
        anna.post("me/email", {"password": PASSWORD, "email": "other@example.org"})
    elif change == "everywhere":
        anna.post("tokens/revoke-all")
    else:
        anna.post("me/password", {"old": PASSWORD, "new": "a third long password"})
    assert problem(nobody.post("recovery/finish", {"code": code, "password": NEW})) == (422, "code_invalid")


def test_a_code_is_over_after_an_hour(anna: Person, nobody: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    code = code_for(nobody, "anna")
    later = PasswordResetTokenGenerator._now(recovery._codes) + timedelta(seconds=3601)
    monkeypatch.setattr(recovery._codes, "_now", lambda: later)
    assert problem(nobody.post("recovery/finish", {"code": code, "password": NEW})) == (422, "code_invalid")
    assert nobody.post("tokens", {"name": "anna", "password": PASSWORD}).status_code == 200


@pytest.mark.parametrize("code", ["", "x", "1", "1-", "-x", "9999999999999999999-x", "\u0661-x", "0-x"])
def test_a_code_that_never_was_is_refused(anna: Person, nobody: Person, code: str) -> None:
    assert problem(nobody.post("recovery/finish", {"code": code, "password": NEW})) == (422, "code_invalid")


def test_a_code_of_one_account_is_none_for_another(anna: Person, ben: Person, nobody: Person) -> None:
    token = code_for(nobody, "anna").partition("-")[2]
    answer = nobody.post("recovery/finish", {"code": f"{ben.id}-{token}", "password": NEW})
    assert problem(answer) == (422, "code_invalid")
    assert nobody.post("tokens", {"name": "ben", "password": PASSWORD}).status_code == 200


def test_nobody_learns_whether_there_is_such_an_account(anna: Person, ben: Person, nobody: Person) -> None:
    answers = [nobody.post("recovery", {"about": about}) for about in ("anna", "ben", "dora", "x@example.org")]
    assert {(answer.status_code, answer.content) for answer in answers} == {(202, b"")}
    assert recovery.recoveries_send() == 4
    assert [message.to for message in mail.outbox] == [["Anna@example.org"]]


def test_an_account_that_is_closed_is_mailed_nothing(anna: Person, nobody: Person) -> None:
    nobody.post("recovery", {"about": "anna@example.org"})
    anna.post("me/close", {"password": PASSWORD})
    recovery.recoveries_send()
    assert mail.outbox == []


def test_nobody_can_fill_somebody_elses_mailbox(anna: Person, nobody: Person) -> None:
    for _ in range(3):
        nobody.post("recovery", {"about": "anna"})
        recovery.recoveries_send()
    assert len(mail.outbox) == 1
    Player.objects.update(mailed_at=timezone.now() - recovery.PAUSE)
    code_for(nobody, "anna")
    assert len(mail.outbox) == 2


def test_a_link_has_the_code_where_no_server_sees_it(anna: Person, nobody: Person, settings: Any) -> None:
    settings.RECOVERY_URL = "https://play.example/recover"
    code = code_for(nobody, "anna")
    assert f"https://play.example/recover#code={code}\n" in str(mail.outbox[0].body)


def test_a_mail_server_that_is_down_is_asked_again(
    anna: Person, nobody: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(*_: Any) -> None:
        raise SMTPServerDisconnected("gone")

    nobody.post("recovery", {"about": "anna"})
    with monkeypatch.context() as patch:
        patch.setattr(recovery, "send_mail", down)
        assert recovery.recoveries_send() == 0
    assert RecoveryRequest.objects.count() == 1
    assert recovery.recoveries_send() == 1
    assert len(mail.outbox) == 1


def test_an_address_that_is_refused_holds_nobody_up(
    anna: Person, nobody: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: Any) -> None:
        raise SMTPRecipientsRefused({})

    nobody.post("recovery", {"about": "anna"})
    monkeypatch.setattr(recovery, "send_mail", refused)
    assert recovery.recoveries_send() == 1
    assert not RecoveryRequest.objects.exists()


def test_a_request_of_long_ago_is_dropped(anna: Person, nobody: Person) -> None:
    nobody.post("recovery", {"about": "anna"})
    RecoveryRequest.objects.update(asked_at=timezone.now() - timedelta(hours=2))
    assert recovery.recoveries_send() == 1
    assert mail.outbox == []


def test_no_secret_is_ever_logged(anna: Person, nobody: Person, logged: list[str]) -> None:
    code = code_for(nobody, "anna")
    nobody.post("recovery/finish", {"code": code + "x", "password": NEW})
    nobody.post("recovery/finish", {"code": code, "password": NEW})
    session = nobody.post("tokens", {"name": "anna", "password": NEW}).json()
    second = nobody.post("tokens/refresh", {"refresh": session["refresh"]}).json()
    nobody.post("tokens/refresh", {"refresh": session["refresh"]})
    Person("anna", second["access"]).get("nonsense")
    match = Person("anna", second["access"]).post("matches", {"game": "snap", "seats": 2, "visibility": "private"})
    secrets = [code, NEW, *(body[kind] for body in (session, second) for kind in ("access", "refresh"))]
    secrets += [match.json()["join_code"], "Anna@example.org"]
    assert any("recovery mailed" in line for line in logged)
    assert any("/api/v1/recovery/finish" in line for line in logged)
    assert [secret for secret in secrets if any(secret in line for line in logged)] == []
