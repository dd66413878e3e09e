"""Players and their tokens."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from matches.api.bodies.common import Body

Name = Annotated[str, Meta(min_length=2, max_length=30, description="Unique, whatever the case of its letters.")]
Password = Annotated[str, Meta(min_length=10, max_length=200)]


class Register(Body, frozen=True):
    """A new player."""

    name: Name
    password: Password
    email: Annotated[str, Meta(max_length=254)] = ""


class LogIn(Body, frozen=True):
    """Name and password, for tokens; `device` is your own word for where they will be used."""

    name: str
    password: str
    device: Annotated[str, Meta(max_length=100)] = ""


class RefreshToken(Body, frozen=True):
    """A refresh token, which each use replaces."""

    refresh: Annotated[str, Meta(max_length=500)]


class PlayerBody(Struct, frozen=True):
    """A player, as anybody may see it."""

    id: int
    name: str
    is_guest: bool
    is_bot: bool


class Session(Struct, frozen=True):
    """Send `access` as `Authorization: Bearer …`; when it ends, after `expires_in` seconds, trade in `refresh`."""

    access: str
    refresh: str
    expires_in: int
