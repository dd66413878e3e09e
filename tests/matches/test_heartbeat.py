"""Who can't play must not lose on time: heartbeats, and outages that are given back."""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from engine.core.referee import LAG
from matches.models import Heartbeat, Match, MoveRecord, Outage, Position, Seat
from matches.services import heartbeat, upkeep
from matches.services.moderation import match_halt, match_resume
from matches.timing import GAP_MS, millis, now_ms
from tests.matches.factories import (
    MOVE_S,
    PER_MOVE,
    begin_ago,
    causes,
    make_match,
    make_player,
    make_players,
    refusal,
    replayed,
    stored,
    table_of,
    take,
)

pytestmark = pytest.mark.django_db

MOVE_MS = MOVE_S * 1000
HOUR = 3_600_000


def silent_since(ago: int) -> int:
    """The last heartbeat was so many milliseconds ago; gives its time."""
    at = now_ms() - ago
    Heartbeat.objects.update_or_create(id=1, defaults={"beaten_at": at})
    return at


def beaten_at() -> int:
    return Heartbeat.objects.get().beaten_at


def entries(match: Match) -> list[tuple[str, int, str | None]]:
    """Cause, time and key of all entries but the opening."""
    rows = MoveRecord.objects.filter(match=match, number__gt=1).order_by("number")
    codec_table = [(row.cause, row.at, row.entry) for row in rows]
    return [(cause, at, "outage" if '"key":"outage"' in entry else None) for cause, at, entry in codec_table]


def test_the_first_heartbeat_is_no_outage() -> None:
    before = now_ms()
    heartbeat.beat()
    assert before - 50 <= beaten_at() <= now_ms() + 50
    assert not Outage.objects.exists()


def test_a_heartbeat_after_a_short_silence_is_one_statement(django_assert_num_queries: object) -> None:
    silent_since(GAP_MS - 1_000)
    with django_assert_num_queries(1):  # type: ignore[operator]
        heartbeat.beat()
    assert now_ms() - beaten_at() < 1_000
    assert not Outage.objects.exists()


def test_right_after_another_heartbeat_nothing_is_written() -> None:
    at = silent_since(50)
    heartbeat.beat()
    assert beaten_at() == at


def test_a_long_silence_is_an_outage_once() -> None:
    at = silent_since(3 * HOUR)
    heartbeat.beat()
    heartbeat.beat()
    outage = Outage.objects.get()
    assert outage.begins == at
    assert outage.ends == beaten_at()
    assert abs(outage.ends - now_ms()) < 1_000


def test_while_nobody_can_play_nothing_is_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    match = begin_ago(monkeypatch, MOVE_MS + 5_000, anna, ben, control=PER_MOVE)
    silent_since(6_000)
    before = stored(match)
    assert upkeep.settle_due() == 0
    assert upkeep.match_settle(match_id=match.pk) == 0
    assert stored(match) == before


def test_what_was_due_before_the_last_heartbeat_is_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    match = begin_ago(monkeypatch, MOVE_MS + 5_000, anna, ben, control=PER_MOVE)
    silent_since(4_000)
    assert upkeep.settle_due() == 1
    assert causes(match) == [("open", None), ("flag", 0)]


def test_what_waits_for_the_next_heartbeat_is_tried_again_soon(
    monkeypatch: pytest.MonkeyPatch,
    wakes: list[tuple[str, int]],
    django_capture_on_commit_callbacks: object,
) -> None:
    anna, ben = make_players(2)
    match = begin_ago(monkeypatch, MOVE_MS + 3_000, anna, ben, control=PER_MOVE)
    Heartbeat.objects.create(beaten_at=table_of(match).at + MOVE_MS - 1)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        assert upkeep.match_settle(match_id=match.pk) == 0
    assert wakes[-1] == (str(match.pk), 250)


def test_an_outage_is_given_back_before_anything_is_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    match = begin_ago(monkeypatch, 3 * HOUR + 10_000, anna, ben, control=PER_MOVE)
    begun = table_of(match).at
    begins = silent_since(3 * HOUR)
    heartbeat.beat()
    ends = Outage.objects.get().ends
    assert upkeep.settle_due() == 0
    assert entries(match) == [("stop", begins, "outage"), ("start", ends, "outage")]
    assert table_of(match) == replayed(match)
    position, seat = Position.objects.get(match=match), Seat.objects.get(match=match, number=0)
    assert position.due_at == begun + MOVE_MS + (ends - begins) + LAG
    assert seat.deadline is not None
    assert millis(seat.deadline) == begun + MOVE_MS + (ends - begins)
    assert upkeep.settle_due() == 0
    assert len(causes(match)) == 3


