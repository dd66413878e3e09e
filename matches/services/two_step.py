"""The second step of logging in as staff: a code of an authenticator, or one of ten codes kept for its loss."""

from __future__ import annotations

from base64 import b32encode

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django_otp import verify_token
from django_otp.models import Device
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from matches.locking import lock_player
from matches.models import Player
from matches.services.audit import audit_write

CODES = 10
NAME = "authenticator"


def device_of(*, player_id: int) -> TOTPDevice | None:
    """The authenticator that was set up, if there is one."""
    return TOTPDevice.objects.filter(user_id=player_id, confirmed=True).first()


def device_begin(*, player_id: int) -> tuple[str, str]:
    """A new secret to set an authenticator up with: as the address that it reads, and to be typed in.

    Every call makes another one: whoever saw an earlier one, which was never confirmed, knows nothing.
    """
    with transaction.atomic():
        TOTPDevice.objects.filter(user_id=player_id, confirmed=False).delete()
        device = TOTPDevice.objects.create(user_id=player_id, name=NAME, confirmed=False)
    return device.config_url, b32encode(device.bin_key).decode()


def device_confirm(*, player_id: int, code: str) -> tuple[Device, list[str]] | None:
    """The first code proves that the authenticator is set up; gives it and the codes for its loss, shown this once.

    None for a wrong code, or when there is an authenticator already.
    """
    with transaction.atomic():
        lock_player(player_id=player_id)
        device = TOTPDevice.objects.select_for_update().filter(user_id=player_id, confirmed=False).first()
        if device is None or device_of(player_id=player_id) is not None or not device.verify_token(code):
            return None
        device.confirmed = True
        device.save(update_fields=["confirmed"])
        StaticDevice.objects.filter(user_id=player_id).delete()
        kept = StaticDevice.objects.create(user_id=player_id, name="recovery")
        codes = [StaticToken.random_token() for _ in range(CODES)]
        StaticToken.objects.bulk_create([StaticToken(device=kept, token=token) for token in codes])
        _write_down(player_id, player_id, "second_step_set_up", "set up while logging in")
        return device, codes


def step_take(*, player: AbstractBaseUser, code: str) -> Device | None:
    """The device whose code this is; None for a wrong one, one that was used before, or after too many wrong ones."""
    code = "".join(code.split()).lower()
    kind: type[Device] = TOTPDevice if code.isdecimal() else StaticDevice
    device = kind.objects.filter(user_id=player.pk, confirmed=True).first()
    with transaction.atomic():
        taken: Device | None = None if device is None else verify_token(player, device.persistent_id, code)
        if taken is not None and kind is StaticDevice:
            _write_down(player.pk, player.pk, "recovery_code_used", "logged in with a recovery code")
    return taken


def device_reset(*, player_id: int, actor_id: int, reason: str) -> None:
    """The authenticator is lost: the next log-in sets another one up, and no session of before holds."""
    with transaction.atomic():
        lock_player(player_id=player_id)
        TOTPDevice.objects.filter(user_id=player_id).delete()
        StaticDevice.objects.filter(user_id=player_id).delete()
        _write_down(actor_id, player_id, "second_step_reset", reason)


def with_device(player_ids: list[int]) -> set[int]:
    """Those of the players who have an authenticator."""
    found = TOTPDevice.objects.filter(user_id__in=player_ids, confirmed=True).values_list("user_id", flat=True)
    return set(found)


def _write_down(actor_id: int, player_id: int, what: str, reason: str) -> None:
    name = Player.objects.values_list("name", flat=True).get(pk=player_id)
    audit_write(
        actor_id=actor_id, what=what, target_kind="staff", target_id=player_id, reason=reason, data={"name": name}
    )
