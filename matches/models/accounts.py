"""Players, and the devices they are logged in on."""

from __future__ import annotations

import unicodedata
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, ClassVar

from disarm import skeleton_key
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now, Upper
from django.utils import timezone

NAME_LENGTH = 30
LONGEST_LOOK = 4 * NAME_LENGTH
FOR_EVER = datetime(9999, 12, 31, tzinfo=UTC)
"""The end of a suspension that has none: a ban."""


def name_key(name: str) -> str:
    """The name as it is looked up: however its letters are written, it is the same key."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def name_look(name: str) -> str:
    """What the name looks like (UTS 39): `Ian` and `lan`, or `Anna` in Latin and in Greek letters, look the same."""
    return str(skeleton_key(unicodedata.normalize("NFKC", name), digit_policy="tr39"))


class PlayerManager(BaseUserManager["Player"]):
    """Makes players, and finds them by name however it is written."""

    def create_player(self, name: str, password: str | None = None, **fields: Any) -> Player:
        """Without a password nobody can log in with the account."""
        player = self.model(name=name, name_key=name_key(name), name_look=name_look(name), **fields)
        player.set_password(password)
        player.save(using=self._db, force_insert=True)
        return player

    def create_superuser(self, name: str, password: str | None = None, **fields: Any) -> Player:
        """What the command `createsuperuser` calls."""
        return self.create_player(name, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> Player:
        return self.get(name_key=name_key(username or ""))


class Player(AbstractBaseUser, PermissionsMixin):
    """An account. Raising `epoch` makes every access token issued before worthless.

    Notices are mailed to `email` once its owner has shown to read it: then `confirmed_email` is the same.

    One that is suspended can do nothing until then, for ever if that is `FOR_EVER`. Of a deleted one only the row is
    left, for the matches it played, under a name that nobody can take.
    """

    name = models.CharField(max_length=NAME_LENGTH, unique=True)
    name_key = models.CharField(max_length=4 * NAME_LENGTH, unique=True, editable=False)
    name_look = models.CharField(max_length=LONGEST_LOOK, unique=True, null=True, blank=True, editable=False)
    email = models.EmailField(blank=True, default="")
    confirmed_email = models.EmailField(blank=True, default="", db_default="")
    epoch = models.IntegerField(default=0, db_default=0)
    is_guest = models.BooleanField(default=False, db_default=False)
    is_bot = models.BooleanField(default=False, db_default=False)
    is_active = models.BooleanField(default=True, db_default=True)
    is_staff = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    mailed_at = models.DateTimeField(null=True, blank=True, editable=False)
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)
    suspended_until = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(deleted_at=None) | Q(is_active=False), name="deleted_is_not_active"),
        )
        indexes = (
            models.Index(Upper("email"), condition=~Q(email=""), name="player_by_email"),
            models.Index(fields=["-id"], condition=Q(is_staff=True), name="player_staff"),
            models.Index(fields=["-id"], condition=Q(is_bot=True), name="player_bots"),
            models.Index(fields=["-id"], condition=Q(is_guest=True), name="player_guests"),
            models.Index(fields=["-id"], condition=Q(is_active=False), name="player_inactive"),
            models.Index(fields=["suspended_until"], condition=~Q(suspended_until=None), name="player_suspended"),
            models.Index(fields=["deleted_at"], condition=Q(deleted_at__isnull=False), name="player_deleted"),
        )

    objects = PlayerManager()

    USERNAME_FIELD = "name"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    def __str__(self) -> str:
        return self.name

    def get_session_auth_hash(self) -> str:
        """A session of the admin is over when the password changes, and when all devices are logged out."""
        return f"{super().get_session_auth_hash()}-{self.epoch}"

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        """The same with each former SECRET_KEY."""
        return (f"{former}-{self.epoch}" for former in super().get_session_auth_fallback_hash())

    @property
    def is_suspended(self) -> bool:
        """Whether operators keep it out just now."""
        return self.suspended_until is not None and self.suspended_until > timezone.now()


class PlayerNote(models.Model):
    """What somebody of the staff knows of a player; for the staff alone, and never changed."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="notes")
    author = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", db_index=False)
    at = models.DateTimeField(db_default=Now(), editable=False)
    text = models.CharField(max_length=2000)

    class Meta:
        default_permissions = ("view",)

    def __str__(self) -> str:
        return f"note about {self.player_id}"


class Staff(Player):
    """An account that may enter the admin; the same row as the player's."""

    class Meta:
        proxy = True
        default_permissions = ("view",)
        verbose_name_plural = "staff"


class RefreshToken(models.Model):
    """A device that is logged in. Its id is part of the token and can't be guessed; `digest` is of the token's rest."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="devices")
    digest = models.BinaryField()
    device = models.CharField(max_length=100, blank=True, default="")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    last_used_at = models.DateTimeField(db_default=Now(), editable=False, db_index=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"device {self.device or self.id}"