@pytest.mark.parametrize("is_worker_first", [True, False])
@pytest.mark.parametrize("alive_for", [-1, 0, 1, LAG - 1, LAG, LAG + 1])
def test_what_was_due_shortly_before_an_outage_is_the_same_whoever_comes_first(
    monkeypatch: pytest.MonkeyPatch, alive_for: int, *, is_worker_first: bool
) -> None:
    """A worker that sees the last heartbeat, or whoever notices the outage; the last heartbeat is so long after it."""
    anna, ben = make_players(2)
    match = begin_ago(monkeypatch, MOVE_MS + 30_000, anna, ben, control=PER_MOVE)
    due = table_of(match).at + MOVE_MS
    begins = due + alive_for
    Heartbeat.objects.create(beaten_at=begins)
    if is_worker_first:
        assert upkeep.settle_due() == (alive_for >= 0)
    heartbeat.beat()
    upkeep.settle_due()
    ends = Outage.objects.get().ends
    flags = [("flag", due, None)] if alive_for >= 0 else []
    assert entries(match) == [*flags, ("stop", begins, "outage"), ("start", ends, "outage")]
    assert table_of(match) == replayed(match)


def test_a_move_after_an_outage_gives_it_back_first(monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    match = begin_ago(monkeypatch, 3 * HOUR + 10_000, anna, ben, control=PER_MOVE)
    silent_since(3 * HOUR)
    heartbeat.beat()
    take(match, anna, 3)
    assert causes(match) == [("open", None), ("stop", None), ("start", None), ("move", 0)]
    assert table_of(match) == replayed(match)
    assert upkeep.settle_due() == 0


def test_a_refused_move_leaves_the_outage_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    match = begin_ago(monkeypatch, 3 * HOUR + 10_000, anna, ben, control=PER_MOVE)
    silent_since(3 * HOUR)
    heartbeat.beat()
    before = stored(match)
    assert refusal(lambda: take(match, anna, 9)).code == "illegal_move"
    assert stored(match) == before
    take(match, anna, 3)
    assert causes(match) == [("open", None), ("stop", None), ("start", None), ("move", 0)]


def test_until_the_outage_is_measured_a_request_is_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    match = begin_ago(monkeypatch, 3 * HOUR + 10_000, anna, ben, control=PER_MOVE)
    silent_since(3 * HOUR)
    before = stored(match)
    assert refusal(lambda: take(match, anna, 3)).code == "try_again"
    assert stored(match) == before
    heartbeat.beat()
    assert take(match, anna, 3).repeated is False


def test_a_match_that_began_after_the_outage_has_nothing_to_get(monkeypatch: pytest.MonkeyPatch) -> None:
    silent_since(3 * HOUR)
    heartbeat.beat()
    anna, ben = make_players(2)
    match = make_match(anna, ben, control=PER_MOVE)
    before = stored(match)
    assert upkeep.settle_due() == 0
    assert stored(match) == before


def test_two_outages_are_given_back_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    match = begin_ago(monkeypatch, 3 * HOUR, anna, ben, control=PER_MOVE)
    begun = table_of(match).at
    Outage.objects.create(begins=begun + 10_000, ends=begun + HOUR)
    Outage.objects.create(begins=begun + HOUR + 20_000, ends=begun + 2 * HOUR)
    assert upkeep.settle_due(now=begun + 2 * HOUR + 1_000) == 0
    assert [at - begun for _, at, _ in entries(match)] == [10_000, HOUR, HOUR + 20_000, 2 * HOUR]
    # 10 s before the first one and 20 s between them: half of the minute is left.
    assert Position.objects.get(match=match).due_at == begun + 2 * HOUR + 30_000 + LAG


def test_an_outage_in_which_nothing_was_due_is_given_back_too(monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    day = {"type": "per_move", "move_s": 86_400}
    match = begin_ago(monkeypatch, 2 * HOUR, anna, ben, control=day)
    silent_since(HOUR)
    heartbeat.beat()
    assert upkeep.settle_due() == 0
    assert [cause for cause, _ in causes(match)] == ["open", "stop", "start"]


def test_a_heartbeat_does_not_wait_for_the_disk() -> None:
    silent_since(1_000)
    heartbeat.beat()
    with connection.cursor() as cursor:
        cursor.execute("SHOW synchronous_commit")
        assert cursor.fetchone() == ("off",)


def test_a_moderator_stops_a_match_and_lets_it_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, control=PER_MOVE)
    staff = make_player()
    match_halt(match_id=match.pk, actor_id=staff.pk, reason="a quarrel")
    assert Position.objects.get(match=match).due_at is None
    assert refusal(lambda: take(match, anna, 1)).code == "match_paused"
    match_resume(match_id=match.pk, actor_id=staff.pk, reason="it is settled")
    take(match, anna, 1)
    assert causes(match) == [("open", None), ("stop", None), ("start", None), ("move", 0)]
    assert table_of(match) == replayed(match)


def test_a_process_whose_heartbeat_does_not_come_through_says_so_at_once(
    client: Client, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    monkeypatch.setattr(heartbeat._Pulse, "felt_at", time.monotonic() - heartbeat.LOST_S - 1)
    with django_assert_num_queries(0):
        answer = client.get("/api/v1/matches")
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert int(answer.headers["Retry-After"]) >= 1
    heartbeat.beat()
    assert client.get("/api/v1/matches").status_code == 200


def test_who_has_no_heartbeat_serves(client: Client) -> None:
    assert not heartbeat.is_lost()
    assert client.get("/api/v1/matches").status_code == 200
