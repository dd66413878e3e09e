"""Who is left alone, and when: what was read or is looked at, wishes, quiet hours, accounts that are closed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, time

import pytest

from matches import timing
from matches.models import Delivery, Habits, Notice, Player, Receiver
from matches.services import notices, presence, receivers
from matches.services.deliveries import carry, spread
from tests.matches.couriers import Letterbox, deliver, forget_the_start, kinds
from tests.matches.factories import make_match, make_players, take

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("rests", "expected"), [(True, []), (False, ["turn"])])
def test_what_was_read_or_is_looked_at_is_told_by_no_channel_that_rests(
    *, rests: bool, expected: list[str], hang_up: Callable[..., Letterbox], clock: Callable[[int], None]
) -> None:
    box = hang_up(rests=rests)
    anna, ben, chris = make_players(3)
    read, watched = make_match(anna, ben), make_match(chris, ben)
    for match in (read, watched):
        forget_the_start(match)
    notices.notices_read(player_id=anna.pk)
    presence.presence_note(player_id=chris.pk, match_id=watched.pk)
    deliver()
    assert (kinds(box, anna), kinds(box, chris)) == (expected, expected)


def test_who_looks_at_another_match_is_told(hang_up: Callable[..., Letterbox], clock: Callable[[int], None]) -> None:
    box = hang_up(rests=True)
    anna, ben = make_players(2)
    first, second = make_match(anna, ben), make_match(anna, ben)
    presence.presence_note(player_id=anna.pk, match_id=first.pk)
    deliver()
    assert {one.match_id for outgoing in box.got for one in outgoing if one.player_id == anna.pk} == {second.pk}


def test_a_wish_counts_from_the_moment_on_also_for_what_is_under_way(box: Letterbox) -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    spread.notices_spread()
    receivers.wishes_set(player_id=anna.pk, channels={"box": {"turn": False}}, quiet=None)
    carry.deliveries_send(channel="box")
    assert kinds(box, anna) == ["started"]
    take(match, anna, 1)
    take(match, ben, 1)
    deliver()
    assert kinds(box, anna) == ["started"]
    receivers.wishes_set(player_id=anna.pk, channels={"box": {"turn": True}}, quiet=None)
    assert Receiver.objects.get(player=anna).wanted == {"box": {}}


def test_of_an_account_that_is_closed_nothing_is_kept(box: Letterbox) -> None:
    anna, ben = make_players(2)
    make_match(anna, ben)
    spread.notices_spread()
    notices.notices_forget(player_id=ben.pk)
    for model in (Notice, Delivery, Receiver):
        assert not model.objects.filter(player=ben).exists()
        assert model.objects.filter(player=anna).exists()


def test_who_has_no_active_account_is_told_nothing(box: Letterbox) -> None:
    anna, ben = make_players(2)
    make_match(anna, ben)
    Player.objects.filter(pk=anna.pk).update(is_active=False)
    deliver()
    assert kinds(box, anna) == []


def test_what_is_old_is_forgotten_and_what_holds_is_kept(box: Letterbox, clock: Callable[[int], None]) -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    deliver()
    clock(notices.LOGGED_MS + 1_000)
    assert notices.notices_drop() == 3
    assert Notice.objects.filter(match=match).count() == 3
    clock(notices.KEPT_MS)
    assert notices.notices_drop() == 2
    assert [notice.kind for notice in Notice.objects.filter(match=match)] == ["turn"]


def test_a_page_of_what_was_read(box: Letterbox) -> None:
    anna, ben = make_players(2)
    make_match(anna, ben)
    one = Notice.objects.get(player=anna, kind="started")
    assert notices.notices_read(player_id=ben.pk, notice_id=one.pk) == 0
    assert notices.notices_read(player_id=anna.pk, notice_id=one.pk) == 1
    assert notices.notices_read(player_id=anna.pk) == 1
    assert notices.notices_read(player_id=anna.pk) == 0


NIGHT = (time(22), time(7))


def at(text: str) -> int:
    return timing.millis(datetime.fromisoformat(text))


@pytest.mark.parametrize(
    ("now", "until"),
    [
        ("2026-11-30T20:59:00+00:00", None),
        ("2026-11-30T21:00:00+00:00", "2026-12-01T06:00:00+00:00"),
        ("2026-12-01T05:59:59+00:00", "2026-12-01T06:00:00+00:00"),
        ("2026-12-01T06:00:00+00:00", None),
        # The clocks go forward at 02:00: the night of ten hours by the wall has nine, and ends at 05:00 UTC.
        ("2027-03-27T22:00:00+00:00", "2027-03-28T05:00:00+00:00"),
        ("2027-03-28T05:00:00+00:00", None),
        # And back at 03:00: it ends at 06:00 UTC.
        ("2026-10-24T22:00:00+00:00", "2026-10-25T06:00:00+00:00"),
        ("2026-10-25T05:30:00+00:00", "2026-10-25T06:00:00+00:00"),
    ],
)
def test_quiet_hours_go_by_the_clock_on_the_players_wall(now: str, until: str | None) -> None:
    receiver = Receiver(quiet_begins=NIGHT[0], quiet_ends=NIGHT[1])
    assert receivers.quiet_until(receiver, "Europe/Berlin", at(now)) == (None if until is None else at(until))


def test_in_quiet_hours_a_channel_rests_until_they_are_over(
    hang_up: Callable[..., Letterbox], monkeypatch: pytest.MonkeyPatch
) -> None:
    box = hang_up(rests=True)
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    forget_the_start(match)
    Habits.objects.create(player=anna, zone="Europe/Berlin")
    receivers.wishes_set(player_id=anna.pk, channels={}, quiet=NIGHT)
    evening = at("2027-03-27T22:00:00+00:00")
    Notice.objects.filter(match=match).update(not_before=evening)
    now = [evening]
    for module in (carry, spread):
        monkeypatch.setattr(module, "now_ms", lambda: now[0])
    deliver()
    now[0] = at("2027-03-28T04:59:59+00:00")
    deliver()
    assert box.got == []
    assert Delivery.objects.get().attempts == 0
    now[0] = at("2027-03-28T05:00:00+00:00")
    deliver()
    assert kinds(box, anna) == ["turn"]
