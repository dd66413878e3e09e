"""Forgotten passwords, by mail.

The request only notes what was typed in, so that it answers alike, and as fast, whether there is such an account or
not. A worker looks it up, makes the code and sends it: a code is never stored, queued or logged.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from smtplib import SMTPDataError, SMTPRecipientsRefused
from typing import TypeVar
from urllib.parse import quote

import structlog
from django.conf import settings
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from matches.errors import ServiceError
from matches.locking import lock_player, lock_recovery
from matches.models import Player, RecoveryRequest, name_key
from matches.services.players import check_password, log_out

MOST_ACCOUNTS = 10
"""So many accounts of one address are mailed at a time."""
STALE = timedelta(hours=1)
PAUSE = timedelta(minutes=5)
"""So long an account is mailed nothing more, whoever asks."""

T = TypeVar("T")

log = structlog.get_logger()

TEXT = """Somebody, hopefully you, has forgotten the password of the player {name}.

With this code you can choose another one within {minutes} minutes, once:

{code}
{link}
If it wasn't you, there is nothing to do: without the code nothing changes.
"""


class _Codes(PasswordResetTokenGenerator):
    """Good until the password, the address or the epoch changes, or the time is over."""

    key_salt = "listik recovery code 1"

    def _make_hash_value(self, user: Player, timestamp: int) -> str:
        return f"{user.pk} {user.password} {user.email} {user.epoch} {timestamp}"


_codes = _Codes()


def recovery_ask(*, about: str) -> None:
    """Somebody has forgotten the password of an account with this name or address."""
    RecoveryRequest.objects.create(about=about)


def recovery_finish(*, code: str, password: str) -> None:
    """Another password for whoever has the code; every device is logged out. The code is good once."""
    player_id, _, token = code.strip().partition("-")
    with transaction.atomic():
        player = _of_code(player_id, token)
        check_password(password, player)
        player.set_password(password)
        # The code was mailed there.
        player.confirmed_email = player.email
        player.save(update_fields=["password", "confirmed_email"])
        log_out(player)


def recoveries_send(*, seconds: float = 10) -> int:
    """Mail those who asked, one after another; gives how many requests are done with."""
    end = time.monotonic() + seconds
    done = 0
    while time.monotonic() < end:
        with transaction.atomic():
            request = lock_recovery()
            if request is None:
                break
            if request.asked_at > timezone.now() - STALE and not is_mailed(_mail, request.about.strip()):
                break
            request.delete()
        done += 1
    return done


def _of_code(player_id: str, token: str) -> Player:
    if player_id.isascii() and player_id.isdigit() and len(player_id) <= 18:
        try:
            player = lock_player(player_id=int(player_id))
        except ServiceError:
            player = None
        if player is not None and _codes.check_token(player, token):
            return player
    raise ServiceError("code_invalid", "the code is wrong, too old or used already; ask for another one")


def is_mailed(mail: Callable[[T], None], about: T) -> bool:
    """Whether a request is done with; when no mail can be sent at all it is kept and tried again."""
    try:
        mail(about)
    except (SMTPRecipientsRefused, SMTPDataError) as error:
        log.warning("refused by the mail server", error=type(error).__name__)
    except OSError as error:
        log.warning("no mail can be sent", error=type(error).__name__)
        return False
    return True


def _mail(about: str) -> None:
    found = Player.objects.filter(is_active=True, is_guest=False, is_bot=False).exclude(email="")
    found = found.filter(Q(mailed_at=None) | Q(mailed_at__lt=timezone.now() - PAUSE))
    for player in found.filter(Q(name_key=name_key(about)) | Q(email__iexact=about)).order_by("pk")[:MOST_ACCOUNTS]:
        code = f"{player.pk}-{_codes.make_token(player)}"
        # Behind a '#' it reaches no server, hence no server's log.
        link = f"\n{settings.RECOVERY_URL}#code={quote(code)}\n" if settings.RECOVERY_URL else ""
        text = TEXT.format(name=player.name, code=code, link=link, minutes=settings.PASSWORD_RESET_TIMEOUT // 60)
        send_mail("A new password for Listik", text, None, [player.email])
        Player.objects.filter(pk=player.pk).update(mailed_at=timezone.now())
        log.info("recovery mailed", player=player.pk)
