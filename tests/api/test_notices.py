"""Notices over HTTP: the list with what is read and unread, wishes, browsers, and addresses that are confirmed."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from matches.models import Delivery, Match, Notice, Player, PushSubscription
from matches.services import mailing, recovery
from matches.services.deliveries import spread
from tests.api.people import PASSWORD, Person, begin_snap, decision, problem, to_move

pytestmark = pytest.mark.django_db

# RFC 8291, appendix A.
P256DH = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
BROWSER = {"endpoint": "https://push.example/abc", "expirationTime": None, "keys": {"p256dh": P256DH, "auth": AUTH}}


def kinds(who: Person, query: str = "") -> list[str]:
    return [one["kind"] for one in who.get(f"me/notices{query}").json()["notices"]]


@pytest.fixture
def mover(match: str, anna: Person, ben: Person) -> Person:
    """Who is to turn first."""
    return to_move(match, anna, ben)[0]


@pytest.fixture
def other(mover: Person, anna: Person, ben: Person) -> Person:
    """Who isn't."""
    return ben if mover is anna else anna


def test_the_list_has_what_happened_and_what_waits_the_newest_first(match: str, mover: Person, other: Person) -> None:
    body = mover.get("me/notices").json()
    seat = body["notices"][0]["seat"]
    assert [(one["kind"], one["match"], one["seat"], one["read_at"]) for one in body["notices"]] == [
        ("turn", match, seat, None),
        ("started", match, seat, None),
    ]
    assert (body["unread"], body["next"]) == (2, None)
    assert body["notices"][0]["deadline"] is not None
    assert kinds(other) == ["started"]


def test_what_is_read_is_not_counted_any_more(mover: Person) -> None:
    one = mover.get("me/notices").json()["notices"][0]
    assert mover.get("me/counts").json()["unread"] == 2
    assert mover.post(f"me/notices/{one['id']}/read").json() == {"unread": 1}
    assert mover.post(f"me/notices/{one['id']}/read").json() == {"unread": 1}
    assert kinds(mover, "?unread=true") == ["started"]
    assert mover.get("me/notices").json()["notices"][0]["read_at"] >= one["since"]
    assert mover.post("me/notices/read", {"until": 1}).json() == {"unread": 1}
    assert mover.post("me/notices/read").json() == {"unread": 0}
    assert mover.get("me/counts").json()["unread"] == 0
    assert len(kinds(mover)) == 2


def test_nobody_reads_what_others_are_told(mover: Person, other: Person) -> None:
    one = mover.get("me/notices").json()["notices"][0]
    assert other.post(f"me/notices/{one['id']}/read").json() == {"unread": 1}
    other.post("me/notices/read")
    assert mover.get("me/counts").json()["unread"] == 2


def test_pages_follow_one_another_without_gap_or_repeat(anna: Person, ben: Person) -> None:
    for _ in range(6):  # each tells that it began; whose turn it is in one of them is drawn
        begin_snap(anna, ben)
    time.sleep(0.1)  # the database's stamps may be some milliseconds ahead of this process's measure of its clock
    whole = anna.get("me/notices").json()["notices"]
    found: list[Any] = []
    after = ""
    while True:
        page = anna.get(f"me/notices?limit=3{after}").json()
        found += page["notices"]
        # What is gone meanwhile breaks no page.
        Notice.objects.filter(pk=page["notices"][-1]["id"]).delete()
        if page["next"] is None:
            break
        after = f"&after={page['next']}"
    assert len(whole) > 5
    assert found == whole


@pytest.mark.parametrize(
    "query", ["after=x", "after=1.turn.x", "after=1.x.01a22d89-cace-7c79-bae9-e57b74d5b167", "unread=1", "limit=201"]
)
def test_a_query_that_makes_no_sense_is_refused(anna: Person, query: str) -> None:
    assert problem(anna.get(f"me/notices?{query}")) == (400, "malformed")


