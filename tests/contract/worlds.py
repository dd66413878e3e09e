"""Two matches that differ only in what one viewer may not know, told apart over HTTP if they can be.

Both are the same match: the same id, the same people, the same secret, the same times. In the second one the game deals
otherwise where the viewer can't see it, and the private words of the deal to others are left out. The same requests are
then made in each, one world after the other in a savepoint, and what the viewer got is compared to the byte.
"""

from __future__ import annotations

import re
import secrets
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from django.db import transaction
from django.utils import timezone

from engine import registry
from engine.core.rng import Rng, Seed
from engine.core.table import Table
from engine.core.viewing import view_entry, view_table
from matches import bridge
from matches.ids import uuid7
from matches.locking import Locked, lock_seat
from matches.models import Match, Position
from matches.selectors import history
from matches.services.deliveries import events
from tests.api.people import Answer, Person, begin_snap, headers_of
from tests.contract.document import API, operations
from tests.contract.sent import forget, sent_to
from tests.contract.watching import Push, watching

NOTICE_ID = re.compile(rb'"id":"[0-9a-f]{8}-[0-9a-f-]{27}"')
WITH_NOTICES = {"me/notices", "me/data"}
MATCH = UUID("0190f5fe-0000-7000-8000-00000000beef")
BEGUN = 1_790_000_000_000
STEP_MS = 5_000
EVENT_ID = re.compile(rb'"event":\{"id":"[0-9a-f-]{36}"')


class Clock:
    """The time that every part of the service is told."""

    def __init__(self) -> None:
        self.now = BEGUN

    def __call__(self) -> int:
        return self.now


def stop_time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """From now on the service's time is the clock's, ids and secrets are always the same."""
    clock = Clock()
    # Another test's match had the same id.
    history._milestone.cache_clear()

    def lock(**arguments: Any) -> Locked | None:
        found = lock_seat(**arguments)
        return None if found is None else found._replace(now=clock.now)

    stand_in: dict[str, Any] = {
        "lock_seat": lock,
        "received_at": lambda request: clock.now,
        "now_ms": clock,
        "uuid7": lambda: MATCH,
    }
    for name, module in list(sys.modules.items()):
        if name.startswith("matches."):
            for known in stand_in.keys() & vars(module).keys():
                monkeypatch.setattr(module, known, stand_in[known])
    monkeypatch.setattr(events, "uuid7", uuid7)
    monkeypatch.setattr(timezone, "now", lambda: datetime.fromtimestamp(clock.now / 1000, UTC))
    monkeypatch.setattr(secrets, "token_bytes", bytes)
    return clock


@contextmanager
def dealt_otherwise(key: str, viewer: int | None, number: int) -> Iterator[None]:
    """Inside the block the game deals otherwise whatever this viewer can't see."""
    usual = registry.find(key)

    def setup(self: Any, seats: int, options: Any, at: int, rng: Rng) -> Any:
        state, told = type(usual).setup(usual, seats, options, at, rng)
        state = usual.shuffle_hidden(state, viewer, Rng(Seed(number.to_bytes(32, "big"))))
        return state, tuple(event for event in told if event.reaches(viewer))

    other = type(f"Other{type(usual).__name__}", (type(usual),), {"setup": setup})()
    _replace(other)
    try:
        yield
    finally:
        _replace(usual)


def _replace(game: registry.AnyGame) -> None:
    registry._rulebooks()[game.key, game.ruleset] = game
    registry.games.cache_clear()
    bridge.codec_of.cache_clear()


@contextmanager
def world() -> Iterator[None]:
    """What happens inside the block is undone at its end."""
    before = transaction.savepoint()
    forget()
    try:
        yield
    finally:
        transaction.savepoint_rollback(before)
        history._milestone.cache_clear()


def begin(people: tuple[Person, ...], game: str, **fields: Any) -> str:
    """A running match of these people, created at the same moment in every world."""
    match = begin_snap(*people, game=game, **fields)
    Match.objects.filter(pk=match).update(created_at=timezone.now())
    return match


class Told(NamedTuple):
    """All of an answer that a client can see."""

    request: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @classmethod
    def by(cls, request: str, answer: Answer) -> Told:
        """Ids of events and notices are made by chance, and say nothing but the moment, which is said besides."""
        body = EVENT_ID.sub(b'"event":{"id":"by chance"', answer.content)
        if request in WITH_NOTICES:
            body = NOTICE_ID.sub(b'"id":"by chance"', body)
        return cls(request, answer.status_code, headers_of(answer), body)


def everything(who: Person, match: str, others: tuple[Person, ...], *, without: str = "") -> list[Told]:
    """What this person is mailed, pushed and sent by webhook, and gets from every GET, the whole past included.

    And from streams that begin now, and a long poll.
    """
    sent = [Told(how, 0, headers, body) for how, headers, body in sent_to(who)]
    horizon = who.get(f"matches/{match}/log").json()["horizon"]
    paths: list[str] = []
    for operation in operations():
        if operation.method == "GET" and (not without or without not in operation.path):
            paths += _filled(operation.path.removeprefix(API), match, horizon, others, _webhooks(who))
    paths += ["matches?status=running", "matches?status=lobby", "matches?status=finished"]
    return [*(Told.by(path, who.get(path)) for path in paths), *sent, *_streamed(who, match)]


def pushed(pushes: list[Push]) -> list[Told]:
    """What a stream service has sent, push by push."""
    return [
        Told(f"stream {path}", 200, tuple(sorted(sent)) if isinstance(sent, list) else (), sent)
        for path, sent in pushes
    ]


def _streamed(who: Person, match: str) -> list[Told]:
    with watching(match, who.access) as streams:
        return pushed(streams.told() + streams.log(who.access, 0))


def _webhooks(who: Person) -> list[int]:
    answer = who.get("me/webhooks")
    return [told["id"] for told in answer.json()] if answer.status_code == 200 else []


def _filled(template: str, match: str, horizon: int, others: tuple[Person, ...], webhooks: Sequence[int]) -> list[str]:
    if "{webhook_id}" in template:
        return [template.format(webhook_id=webhook) for webhook in webhooks]
    if "{number}" in template:
        return [template.format(match_id=match, number=number) for number in range(horizon + 2)]
    if "{player_id}" in template:
        return [template.format(player_id=other.get("me").json()["id"], key="snap") for other in others]
    return [template.format(match_id=match, key="snap", name=others[0].name)]


def table_of(match: str) -> tuple[registry.AnyGame, Table[Any, Any]]:
    """The game and the table as it is stored."""
    row = Match.objects.get(pk=match)
    snapshot = Position.objects.get(match=row).snapshot
    return registry.find(row.game, row.ruleset), bridge.codec_of(row.game, row.ruleset).table(snapshot)


def seen_after(match: str, viewer: int | None, seat: int, move: Any, now: int) -> Any:
    """What the viewer would see if this seat made this move now."""
    game, table = table_of(match)
    row = Match.objects.get(pk=match)
    decision = table.seats[seat].decision
    assert decision is not None
    referee = bridge.referee_for(
        game=row.game, ruleset=row.ruleset, match_id=row.pk, secret=bytes(row.secret), salts=[b"", b"", b""]
    )
    step = referee.submit(table, seat=seat, serial=decision.serial, move=move, received=now, now=now)
    entries = tuple(view_entry(entry, viewer, is_over=False) for entry in step.entries)
    return view_table(game, step.table, viewer), entries
