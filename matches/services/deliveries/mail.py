"""Mail: what waits for a player, together, to an address that the player has confirmed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from email.utils import parseaddr
from smtplib import SMTPDataError, SMTPException, SMTPRecipientsRefused, SMTPSenderRefused

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import F

from matches.models import NoticeKind, Player
from matches.services.deliveries import wording
from matches.services.deliveries.contract import BACKOFF_S, SENT, Outgoing, Result, again, dropped, failed
from matches.services.mailed_links import stop_link

PERMANENT = range(500, 600)
"""Answers of a mail server that won't be others tomorrow."""


class Mail:
    """The channel `mail`."""

    name = "mail"
    usual = frozenset(NoticeKind) - {NoticeKind.LEFT}
    rests = True
    collects = True
    backoff_s = BACKOFF_S

    def targets(self, player_ids: Collection[int]) -> Mapping[int, Sequence[str]]:
        """One each: whatever the address is when it is sent."""
        return dict.fromkeys(reachable(player_ids), ("",))

    def wait_s(self, kind: NoticeKind) -> int:
        """A while for others to come along, unless time runs out."""
        return 0 if kind == NoticeKind.WARNING else int(settings.MAIL_COLLECT_S)

    def send(self, outgoing: Sequence[Outgoing]) -> Result:
        """One mail with all of it."""
        player_id = outgoing[0].player_id
        address = reachable([player_id]).get(player_id)
        if address is None:
            return dropped("there is no confirmed address")
        try:
            _message(outgoing, address).send()
        except SMTPRecipientsRefused as error:
            codes = [code for code, _ in error.recipients.values()]
            return _refused(error, max(codes, default=0))
        except (SMTPDataError, SMTPSenderRefused) as error:
            return _refused(error, error.smtp_code)
        except (SMTPException, OSError) as error:
            return again(type(error).__name__)
        return SENT


def reachable(player_ids: Collection[int]) -> dict[int, str]:
    """The addresses of those of these players who have confirmed theirs."""
    people = Player.objects.filter(pk__in=player_ids, is_active=True, confirmed_email=F("email")).exclude(email="")
    return dict(people.values_list("pk", "email"))


def _refused(error: SMTPException, code: int) -> Result:
    """Without the server's own words, which may repeat the address."""
    text = f"{type(error).__name__} {code}"
    return failed(text) if code in PERMANENT else again(text)


def _message(outgoing: Sequence[Outgoing], address: str) -> EmailMessage:
    """The same deliveries make a mail with the same id, so that a repeat can be told."""
    player_id = outgoing[0].player_id
    letter = wording.letter_of(outgoing, player_id)
    link = stop_link(player_id, address)
    first = min(one.delivery_id for one in outgoing)
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2]
    headers = {"Message-ID": f"<{first}@{domain}>", "Auto-Submitted": "auto-generated"}
    if link is not None:
        headers["List-Unsubscribe"] = f"<{link}>"
        if link.startswith("https://"):
            headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return EmailMessage(letter.subject, letter.text(link), None, [address], headers=headers)