def test_who_is_invited_reads_it_until_it_is_answered(anna: Person, ben: Person) -> None:
    match = anna.post("matches", {"game": "snap", "seats": 3}).json()["id"]
    anna.post(f"matches/{match}/invitations", {"name": "ben"})
    (told,) = ben.get("me/notices").json()["notices"]
    assert (told["kind"], told["match"], told["seat"]) == ("invited", match, None)
    ben.post(f"matches/{match}/join")
    assert kinds(ben) == []


@pytest.mark.parametrize("end", ["cancel", "decline", "start"])
def test_an_invitation_to_what_is_no_lobby_any_more_is_gone(end: str, anna: Person, ben: Person, cleo: Person) -> None:
    match = anna.post("matches", {"game": "snap", "seats": 3}).json()["id"]
    cleo.post(f"matches/{match}/join")
    anna.post(f"matches/{match}/invitations", {"name": "ben"})
    assert kinds(ben) == ["invited"]
    answer = (ben if end == "decline" else anna).post(f"matches/{match}/{end}")
    assert answer.status_code in {200, 204}
    assert kinds(ben) == []


def test_a_rematch_invites_the_others(anna: Person, ben: Person, match: str) -> None:
    ben.post(f"matches/{match}/resign")
    again = anna.post(f"matches/{match}/rematch").json()["id"]
    assert [(one["kind"], one["match"]) for one in ben.get("me/notices").json()["notices"]] == [
        ("invited", again),
        ("over", match),
        ("started", match),
    ]
    assert Match.objects.get(pk=again).status == "lobby"


def test_wishes_begin_with_the_usual_and_change_one_by_one(anna: Person) -> None:
    usual = anna.get("me/notices/wishes").json()
    assert set(usual["channels"]) >= {"in_app", "mail", "push"}
    assert all(usual["channels"]["in_app"].values())
    assert usual["channels"]["mail"] | {"left": True} == usual["channels"]["in_app"]
    assert (usual["quiet"], usual["zone"], usual["mail_to"]) == (None, "UTC", None)
    anna.put("me/calendar", {"zone": "Europe/Berlin", "night": None})
    wanted = {"channels": {"mail": {"turn": False}}, "quiet": {"begins": "22:00", "ends": "07:30"}}
    changed = anna.put("me/notices/wishes", wanted).json()
    assert changed["channels"]["mail"] == usual["channels"]["mail"] | {"turn": False}
    assert changed["channels"]["push"] == usual["channels"]["push"]
    assert (changed["quiet"], changed["zone"]) == ({"begins": "22:00", "ends": "07:30"}, "Europe/Berlin")
    assert anna.get("me/notices/wishes").json() == changed
    assert anna.put("me/notices/wishes", {}).json() == changed | {"quiet": None}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"channels": {"pigeon": {"turn": True}}}, (400, "malformed")),
        ({"channels": {"mail": {"tides": True}}}, (400, "malformed")),
        ({"quiet": {"begins": "22:00", "ends": "25:00"}}, (400, "malformed")),
        ({"quiet": {"begins": "22:00", "ends": "22:00"}}, (422, "bad_calendar")),
    ],
)
def test_wishes_that_make_no_sense_are_refused(anna: Person, body: Any, expected: tuple[int, str]) -> None:
    before = anna.get("me/notices/wishes").json()
    assert problem(anna.put("me/notices/wishes", body)) == expected
    assert anna.get("me/notices/wishes").json() == before


def test_kinds_that_nobody_wants_in_the_list_are_neither_shown_nor_counted(mover: Person) -> None:
    mover.put("me/notices/wishes", {"channels": {"in_app": {"started": False}}})
    assert kinds(mover) == ["turn"]
    assert mover.get("me/counts").json()["unread"] == 1


