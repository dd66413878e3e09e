"""Deliveries: each notice once to each target, as long as it is true, whatever dies on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from matches import timing
from matches.models import Delivery, DeliveryTally, Notice
from matches.services import invitations, play
from matches.services.deliveries import carry, spread
from matches.services.deliveries.contract import again, failed
from tests.matches.couriers import Letterbox, deliver, forget_the_start, kinds, states
from tests.matches.factories import PER_MOVE, at_once, elsewhere, make_lobby, make_match, make_players, take

pytestmark = pytest.mark.django_db
committed = pytest.mark.django_db(transaction=True)


def test_who_is_to_move_is_told_once_a_turn(box: Letterbox) -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    for _ in range(3):
        deliver()
    assert kinds(box, anna) == ["started", "turn"]
    assert kinds(box, ben) == ["started"]
    take(match, anna, 1)
    for _ in range(3):
        deliver()
    assert kinds(box, ben) == ["started", "turn"]
    assert kinds(box, anna) == ["started", "turn"]
    assert states() == ["sent"] * 4


def test_a_notice_says_what_it_is_about_and_sequences_grow_by_one_a_receiver(box: Letterbox) -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben, control=PER_MOVE)
    deliver()
    take(match, anna, 1)
    take(match, ben, 1)
    deliver()
    told = [one for outgoing in box.got for one in outgoing if one.player_id == anna.pk]
    assert [(one.kind, one.sequence, one.serial) for one in told] == [("started", 1, 1), ("turn", 2, 1), ("turn", 3, 2)]
    last = told[-1]
    notice = Notice.objects.get(match=match, player=anna, kind="turn")
    assert (last.id, last.match_id, last.game, last.seat) == (notice.pk, match.pk, "heap", 0)
    assert last.deadline == last.since + 60_000
    assert last.id.version == 7
    assert len(set(box.ids)) == len(box.ids)


def test_what_is_no_longer_true_is_dropped_and_never_told(box: Letterbox) -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    spread.notices_spread()
    take(match, anna, 1)
    carry.deliveries_send(channel="box")
    assert kinds(box, anna) == ["started"]
    assert Delivery.objects.get(kind="turn").state == "dropped"


def test_a_warning_is_told_when_its_time_has_come(box: Letterbox, clock: Callable[[int], None]) -> None:
    anna, ben = make_players(2)
    make_match(anna, ben, control=PER_MOVE)
    clock(20_000)
    deliver()
    assert kinds(box, anna) == ["started", "turn"]
    clock(30_000)
    deliver()
    assert kinds(box, anna) == ["started", "turn", "warning"]


def test_everybody_is_told_of_the_end_and_those_who_stay_of_an_opponent_that_left(box: Letterbox) -> None:
    anna, ben, chris = make_players(3)
    match = make_match(anna, ben, chris)
    play.match_resign(match_id=match.pk, player_id=ben.pk, epoch=0, received=timing.now_ms())
    deliver()
    assert (kinds(box, ben), kinds(box, chris)) == (["started"], ["started", "left"])
    assert [one.about for outgoing in box.got for one in outgoing if one.kind == "left"] == [1, 1]
    play.match_resign(match_id=match.pk, player_id=chris.pk, epoch=0, received=timing.now_ms())
    deliver()
    assert [kinds(box, who)[-1] for who in (anna, ben, chris)] == ["over"] * 3
    assert kinds(box, anna).count("left") == 1


def test_who_is_invited_is_told_unless_it_is_taken_back(box: Letterbox) -> None:
    anna, ben, chris = make_players(3)
    match = make_lobby(anna, 3)
    for other in (ben, chris):
        invitations.player_invite(match_id=match.pk, host_id=anna.pk, name=other.name)
    invitations.player_invite(match_id=match.pk, host_id=anna.pk, name=ben.name)
    invitations.invitation_withdraw(match_id=match.pk, host_id=anna.pk, player_id=chris.pk)
    deliver()
    assert (kinds(box, ben), kinds(box, chris)) == (["invited"], [])
    invitations.invitation_decline(match_id=match.pk, player_id=ben.pk)
    assert not Notice.objects.filter(kind="invited").exists()


def test_a_try_that_fails_comes_again_later_each_time_under_the_same_id_and_ends(
    box: Letterbox, clock: Callable[[int], None]
) -> None:
    anna, ben = make_players(2)
    forget_the_start(make_match(anna, ben))
    box.answers = [again("no")] * 5
    deliver()
    clock(2_000_000)
    deliver()
    assert len(box.got) == 1
    clock(2_000_000)
    deliver()
    clock(6_000_000)
    deliver()
    assert len(box.got) == 2
    clock(8_000_000)
    deliver()
    assert len(box.got) == 3
    assert [one.attempt for (one,) in box.got] == [1, 2, 3]
    assert len(set(box.ids)) == 1
    assert states() == ["failed"]
    clock(10**9)
    deliver()
    assert len(box.got) == 3
    assert Delivery.objects.get().error == "no"


def test_a_channel_may_say_when_to_come_again_and_that_it_is_hopeless(
    box: Letterbox, clock: Callable[[int], None]
) -> None:
    anna, ben = make_players(2)
    forget_the_start(make_match(anna, ben))
    box.answers = [again("busy", after_s=600), failed("gone")]
    deliver()
    clock(400_000)
    deliver()
    assert len(box.got) == 1
    clock(201_000)
    deliver()
    assert states() == ["failed"]


def test_a_channel_that_breaks_holds_nobody_up(box: Letterbox) -> None:
    anna, ben = make_players(2)
    make_match(anna, ben)

    def break_once() -> None:
        box.before = lambda: None
        raise RuntimeError("a secret word")

    box.before = break_once
    deliver()
    assert sorted(states()) == ["sent", "sent", "waiting"]
    assert Delivery.objects.get(state="waiting").error == "RuntimeError"


class KilledError(BaseException):
    """The worker is gone: nothing that it would have done happens any more."""


@committed
@pytest.mark.parametrize("where", ["before it is sent", "after it is sent", "while it spreads"])
def test_a_worker_that_is_killed_loses_nothing_and_repeats_under_the_same_id(
    where: str, box: Letterbox, clock: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, ben = make_players(2)
    forget_the_start(make_match(anna, ben))

    def killed(*_: Any, **__: Any) -> None:
        raise KilledError

    with monkeypatch.context() as patch:
        if where == "before it is sent":
            box.before = killed
        elif where == "after it is sent":
            patch.setattr(carry, "_conclude", killed)
        else:
            patch.setattr(Notice.objects, "bulk_update", killed)
        with pytest.raises(KilledError):
            deliver()
    box.before = lambda: None
    deliver()
    sent_before = {"before it is sent": 0, "after it is sent": 1, "while it spreads": 1}[where]
    assert len(box.got) == sent_before
    clock(carry.CLAIM_MS + 1_000)
    deliver()
    clock(carry.CLAIM_MS + 1_000)
    deliver()
    assert len(box.got) == {"before it is sent": 1, "after it is sent": 2, "while it spreads": 1}[where]
    assert len(set(box.ids)) == 1
    assert states() == ["sent"]
    assert Notice.objects.get(player=anna).sequence == 1


@committed
def test_workers_at_once_send_nothing_twice(box: Letterbox) -> None:
    people = make_players(6)
    for index in range(0, 6, 2):
        make_match(people[index], people[index + 1])

    def work(_: int) -> None:
        for _ in range(3):
            deliver()

    at_once(4, work)
    deliver()
    assert len(box.ids) == len(set(box.ids)) == 9
    assert set(states()) == {"sent"}


@committed
def test_a_move_waits_for_no_delivery_that_is_under_way(box: Letterbox) -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    moved: list[object] = []

    def move_meanwhile() -> None:
        if not moved:
            moved.append(elsewhere(lambda: take(match, anna, 1)))

    box.before = move_meanwhile
    deliver()
    assert Notice.objects.filter(match=match, kind="turn").get().player_id == ben.pk


def test_one_that_collects_sends_all_that_waits_at_once(
    hang_up: Callable[..., Letterbox], clock: Callable[[int], None]
) -> None:
    box = hang_up(collects=True, wait_s=60)
    anna, ben = make_players(2)
    for _ in range(3):
        forget_the_start(make_match(anna, ben))
        deliver()
        clock(10_000)
    assert box.got == []
    clock(60_000)
    deliver()
    assert [len(outgoing) for outgoing in box.got] == [3]
    clock(100_000)
    deliver()
    assert len(box.got) == 1


@committed
def test_of_one_player_one_worker_collects(hang_up: Callable[..., Letterbox], clock: Callable[[int], None]) -> None:
    box = hang_up(collects=True)
    anna, ben = make_players(2)
    for _ in range(5):
        forget_the_start(make_match(anna, ben))
    spread.notices_spread()
    at_once(4, lambda _: carry.deliveries_send(channel="box"))
    carry.deliveries_send(channel="box")
    assert [len(outgoing) for outgoing in box.got] == [5]


def test_results_are_counted(box: Letterbox) -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    box.answers = [failed("no")]
    spread.notices_spread()
    take(match, anna, 1)
    carry.deliveries_send(channel="box")
    counted = {(row.channel, row.state): row.number for row in DeliveryTally.objects.all()}
    assert counted == {("box", "failed"): 1, ("box", "sent"): 1, ("box", "dropped"): 1}
