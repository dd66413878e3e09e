"""The roles of the staff, as groups of Django with the permissions that the table of roles names."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Group, Permission
from django.db import transaction

from matches.errors import ServiceError
from matches.locking import lock_player
from matches.permits import ROLES
from matches.services.audit import audit_write


@transaction.atomic
def roles_ensure(**kwargs: Any) -> None:
    """The groups exist and may do what the table says, no less and no more. Called after every migration."""
    create_permissions(apps.get_app_config("matches"), verbosity=0)
    for name, role in ROLES.items():
        group, _ = Group.objects.get_or_create(name=name)
        wanted = {f"view_{table}" for table in role.sees} | {permit.value for permit in role.permits}
        group.permissions.set(Permission.objects.filter(content_type__app_label="matches", codename__in=wanted))


def role_give(*, player_id: int, role: str, actor_id: int, reason: str) -> None:
    """The player is one of the staff, with this role; giving it again is the same."""
    with transaction.atomic():
        player = lock_player(player_id=player_id)
        if player.is_guest or player.is_bot:
            raise ServiceError("forbidden", "neither a guest nor a program can be one of the staff")
        player.groups.add(_group(role))
        if not player.is_staff:
            player.is_staff = True
            player.save(update_fields=["is_staff"])
        _write_down(actor_id, player_id, "role_given", role, reason)


def role_take(*, player_id: int, role: str, actor_id: int, reason: str) -> None:
    """The player hasn't this role any more; without any, and no superuser, they aren't one of the staff."""
    with transaction.atomic():
        player = lock_player(player_id=player_id)
        player.groups.remove(_group(role))
        if not player.is_superuser and not player.groups.exists():
            player.is_staff = False
            player.save(update_fields=["is_staff"])
        _write_down(actor_id, player_id, "role_taken", role, reason)


def _group(role: str) -> Group:
    if role not in ROLES:
        raise ServiceError("malformed", f"a role is one of {', '.join(ROLES)}")
    return Group.objects.get(name=role)


def _write_down(actor_id: int, player_id: int, what: str, role: str, reason: str) -> None:
    audit_write(
        actor_id=actor_id, what=what, target_kind="staff", target_id=player_id, reason=reason, data={"role": role}
    )