def test_a_browser_is_signed_up_once_and_off_again(anna: Person, ben: Person) -> None:
    first = anna.post("me/browsers", {**BROWSER, "device": "laptop"})
    assert first.status_code == 201
    assert anna.post("me/browsers", {**BROWSER, "device": "laptop"}).json()["id"] == first.json()["id"]
    (listed,) = anna.get("me/browsers").json()
    assert (listed["device"], listed["service"]) == ("laptop", "push.example")
    # Somebody else has logged in there: what is told to anna doesn't show any more.
    ben.post("me/browsers", BROWSER)
    assert anna.get("me/browsers").json() == []
    assert anna.delete(f"me/browsers/{first.json()['id']}").status_code == 204
    assert len(ben.get("me/browsers").json()) == 1
    assert ben.delete(f"me/browsers/{first.json()['id']}").status_code == 204
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize(
    ("endpoint", "code"),
    [
        ("https://127.0.0.1/push", "address_refused"),
        ("https://10.0.0.1/push", "address_refused"),
        ("https://[::1]/push", "address_refused"),
        ("http://push.example/abc", "address_refused"),
        ("file:///etc/passwd", "address_refused"),
        ("https://push.example:22/abc", "address_refused"),
    ],
)
def test_nothing_is_pushed_to_where_nobody_may_reach(anna: Person, endpoint: str, code: str) -> None:
    assert problem(anna.post("me/browsers", {**BROWSER, "endpoint": endpoint})) == (422, code)
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize("keys", [{"p256dh": P256DH[:-1] + "A", "auth": AUTH}, {"p256dh": P256DH, "auth": "é" * 22}])
def test_keys_that_are_none_are_refused(anna: Person, keys: Any) -> None:
    assert problem(anna.post("me/browsers", {**BROWSER, "keys": keys})) == (400, "malformed")


def test_nobody_signs_up_browsers_without_end(anna: Person) -> None:
    for number in range(20):
        assert anna.post("me/browsers", {**BROWSER, "endpoint": f"https://push.example/{number}"}).status_code == 201
    assert problem(anna.post("me/browsers", BROWSER)) == (409, "too_many")
    assert anna.post("me/browsers", {**BROWSER, "endpoint": "https://push.example/7"}).status_code == 201


def test_where_nothing_is_pushed_there_is_no_key(anna: Person, nobody: Person, settings: Any) -> None:
    assert re.fullmatch(r"B[\w-]{86}", nobody.get("push/key").json()["public_key"])
    settings.VAPID_PRIVATE_KEY = ""
    assert problem(nobody.get("push/key")) == (404, "not_found")
    assert problem(anna.post("me/browsers", BROWSER)) == (404, "not_found")


@pytest.fixture
def public(settings: Any) -> None:
    """People reach the service under this address."""
    settings.PUBLIC_URL = "https://listik.example"


def give_address(who: Person, address: str = "anna@example.org") -> None:
    assert who.post("me/email", {"password": PASSWORD, "email": address}).status_code == 200


def confirmation(who: Person) -> str:
    """The code that is mailed."""
    assert who.post("me/email/confirm").status_code == 202
    assert mailing.confirmations_send() == 1
    return str(re.findall(r"^\S{40,}$", str(mail.outbox[-1].body), re.MULTILINE)[-1])


def test_an_address_is_confirmed_by_the_code_that_was_mailed_there(anna: Person, nobody: Person) -> None:
    give_address(anna)
    assert anna.get("me").json()["email_confirmed"] is False
    code = confirmation(anna)
    assert mail.outbox[-1].to == ["anna@example.org"]
    assert anna.get("me/notices/wishes").json()["mail_to"] is None
    for _ in range(2):
        assert nobody.post("email/confirm", {"code": code}).status_code == 204
    assert anna.get("me").json()["email_confirmed"] is True
    assert anna.get("me/notices/wishes").json()["mail_to"] == "anna@example.org"
    give_address(anna, "other@example.org")
    assert anna.get("me/notices/wishes").json()["mail_to"] is None
    assert problem(nobody.post("email/confirm", {"code": code})) == (422, "code_invalid")


def test_a_confirmed_address_and_none_are_mailed_nothing(anna: Person, nobody: Person) -> None:
    anna.post("me/email/confirm")
    assert mailing.confirmations_send() == 0
    give_address(anna)
    nobody.post("email/confirm", {"code": confirmation(anna)})
    anna.post("me/email/confirm")
    assert mailing.confirmations_send() == 0
    assert len(mail.outbox) == 1


