"""The app's place in Django."""

from django.apps import AppConfig


class MatchesConfig(AppConfig):
    """Matches, and everything that is kept of them."""

    name = "matches"
    verbose_name = "Matches"
