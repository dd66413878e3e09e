"""`seed_demo`: players to try the service with, matches to practise in at once, and an operator for the admin."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.env import Env
from matches.services.opponents import practice_ensure
from matches.services.players import player_ensure

PLAYERS = ("demo-1", "demo-2", "demo-3")
OPERATOR = "demo-admin"
FILE = "demo_password"


class Command(BaseCommand):
    """Makes what is missing, and prints how to log in."""

    help = "Make demo players and a demo operator; LISTIK_DEMO_PASSWORD or a password kept in LISTIK_DATA is theirs."

    def handle(self, *args: Any, **options: Any) -> None:
        """Idempotent: the accounts have the printed password afterwards."""
        password = demo_password()
        for name in PLAYERS:
            player_ensure(name=name, password=password)
        player_ensure(name=OPERATOR, password=password, is_operator=True)
        self.stdout.write(f"  Demo players   {', '.join(PLAYERS)} (password {password})")
        practice_ensure(name=PLAYERS[0], level="normal")
        self.stdout.write(f"  Practice       matches of {PLAYERS[0]} against bots, one of each game, are under way")
        self.stdout.write(f"  Demo operator  {OPERATOR} (the same password), for the admin")


def demo_password() -> str:
    """The one of the environment, else one of chance that stays the same for a data folder."""
    env = Env()
    given, data = env.text("LISTIK_DEMO_PASSWORD"), env.text("LISTIK_DATA")
    if given:
        return given
    if not data:
        raise CommandError("set LISTIK_DEMO_PASSWORD, or LISTIK_DATA to a folder that keeps one")
    path = Path(data) / FILE
    if not path.exists():
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(9))
    return path.read_text()
