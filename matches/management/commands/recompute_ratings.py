"""`manage.py recompute_ratings`: all ratings once more, out of the finished matches."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from matches.services import ratings


class Command(BaseCommand):
    """Prints for each game what was gone through, and how many rows weren't as they should be: usually none."""

    help = "Make all ratings out of the finished matches, and put right what differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which game."""
        parser.add_argument("--game", help="only this game")

    def handle(self, *args: Any, **options: Any) -> None:
        """One game after the other, each in a transaction."""
        for game in [options["game"]] if options["game"] else ratings.games_rated():
            done = ratings.ratings_recompute(game=game)
            self.stdout.write(
                f"{done.game}: {done.matches} matches, {done.players} players, {done.corrected} rows put right"
            )
