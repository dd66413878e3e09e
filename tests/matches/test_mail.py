"""Mail: one about all that waits, once, to whom it reaches, with a way to stop it; read at a real mail server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.test import Client

from matches.models import Delivery, Habits, Match, Player, Receiver
from matches.services import invitations, play, presence, receivers
from matches.services.deliveries import carry, spread
from matches.timing import now_ms
from tests.matches.factories import PER_MOVE, make_lobby, make_match, make_players, take
from tests.matches.receivers import Postbox, mail_server

pytestmark = pytest.mark.django_db
WAIT_MS = 121_000
PAUSE_MS = 600_000


@pytest.fixture
def box(settings: Any) -> Iterator[Postbox]:
    settings.PUBLIC_URL = "https://listik.example"
    settings.MATCH_URL = "https://play.example/matches/{match}"
    settings.DEFAULT_FROM_EMAIL = "Listik <listik@listik.example>"
    with mail_server(settings) as found:
        yield found


@pytest.fixture
def people(clock: Callable[[int], None]) -> list[Player]:
    """Three who can be mailed."""
    found = make_players(3)
    for player in found:
        player.email = player.confirmed_email = f"player{player.pk}@mail.example"
        player.save()
    return found


@pytest.fixture
def later(clock: Callable[[int], None]) -> Callable[..., None]:
    """Lets time pass, and everything be sent that is due by then."""

    def wait(milliseconds: int = WAIT_MS) -> None:
        spread.notices_spread()
        clock(milliseconds)
        spread.notices_spread()
        carry.deliveries_send(channel="mail")

    return wait


def to(box: Postbox, player: Player) -> list[Any]:
    return [mail for mail in box.mails if mail["To"] == player.email]


def states(kind: str) -> list[str]:
    return list(Delivery.objects.filter(kind=kind, channel="mail").values_list("state", flat=True))


def test_a_turn_is_mailed_once_with_game_opponents_deadline_and_link(
    box: Postbox, people: list[Player], later: Callable[..., None]
) -> None:
    anna, ben, _ = people
    Habits.objects.create(player=anna, zone="Asia/Tokyo")
    match = make_match(anna, ben, control={"type": "per_move", "move_s": 86_400})
    later()
    later()
    (mail,) = to(box, anna)
    assert mail["Subject"] == "Your turn in Heap"
    assert mail["From"] == "Listik <listik@listik.example>"
    text = mail.get_content()
    assert f"It is your turn in Heap with {ben.name}. You have until" in text
    assert "(Asia/Tokyo)" in text
    assert f"https://play.example/matches/{match.pk}" in text
    assert "has begun" not in text
    assert [mail["Subject"] for mail in to(box, ben)] == ["Heap has begun"]
    assert mail["Message-ID"].endswith("@listik.example>")
    assert mail["Auto-Submitted"] == "auto-generated"


def test_nothing_is_mailed_about_a_turn_that_was_taken_meanwhile(
    box: Postbox, people: list[Player], later: Callable[..., None]
) -> None:
    anna, ben, _ = people
    match = make_match(anna, ben)
    later()
    box.mails.clear()
    take(match, anna, 1)
    spread.notices_spread()
    take(match, ben, 1)
    later(PAUSE_MS + WAIT_MS)
    assert to(box, ben) == []
    assert states("turn").count("dropped") == 1


def test_matches_that_wait_at_once_are_one_mail(
    box: Postbox, people: list[Player], later: Callable[..., None], clock: Callable[[int], None]
) -> None:
    anna, ben, chris = people
    matches = []
    for other in (ben, chris, ben):
        matches.append(make_match(anna, other))
        spread.notices_spread()
        clock(30_000)
    later()
    (mail,) = to(box, anna)
    assert mail["Subject"] == "3 matches wait for you"
    for match in matches:
        assert mail.get_content().count(str(match.pk)) == 1
    later(PAUSE_MS)
    assert len(to(box, anna)) == 1


def test_after_a_mail_comes_none_for_a_while_unless_time_runs_out(
    box: Postbox, people: list[Player], later: Callable[..., None]
) -> None:
    anna, ben, chris = people
    make_match(anna, ben)
    later()
    make_match(anna, chris)
    later()
    assert len(to(box, anna)) == 1
    make_match(anna, ben, control=PER_MOVE)
    later(50_000)
    assert [mail["Subject"] for mail in to(box, anna)] == ["Your turn in Heap", "2 matches wait for you"]
    assert "Your time runs out in Heap" in to(box, anna)[1].get_content()
    later(PAUSE_MS + WAIT_MS)
    assert len(to(box, anna)) == 2


def test_invitations_ends_and_offers_are_mailed(box: Postbox, people: list[Player], later: Callable[..., None]) -> None:
    anna, ben, chris = people
    lobby = make_lobby(anna, 3, title="Buy pills at spam.example", visibility="private")
    invitations.player_invite(match_id=lobby.pk, host_id=anna.pk, name=chris.name)
    match = make_match(anna, ben)
    take(match, anna, 1)
    take(match, ben, 1)
    later()
    (invited,) = to(box, chris)
    assert invited["Subject"] == f"{anna.name} invites you to Heap"
    play.match_resign(match_id=match.pk, player_id=anna.pk, epoch=0, received=now_ms())
    later(PAUSE_MS + WAIT_MS)
    over = to(box, ben)[-1]
    assert over["Subject"] == "Heap is over"
    assert "You came in place 1 of 2." in over.get_content()
    lobby.refresh_from_db()
    whole = "".join(str(mail) for mail in box.mails)
    for secret in (lobby.join_code, "spam.example", bytes(match.secret).hex()):
        assert secret not in whole


def test_who_looks_at_the_match_gets_no_mail_for_it(
    box: Postbox, people: list[Player], later: Callable[..., None]
) -> None:
    anna, ben, _ = people
    seen, unseen = make_match(anna, ben), make_match(anna, ben)
    presence.presence_note(player_id=anna.pk, match_id=seen.pk)
    later()
    (mail,) = to(box, anna)
    assert str(unseen.pk) in mail.get_content()
    assert str(seen.pk) not in mail.get_content()


@pytest.mark.parametrize("why", ["unconfirmed", "changed", "none", "unwanted"])
def test_nobody_is_mailed_who_does_not_want_it_or_may_not_be_the_owner(
    why: str, box: Postbox, people: list[Player], later: Callable[..., None]
) -> None:
    anna, ben, _ = people
    if why == "unconfirmed":
        Player.objects.filter(pk=anna.pk).update(confirmed_email="")
    make_match(anna, ben)
    spread.notices_spread()
    if why == "changed":
        Player.objects.filter(pk=anna.pk).update(email="other@mail.example")
    elif why == "none":
        Player.objects.filter(pk=anna.pk).update(email="", confirmed_email="")
    elif why == "unwanted":
        receivers.channel_silence(player_id=anna.pk, channel="mail")
    later()
    assert [mail["To"] for mail in box.mails] == [ben.email]


def test_a_server_that_is_down_or_busy_is_asked_again_with_the_same_id(
    box: Postbox, people: list[Player], later: Callable[..., None], settings: Any
) -> None:
    anna, ben, _ = people
    make_match(anna, ben)
    Player.objects.filter(pk=ben.pk).update(confirmed_email="")
    port = settings.EMAIL_PORT
    settings.EMAIL_PORT = 1
    later()
    assert set(Delivery.objects.filter(channel="mail").values_list("state", "error")) == {
        ("waiting", "ConnectionRefusedError")
    }
    settings.EMAIL_PORT = port
    box.answers = ["451 4.3.0 busy with " + anna.email]
    later(40_000)
    assert set(Delivery.objects.filter(channel="mail").values_list("state", "error")) == {
        ("waiting", "SMTPDataError 451")
    }
    assert box.mails == []
    later(140_000)
    assert len(box.mails) == 1


def test_an_address_that_the_server_refuses_is_given_up(
    box: Postbox, people: list[Player], later: Callable[..., None]
) -> None:
    anna, ben, _ = people
    box.refused = {anna.email}
    make_match(anna, ben)
    later()
    rows = Delivery.objects.filter(channel="mail", player=anna)
    assert set(rows.values_list("state", "error")) == {("failed", "SMTPRecipientsRefused 550")}
    assert len(to(box, ben)) == 1


def test_a_worker_killed_after_the_mail_went_out_repeats_it_under_the_same_id(
    box: Postbox, people: list[Player], later: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, ben, _ = people
    Player.objects.filter(pk=ben.pk).update(confirmed_email="")
    make_match(anna, ben)
    make_match(anna, ben)
    send = EmailMessage.send

    class KilledError(BaseException):
        pass

    def send_and_die(self: EmailMessage, *arguments: Any) -> int:
        send(self, *arguments)
        raise KilledError

    with monkeypatch.context() as patch:
        patch.setattr(EmailMessage, "send", send_and_die)
        with pytest.raises(KilledError):
            later()
    later(1_000)
    assert len(box.mails) == 1
    later(carry.CLAIM_MS)
    first, second = box.mails
    assert first["Message-ID"] == second["Message-ID"]
    assert first.get_content() == second.get_content()
    later(PAUSE_MS + WAIT_MS)
    assert len(box.mails) == 2


def test_one_click_stops_the_mails_without_a_log_in(
    box: Postbox, people: list[Player], later: Callable[..., None]
) -> None:
    anna, ben, _ = people
    make_match(anna, ben)
    later()
    (mail,) = to(box, anna)
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    found = re.fullmatch(r"<https://listik\.example(/mail/stop/\S+)>", mail["List-Unsubscribe"].strip())
    assert found is not None
    assert f"https://listik.example{found[1]}" in mail.get_content()
    program = Client(enforce_csrf_checks=True)
    looked = program.get(found[1])
    assert looked.status_code == 200
    assert b"<button>Stop these mails</button>" in looked.content
    assert receivers.wishes_of(player_id=anna.pk).channels["mail"]["turn"]
    done = program.post(found[1], "List-Unsubscribe=One-Click", content_type="application/x-www-form-urlencoded")
    assert done.status_code == 200
    assert not any(receivers.wishes_of(player_id=anna.pk).channels["mail"].values())
    assert any(receivers.wishes_of(player_id=ben.pk).channels["mail"].values())
    make_match(anna, ben)
    later(PAUSE_MS + WAIT_MS)
    assert len(to(box, anna)) == 1
    assert len(to(box, ben)) == 2


def test_a_link_to_stop_is_for_one_address_alone_and_can_not_be_made_up(
    box: Postbox, people: list[Player], later: Callable[..., None]
) -> None:
    anna, ben, _ = people
    make_match(anna, ben)
    later()
    link = to(box, anna)[0]["List-Unsubscribe"].strip(" <>").removeprefix("https://listik.example")
    Player.objects.filter(pk=anna.pk).update(email="new@mail.example", confirmed_email="new@mail.example")
    assert Client().post(link).status_code == 200
    assert receivers.wishes_of(player_id=anna.pk).channels["mail"]["turn"]
    assert Client().post(link[:-1] + ("A" if link[-1] != "A" else "B")).status_code == 422
    assert Client().put(link).status_code == 405
    assert not Receiver.objects.filter(wanted__has_key="mail").exists()


def test_without_an_address_of_its_own_the_service_mails_no_link(
    box: Postbox, people: list[Player], later: Callable[..., None], settings: Any
) -> None:
    anna, ben, _ = people
    settings.PUBLIC_URL, settings.MATCH_URL = "", ""
    match: Match = make_match(anna, ben)
    later()
    (mail,) = to(box, anna)
    assert mail["List-Unsubscribe"] is None
    assert f"Match {match.pk}" in mail.get_content()
    assert "http" not in mail.get_content()
