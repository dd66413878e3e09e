"""The roles of the staff, as groups of Django with the permissions that the table of roles names."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Group, Permission
from django.db import transaction

from matches.permits import ROLES


@transaction.atomic
def roles_ensure(**kwargs: Any) -> None:
    """The groups exist and may do what the table says, no less and no more. Called after every migration."""
    create_permissions(apps.get_app_config("matches"), verbosity=0)
    for name, role in ROLES.items():
        group, _ = Group.objects.get_or_create(name=name)
        wanted = {f"view_{table}" for table in role.sees} | {permit.value for permit in role.permits}
        group.permissions.set(Permission.objects.filter(content_type__app_label="matches", codename__in=wanted))
