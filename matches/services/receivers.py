"""What players want to be told, by which channel, and when they want to be left alone."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import time
from typing import NamedTuple

from django.db import transaction

from matches.calendars import Night, next_night
from matches.errors import ServiceError
from matches.models import Habits, NoticeKind, Receiver
from matches.outbox import lock_receivers
from matches.services.deliveries.channels import USUAL
from matches.services.deliveries.mail import reachable

Wanted = dict[str, dict[str, bool]]


class Wishes(NamedTuple):
    """All of it: what each channel carries, the quiet hours by the wall clock of `zone`, and where mails go."""

    channels: Wanted
    quiet: tuple[time, time] | None
    zone: str
    mail_to: str | None


def wishes_of(*, player_id: int) -> Wishes:
    """A player's wishes; without a word of theirs the usual ones."""
    receiver = Receiver.objects.filter(player=player_id).first() or Receiver(player_id=player_id)
    habits = Habits.objects.filter(player=player_id).first()
    channels = {name: {kind.value: wants(receiver, name, kind) for kind in NoticeKind} for name in USUAL}
    address = reachable([player_id]).get(player_id)
    return Wishes(channels, quiet_of(receiver), "UTC" if habits is None else habits.zone, address)


def wishes_set(
    *, player_id: int, channels: Mapping[str, Mapping[str, bool]], quiet: tuple[time, time] | None
) -> Wishes:
    """Change what is named; what isn't stays. The quiet hours are set as they are given."""
    if quiet is not None and quiet[0] == quiet[1]:
        raise ServiceError("bad_calendar", "quiet hours end at another time than they begin")
    with transaction.atomic():
        (receiver,) = lock_receivers([player_id])
        for name, kinds in channels.items():
            if name not in USUAL:
                raise ServiceError("malformed", f"nothing is told by {name} here")
            for kind, is_wanted in kinds.items():
                _want(receiver, name, kind, is_wanted=is_wanted)
        receiver.quiet_begins, receiver.quiet_ends = quiet or (None, None)
        receiver.save(update_fields=["wanted", "quiet_begins", "quiet_ends"])
    return wishes_of(player_id=player_id)


def channel_silence(*, player_id: int, channel: str) -> None:
    """Tell nothing by this channel any more."""
    with transaction.atomic():
        (receiver,) = lock_receivers([player_id])
        for kind in NoticeKind:
            _want(receiver, channel, kind, is_wanted=False)
        receiver.save(update_fields=["wanted"])


def wants(receiver: Receiver, channel: str, kind: str) -> bool:
    """Whether the player wants this kind by this channel."""
    wanted: bool = receiver.wanted.get(channel, {}).get(kind, kind in USUAL[channel])
    return wanted


def quiet_of(receiver: Receiver) -> tuple[time, time] | None:
    """The quiet hours, by the clock on the wall."""
    if receiver.quiet_begins is None or receiver.quiet_ends is None:
        return None
    return receiver.quiet_begins, receiver.quiet_ends


def quiet_until(receiver: Receiver, zone: str, now: int) -> int | None:
    """When the quiet hours that run now are over (UTC milliseconds), None outside of them."""
    quiet = quiet_of(receiver)
    if quiet is None:
        return None
    span = next_night(Night(zone, *quiet), now)
    return span.ends if span.begins <= now else None


def _want(receiver: Receiver, channel: str, kind: str, *, is_wanted: bool) -> None:
    """Only what differs from the usual is kept, so that those who have no wish follow it when it changes."""
    kinds = receiver.wanted.setdefault(channel, {})
    if is_wanted == (kind in USUAL[channel]):
        kinds.pop(kind, None)
    else:
        kinds[kind] = is_wanted
