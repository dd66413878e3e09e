"""Accounts and the tokens of their devices."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth import authenticate
from django.core import signing
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from matches.errors import ServiceError
from matches.models import Player, RefreshToken, name_key
from matches.services import players
from matches.services.players import ACCESS_S, REFRESH_DAYS, Identity
from tests.matches.factories import at_once, make_player, refusal

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse battery"


def register(name: str = "Anna", password: str = PASSWORD, email: str = "") -> Player:
    return players.player_register(name=name, password=password, email=email)


def test_who_registers_can_log_in_however_the_name_is_written() -> None:
    anna = register("Ännä")
    for name in ("Ännä", "ÄNNÄ", "a\u0308nna\u0308"):
        assert players.player_authenticate(name=name, password=PASSWORD) == anna
    assert authenticate(username="änNÄ", password=PASSWORD) == anna


@pytest.mark.parametrize("name", ["anna", "ANNA", "Ａｎｎａ", " Anna "])
def test_names_that_read_alike_are_taken(name: str) -> None:
    register("Anna")
    error = refusal(lambda: register(name))
    assert (error.code, error.status) == ("name_taken", 409)
    assert Player.objects.count() == 1


def test_the_database_itself_keeps_names_apart() -> None:
    make_player("Anna")
    with pytest.raises(IntegrityError), transaction.atomic():
        make_player("ANNA")


@pytest.mark.parametrize("name", ["", "a", "x" * 31, "42", "__", "-anna", "anna-", "a/b", "a\nb\x00", "<b>"])
def test_names_have_their_bounds(name: str) -> None:
    error = refusal(lambda: register(name))
    assert (error.code, error.status) == ("name_invalid", 422)
    assert not Player.objects.exists()


def test_the_name_is_kept_as_it_is_written_save_its_spaces() -> None:
    assert register("  Anna   O'Hara-2 ").name == "Anna O'Hara-2"
    assert name_key("ANNA") == "anna"


@pytest.mark.parametrize("password", ["short", "password1234", "anna anna 1"])
def test_passwords_that_are_easy_to_guess_are_refused(password: str) -> None:
    error = refusal(lambda: register("anna anna", password))
    assert (error.code, error.status) == ("password_weak", 422)
    assert not Player.objects.exists()


def test_an_address_must_be_one() -> None:
    assert refusal(lambda: register(email="nowhere")).code == "email_invalid"
    assert not Player.objects.exists()


def test_an_unknown_name_and_a_wrong_password_give_the_same_answer() -> None:
    register()
    wrong = refusal(lambda: players.player_authenticate(name="Anna", password="wrong"))
    unknown = refusal(lambda: players.player_authenticate(name="Ben", password=PASSWORD))
    assert (wrong.code, wrong.message, wrong.status) == ("bad_credentials", unknown.message, 401)


def test_a_banned_player_can_not_log_in() -> None:
    anna = register()
    anna.is_active = False
    anna.save(update_fields=["is_active"])
    assert refusal(lambda: players.player_authenticate(name="Anna", password=PASSWORD)).code == "bad_credentials"


def test_who_has_no_password_can_not_log_in() -> None:
    make_player("Bot")
    assert refusal(lambda: players.player_authenticate(name="Bot", password="")).code == "bad_credentials"


def test_an_access_token_names_its_player_without_a_query() -> None:
    anna = register()
    tokens = players.tokens_issue(player=anna, device="phone")
    assert tokens.expires_in == ACCESS_S == 900
    with CaptureQueriesContext(connection) as queries:
        assert players.access_token_read(tokens.access) == Identity(anna.pk, 0)
    assert len(queries) == 0


@pytest.mark.parametrize("change", [lambda token: token[:-1], lambda token: "", lambda token: "1:2:3"])
def test_a_forged_access_token_is_refused(change: Callable[[str], str]) -> None:
    access = players.tokens_issue(player=register()).access
    error = refusal(lambda: players.access_token_read(change(access)))
    assert (error.code, error.status) == ("token_invalid", 401)


def test_an_access_token_of_another_make_is_refused() -> None:
    assert refusal(lambda: players.access_token_read(signing.dumps([1, 0]))).code == "token_invalid"
    odd = signing.dumps("odd", salt=players._SALT)
    assert refusal(lambda: players.access_token_read(odd)).code == "token_invalid"


def test_an_access_token_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    access = players.tokens_issue(player=register()).access
    late = time.time() + ACCESS_S + 2
    monkeypatch.setattr(time, "time", lambda: late)
    assert refusal(lambda: players.access_token_read(access)).code == "token_invalid"


def test_no_secret_of_a_device_is_kept() -> None:
    refresh = players.tokens_issue(player=register()).refresh
    kept = RefreshToken.objects.get()
    assert len(bytes(kept.digest)) == 32
    assert refresh.split(".")[1].encode() not in bytes(kept.digest)


def test_a_refresh_token_is_traded_for_new_ones() -> None:
    anna = register()
    first = players.tokens_issue(player=anna, device="phone")
    second = players.tokens_refresh(refresh=first.refresh)
    assert second.refresh != first.refresh
    assert players.access_token_read(second.access) == Identity(anna.pk, 0)
    players.tokens_refresh(refresh=second.refresh)
    assert RefreshToken.objects.count() == 1


def test_a_refresh_token_used_twice_logs_its_device_out_and_no_other() -> None:
    anna = register()
    first, other = players.tokens_issue(player=anna), players.tokens_issue(player=anna)
    second = players.tokens_refresh(refresh=first.refresh)
    assert refusal(lambda: players.tokens_refresh(refresh=first.refresh)).code == "token_invalid"
    assert refusal(lambda: players.tokens_refresh(refresh=second.refresh)).code == "token_invalid"
    players.tokens_refresh(refresh=other.refresh)


@pytest.mark.django_db(transaction=True)
def test_a_refresh_token_used_twice_at_once_gives_tokens_once() -> None:
    refresh = players.tokens_issue(player=register()).refresh
    answers = at_once(4, lambda _: players.tokens_refresh(refresh=refresh))
    assert sum(isinstance(answer, ServiceError) for answer in answers) == 3
    assert RefreshToken.objects.get().revoked_at is not None


@pytest.mark.parametrize("refresh", ["", "x", "x.y", "00000000000000000000000000000000.secret"])
def test_a_forged_refresh_token_is_refused(refresh: str) -> None:
    assert refusal(lambda: players.tokens_refresh(refresh=refresh)).code == "token_invalid"
    players.token_revoke(refresh=refresh)


def test_a_device_that_is_not_used_is_logged_out() -> None:
    refresh = players.tokens_issue(player=register()).refresh
    RefreshToken.objects.update(last_used_at=timezone.now() - timedelta(days=REFRESH_DAYS, minutes=1))
    assert refusal(lambda: players.tokens_refresh(refresh=refresh)).code == "token_invalid"


def test_logging_out_ends_one_device() -> None:
    anna = register()
    here, there = players.tokens_issue(player=anna), players.tokens_issue(player=anna)
    players.token_revoke(refresh=here.refresh)
    assert refusal(lambda: players.tokens_refresh(refresh=here.refresh)).code == "token_invalid"
    players.tokens_refresh(refresh=there.refresh)


def test_logging_out_everywhere_ends_all_devices_and_the_epoch() -> None:
    anna = register()
    devices = [players.tokens_issue(player=anna) for _ in range(2)]
    players.player_log_out_everywhere(player_id=anna.pk)
    for tokens in devices:
        assert refusal(players.tokens_refresh, refresh=tokens.refresh).code == "token_invalid"
    anna.refresh_from_db()
    assert anna.epoch == 1
    assert players.access_token_read(players.tokens_issue(player=anna).access) == Identity(anna.pk, 1)


def test_an_operator_is_made_by_name() -> None:
    root = Player.objects.create_superuser("Root", PASSWORD)
    assert (root.is_staff, root.is_superuser) == (True, True)
    assert authenticate(username="root", password=PASSWORD) == root


def test_who_logs_in_while_all_devices_are_logged_out_stays_out() -> None:
    """Staged: the password is found right, then another one is set and everybody logged out, then the tokens come."""
    anna = make_player("anna")
    found = Player.objects.get(pk=anna.pk)
    players.player_log_out_everywhere(player_id=anna.pk)
    assert refusal(lambda: players.tokens_issue(player=found)).code == "token_invalid"
    assert not RefreshToken.objects.filter(player=anna).exists()
    assert players.tokens_issue(player=Player.objects.get(pk=anna.pk)).access
