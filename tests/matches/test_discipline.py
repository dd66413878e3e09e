"""What the staff does with accounts: it bites at the next move, ends by itself, and is written down."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from matches.models import AuditEntry, Match, Notice, Player, PlayerNote, RefreshToken, Report, Seat, Status
from matches.paces import PACES
from matches.selectors import own_account
from matches.services import accounts, conduct, farewell, lobby, pairing, players
from matches.services.discipline import (
    device_revoke,
    devices_revoke,
    guest_merge,
    note_write,
    player_let_in,
    player_suspend,
)
from tests.matches.factories import make_lobby, make_match, make_player, make_players, refusal, table_of, take

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "a long enough password"


@pytest.fixture
def staff() -> Player:
    return Player.objects.create_superuser("of the staff")


def by(staff: Player, player: Player, **more: Any) -> dict[str, Any]:
    return {"player_id": player.pk, "actor_id": staff.pk, "reason": "they were rude", **more}


def in_days(days: int) -> Any:
    return timezone.now() + timedelta(days=days)


def written() -> list[str]:
    return list(AuditEntry.objects.order_by("pk").values_list("what", flat=True))


def test_a_suspension_bites_at_the_next_move_and_everywhere_else(staff: Player) -> None:
    anna, ben = make_player("anna"), make_player("ben")
    anna.set_password(PASSWORD)
    anna.save(update_fields=["password"])
    match = make_match(anna, ben)
    tokens = players.tokens_issue(player=anna)
    player_suspend(**by(staff, anna, until=in_days(2)))
    before = table_of(match)
    for request in (
        lambda: take(match, anna, 1),
        lambda: players.player_authenticate(name="anna", password=PASSWORD),
        lambda: players.tokens_refresh(refresh=tokens.refresh),
        lambda: own_account(player_id=anna.pk, epoch=0),
        lambda: make_lobby(anna),
        lambda: lobby.match_join(match_id=make_lobby(ben).pk, player_id=anna.pk),
    ):
        caught = refusal(request)
        assert caught.code == "suspended"
        assert caught.extra["until"] is not None
    assert table_of(match) == before
    assert refusal(players.player_authenticate, name="anna", password="wrong").code == "bad_credentials"
    assert written() == ["player_suspended"]


def test_a_suspension_ends_by_itself_and_devices_come_back(staff: Player) -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    tokens = players.tokens_issue(player=anna)
    player_suspend(**by(staff, anna, until=in_days(2)))
    Player.objects.filter(pk=anna.pk).update(suspended_until=timezone.now() - timedelta(seconds=1))
    again = players.tokens_refresh(refresh=tokens.refresh)
    identity = players.access_token_read(again.access)
    take(match, anna, 1, epoch=identity.epoch)
    assert refusal(take, match=match, player=ben, number=1, epoch=7).code == "token_invalid"


def test_who_is_let_in_comes_back(staff: Player) -> None:
    (anna,) = make_players(1)
    player_suspend(**by(staff, anna, until=None))
    player_let_in(**by(staff, anna))
    assert refusal(player_let_in, **by(staff, anna)).code == "not_found"
    make_lobby(anna)
    assert written() == ["player_banned", "player_let_in"]


@pytest.mark.parametrize(("days", "leaves", "has_left"), [(3, False, False), (3, True, True), (None, False, True)])
def test_lobbies_are_left_and_running_matches_where_it_is_wanted_or_a_ban(
    staff: Player,
    days: int | None,
    leaves: bool,  # noqa: FBT001
    has_left: bool,  # noqa: FBT001
) -> None:
    anna, ben, carl = make_players(3)
    match = make_match(anna, ben, carl)
    waiting = make_lobby(anna)
    pairing.pairing_enter(player_id=anna.pk, wish=pairing.Wish("snap", "standard", 2, next(iter(PACES))))
    player_suspend(**by(staff, anna, until=None if days is None else in_days(days), leaves=leaves))
    assert table_of(match).seats[0].has_left is has_left
    assert Match.objects.get(pk=waiting.pk).status == Status.CANCELLED
    assert not hasattr(Player.objects.get(pk=anna.pk), "ticket")


def test_what_a_banned_player_still_sits_in_is_left_later(staff: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben, carl = make_players(3)
    match = make_match(anna, ben, carl)
    with monkeypatch.context() as patch:
        patch.setattr("matches.services.discipline.leave_all", lambda *_: None)
        player_suspend(**by(staff, anna, until=None))
    assert not table_of(match).seats[0].has_left
    assert farewell.farewells_finish() == 1
    assert table_of(match).seats[0].has_left


def test_the_staff_is_not_kept_out_nor_does_anybody_keep_themself_out(staff: Player) -> None:
    other = Player.objects.create_superuser("another one")
    assert refusal(player_suspend, **by(staff, other, until=None)).code == "forbidden"
    assert refusal(player_suspend, **by(staff, staff, until=None)).code == "forbidden"
    assert refusal(farewell.player_close, **by(staff, other)).code == "forbidden"
    assert refusal(player_suspend, **by(staff, make_player(), until=in_days(-1))).code == "malformed"
    assert written() == []


def test_one_device_or_all_are_logged_out(staff: Player) -> None:
    (anna,) = make_players(1)
    first, second = (players.tokens_issue(player=anna) for _ in range(2))
    device = RefreshToken.objects.order_by("created_at").first()
    assert device is not None
    device_revoke(**by(staff, anna, device_id=device.pk))
    assert refusal(device_revoke, **by(staff, anna, device_id=device.pk)).code == "not_found"
    assert refusal(players.tokens_refresh, refresh=first.refresh).code == "token_invalid"
    renewed = players.tokens_refresh(refresh=second.refresh)
    devices_revoke(**by(staff, anna))
    assert refusal(players.tokens_refresh, refresh=renewed.refresh).code == "token_invalid"
    assert written() == ["device_logged_out", "devices_logged_out"]


def test_a_guest_becomes_somebody_with_all_that_was_played(staff: Player) -> None:
    anna, ben = make_players(2)
    guest, tokens = accounts.guest_create()
    match, waiting = make_match(guest, ben), make_lobby(guest)
    conduct.report_file(reporter_id=ben.pk, player_id=guest.pk, reason="stalling")
    guest_merge(guest_id=guest.pk, player_id=anna.pk, actor_id=staff.pk, reason="they asked")
    assert Seat.objects.get(match=match, number=0).player_id == anna.pk
    assert Match.objects.get(pk=waiting.pk).host_id == anna.pk
    assert Report.objects.get().player_id == anna.pk
    assert set(Notice.objects.filter(match=match, kind="turn").values_list("player", flat=True)) == {anna.pk}
    take(match, anna, 1)
    assert refusal(take, match=match, player=guest, number=1).code == "token_invalid"
    assert refusal(players.tokens_refresh, refresh=tokens.refresh).code == "token_invalid"
    assert not Player.objects.get(pk=guest.pk).is_active
    assert written() == ["guest_merged"]


def test_a_guest_that_sits_in_a_match_of_the_player_stays_a_guest(staff: Player) -> None:
    (anna,) = make_players(1)
    guest, _ = accounts.guest_create()
    match = make_match(guest, anna)
    caught = refusal(guest_merge, guest_id=guest.pk, player_id=anna.pk, actor_id=staff.pk, reason="they asked")
    assert caught.code == "already_seated"
    assert [seat.player_id for seat in Seat.objects.filter(match=match)] == [guest.pk, anna.pk]
    assert Player.objects.get(pk=guest.pk).is_active


def test_only_guests_are_merged(staff: Player) -> None:
    anna, ben = make_players(2)
    guest, _ = accounts.guest_create()
    for one, into in ((anna, ben), (guest, guest), (anna, guest)):
        refusal(guest_merge, guest_id=one.pk, player_id=into.pk, actor_id=staff.pk, reason="they asked")
    assert written() == []


def test_notes_are_kept(staff: Player) -> None:
    (anna,) = make_players(1)
    note_write(**by(staff, anna, text="a friend of ben"))
    assert list(PlayerNote.objects.values_list("player", "author", "text")) == [(anna.pk, staff.pk, "a friend of ben")]
    assert written() == ["note_written"]


def test_the_staff_closes_an_account(staff: Player) -> None:
    anna, ben = make_players(2)
    match = make_match(anna, ben)
    farewell.player_close(**by(staff, anna))
    assert Player.objects.get(pk=anna.pk).name == f"[deleted {anna.pk}]"
    assert table_of(match).seats[0].has_left
    assert written() == ["player_closed"]
