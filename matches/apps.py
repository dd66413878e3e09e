"""The app's place in Django."""

from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps
from django.db.models.signals import post_migrate


class MatchesConfig(AppConfig):
    """Matches, and everything that is kept of them."""

    name = "matches"
    verbose_name = "Listik"
    default = True

    def ready(self) -> None:
        """Registers the system checks; whoever migrates gets the roles of the staff as well."""
        from matches import checks  # noqa: F401, PLC0415 - models must be there first
        from matches.services.roles import roles_ensure  # noqa: PLC0415

        post_migrate.connect(roles_ensure, sender=self, dispatch_uid="roles of the staff")


class ListikAdminConfig(admin_apps.AdminConfig):
    """Django's admin, with a site of our own."""

    default = False
    default_site = "matches.staff.site.Site"
