"""Accounts, and the tokens with which their devices are logged in."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from django.contrib.auth import authenticate, password_validation
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.utils import timezone

from matches.errors import ServiceError
from matches.letting_in import must_be_let_in
from matches.locking import lock_player
from matches.models import Player, RefreshToken
from matches.services.names import clean_name

ACCESS_S = 900
"""For how long an access token holds, in seconds; a lost one can be used for so long where `epoch` isn't compared."""
REFRESH_DAYS = 90
"""For how many days a device stays logged in that isn't used."""
_SALT = "listik access token 1"


class Identity(NamedTuple):
    """Whom an access token names. Whether it still holds tells the player's epoch, in the database."""

    player_id: int
    epoch: int


class Tokens(NamedTuple):
    """What a device gets: `access` holds for `expires_in` seconds, `refresh` is good for one renewal."""

    access: str
    refresh: str
    expires_in: int


def player_register(*, name: str, password: str, email: str = "", is_bot: bool = False) -> Player:
    """Make an account; `is_bot` for good if a program plays with it."""
    name = clean_name(name)
    check_email(email)
    check_password(password, Player(name=name, email=email))
    with unique_name(name):
        return Player.objects.create_player(name, password, email=email, is_bot=is_bot)


def player_ensure(*, name: str, password: str, is_operator: bool = False) -> None:
    """The account exists and has this password; an operator may do everything in the admin."""
    player = Player.objects.filter(name=name).first()
    if player is None:
        Player.objects.create_player(name, password, is_staff=is_operator, is_superuser=is_operator)
    elif not player.check_password(password):
        player.set_password(password)
        player.save(update_fields=["password"])


def player_authenticate(*, name: str, password: str) -> Player:
    """Log in. An unknown name costs the same work as a wrong password and gives the same answer."""
    player = authenticate(username=name, password=password)
    if not isinstance(player, Player):
        raise ServiceError("bad_credentials")
    must_be_let_in(player)
    return player


def tokens_issue(*, player: Player, device: str = "") -> Tokens:
    """Log a device in; `device` is what its owner calls it.

    Raises ServiceError `token_invalid` when all devices were logged out since the player was read.
    """
    secret = secrets.token_urlsafe(32)
    with transaction.atomic():
        # What logs every device out comes before it, and then this one stays out, or after it and finds this one.
        lock_player(player_id=player.pk, epoch=player.epoch)
        row = RefreshToken.objects.create(player=player, digest=_digest(secret), device=device)
    return _tokens(row, player, secret)


def tokens_refresh(*, refresh: str) -> Tokens:
    """Trade a refresh token in. One that was traded in before was copied: its device is logged out."""
    device_id, given = _split(refresh)
    with transaction.atomic():
        row = RefreshToken.objects.select_for_update(of=["self"]).select_related("player").filter(pk=device_id).first()
        tokens = None if row is None else _renew(row, given)
    # The refusal comes after the commit, which may have logged the device out.
    if tokens is None:
        raise ServiceError("token_invalid", "the refresh token doesn't hold any more; log in again")
    return tokens


def token_revoke(*, refresh: str) -> None:
    """Log the token's device out; no error when it isn't logged in."""
    try:
        device_id, given = _split(refresh)
    except ServiceError:
        return
    row = RefreshToken.objects.filter(pk=device_id, revoked_at=None).first()
    if row is not None and hmac.compare_digest(bytes(row.digest), _digest(given)):
        _revoke(row)


def player_log_out_everywhere(*, player_id: int) -> None:
    """Log all devices out; access tokens issued before are refused for moves from now on."""
    with transaction.atomic():
        log_out(lock_player(player_id=player_id))


def access_token_read(token: str) -> Identity:
    """Whom a token names, without a query. Raises `token_invalid` for one that is forged or too old."""
    try:
        player_id, epoch = signing.loads(token, salt=_SALT, max_age=ACCESS_S)
        return Identity(int(player_id), int(epoch))
    except (signing.BadSignature, TypeError, ValueError):
        raise ServiceError("token_invalid", "the access token is wrong or too old; renew it") from None


def access_token_ends(token: str) -> int:
    """When a token that was read ends, in seconds since 1970."""
    return signing.b62_decode(token.rsplit(":", 2)[1]) + ACCESS_S


def log_out(player: Player) -> None:
    """Of a player that is locked: no token issued before holds any more."""
    player.epoch += 1
    player.save(update_fields=["epoch"])
    RefreshToken.objects.filter(player=player, revoked_at=None).update(revoked_at=timezone.now())


def check_email(email: str) -> None:
    """An address of mail, or none."""
    _check(lambda: validate_email(email) if email else None, "email_invalid")


def check_password(password: str, player: Player) -> None:
    """A password that this player may have."""
    _check(lambda: password_validation.validate_password(password, player), "password_weak")


@contextmanager
def unique_name(name: str) -> Iterator[None]:
    """What is done inside gives a player this name."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError:
        raise ServiceError(
            "name_taken", f"there is a player {name!r} already, or one whose name looks like it; choose another name"
        ) from None


def _check(validate: Callable[[], None], code: str) -> None:
    try:
        validate()
    except ValidationError as error:
        raise ServiceError(code, " ".join(error.messages)) from None


def _tokens(row: RefreshToken, player: Player, secret: str) -> Tokens:
    access = signing.dumps([player.pk, player.epoch], salt=_SALT)
    return Tokens(access, f"{row.pk.hex}.{secret}", ACCESS_S)


def _renew(row: RefreshToken, given: str) -> Tokens | None:
    now = timezone.now()
    if row.revoked_at is None and hmac.compare_digest(bytes(row.digest), _digest(given)):
        # The device stays logged in for when the suspension is over: a guest has no other way back.
        must_be_let_in(row.player)
    if row.revoked_at is not None or row.last_used_at < now - timedelta(days=REFRESH_DAYS) or not row.player.is_active:
        return None
    if not hmac.compare_digest(bytes(row.digest), _digest(given)):
        _revoke(row)
        return None
    secret = secrets.token_urlsafe(32)
    row.digest, row.last_used_at = _digest(secret), now
    row.save(update_fields=["digest", "last_used_at"])
    return _tokens(row, row.player, secret)


def _revoke(row: RefreshToken) -> None:
    row.revoked_at = timezone.now()
    row.save(update_fields=["revoked_at"])


def _split(refresh: str) -> tuple[UUID, str]:
    device, _, secret = refresh.partition(".")
    try:
        return UUID(device), secret
    except ValueError:
        raise ServiceError("token_invalid", "this is no refresh token of ours; log in again") from None


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
