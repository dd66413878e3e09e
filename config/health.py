"""Whether the process runs, and whether it can serve: asked by load balancers, needing no account."""

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from kombu import Connection
from kombu.exceptions import OperationalError


@never_cache
@require_safe
def alive(request: HttpRequest) -> JsonResponse:
    """Answers whenever the process does."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """200 when the database and the broker answer, else 503 saying which one doesn't."""
    parts = {"database": _database_answers(), "broker": _broker_answers()}
    fine = all(parts.values())
    answer = {"status": "ok" if fine else "unavailable", **{name: _word(fine=ok) for name, ok in parts.items()}}
    return JsonResponse(answer, status=200 if fine else 503)


def _word(*, fine: bool) -> str:
    return "ok" if fine else "unreachable"


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
