"""Brings the database up to date, then runs the commands that are named; one process, because each start costs time."""

import os
import sys

import django
from django.core.management import call_command


def main(commands: list[str]) -> None:
    """Migrates, and calls each management command without arguments."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("DATABASE_PATIENCE_S", "0")
    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    for command in commands:
        call_command(command)


if __name__ == "__main__":
    main(sys.argv[1:])
