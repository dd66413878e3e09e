"""The outbox: what a seat is told comes with the entry that gives rise to it, and goes with the one that ends it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine.core.table import OfferKind
from matches.locking import lock_position
from matches.models import PASSING, Match, Notice
from matches.selectors import notices_of
from matches.services import play
from matches.services.moderation import match_halt, match_resume
from tests.matches.factories import MOVE_S, PER_MOVE, make_match, make_player, make_players, refusal, table_of, take

pytestmark = pytest.mark.django_db

MOVE_MS = MOVE_S * 1000


def told(match: Match, *kinds: str) -> list[tuple[int | None, str, int, int | None]]:
    """Seat, kind, serial, and since when, in milliseconds after the last entry: of these kinds, else of what passes."""
    at = table_of(match).at
    rows = Notice.objects.filter(match=match, kind__in=kinds or PASSING).order_by("seat", "kind")
    return [(row.seat, row.kind, row.serial, None if row.not_before is None else row.not_before - at) for row in rows]


def offer(match: Match, player: Any, kind: OfferKind, pause_s: int | None = None) -> Any:
    return play.match_offer(
        match_id=match.pk,
        player_id=player.pk,
        epoch=0,
        kind=kind,
        pause_s=pause_s,
        open_s=3_600,
        received=table_of(match).at,
    )


def answer(match: Match, player: Any, number: int, *, agrees: bool) -> Any:
    received = table_of(match).at
    return play.match_answer(
        match_id=match.pk, player_id=player.pk, epoch=0, number=number, agrees=agrees, received=received
    )


def test_who_is_to_move_is_told_so_and_warned_when_a_fifth_of_the_time_is_left() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, control=PER_MOVE)
    assert told(match) == [(0, "turn", 1, 0), (0, "warning", 1, 48_000)]


def test_with_the_move_the_notices_go_to_the_next() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, control=PER_MOVE)
    take(match, anna, 1)
    assert told(match) == [(1, "turn", 1, 0), (1, "warning", 1, 48_000)]


def test_without_a_clock_there_is_nothing_to_warn_of() -> None:
    anna, ben = make_players(2)
    assert told(make_match(anna, ben)) == [(0, "turn", 1, 0)]


def test_a_bank_warns_when_a_fifth_of_it_is_left() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, control={"type": "fischer", "bank_s": 100, "increment_s": 5})
    assert told(match)[1] == (0, "warning", 1, 80_000)


def test_a_refused_move_tells_nobody_anything() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, control=PER_MOVE)
    before = told(match)
    refusal(lambda: take(match, anna, 9))
    assert told(match) == before


def test_while_the_clock_stands_there_is_no_warning_and_then_at_its_new_time() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, control=PER_MOVE)
    begun = table_of(match).at
    staff = make_player()
    match_halt(match_id=match.pk, actor_id=staff.pk, reason="a quarrel")
    assert [row.not_before for row in Notice.objects.filter(match=match, kind="warning")] == [None]
    match_resume(match_id=match.pk, actor_id=staff.pk, reason="it is settled")
    table = table_of(match)
    assert Notice.objects.get(match=match, kind="warning").not_before == begun + 48_000 + table.lost


def test_who_was_warned_is_not_warned_again_in_the_same_turn() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, control=PER_MOVE)
    begun = table_of(match).at
    for at, what in ((50_000, "stop"), (90_000, "start")):
        locked = lock_position(match_id=match.pk, now=begun + at)
        assert locked is not None
        write(locked, what, begun + at)
    assert Notice.objects.get(match=match, kind="warning").not_before == begun + 48_000


def write(locked: Any, what: str, at: int) -> None:
    """The match stands, or goes on."""
    referee, table = locked.referee(), locked.table()
    ask = referee.stop if what == "stop" else referee.start
    from matches.locking import write_position  # noqa: PLC0415

    write_position(locked, referee, table, ask(table, "pause", received=at, now=at))


def test_all_others_are_told_of_an_offer_until_they_answer() -> None:
    anna, ben, chris = make_players(3)
    match = make_match(anna, ben, chris)
    offer(match, ben, OfferKind.ABORT)
    asked = [(seat, number) for seat, kind, number, _ in told(match) if kind == "offer"]
    assert asked == [(0, 1), (2, 1)]
    answer(match, anna, 1, agrees=True)
    assert [seat for seat, kind, *_ in told(match) if kind == "offer"] == [2]
    answer(match, chris, 1, agrees=False)
    assert [kind for _, kind, *_ in told(match)] == ["turn"]


def test_with_the_end_of_a_match_all_its_notices_are_gone() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, control=PER_MOVE)
    offer(match, anna, OfferKind.ABORT)
    answer(match, ben, 1, agrees=True)
    match.refresh_from_db()
    assert match.status == "abandoned"
    assert told(match) == []


def test_a_player_reads_what_is_to_be_told_now_in_all_matches() -> None:
    anna, ben = make_players(2)
    first, second = make_match(anna, ben, control=PER_MOVE), make_match(anna, ben)
    offer(second, ben, OfferKind.ABORT)
    begun = table_of(first).at
    found, _ = notices_of(player_id=anna.pk, limit=10)
    found = [one for one in found if one.kind != "started"]
    assert {(one.match_id, one.kind) for one in found[:2]} == {(second.pk, "offer"), (second.pk, "turn")}
    assert [(one.match_id, one.kind) for one in found[2:]] == [(first.pk, "turn")]
    assert found[-1].deadline == begun + MOVE_MS
    assert {one.kind for one in notices_of(player_id=ben.pk, limit=10)[0]} == {"started"}
    assert len(notices_of(player_id=anna.pk, limit=1)[0]) == 1


def test_a_warning_is_read_once_its_time_has_come() -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, control=PER_MOVE)
    Notice.objects.filter(kind="warning").update(not_before=table_of(match).at)
    found, _ = notices_of(player_id=anna.pk, limit=10)
    assert sorted(one.kind for one in found) == ["started", "turn", "warning"]


def test_the_write_of_a_move_finds_the_notices_of_its_match_among_thousands() -> None:
    people = make_players(120)
    matches = [make_match(*people[at : at + 2], control=PER_MOVE) for at in range(0, 120, 2)]
    Notice.objects.bulk_create(
        Notice(match=match, player=player, seat=seat, kind="warning", occasion=f"once {number}", serial=1)
        for at, match in enumerate(matches)
        for seat, player in enumerate(people[2 * at : 2 * at + 2])
        for number in range(40)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE matches_match, matches_seat, matches_position, matches_notice")
        with CaptureQueriesContext(connection) as queries:
            take(matches[0], people[0], 1)
        write = next(query["sql"] for query in queries if "INSERT INTO matches_moverecord" in query["sql"])
        cursor.execute(f"EXPLAIN {write}")
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "Index Cond: (match_id" in plan.split("Delete on matches_notice")[1].split("CTE told")[0]
    assert "Seq Scan on matches_notice" not in plan
