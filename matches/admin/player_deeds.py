"""What can be done with an account, each by a service, with a reason, by who may."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import msgspec
from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from matches import selectors
from matches.admin.deeds import Deed, DeedForm, actor_of
from matches.admin.match_deeds import download
from matches.api import present
from matches.models import Player, RefreshToken
from matches.permits import Permit
from matches.services import discipline, farewell


class DeviceForm(DeedForm):
    """Which device."""

    device = forms.ChoiceField(widget=UnfoldAdminSelectWidget)

    def prepare(self, row: Any) -> None:
        """Those that are logged in."""
        rows = RefreshToken.objects.filter(player=row, revoked_at=None) if row is not None else ()
        field = self.fields["device"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - it is the one above
        field.choices = [
            (str(one.pk), f"{one.device or 'no name'}, last used {one.last_used_at:%Y-%m-%d}") for one in rows
        ]


class SuspendForm(DeedForm):
    """For how long, and whether running matches are left."""

    days = forms.IntegerField(min_value=1, max_value=3650, initial=7, widget=UnfoldAdminIntegerFieldWidget)
    leaves = forms.BooleanField(
        required=False,
        widget=UnfoldBooleanWidget,
        label="Leave running matches",
        help_text="Otherwise they go on, and the player's clocks run.",
    )


class MergeForm(DeedForm):
    """Into whom."""

    into = forms.CharField(max_length=30, widget=UnfoldAdminTextInputWidget, help_text="The name of the full account.")


class NoteForm(DeedForm):
    """What to note."""

    text = forms.CharField(max_length=2000, widget=UnfoldAdminTextareaWidget(attrs={"rows": 4}))


def _about(request: HttpRequest, player: Player, given: dict[str, Any]) -> dict[str, Any]:
    return {"player_id": player.pk, "actor_id": actor_of(request), "reason": given["reason"]}


def _revoke(request: HttpRequest, player: Player, given: dict[str, Any]) -> str:
    discipline.device_revoke(**_about(request, player, given), device_id=UUID(given["device"]))
    return "The device is logged out."


def _revoke_all(request: HttpRequest, player: Player, given: dict[str, Any]) -> str:
    discipline.devices_revoke(**_about(request, player, given))
    return "All devices are logged out."


def _suspend(request: HttpRequest, player: Player, given: dict[str, Any]) -> str:
    until = timezone.now() + timedelta(days=given["days"])
    discipline.player_suspend(**_about(request, player, given), until=until, leaves=given["leaves"])
    return f"{player} is kept out until {until:%Y-%m-%d %H:%M} UTC."


def _ban(request: HttpRequest, player: Player, given: dict[str, Any]) -> str:
    discipline.player_suspend(**_about(request, player, given), until=None)
    return f"{player} is banned and leaves all matches."


def _let_in(request: HttpRequest, player: Player, given: dict[str, Any]) -> str:
    discipline.player_let_in(**_about(request, player, given))
    return f"{player} may come back."


def _merge(request: HttpRequest, player: Player, given: dict[str, Any]) -> str:
    into = selectors.player_named(name=given["into"])
    discipline.guest_merge(guest_id=player.pk, player_id=into.pk, actor_id=actor_of(request), reason=given["reason"])
    return f"What the guest played is {into}'s now."


def _note(request: HttpRequest, player: Player, given: dict[str, Any]) -> str:
    discipline.note_write(**_about(request, player, given), text=given["text"])
    return "Noted."


def _take_out(request: HttpRequest, player: Player, given: dict[str, Any]) -> HttpResponse:
    data = selectors.personal_data(player_id=player.pk, epoch=player.epoch)
    discipline.player_taken_out(**_about(request, player, given))
    return download(msgspec.json.encode(present.personal_data(data)), f"listik-player-{player.pk}.json")


def _close(request: HttpRequest, player: Player, given: dict[str, Any]) -> str:
    farewell.player_close(**_about(request, player, given))
    return "The account is closed; its matches stay with those who played them."


def _is_open(player: Player) -> bool:
    return player.is_active


def _can_be_kept_out(player: Player) -> bool:
    return player.is_active and not player.is_staff and not player.is_suspended


PLAYER_DEEDS = (
    Deed(name="note", title="Note", icon="edit_note", permit=Permit.NOTE_PLAYER, run=_note, form=NoteForm),
    Deed(
        name="log-device-out",
        title="Log a device out",
        icon="phonelink_off",
        permit=Permit.REVOKE_TOKENS,
        run=_revoke,
        form=DeviceForm,
        fits=lambda player: player.is_active and player.devices.filter(revoked_at=None).exists(),
    ),
    Deed(
        name="log-out",
        title="Log all devices out",
        icon="logout",
        permit=Permit.REVOKE_TOKENS,
        run=_revoke_all,
        explains="Every token issued before is refused from the next move on. A guest has no other way back in.",
        fits=_is_open,
    ),
    Deed(
        name="suspend",
        title="Suspend",
        icon="timer_off",
        permit=Permit.SUSPEND_PLAYER,
        run=_suspend,
        form=SuspendForm,
        explains="Keeps the player out from the next move on; it ends by itself. Lobbies and the queue are left.",
        fits=_can_be_kept_out,
        is_grave=True,
    ),
    Deed(
        name="ban",
        title="Ban",
        icon="block",
        permit=Permit.SUSPEND_PLAYER,
        run=_ban,
        explains="Keeps the player out for ever. Running matches are left, by the rules for leavers.",
        fits=_can_be_kept_out,
        is_grave=True,
    ),
    Deed(
        name="let-in",
        title="Let in again",
        icon="login",
        permit=Permit.SUSPEND_PLAYER,
        run=_let_in,
        explains="Ends a suspension or a ban. Matches that were left stay left.",
        fits=lambda player: player.is_active and player.is_suspended,
    ),
    Deed(
        name="merge",
        title="Merge into a player",
        icon="merge",
        permit=Permit.MERGE_PLAYER,
        run=_merge,
        form=MergeForm,
        explains="Everything that the guest played becomes the player's, and the guest's account is closed.",
        fits=lambda player: player.is_guest and player.is_active,
        is_grave=True,
    ),
    Deed(
        name="take-out",
        title="Download all data",
        icon="download",
        permit=Permit.EXPORT_PLAYER,
        run=_take_out,
        explains="What is kept of the player, as it can be had by the player. That you took it is written down.",
        fits=_is_open,
    ),
    Deed(
        name="close",
        title="Delete the account",
        icon="delete_forever",
        permit=Permit.CLOSE_PLAYER,
        run=_close,
        explains="Forgets who it was and leaves every match. It can't be undone. Opponents keep their matches.",
        fits=lambda player: player.is_active and not player.is_staff,
        is_grave=True,
    ),
)
