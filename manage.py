#!/usr/bin/env python3
"""Django's commands. `python3 run.py manage …` runs them with the services that they need."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line


def main() -> None:
    """Runs one command; a wrong setting is one line, not a traceback."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # Whoever works on a database by hand may have to wait.
    os.environ.setdefault("DATABASE_PATIENCE_S", "0")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
