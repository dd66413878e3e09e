"""Figures that workers count now and then, so that nobody who looks at them has to wait for it."""

from __future__ import annotations

from django.db import models


class Figure(models.Model):
    """What was counted at `at` (UTC milliseconds), under a name; its shape is its writer's business."""

    name = models.CharField(max_length=20, primary_key=True)
    at = models.BigIntegerField()
    value = models.JSONField()

    def __str__(self) -> str:
        return self.name


class MoveCount(models.Model):
    """How many moves were made in a minute; `minute` is UTC milliseconds / 60,000. Minutes without any have no row."""

    minute = models.BigIntegerField(primary_key=True)
    moves = models.IntegerField()

    def __str__(self) -> str:
        return f"{self.moves} moves in minute {self.minute}"
