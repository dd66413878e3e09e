"""ALL-2 over HTTP: no answer, body or header, depends on what its reader may not know."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack, nullcontext
from random import Random
from typing import Any

import msgspec
import pytest
from django.db import connection

from engine import registry
from engine.core.rng import Rng, Seed
from matches import bridge
from matches.models import Match, MoveRecord, Position
from matches.services import wake
from matches.services.deliveries import push
from tests.api.people import Answer, Person, person
from tests.contract.sent import listen, sent_to
from tests.contract.watching import Watching, watching
from tests.contract.worlds import (
    STEP_MS,
    Clock,
    Told,
    begin,
    dealt_otherwise,
    everything,
    pushed,
    seen_after,
    stop_time,
    table_of,
    world,
)

pytestmark = pytest.mark.django_db
GAMES = tuple(registry.games())
SEATS = 3
STEPS = 4
GO_ON = {"gnoming_a_round", "splendor", "three_up_three_down"}
"""Games in which a move can be made that shows nothing of what is hidden; in the others the first card turned does."""
VIEWERS = pytest.mark.parametrize("viewer", [0, None], ids=["seat", "spectator"])


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Time stands until a test moves it on."""
    monkeypatch.setattr(wake, "settle_later", lambda **_: None)
    return stop_time(monkeypatch)


@pytest.fixture
def people(db: None, monkeypatch: pytest.MonkeyPatch) -> tuple[Person, ...]:
    """Three at the table, who are mailed and pushed to, each with a webhook."""
    seated = tuple(person(name) for name in ("anna", "ben", "cleo"))
    for who in seated:
        assert who.post("me/webhooks", {"url": "https://bot.example/"}).status_code == 201
    listen(monkeypatch, seated)
    return seated


def reader(people: tuple[Person, ...], viewer: int | None) -> Person:
    return Person("nobody") if viewer is None else people[viewer]


def same(first: list[Told], second: list[Told]) -> None:
    """Equal to the byte, or the first difference."""
    assert [told.request for told in first] == [told.request for told in second]
    for one, other in zip(first, second, strict=True):
        assert one == other
    assert len(first) > 20


@VIEWERS
@pytest.mark.parametrize("key", GAMES)
def test_another_deal_behind_the_cards_is_told_by_nothing(
    key: str, viewer: int | None, people: tuple[Person, ...], clock: Clock
) -> None:
    """As long as both worlds can go on alike for the viewer, whatever the others hold and choose."""
    who, began = reader(people, viewer), clock.now
    with world():
        match = begin(people, key)
        truth = table_of(match)[1].state
        with watching(match, who.access) as streams:
            script, first = _lead(match, people, viewer, clock, streams)
    clock.now = began
    with dealt_otherwise(key, viewer, 7), world():
        assert begin(people, key) == match
        assert table_of(match)[1].state != truth
        with watching(match, who.access) as streams:
            second = [everything(who, match, people) + pushed(streams.told())]
            for seat, seen in script:
                clock.now += STEP_MS
                move = _move_that_shows(match, viewer, seat, seen, clock.now)
                if move is None:
                    break
                second.append(_moved(match, people, seat, move, viewer) + pushed(streams.told()))
    assert len(second) > 1 or key not in GO_ON
    for one, other in zip(first, second, strict=False):
        same(one, other)


def _lead(
    match: str, people: tuple[Person, ...], viewer: int | None, clock: Clock, streams: Watching
) -> tuple[list[tuple[int, Any]], list[list[Told]]]:
    """Play some moves in the first world: who moved and what the viewer then saw, and all that the viewer got."""
    who = reader(people, viewer)
    script: list[tuple[int, Any]] = []
    told = [everything(who, match, people) + pushed(streams.told())]
    for _ in range(STEPS):
        game, table = table_of(match)
        clock.now += STEP_MS
        seat = next((seat for seat, at in enumerate(table.seats) if at.clock.awaited), None)
        if seat is None:
            break
        move = game.legal_moves(table.state, seat)[-1]
        script.append((seat, seen_after(match, viewer, seat, move, clock.now)))
        told.append(_moved(match, people, seat, move, viewer) + pushed(streams.told()))
    return script, told


def _moved(match: str, people: tuple[Person, ...], seat: int, move: Any, viewer: int | None) -> list[Told]:
    """Make the move; what the viewer then gets, with the answer to the move if it was the viewer's own."""
    answer = _move(match, people[seat], move)
    own = [Told.by("POST moves", answer)] if seat == viewer else []
    return own + everything(reader(people, viewer), match, people)


def _move(match: str, who: Person, move: Any) -> Answer:
    asked = who.get(f"matches/{match}/legal-moves").json()
    answer = who.post(f"matches/{match}/moves", raw=msgspec.json.encode({"serial": asked["serial"], "move": move}))
    assert answer.status_code == 200, answer.content
    return answer


