"""What is asked before something is done to a match."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminSelectWidget

from engine.core.clock import LONGEST_S
from matches.admin.deeds import DeedForm
from matches.selectors import LEVELS

UNITS = {"60": "minutes", "3600": "hours", "86400": "days"}


def seat_name(seat: Any) -> str:
    """Who sits there."""
    if seat.player is not None:
        return str(seat.player.name)
    return f"bot ({seat.bot_level})" if seat.bot_level else "nobody"


class SeatForm(DeedForm):
    """Which seat."""

    seat = forms.TypedChoiceField(coerce=int, widget=UnfoldAdminSelectWidget)

    def prepare(self, row: Any) -> None:
        """The seats of the match that are still in."""
        seats = [] if row is None else row.seats.select_related("player").order_by("number")
        choices = [(seat.number, f"{seat.number} · {seat_name(seat)}") for seat in seats if not seat.has_left]
        field = self.fields["seat"]
        assert isinstance(field, forms.TypedChoiceField)  # noqa: S101 - it is the one above
        field.choices = choices


class BotForm(SeatForm):
    """Which seat, and how well the bot plays."""

    level = forms.ChoiceField(
        choices=tuple((level, level) for level in LEVELS), initial="normal", widget=UnfoldAdminSelectWidget
    )


class TimeForm(SeatForm):
    """Which seat, and how much time."""

    amount = forms.IntegerField(min_value=1, widget=UnfoldAdminIntegerFieldWidget)
    unit = forms.ChoiceField(choices=tuple(UNITS.items()), initial="60", widget=UnfoldAdminSelectWidget)

    def clean(self) -> dict[str, Any]:
        """With `ms`, the time in milliseconds."""
        given = super().clean() or {}
        seconds = (given.get("amount") or 0) * int(given.get("unit") or 0)
        if seconds > LONGEST_S:
            raise ValidationError(f"At most {LONGEST_S // 86400} days can be given at once.")
        return {**given, "ms": 1000 * seconds}


class ForgiveForm(TimeForm):
    """Which seat, and how much time if it is to be given any."""

    amount = forms.IntegerField(
        min_value=0, initial=0, widget=UnfoldAdminIntegerFieldWidget, help_text="0 if no time is to be given back."
    )
