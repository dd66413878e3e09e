"""What people do with their accounts: come as a guest and stay, change password and address."""

from __future__ import annotations

from django.db import IntegrityError, transaction

from matches.errors import ServiceError
from matches.locking import lock_player
from matches.models import Player, name_key, name_look
from matches.services.names import clean_name, guest_name
from matches.services.players import (
    Identity,
    Tokens,
    check_email,
    check_password,
    log_out,
    tokens_issue,
    unique_name,
)

TRIES = 5


def guest_create(*, device: str = "") -> tuple[Player, Tokens]:
    """An account for somebody who hasn't chosen a name or a password yet; it is lost with its device."""
    for _ in range(TRIES):
        try:
            with transaction.atomic():
                guest = Player.objects.create_player(guest_name(), is_guest=True)
                return guest, tokens_issue(player=guest, device=device)
        except IntegrityError:
            # One in 900 million names was taken.
            continue
    raise ServiceError("try_again")


def guest_upgrade(*, identity: Identity, name: str, password: str, email: str = "") -> Player:
    """The guest becomes a full player with all that was played; its tokens go on holding."""
    name = clean_name(name)
    check_email(email)
    check_password(password, Player(name=name, email=email))
    with unique_name(name):
        player = lock_player(player_id=identity.player_id, epoch=identity.epoch)
        if not player.is_guest:
            raise ServiceError("not_a_guest", f"the account has a name and a password already: {player.name}")
        player.name, player.name_key, player.name_look = name, name_key(name), name_look(name)
        player.email, player.is_guest = email, False
        player.set_password(password)
        player.save(update_fields=["name", "name_key", "name_look", "email", "is_guest", "password"])
    return player


def password_change(*, identity: Identity, old: str, new: str, device: str = "") -> Tokens:
    """Another password; every device is logged out, and the one that asked gets new tokens."""
    with transaction.atomic():
        player = _proven(identity, old)
        check_password(new, player)
        player.set_password(new)
        player.save(update_fields=["password"])
        log_out(player)
        return tokens_issue(player=player, device=device)


def email_change(*, identity: Identity, password: str, email: str) -> Player:
    """Another address of mail, or none."""
    check_email(email)
    with transaction.atomic():
        player = _proven(identity, password)
        player.email = email
        player.save(update_fields=["email"])
    return player


def must_prove(player: Player, password: str) -> None:
    """Whoever holds a token alone can't take an account over. A guest has nothing to prove it with."""
    if not player.is_guest and not player.check_password(password):
        raise ServiceError("wrong_password", "the password of the account is another one")


def _proven(identity: Identity, password: str) -> Player:
    player = lock_player(player_id=identity.player_id, epoch=identity.epoch)
    if player.is_guest:
        raise ServiceError("guests_only_upgrade", "a guest chooses name, password and address together, at /me/upgrade")
    must_prove(player, password)
    return player
