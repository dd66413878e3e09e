"""`manage.py problem_codes`: the table of problems as Markdown."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from matches.api.reference import markdown


class Command(BaseCommand):
    """Prints what docs/problems.md holds."""

    help = "Print the table of problems as Markdown (docs/problems.md)."

    def handle(self, *args: Any, **options: Any) -> None:
        """Print."""
        self.stdout.write(markdown(), ending="")