def _move_that_shows(match: str, viewer: int | None, seat: int, seen: Any, now: int) -> Any:
    """A move of this seat after which the viewer sees the same as in the other world; None if there is none."""
    game, table = table_of(match)
    if table.seats[seat].decision is None:
        return None
    fitting: Callable[[Any], bool] = lambda move: seen_after(match, viewer, seat, move, now) == seen  # noqa: E731
    return next(filter(fitting, game.legal_moves(table.state, seat)), None)


@VIEWERS
@pytest.mark.parametrize("key", GAMES)
def test_other_secrets_in_the_middle_of_a_match_are_told_by_nothing(
    key: str, viewer: int | None, people: tuple[Person, ...], clock: Clock
) -> None:
    """The past is played again from the true deal, so it is left out here; the test above has it."""
    who, chance = reader(people, viewer), Random(key)
    match = begin(people, key)
    for _ in range(15):
        game, table = table_of(match)
        seat = next((seat for seat, at in enumerate(table.seats) if at.clock.awaited), None)
        if seat is None:
            break
        clock.now += STEP_MS
        _move(match, people[seat], chance.choice(game.legal_moves(table.state, seat)))
    before = everything(who, match, people, without="history")
    _hide_otherwise(match, viewer)
    same(before, everything(who, match, people, without="history"))


def _hide_otherwise(match: str, viewer: int | None) -> None:
    """Store what the viewer may not know otherwise: cards, private words, moves of others, the secret, the salts."""
    game, table = table_of(match)
    other = msgspec.structs.replace(table, state=game.shuffle_hidden(table.state, viewer, Rng(Seed(bytes(range(32))))))
    assert other.state != table.state
    Position.objects.filter(match_id=match).update(
        snapshot=bridge.dump(other), due_at=1, fails=3, last_error="a secret"
    )
    Match.objects.filter(pk=match).update(secret=b"s" * 32)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE matches_moverecord DISABLE TRIGGER USER")
        for record in MoveRecord.objects.filter(match_id=match):
            entry = json.loads(record.entry)
            entry["received"] += 1
            entry["events"] = [told for told in entry["events"] if "to" not in told or viewer in told["to"]]
            if entry.get("seat") != viewer:
                entry.pop("move", None)
            MoveRecord.objects.filter(pk=record.pk).update(entry=json.dumps(entry), received=record.received + 1)
        cursor.execute("ALTER TABLE matches_moverecord ENABLE TRIGGER USER")


def test_a_leak_would_be_found(people: tuple[Person, ...], clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same comparison, with a view that tells what lies on top of the draw pile."""
    match = begin(people, "three_up_three_down")
    game, _ = table_of(match)
    monkeypatch.setattr(type(game), "view", lambda self, state, viewer: state)
    before = everything(people[0], match, people, without="history")
    _hide_otherwise(match, 0)
    with pytest.raises(AssertionError):
        same(before, everything(people[0], match, people, without="history"))


def test_a_look_in_a_sealed_race_pushes_nothing_to_the_others(people: tuple[Person, ...], clock: Clock) -> None:
    """No byte, no push, no number: until the race is over, only the seat's own stream tells of what it did."""
    match = begin(people, "snap", options={"race": {"mode": "reaction"}})
    while (race := _race(match)) is None:
        clock.now += STEP_MS
        game, table = table_of(match)
        seat = next(seat for seat, at in enumerate(table.seats) if at.clock.awaited)
        _move(match, people[seat], game.legal_moves(table.state, seat)[0])
    seat, look = race
    others = [who for number, who in enumerate(people) if number != seat]
    with ExitStack() as stack:
        own, *rest = (stack.enter_context(watching(match, who.access)) for who in (people[seat], *others, Person("")))
        for streams in (own, *rest):
            assert streams.told()
        horizon = others[0].get(f"matches/{match}/log").json()["horizon"]
        clock.now += STEP_MS
        _move(match, people[seat], look)
        assert [streams.told() for streams in rest] == [[], [], []]
        sent = [push for path, push in own.told() if path.endswith(f"{match}/stream")]
        assert sent == [b'event: table\ndata: {"horizon":%d}\n\n' % horizon]


def _race(match: str) -> tuple[int, Any] | None:
    """A seat that can look, and its look; None where no race is open."""
    game, table = table_of(match)
    for seat, at in enumerate(table.seats):
        if at.decision is not None:
            for move in game.legal_moves(table.state, seat):
                if type(move).__name__ == "Look":
                    return seat, move
    return None


def test_a_leak_by_mail_or_push_would_be_found(
    people: tuple[Person, ...], clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same comparison, with a push that tells something of the deal."""
    usual = push._headers

    def headers(one: Any) -> dict[str, str]:
        return {**usual(one), "Cards": str(table_of(str(one.match_id))[1].state)}

    monkeypatch.setattr(push, "_headers", headers)
    told = []
    for number in (None, 7):
        deal = nullcontext() if number is None else dealt_otherwise("three_up_three_down", 0, number)
        with deal, world():
            begin(people, "three_up_three_down")
            told.append(sent_to(people[0]))
    assert {how for how, *_ in told[0]} > {"push"}
    assert told[0] != told[1]
