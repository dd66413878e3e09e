"""Whether somebody may be mailed notices: addresses are confirmed first, and any mail can stop all of them.

Like a forgotten password, a request only notes who asked; a worker makes the code and sends it.
"""

from __future__ import annotations

import time

import structlog
from django.core.mail import send_mail
from django.db import transaction
from django.utils import timezone

from matches.errors import ServiceError
from matches.locking import lock_confirmation, lock_player
from matches.models import ConfirmationRequest, Player
from matches.services.mailed_links import confirm_link, confirm_read, confirm_token, is_of, stop_read
from matches.services.players import Identity
from matches.services.receivers import channel_silence
from matches.services.recovery import PAUSE, STALE, is_mailed

log = structlog.get_logger()

TEXT = """Somebody, hopefully you, wants notices of their matches to be mailed to this address, as the player {name}.

{how}

If it wasn't you, there is nothing to do: without that nothing is mailed.
"""
BY_LINK = "Confirm it within three days:\n{link}\n\nOr with this code:\n{code}"
BY_CODE = "With this code it is confirmed, within three days:\n{code}"


def confirmation_ask(*, identity: Identity) -> None:
    """Have a code mailed to the account's address; for one that is confirmed, or for none, nothing is mailed."""
    with transaction.atomic():
        player = lock_player(player_id=identity.player_id, epoch=identity.epoch)
        if player.email and player.email != player.confirmed_email:
            ConfirmationRequest.objects.update_or_create(player=player, defaults={"asked_at": timezone.now()})


def confirmation_finish(*, code: str) -> None:
    """Whoever has the code reads that address. Again is the same; another address by now needs another code."""
    player_id, digest = confirm_read(code)
    with transaction.atomic():
        player = _of_link(player_id)
        if player is None or not is_of(digest, player.email):
            raise ServiceError("code_invalid", "the account has another address now")
        player.confirmed_email = player.email
        player.save(update_fields=["confirmed_email"])


def mails_stop(*, code: str) -> None:
    """Mail no notices any more to the address that this link was mailed to."""
    player_id, digest = stop_read(code)
    player = Player.objects.filter(pk=player_id, is_active=True).first()
    if player is not None and is_of(digest, player.email):
        channel_silence(player_id=player_id, channel="mail")


def confirmations_send(*, seconds: float = 10) -> int:
    """Mail those who asked, one after another; gives how many requests are done with."""
    end = time.monotonic() + seconds
    done = 0
    while time.monotonic() < end:
        with transaction.atomic():
            request = lock_confirmation()
            if request is None:
                break
            if request.asked_at > timezone.now() - STALE and not is_mailed(_mail, request.player):
                break
            request.delete()
        done += 1
    return done


def _mail(player: Player) -> None:
    is_wanted = player.is_active and player.email and player.email != player.confirmed_email
    if not is_wanted or (player.mailed_at is not None and player.mailed_at > timezone.now() - PAUSE):
        return
    code = confirm_token(player.pk, player.email)
    link = confirm_link(code)
    how = BY_CODE.format(code=code) if link is None else BY_LINK.format(link=link, code=code)
    send_mail("Confirm your address for Listik", TEXT.format(name=player.name, how=how), None, [player.email])
    Player.objects.filter(pk=player.pk).update(mailed_at=timezone.now())
    log.info("confirmation mailed", player=player.pk)


def _of_link(player_id: int) -> Player | None:
    try:
        return lock_player(player_id=player_id)
    except ServiceError:
        return None
