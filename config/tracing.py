"""What belongs together in the logs: the id of a request, and of the tasks that it leads to."""

from __future__ import annotations

import re
import secrets
from typing import Any

from celery import signals
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars

from config import figures

HEADER = "X-Request-ID"
_SANE = re.compile(r"[A-Za-z0-9._-]{1,64}")


def begin_request(given: str | None) -> str:
    """From now on all that this thread logs bears the request's id: the given one if it is sane, or a new one."""
    request_id = given if given and _SANE.fullmatch(given) else secrets.token_hex(8)
    clear_contextvars()
    bind_contextvars(request_id=request_id)
    return request_id


@signals.before_task_publish.connect
def _hand_on(headers: dict[str, Any] | None = None, **_: Any) -> None:
    """The task bears the id of the request that it was sent by."""
    request_id = get_contextvars().get("request_id")
    if headers is not None and request_id is not None:
        headers["request_id"] = request_id


@signals.task_prerun.connect
def _begin_task(task: Any = None, task_id: str = "", args: Any = (), kwargs: Any = None, **_: Any) -> None:
    clear_contextvars()
    bound = {"task": task.name, "task_id": task_id}
    request_id = (task.request.headers or {}).get("request_id") or getattr(task.request, "request_id", None)
    if request_id is not None:
        bound["request_id"] = request_id
    match_id = (kwargs or {}).get("match_id") or (args[0] if args and task.name == "matches.settle_match" else None)
    if match_id is not None:
        bound["match_id"] = str(match_id)
    bind_contextvars(**bound)


@signals.task_postrun.connect
def _end_task(task: Any = None, state: str | None = None, **_: Any) -> None:
    figures.count("task", f"{task.name}|{'done' if state == 'SUCCESS' else 'failed'}")
    figures.task_was_done()
    clear_contextvars()


@signals.worker_process_init.connect
def _worker_begins(**_: Any) -> None:
    figures.keep_handing_over("worker")


@signals.worker_ready.connect
def _threads_begin(sender: Any = None, **_: Any) -> None:
    """Where tasks run in threads there are no processes of their own that could be heard."""
    if "prefork" not in type(sender.pool).__module__:
        figures.keep_handing_over("worker")


@signals.beat_init.connect
def _beat_begins(**_: Any) -> None:
    figures.keep_handing_over("beat")
