"""`verify_matches`: play logs again and compare what comes out with what is stored."""

from __future__ import annotations

import sys
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandParser

from matches import selectors
from matches.errors import ServiceError

MOST = 1000


class Command(BaseCommand):
    """Prints what doesn't hold."""

    help = "Verify matches: those named, or the newest ones that have begun. Exits 1 when one doesn't hold."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ids", nargs="*", type=UUID, metavar="ID")
        parser.add_argument("--status", help="only of this status, such as running or finished")
        parser.add_argument("--limit", type=int, default=MOST, help=f"at most so many, {MOST} by default")

    def handle(self, *args: Any, **options: Any) -> None:
        """Reads only."""
        ids = options["ids"] or selectors.newest_begun(status=options["status"], limit=options["limit"])
        faults = 0
        for match_id in ids:
            fault = _fault(match_id)
            faults += fault is not None
            if fault is not None:
                self.stdout.write(f"{match_id}: does not hold: {fault}")
        self.stdout.write(f"{len(ids) - faults} of {len(ids)} matches hold")
        if faults:
            sys.exit(1)


def _fault(match_id: UUID) -> str | None:
    try:
        return selectors.match_verify(match_id=match_id).fault
    except ServiceError as error:
        return error.message
