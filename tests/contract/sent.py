"""What is mailed and pushed to people, as plain as it is before a browser's key closes it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import pytest
from django.conf import settings
from django.core import mail
from pywebpush import WebPusher

from matches.models import Player, PushSubscription
from matches.services.deliveries import carry, outgoing, push, spread
from matches.services.deliveries.outgoing import Answer
from tests.api.people import Person

ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}")


class Pushed(NamedTuple):
    """A message on its way to a browser."""

    url: str
    headers: tuple[tuple[str, str], ...]
    body: bytes


_pushed: list[Pushed] = []


def listen(monkeypatch: pytest.MonkeyPatch, people: Sequence[Person]) -> None:
    """From now on everything is sent to these people at once, and kept."""
    forget()
    monkeypatch.setattr(settings, "MAIL_COLLECT_S", 0)
    monkeypatch.setattr(settings, "MAIL_PAUSE_S", 0)
    monkeypatch.setattr(settings, "PUBLIC_URL", "https://listik.example")
    encrypted = push._encrypted

    def plain(*arguments: Any) -> bytes:
        with monkeypatch.context() as patch:
            patch.setattr(WebPusher, "encode", lambda self, data: {"body": data})
            return encrypted(*arguments)

    def post(url: str, *, body: bytes, headers: Mapping[str, str]) -> Answer:
        kept = tuple((name, value) for name, value in headers.items() if name != "Authorization")
        _pushed.append(Pushed(url, kept, body))
        return Answer(201, None, "", "", 0)

    monkeypatch.setattr(push, "_encrypted", plain)
    monkeypatch.setattr(outgoing, "post", post)
    for person in people:
        address = f"{person.name}@mail.example"
        Player.objects.filter(name=person.name).update(email=address, confirmed_email=address)
        point = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        PushSubscription.objects.create(
            player=Player.objects.get(name=person.name),
            endpoint=f"https://push.example/{person.name}",
            p256dh=point,
            auth="BTBZMqHH6r4Tts7J_aSIgg",
        )


def forget() -> None:
    """Of another world nothing was sent."""
    mail.outbox.clear()
    _pushed.clear()


def sent_to(who: Person) -> list[tuple[str, tuple[tuple[str, str], ...], bytes]]:
    """All that this person was mailed and pushed so far. Ids are random, so they are left out."""
    spread.notices_spread()
    for channel in ("mail", "push"):
        carry.deliveries_send(channel=channel)
    mails = [message for message in mail.outbox if message.to == [f"{who.name}@mail.example"]]
    pushes = [one for one in _pushed if one.url == f"https://push.example/{who.name}"]
    return [
        *(
            (
                f"mail {message.subject}",
                tuple((name, ID.sub("-", str(value))) for name, value in message.extra_headers.items()),
                str(message.body).encode(),
            )
            for message in mails
        ),
        *(("push", one.headers, _without_id(one.body)) for one in pushes),
    ]


def _without_id(body: bytes) -> bytes:
    return msgspec.json.encode({**msgspec.json.decode(body), "id": "-"})
