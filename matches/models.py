"""What is kept: players, matches, the position of a running match, its seats, its log, and the devices logged in."""

from __future__ import annotations

import unicodedata
import uuid
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from matches.ids import uuid7

NAME_LENGTH = 30


def name_key(name: str) -> str:
    """What of a name must be unique: two names that read alike have the same key."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


class PlayerManager(BaseUserManager["Player"]):
    """Makes players, and finds them by name however it is written."""

    def create_player(self, name: str, password: str | None = None, **fields: Any) -> Player:
        """Without a password nobody can log in with the account."""
        player = self.model(name=name, name_key=name_key(name), **fields)
        player.set_password(password)
        player.save(using=self._db, force_insert=True)
        return player

    def create_superuser(self, name: str, password: str | None = None, **fields: Any) -> Player:
        """What the command `createsuperuser` calls."""
        return self.create_player(name, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> Player:
        return self.get(name_key=name_key(username or ""))


class Player(AbstractBaseUser, PermissionsMixin):
    """An account. Raising `epoch` makes every access token issued before worthless."""

    name = models.CharField(max_length=NAME_LENGTH, unique=True)
    name_key = models.CharField(max_length=4 * NAME_LENGTH, unique=True, editable=False)
    email = models.EmailField(blank=True, default="")
    epoch = models.IntegerField(default=0, db_default=0)
    is_guest = models.BooleanField(default=False, db_default=False)
    is_bot = models.BooleanField(default=False, db_default=False)
    is_active = models.BooleanField(default=True, db_default=True)
    is_staff = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = PlayerManager()

    USERNAME_FIELD = "name"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    def __str__(self) -> str:
        return self.name


class Visibility(models.TextChoices):
    """Who finds a match: everybody, who knows its id, or who sits in it or knows its code."""

    PUBLIC = "public", "public"
    UNLISTED = "unlisted", "unlisted"
    PRIVATE = "private", "private"


class Status(models.TextChoices):
    """Where a match is in its life."""

    LOBBY = "lobby", "lobby"
    RUNNING = "running", "running"
    FINISHED = "finished", "finished"
    ABANDONED = "abandoned", "abandoned"
    VOID = "void", "void"
    CANCELLED = "cancelled", "cancelled"


_PUBLIC = Q(visibility=Visibility.PUBLIC)
_UNTOUCHED = Q(started_at=None, ended_at=None, outcome=None)
_BEGUN = Q(started_at__isnull=False)
_ENDED = Q(ended_at__isnull=False)
STATUS_RULE = (
    (Q(status=Status.LOBBY) & _UNTOUCHED)
    | (Q(status=Status.RUNNING, ended_at=None, outcome=None) & _BEGUN)
    | (Q(status=Status.FINISHED, outcome__isnull=False) & _BEGUN & _ENDED)
    | (Q(status__in=[Status.ABANDONED, Status.VOID], outcome=None) & _BEGUN & _ENDED)
    | (Q(status=Status.CANCELLED, started_at=None, outcome=None) & _ENDED)
)


class Match(models.Model):
    """One play of a game: what lobbies and lists need of it. `secret` is shown to nobody while it may still be used."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    game = models.CharField(max_length=40)
    ruleset = models.IntegerField()
    preset = models.CharField(max_length=40)
    options = models.JSONField()
    seat_count = models.SmallIntegerField()
    host = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="hosted")
    visibility = models.CharField(max_length=10, choices=Visibility)
    join_code = models.CharField(max_length=16, blank=True, default="")
    autostart = models.BooleanField(default=True, db_default=True)
    control = models.JSONField()
    policy = models.JSONField()
    status = models.CharField(max_length=10, choices=Status, default=Status.LOBBY)
    secret = models.BinaryField()
    commitment = models.CharField(max_length=64)
    outcome = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "matches"
        constraints = (
            models.CheckConstraint(condition=STATUS_RULE, name="match_status_fits_its_columns"),
            models.CheckConstraint(
                condition=Q(visibility=Visibility.PRIVATE) ^ Q(join_code=""), name="match_code_when_private"
            ),
            models.CheckConstraint(condition=Q(seat_count__gte=1), name="match_has_seats"),
        )
        indexes = (
            # Ids grow with time: these are the public lists, the newest first.
            models.Index(fields=["status", "-id"], condition=_PUBLIC, name="match_public"),
            models.Index(fields=["status", "game", "-id"], condition=_PUBLIC, name="match_public_of_a_game"),
        )

    def __str__(self) -> str:
        return f"{self.game} {self.id}"

    @property
    def is_over(self) -> bool:
        """Whether nothing will happen in it any more."""
        return self.ended_at is not None


class Position(models.Model):
    """How a match that has begun stands: the row that every move locks. Times are UTC milliseconds.

    `due_at` is when the match has to be settled next; a match whose settling failed is left alone until `retry_at`.
    """

    match = models.OneToOneField(Match, on_delete=models.CASCADE, primary_key=True)
    snapshot = models.TextField()
    number = models.IntegerField()
    due_at = models.BigIntegerField(null=True, blank=True)
    retry_at = models.BigIntegerField(null=True, blank=True)
    fails = models.SmallIntegerField(default=0, db_default=0)
    last_error = models.TextField(blank=True, default="", db_default="")

    class Meta:
        indexes = (models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="position_due"),)

    def __str__(self) -> str:
        return f"position {self.number} of {self.match_id}"


class Seat(models.Model):
    """A numbered place of a match. Whom the match waits for is only for the seat's own player to read here."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats", db_index=False)
    number = models.SmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="seats")
    bot_level = models.CharField(max_length=10, null=True, blank=True)  # noqa: DJ001 - no level, no bot
    salt = models.BinaryField(default=bytes)
    has_left = models.BooleanField(default=False, db_default=False)
    place = models.SmallIntegerField(null=True, blank=True)
    score = models.IntegerField(null=True, blank=True)
    awaited_since = models.DateTimeField(null=True, blank=True)
    deadline = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=["match", "number"], name="seat_once_a_number"),
            models.UniqueConstraint(fields=["match", "player"], name="seat_once_a_player"),
            models.CheckConstraint(condition=Q(number__gte=0), name="seat_counts_from_zero"),
        )

    def __str__(self) -> str:
        return f"seat {self.number} of {self.match_id}"


class MoveRecord(models.Model):
    """A line of a match's log: `entry` is the whole of it, the columns are what it is found by. Never changed."""

    pk = models.CompositePrimaryKey("match", "number")
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="log", db_index=False)
    number = models.IntegerField()
    seat = models.SmallIntegerField(null=True)
    serial = models.IntegerField(null=True)
    at = models.BigIntegerField()
    received = models.BigIntegerField()
    cause = models.CharField(max_length=10)
    entry = models.TextField()

    class Meta:
        ordering = ("match", "number")
        constraints = (
            models.UniqueConstraint(
                fields=["match", "seat", "serial"], condition=Q(serial__isnull=False), name="move_once_a_serial"
            ),
        )

    def __str__(self) -> str:
        return f"entry {self.number} of {self.match_id}"


class RefreshToken(models.Model):
    """A device that is logged in. Its id is part of the token and can't be guessed; `digest` is of the token's rest."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="devices")
    digest = models.BinaryField()
    device = models.CharField(max_length=100, blank=True, default="")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    last_used_at = models.DateTimeField(db_default=Now(), editable=False)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"device {self.device or self.id}"
