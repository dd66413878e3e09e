"""The app's place in Django."""

from django.apps import AppConfig


class MatchesConfig(AppConfig):
    """Matches, and everything that is kept of them."""

    name = "matches"
    verbose_name = "Matches"

    def ready(self) -> None:
        """Registers the system checks."""
        from matches import checks  # noqa: F401, PLC0415 - models must be there first
