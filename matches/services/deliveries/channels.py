"""The channels there are."""

from __future__ import annotations

from types import MappingProxyType

from matches.models import NoticeKind
from matches.services.deliveries.contract import Channel
from matches.services.deliveries.mail import Mail
from matches.services.deliveries.push import Push

IN_APP = "in_app"
"""The player's own list, which is read and not sent; preferences name it like a channel."""

CHANNELS: MappingProxyType[str, Channel] = MappingProxyType({channel.name: channel for channel in (Mail(), Push())})
"""Every channel that something is sent by, by name."""

USUAL: MappingProxyType[str, frozenset[NoticeKind]] = MappingProxyType(
    {IN_APP: frozenset(NoticeKind), **{name: channel.usual for name, channel in CHANNELS.items()}}
)
"""The kinds that each carries if the player doesn't say otherwise."""