def test_nobody_fills_a_mailbox_by_asking_again(anna: Person) -> None:
    give_address(anna)
    for _ in range(3):
        anna.post("me/email/confirm")
        mailing.confirmations_send()
    assert len(mail.outbox) == 1
    Player.objects.update(mailed_at=timezone.now() - recovery.PAUSE)
    confirmation(anna)
    assert len(mail.outbox) == 2


def test_who_recovers_a_password_by_mail_reads_that_address(anna: Person, nobody: Person) -> None:
    give_address(anna)
    nobody.post("recovery", {"about": "anna"})
    recovery.recoveries_send()
    code = re.findall(r"^\d+-\S+$", str(mail.outbox[-1].body), re.MULTILINE)[0]
    nobody.post("recovery/finish", {"code": code, "password": "another long password"})
    player = Player.objects.get(name="anna")
    assert player.confirmed_email == player.email == "anna@example.org"


@pytest.mark.parametrize("code", ["", "x", "W10:1abc:xyz", "é"])
def test_a_code_that_never_was_is_refused(anna: Person, nobody: Person, code: str) -> None:
    assert nobody.post("email/confirm", {"code": code}).status_code in {400, 422}
    for page in ("stop", "confirm"):
        assert Client().get(f"/mail/{page}/{code or 'x'}").status_code == 422
        assert Client().post(f"/mail/{page}/{code or 'x'}").status_code == 422


def test_the_link_leads_to_a_page_whose_button_confirms(anna: Person, public: None) -> None:
    give_address(anna)
    confirmation(anna)
    (link,) = re.findall(r"https://listik\.example(/mail/confirm/\S+)", str(mail.outbox[-1].body))
    page = Client(enforce_csrf_checks=True)
    shown = page.get(link)
    assert (shown.status_code, shown.headers["Cache-Control"].split(",")[0]) == (200, "max-age=0")
    assert "default-src 'none'" in shown.headers["Content-Security-Policy"]
    assert anna.get("me").json()["email_confirmed"] is False
    assert b"is confirmed" in page.post(link).content
    assert anna.get("me").json()["email_confirmed"] is True


def test_all_of_it_is_in_the_personal_data_and_goes_with_the_account(anna: Person, match: str) -> None:
    give_address(anna)
    anna.post("me/browsers", BROWSER)
    anna.post("me/email/confirm")
    quiet = {"begins": "22:00", "ends": "07:00"}
    anna.put("me/notices/wishes", {"channels": {"mail": {"turn": False}}, "quiet": quiet})
    data = anna.get("me/data").json()
    assert data["wishes"] == {
        "channels": {"mail": {"turn": False}},
        "quiet": quiet,
        "mailed_at": None,
    }
    assert [one["service"] for one in data["browsers"]] == ["push.example"]
    assert {one["kind"] for one in data["notices"]} >= {"started"}
    spread.notices_spread()
    player = anna.id
    assert Delivery.objects.filter(player=player).exists()
    anna.post("me/close", {"password": PASSWORD})
    assert not PushSubscription.objects.exists()
    assert not Delivery.objects.filter(player=player).exists()
    assert Player.objects.get(pk=player).confirmed_email == ""


def test_who_leaves_in_a_race_by_reaction_has_left_for_the_others_when_it_is_over(
    anna: Person, ben: Person, cleo: Person
) -> None:
    match = begin_snap(anna, ben, cleo, game="snap", options={"race": {"mode": "reaction"}})
    racer, _ = to_move(match, anna, ben, cleo)
    others = [who for who in (anna, ben, cleo) if who is not racer]
    asked = decision(racer, match)
    racer.post(f"matches/{match}/moves", {"serial": asked["serial"], "move": {"type": "look"}})
    assert racer.post(f"matches/{match}/resign").status_code == 200
    assert all("left" not in kinds(who) for who in others)
    for who in others:
        for move in ("look", "pass"):
            asked = decision(who, match)
            if asked is not None:
                who.post(f"matches/{match}/moves", {"serial": asked["serial"], "move": {"type": move}})
    told = [one for who in others for one in who.get("me/notices").json()["notices"] if one["kind"] == "left"]
    assert len(told) == 2
    assert {one["about"] for one in told} == {racer.get("me/notices").json()["notices"][0]["seat"]}
