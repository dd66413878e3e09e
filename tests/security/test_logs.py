"""No secret is in a log, nor among the dashboard's latest errors, whatever is done with it and however it fails."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from django.core import mail
from django.db import transaction
from django.test import Client
from django.utils import timezone

from config import figures
from config.logs import _rendering
from matches import selectors
from matches.models import Match, Player
from matches.services import players, recovery
from tests.api.people import PASSWORD, Person, begin_snap, make_moves

pytestmark = pytest.mark.django_db
NEW = "another long password"
WRONG = "not the right password"
TICKET = "a-ticket-that-nobody-has-used"
EMAIL = "anna@mail.example"
HASH = "argon2$of-somebodys-password"


@pytest.fixture(params=["json", "console"])
def written(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    """Whatever is logged, at any level, as it is written."""
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(**_rendering(request.param)))
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(0)
    figures.forget()
    yield out
    figures.forget()
    root.removeHandler(handler)
    root.setLevel(level)


def test_nothing_that_is_secret_is_written(
    written: io.StringIO, anna: Person, nobody: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets = {PASSWORD, NEW, WRONG, TICKET, EMAIL, HASH, anna.access}
    secrets |= accounts(anna, nobody)
    again = Person("anna", nobody.post("tokens", {"name": "anna", "password": NEW}).json()["access"])
    secrets |= {again.access} | matches(again, nobody) | webhooks(again)
    refused(nobody)
    with monkeypatch.context() as patch:
        faults(nobody, patch)
    text = written.getvalue() + str(figures.errors())
    assert [secret for secret in secrets if secret in text] == []
    # What is asked for here was logged, by its route.
    for line in ("Unauthorized: GET api/v1/me/stream", "Internal Server Error: POST api/v1/tokens", "deleted_is_not_"):
        assert line in text
    assert text.count("Traceback") >= 2
    assert len(secrets) > 15


def accounts(anna: Person, nobody: Person) -> set[str]:
    """Log in, renew, be robbed, recover; what was secret about it."""
    nobody.post("tokens", {"name": "anna", "password": WRONG})
    first = nobody.post("tokens", {"name": "anna", "password": PASSWORD}).json()
    second = nobody.post("tokens/refresh", {"refresh": first["refresh"]}).json()
    nobody.post("tokens/refresh", {"refresh": first["refresh"]})
    nobody.post("tokens/revoke", {"refresh": second["refresh"]})
    anna.post("me/email", {"password": WRONG, "email": EMAIL})
    assert anna.post("me/email", {"password": PASSWORD, "email": EMAIL}).status_code == 200
    nobody.post("recovery", {"about": EMAIL})
    recovery.recoveries_send()
    found = re.search(r"^\d+-\S+$", str(mail.outbox[-1].body), re.MULTILINE)
    assert found is not None
    nobody.post("recovery/finish", {"code": found[0] + "x", "password": NEW})
    assert nobody.post("recovery/finish", {"code": found[0], "password": NEW}).status_code == 204
    nobody.post("recovery/finish", {"code": found[0], "password": NEW})
    told = {body[kind] for body in (first, second) for kind in ("access", "refresh")}
    return told | {body["refresh"].partition(".")[2] for body in (first, second)} | {found[0]}


def matches(anna: Person, nobody: Person) -> set[str]:
    """A private match, from its code to a few moves; its code, its secret, and what lies hidden."""
    guest = nobody.post("guests").json()["session"]
    ben = Person("ben", guest["access"])
    made = anna.post("matches", {"game": "snap", "seats": 2, "visibility": "private"}).json()
    anna.post("codes", {"code": "WRONGWRONG"})
    ben.post("codes", {"code": made["join_code"]})
    match = begin_snap(anna, ben, game="three_up_three_down")
    make_moves(match, 3, anna, ben)
    late = {"serial": 1, "move": {"type": "nonsense", "card": "secret"}}
    assert anna.post(f"matches/{match}/moves", late).status_code >= 400
    row = Match.objects.get(pk=match)
    return {made["join_code"], bytes(row.secret).hex(), repr(bytes(row.secret)), guest["access"], guest["refresh"]}


def webhooks(anna: Person) -> set[str]:
    """Make one and change its secret; its secrets."""
    made = anna.post("me/webhooks", {"url": "https://bot.example/a-hook"}).json()
    changed = anna.post(f"me/webhooks/{made['webhook']['id']}/secret").json()
    anna.post("me/webhooks", {"url": "https://127.0.0.1/a-hook"})
    anna.post("me/tickets")
    return {made["secret"], changed["secret"]}


def refused(nobody: Person) -> None:
    """Secrets within addresses and headers, shown where they don't help."""
    nobody.get(f"me/stream?ticket={TICKET}")
    nobody.get(f"nowhere/{TICKET}?ticket={TICKET}")
    nobody.get("me", authorization=f"Bearer {TICKET}")
    nobody.put(f"me/stream?ticket={TICKET}")
    Client().get("/metrics", headers={"authorization": f"Bearer {TICKET}"})
    Client().post("/admin/login/", {"username": "anna", "password": WRONG})


def faults(nobody: Person, patch: pytest.MonkeyPatch) -> None:
    """Faults of ours, with secrets in variables and in rows."""

    def fail(*, name: str, password: str) -> None:
        raise RuntimeError("it is broken")

    def break_row(**_: Any) -> None:
        with transaction.atomic():
            Player.objects.create(name="x", name_key="x", password=HASH, email=EMAIL, deleted_at=timezone.now())

    patch.setattr(players, "player_authenticate", fail)
    assert nobody.post("tokens", {"name": "anna", "password": NEW}).status_code == 500
    patch.setattr(selectors, "game_get", break_row)
    assert nobody.get(f"games/snap?ticket={TICKET}").status_code == 500
