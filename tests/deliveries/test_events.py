"""What players are told becomes events for their webhooks: of the kinds wanted, numbered without gaps."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import convert, json

from matches import timing
from matches.api.bodies import WebhookEventBody
from matches.models import Match, Player, Webhook
from matches.services import invitations, lobby, play, webhooks
from matches.services.deliveries import courier, spread, webhook
from matches.services.deliveries.events import hooks_of
from matches.services.players import Identity
from tests.contract.document import validity_faults
from tests.deliveries.receiver import Receiver
from tests.matches.factories import PER_MOVE, elsewhere, make_lobby, make_match, make_players, take

pytestmark = pytest.mark.django_db
ALL = ("turn", "warning", "offer", "invited", "started", "over", "left")
REFERENCE = {"$ref": "#/components/schemas/WebhookEventBody"}


def hook_of(player: Player, kinds: tuple[str, ...] = ALL, **fields: Any) -> Webhook:
    identity = Identity(player.pk, player.epoch)
    return webhooks.webhook_create(identity=identity, url="https://bot.example/", kinds=kinds, **fields).webhook


def told(hook: Webhook) -> list[dict[str, Any]]:
    """The events of a webhook, each looked at as receivers are promised them."""
    found = [json.decode(body) for body in hook.events.order_by("sequence").values_list("body", flat=True)]
    for event in found:
        assert validity_faults(REFERENCE, event) == []
        convert(event, WebhookEventBody)
    return found


def kinds_of(hook: Webhook) -> list[tuple[int, str]]:
    return [(event["sequence"], event["kind"]) for event in told(hook)]


def test_a_match_from_the_invitation_to_its_end() -> None:
    anna, ben = make_players(2)
    hook = hook_of(ben)
    match = make_lobby(anna, 2, control=PER_MOVE)
    invitations.player_invite(match_id=match.pk, host_id=anna.pk, name=ben.name)
    spread.notices_spread()
    lobby.match_join(match_id=match.pk, player_id=ben.pk)
    spread.notices_spread()
    take(match, anna, 1)
    spread.notices_spread()
    resign(match, anna)
    spread.notices_spread()
    assert kinds_of(hook) == [(1, "invited"), (2, "started"), (3, "turn"), (4, "over")]
    turn = told(hook)[2]
    assert turn == {
        "id": turn["id"],
        "sequence": 3,
        "kind": "turn",
        "time": turn["time"],
        "match": str(match.pk),
        "game": "heap",
        "seat": 1,
        "serial": 1,
        "about": None,
        "deadline": turn["time"] + 60_000,
    }


def resign(match: Match, player: Player) -> None:
    play.match_resign(match_id=match.pk, player_id=player.pk, epoch=player.epoch, received=timing.now_ms())


def test_each_webhook_gets_the_kinds_that_it_wants_with_numbers_of_its_own() -> None:
    anna, ben = make_players(2)
    everything, turns, off = hook_of(anna), hook_of(anna, ("turn",)), hook_of(anna, is_enabled=False)
    other = hook_of(ben, ("turn",))
    make_match(anna, ben)
    spread.notices_spread()
    assert kinds_of(everything) == [(1, "started"), (2, "turn")]
    assert kinds_of(turns) == [(1, "turn")]
    assert (kinds_of(off), kinds_of(other)) == ([], [])
    ids = [event["id"] for hook in (everything, turns) for event in told(hook)]
    assert len(set(ids)) == 3


def test_an_event_that_was_made_is_sent_even_when_it_isnt_true_any_more(receiver: Receiver) -> None:
    """It says so itself: the serial is answered."""
    anna, ben = make_players(2)
    hook = hook_of(anna, ("turn",))
    Webhook.objects.update(url=receiver.url())
    match = make_match(anna, ben)
    spread.notices_spread()
    take(match, anna, 1)
    assert courier.carry_all() == 1
    courier.carry(webhook.NAME)
    assert [json.decode(request.body) for request in receiver.seen] == told(hook)
    assert courier.carry_all() == 0


def test_what_is_taken_back_before_it_is_handed_out_is_never_numbered() -> None:
    anna, ben = make_players(2)
    hook = hook_of(anna, ("turn",))
    match = make_match(anna, ben)
    take(match, anna, 1)
    take(match, ben, 1)
    spread.notices_spread()
    assert [(event["sequence"], event["serial"]) for event in told(hook)] == [(1, 2)]


def test_nothing_is_made_for_an_account_that_is_closed() -> None:
    anna, ben = make_players(2)
    hook = hook_of(anna)
    make_match(anna, ben)
    Player.objects.filter(pk=anna.pk).update(is_active=False)
    spread.notices_spread()
    assert kinds_of(hook) == []


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_dies_while_it_hands_out_leaves_no_gap_and_no_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = make_players(2)
    hook = hook_of(anna)
    make_match(anna, ben)
    with monkeypatch.context() as dying:
        dying.setattr(spread, "events_write", dies)
        with pytest.raises(MemoryError):
            spread.notices_spread()
    assert kinds_of(hook) == []
    spread.notices_spread()
    elsewhere(spread.notices_spread)
    assert kinds_of(hook) == [(1, "started"), (2, "turn")]


def dies(*_: Any) -> None:
    raise MemoryError


@pytest.mark.django_db(transaction=True)
def test_a_move_waits_for_no_webhook(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """While events are handed out, and while one is sent, the next move is made at once."""
    anna, ben = make_players(2)
    hook_of(anna)
    match = make_match(anna, ben)
    truth = hooks_of
    moved: list[int] = []

    def move_meanwhile(people: Any) -> Any:
        found = truth(people)
        moved.append(elsewhere(lambda: take(match, anna, 1)).entries[-1].number)
        return found

    monkeypatch.setattr(spread, "hooks_of", move_meanwhile)
    spread.notices_spread()
    assert len(moved) == 1
