"""What follows from the end of a match, drawn once by a worker: ratings, and how reliable its players are.

A match that is over is marked `tallied` in the transaction that writes it all. Whatever isn't is found by an index, so
nothing is lost with a task, and a repeat finds nothing to do.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from uuid import UUID

import structlog
from django.db import InterfaceError, OperationalError, transaction

from engine.core.errors import NewerFormat, UnknownGame
from matches.locking import lock_ratings
from matches.models import TO_TALLY, Match
from matches.services.ratings import TooMuchToRateAgain, match_rate
from matches.services.reliability import conducts_of, conducts_write

log = structlog.get_logger()


def tallies_write(*, seconds: float = 1.5) -> int:
    """Draw what follows from one match after another, the one that ended first before the others; gives how many.

    What fails, and the games that another worker is at, are left for the next time.
    """
    end = time.monotonic() + seconds
    done, failed, busy = 0, set[UUID](), set[str]()
    while time.monotonic() < end:
        match = _next(failed, busy)
        if match is None:
            break
        try:
            is_done = match_tally(match_id=match.pk, game=match.game)
        except (OperationalError, InterfaceError):
            raise
        except (NewerFormat, UnknownGame) as error:
            log.debug("left to a newer process", match=str(match.pk), reason=str(error))
            failed.add(match.pk)
        except TooMuchToRateAgain as error:
            log.warning("run manage.py recompute_ratings", game=match.game, reason=str(error))
            failed.add(match.pk)
        except Exception:
            log.exception("match can't be tallied", match=str(match.pk))
            failed.add(match.pk)
        else:
            done += is_done
            if not is_done:
                busy.add(match.game)
    return done


def match_tally(*, match_id: UUID, game: str) -> bool:
    """Draw what follows from a match that is over; false, and nothing is written, when somebody else is at the game."""
    waiting = Match.objects.filter(TO_TALLY, pk=match_id).prefetch_related("seats__player")
    match = waiting.first()
    if match is None:
        return True
    # The longer part, of a log that doesn't change any more, while nobody waits for a lock.
    conducts = conducts_of(match)
    with transaction.atomic():
        if not lock_ratings(game=game):
            return False
        match = waiting.all().first()
        if match is None:
            return True
        match_rate(match)
        conducts_write(match, conducts)
        # Unless it was corrected this very moment: then it is looked at once more.
        as_read = Match.objects.filter(pk=match_id, status=match.status, rated=match.rated)
        as_read.update(tallied=True)
        return True


def _next(failed: Collection[UUID], busy: Collection[str]) -> Match | None:
    waiting = Match.objects.filter(TO_TALLY).exclude(pk__in=failed).exclude(game__in=busy)
    return waiting.order_by("ended_at", "pk").only("pk", "game").first()
