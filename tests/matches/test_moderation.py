"""What operators do to a match: by an entry of its log and a line of the audit log, both or neither."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction

from engine.core.table import EndedAs, Grant
from matches import selectors
from matches.models import AuditEntry, Match, MoveRecord, Player, Position, Seat, Status
from matches.services import moderation, play, upkeep
from matches.services.moderation import (
    bot_seat,
    match_grant,
    match_halt,
    match_resume,
    match_settle_now,
    match_void,
    result_void,
    seat_remove,
    secrets_open,
)
from matches.timing import millis, now_ms
from tests.matches.factories import (
    PER_MOVE,
    at_once,
    begin_ago,
    causes,
    elsewhere,
    held,
    make_lobby,
    make_match,
    make_players,
    refusal,
    replayed,
    stored,
    table_of,
    take,
)

pytestmark = pytest.mark.django_db(transaction=True)

FISCHER = {"type": "fischer", "bank_s": 600, "increment_s": 5}


@pytest.fixture
def staff() -> Player:
    return Player.objects.create_superuser("of the staff")


def by(staff: Player, match: Match, **more: Any) -> dict[str, Any]:
    return {"match_id": match.pk, "actor_id": staff.pk, "reason": "they asked for it", **more}


def written() -> list[tuple[str, str]]:
    return list(AuditEntry.objects.order_by("pk").values_list("what", "reason"))


def test_time_given_moves_the_deadline_and_is_written_down(staff: Player) -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, control=PER_MOVE)
    seat = Seat.objects.get(match=match, number=0)
    assert seat.deadline is not None
    before, due = millis(seat.deadline), Position.objects.get(match=match).due_at
    match_grant(**by(staff, match, seat=0, ms=30_000))
    seat.refresh_from_db()
    assert (millis(seat.deadline), Position.objects.get(match=match).due_at) == (before + 30_000, (due or 0) + 30_000)
    entry = AuditEntry.objects.get()
    assert (entry.what, entry.target_kind, entry.target_id, entry.actor_id) == (
        "time_given",
        "match",
        str(match.pk),
        staff.pk,
    )
    assert entry.data == {"entry": 2, "seat": 0, "ms": 30_000, "forgives": False}
    assert replayed(match) == table_of(match)


def test_a_pause_stands_until_somebody_lets_go_on(staff: Player) -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, control=FISCHER)
    match_halt(**by(staff, match))
    assert refusal(take, match=match, player=anna, number=1).code == "match_paused"
    assert refusal(match_halt, **by(staff, match)).code == "match_paused"
    match_resume(**by(staff, match))
    assert refusal(match_resume, **by(staff, match)).code == "not_paused"
    take(match, anna, 1)
    assert [what for what, _ in written()] == ["match_paused", "match_resumed"]
    assert replayed(match) == table_of(match)


def test_a_strike_is_taken_back(staff: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    match = begin_ago(monkeypatch, 70_000, anna, ben, control=PER_MOVE)
    upkeep.match_settle(match_id=match.pk)
    assert [at.strikes for at in table_of(match).seats] == [1, 0]
    match_grant(**by(staff, match, seat=0, forgives=True, what="timeout_void"))
    assert [at.strikes for at in table_of(match).seats] == [0, 0]
    assert written() == [("timeout_void", "they asked for it")]
    assert replayed(match) == table_of(match)


def test_a_player_is_removed_by_the_rule_for_leavers(staff: Player) -> None:
    anna, ben, carl = make_players(3)
    match = make_match(anna, ben, carl)
    seat_remove(**by(staff, match, seat=1))
    assert table_of(match).seats[1].has_left
    assert refusal(seat_remove, **by(staff, match, seat=1)).code == "seat_left"
    assert refusal(seat_remove, **by(staff, match, seat=7)).code == "not_found"
    assert written() == [("player_removed", "they asked for it")]


def test_a_result_is_taken_back_and_the_log_goes_on_holding(staff: Player) -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    take(match, anna, 1)
    take(match, ben, 1)
    play.match_resign(match_id=match.pk, player_id=ben.pk, epoch=0, received=now_ms())
    match.refresh_from_db()
    assert match.status == Status.FINISHED
    assert refusal(match_void, **by(staff, match)).code == "match_over"
    result_void(**by(staff, match))
    match.refresh_from_db()
    assert (match.status, match.outcome) == (Status.VOID, None)
    assert list(Seat.objects.filter(match=match).values_list("place", "score")) == [(None, None)] * 2
    assert causes(match)[-1] == ("void", None)
    assert replayed(match) == table_of(match)
    assert selectors.match_verify(match_id=match.pk).fault is None
    assert refusal(result_void, **by(staff, match)).code == "match_over"
    assert written() == [("result_void", "they asked for it")]
    ending = table_of(match).ending
    assert ending is not None
    assert ending.status is EndedAs.VOID


def test_a_match_that_runs_has_no_result_to_take_back(staff: Player) -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    assert refusal(result_void, **by(staff, match)).code == "match_not_over"


@pytest.mark.parametrize(
    ("deed", "more"),
    [
        (match_grant, {"seat": 0, "ms": 1000}),
        (match_grant, {"seat": 0, "forgives": True}),
        (match_resume, {}),
        (seat_remove, {"seat": 5}),
        (result_void, {}),
    ],
)
def test_what_is_refused_changes_nothing_and_is_not_written_down(
    staff: Player, deed: Any, more: dict[str, Any]
) -> None:
    match = make_match(*make_players(2))
    before = stored(match)
    refusal(deed, **by(staff, match, **more))
    assert stored(match) == before
    assert written() == []


@pytest.mark.parametrize("deed", [match_halt, match_void, secrets_open])
def test_without_a_reason_nothing_happens(staff: Player, deed: Any) -> None:
    match = make_match(*make_players(2))
    before = stored(match)
    with pytest.raises(ValueError, match="a reason has"):
        deed(match_id=match.pk, actor_id=staff.pk, reason=" ")
    assert stored(match) == before


@pytest.mark.parametrize("deed", [match_halt, match_void, secrets_open])
def test_nobody_judges_a_match_of_their_own(staff: Player, deed: Any) -> None:
    (anna,) = make_players(1)
    match = make_match(staff, anna)
    before = stored(match)
    assert refusal(deed, **by(staff, match)).code == "forbidden"
    assert (stored(match), written()) == (before, [])


def test_a_lobby_has_nothing_to_put_right(staff: Player) -> None:
    match = make_lobby(make_players(1)[0])
    for deed in (match_halt, match_void, secrets_open, match_settle_now):
        assert refusal(deed, **by(staff, match)).code == "match_not_running"


def test_while_a_move_is_being_made_the_answer_is_to_try_again(staff: Player) -> None:
    match = make_match(*make_players(2))
    with held(match):
        caught = elsewhere(lambda: refusal(match_void, **by(staff, match)))
    assert caught.code == "try_again"
    assert written() == []


def test_a_move_and_an_end_at_once_come_one_after_the_other(staff: Player) -> None:
    for _ in range(5):
        anna, ben = make_players(2)
        match = make_match(anna, ben)

        def work(index: int, match: Match = match, anna: Player = anna) -> None:
            if index:
                match_void(**by(staff, match))
            else:
                take(match, anna, 1)

        answers = at_once(2, work)
        codes = [answer.code for answer in answers if answer is not None]
        assert set(codes) <= {"match_over", "try_again"}
        assert replayed(match) == table_of(match)


def test_a_match_that_is_stuck_is_settled_first(staff: Player) -> None:
    match = make_match(*make_players(2), control=PER_MOVE)
    Position.objects.filter(match=match).update(retry_at=now_ms() + 60_000, fails=2, last_error="it broke")
    assert refusal(match_halt, **by(staff, match)).code == "match_stuck"
    Position.objects.filter(match=match).update(due_at=now_ms() - 1)
    assert refusal(match_settle_now, **by(staff, match)).code == "match_stuck"
    assert Position.objects.get(match=match).fails == 3


def test_what_is_due_is_settled(staff: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    match = begin_ago(monkeypatch, 70_000, *make_players(2), control=PER_MOVE)
    assert match_settle_now(**by(staff, match)) == 1
    assert match_settle_now(**by(staff, match)) == 0
    assert causes(match)[-1] == ("flag", 0)


def test_a_log_that_was_changed_doesnt_hold_and_nothing_hidden_is_told(staff: Player) -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    take(match, anna, 1)
    assert selectors.match_verify(match_id=match.pk).fault is None
    Position.objects.filter(match=match).update(
        snapshot=Position.objects.get(match=match).snapshot.replace('"asked":1', '"asked":7', 1)
    )
    verdict = selectors.match_verify(match_id=match.pk)
    assert verdict.fault == "the log leads to another table than what is stored at entry 2"


def test_many_matches_are_verified_by_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    whole, broken = (make_match(*make_players(2)) for _ in range(2))
    call_command("verify_matches")
    assert "2 of 2 matches hold" in capsys.readouterr().out
    Position.objects.filter(match=broken).update(
        snapshot=Position.objects.get(match=broken).snapshot.replace('"asked":1', '"asked":7', 1)
    )
    with pytest.raises(SystemExit):
        call_command("verify_matches", str(whole.pk), str(broken.pk))
    said = capsys.readouterr().out
    assert f"{broken.pk}: does not hold" in said
    assert "1 of 2 matches hold" in said


def test_the_grant_is_in_the_log_as_it_was_given(staff: Player) -> None:
    match = make_match(*make_players(2), control=FISCHER)
    match_grant(**by(staff, match, seat=1, ms=5_000))
    found = selectors.match_inspect(match_id=match.pk)
    assert found is not None
    ((entry, _), *_rest) = selectors.log_page(found, before=100, limit=5, opened=False)
    assert entry.grant == Grant(1, 5_000)
    assert MoveRecord.objects.filter(match=match, cause="grant").count() == 1
    assert moderation.is_halted(found.newest) is False
    assert transaction.get_autocommit()


def test_a_bot_is_put_on_a_seat_until_its_player_moves(staff: Player) -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, control=FISCHER)
    bot_seat(**by(staff, match, seat=0, level="easy"))
    assert Seat.objects.get(match=match, number=0).bot_level == "easy"
    assert refusal(bot_seat, **by(staff, match, seat=0, level="hard")).code == "grant_impossible"
    assert refusal(bot_seat, **by(staff, match, seat=1, level="best")).code == "malformed"
    take(match, anna, 1)
    seat = Seat.objects.get(match=match, number=0)
    assert (seat.bot_level, seat.player_id) == (None, anna.pk)
    assert causes(match)[1:] == [("take_over", 0), ("return", 0), ("move", 0)]
    assert replayed(match) == table_of(match)
    assert written() == [("bot_seated", "they asked for it")]
