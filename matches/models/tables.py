"""Matches and their seats: what lobbies and lists need."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from matches.gates import Gate
from matches.ids import uuid7
from matches.models.accounts import Player
from matches.paces import OTHER

TITLE_LENGTH = 60


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
TO_TALLY = _BEGUN & _ENDED & Q(tallied=False)
"""Matches that are over, and from whose end nothing was drawn yet."""
COUNTS = Q(status=Status.FINISHED, rated=True)
"""Matches that ratings are made of."""


class Gated(models.Model):
    """Base of what has a gate."""

    least_rating = models.IntegerField(null=True, blank=True)
    most_rating = models.IntegerField(null=True, blank=True)
    least_matches = models.IntegerField(null=True, blank=True)
    least_reliability = models.SmallIntegerField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def gate(self) -> Gate:
        """Whom it lets in."""
        return Gate(self.least_rating, self.most_rating, self.least_matches, self.least_reliability)


class Match(Gated):
    """One play of a game: what lobbies and lists need of it. `secret` is shown to nobody while it may still be used.

    `pace` is the name of its time control (`matches.paces`); a lobby that hasn't begun by `expires_at` is called off.
    `rates_bots`: players that are programs are rated like people. `tallied` once what follows from its end is written.
    `format` is the one of the engine in which it was begun.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    game = models.CharField(max_length=40)
    ruleset = models.IntegerField()
    preset = models.CharField(max_length=40)
    options = models.JSONField()
    seat_count = models.SmallIntegerField()
    host = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="hosted")
    title = models.CharField(max_length=TITLE_LENGTH, blank=True, default="", db_default="")
    visibility = models.CharField(max_length=10, choices=Visibility)
    join_code = models.CharField(max_length=16, blank=True, default="")
    autostart = models.BooleanField(default=True, db_default=True)
    sandbox = models.BooleanField(default=False, db_default=False)
    rated = models.BooleanField(default=True, db_default=True)
    rates_bots = models.BooleanField(default=False, db_default=False)
    tallied = models.BooleanField(default=False, db_default=False, editable=False)
    spectator_delay_s = models.IntegerField(default=0, db_default=0)
    control = models.JSONField()
    pace = models.CharField(max_length=20, default=OTHER, db_default=OTHER)
    policy = models.JSONField()
    status = models.CharField(max_length=10, choices=Status, default=Status.LOBBY)
    secret = models.BinaryField()
    commitment = models.CharField(max_length=64)
    outcome = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    format = models.SmallIntegerField(default=1, db_default=1)
    rematch_of = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="rematches")

    class Meta:
        verbose_name_plural = "matches"
        constraints = (
            models.CheckConstraint(condition=STATUS_RULE, name="match_status_fits_its_columns"),
            models.CheckConstraint(
                condition=Q(visibility=Visibility.PRIVATE) ^ Q(join_code=""), name="match_code_when_private"
            ),
            models.CheckConstraint(condition=Q(seat_count__gte=1), name="match_has_seats"),
            models.UniqueConstraint(fields=["join_code"], condition=~Q(join_code=""), name="match_code_leads_to_one"),
            models.UniqueConstraint(
                fields=["rematch_of"], condition=~Q(status=Status.CANCELLED), name="match_has_one_rematch"
            ),
            models.CheckConstraint(condition=Q(spectator_delay_s__gte=0), name="match_shows_no_future"),
            models.CheckConstraint(condition=Q(sandbox=False) | Q(rated=False), name="match_sandbox_is_not_rated"),
        )
        indexes = (
            # Ids grow with time: these are the public lists, the newest first.
            models.Index(fields=["status", "-id"], condition=_PUBLIC, name="match_public"),
            models.Index(fields=["status", "game", "-id"], condition=_PUBLIC, name="match_public_of_a_game"),
            # The staff's lists, and the counts of matches by game and status.
            models.Index(fields=["status", "-id"], name="match_by_status"),
            models.Index(fields=["game", "-id"], include=["status"], name="match_by_game"),
            models.Index(fields=["host"], condition=Q(status=Status.LOBBY), name="match_lobbies_of_a_host"),
            models.Index(fields=["expires_at"], condition=Q(status=Status.LOBBY), name="match_expires"),
            models.Index(fields=["ended_at", "id"], condition=TO_TALLY, name="match_to_tally"),
            models.Index(fields=["game", "ended_at", "id"], condition=COUNTS, name="match_counts"),
        )

    def __str__(self) -> str:
        return f"{self.game} {self.id}"

    @property
    def is_over(self) -> bool:
        """Whether nothing will happen in it any more."""
        return self.ended_at is not None


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
