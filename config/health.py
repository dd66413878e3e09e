"""Whether the process runs, and whether it can serve: asked by load balancers, needing no account."""

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from kombu import Connection
from kombu.exceptions import OperationalError

from matches.timing import behind_ms, measure_again, uncertainty_ms

WORST_CLOCK_MS = 20
"""How wrong the service's clock may be: beyond it nobody can say whether a move was in time."""


WORST_SWEEP_MS = 30_000
"""By how much the oldest overdue match may be behind before it is said that the sweep is."""


@never_cache
@require_safe
def alive(request: HttpRequest) -> JsonResponse:
    """Answers whenever the process does."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """200 when database and broker answer and the clock is right enough, else 503 saying what is wrong.

    It also says whether the sweep is behind. That alone makes no web server unready: it answers as well as any other,
    and taking all of them out would make an outage of a delay.
    """
    has_database = _database_answers()
    parts = {
        "database": has_database,
        "broker": _broker_answers(),
        "clock": has_database and _clock_is_right(),
    }
    fine = all(parts.values())
    answer: dict[str, str | int] = {"status": _word(fine=fine)}
    answer |= {name: _word(fine=ok) for name, ok in parts.items()}
    if has_database:
        behind = behind_ms()
        answer["sweep"] = "ok" if behind <= WORST_SWEEP_MS else "behind"
        answer["sweep_behind_ms"] = behind
    return JsonResponse(answer, status=200 if fine else 503)


def _word(*, fine: bool) -> str:
    return "ok" if fine else "unavailable"


def _clock_is_right() -> bool:
    """One bad measurement, on a busy machine, is taken again before it counts."""
    if uncertainty_ms() > WORST_CLOCK_MS:
        measure_again()
    return uncertainty_ms() <= WORST_CLOCK_MS


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _broker_answers() -> bool:
    with Connection(settings.BROKER_URL, connect_timeout=1) as asked:
        try:
            asked.ensure_connection(max_retries=1, timeout=2)
        except (OperationalError, OSError):
            return False
    return True
