"""Logs by structlog: our events and those of every library come out alike, as JSON or for the eye."""

import logging.config
import re
import sys
import traceback
from pathlib import Path
from typing import Any

import structlog

from config import figures

_DETAIL = re.compile(r"DETAIL:.*?(?=\n(?:\n|HINT:|CONTEXT:|QUERY:|Traceback )|\Z)", re.DOTALL)


def without_address(logger: Any, method: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Django logs a request with its whole address, which may hold a ticket or the token of a link: keep the route."""
    if hasattr(event.get("request"), "resolver_match"):
        request = event.pop("request")
        event.pop("message", None)
        found = request.resolver_match
        event["event"] = f"{event['event'].partition(':')[0]}: {request.method} {found.route if found else '?'}"
    return event


SHARED: list[structlog.typing.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.ExtraAdder(),
    without_address,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def logging_config(*, format_name: str, level: str) -> dict[str, Any]:
    """Sets structlog up, and gives what `logging.config.dictConfig` takes.

    format_name is "json" (a line an event) or "console"; level is a level of the standard library.
    """
    structlog.configure(
        processors=[*SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    config = {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"events": {"()": structlog.stdlib.ProcessorFormatter, **_rendering(format_name)}},
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "formatter": "events"},
            "latest": {"()": LatestErrors},
        },
        "root": {"handlers": ["stderr", "latest"], "level": level},
    }
    logging.config.dictConfig(config)
    return config


class LatestErrors(logging.Handler):
    """Keeps the latest errors for the dashboard: what is in the code, ids, and never a value of anybody's.

    So of an exception it keeps the kind and the place but not its message, of a library's line the pattern alone.
    """

    def __init__(self) -> None:
        super().__init__(logging.ERROR)

    def emit(self, record: logging.LogRecord) -> None:
        """Note it, with what it belongs to."""
        bound = structlog.contextvars.get_contextvars()
        figures.note_error(
            {
                "at": round(record.created),
                "logger": record.name,
                "event": _event(record),
                "raised": _raised(record),
                **{name: str(bound[name]) for name in ("request_id", "match_id", "task") if name in bound},
            }
        )


def _event(record: logging.LogRecord) -> str:
    if isinstance(record.msg, dict):
        return str(record.msg.get("event", ""))[:200]
    found = getattr(getattr(record, "request", None), "resolver_match", None)
    return f"{record.request.method} {found.route}" if found is not None else str(record.msg)[:200]  # type: ignore[attr-defined]


def _raised(record: logging.LogRecord) -> str:
    """The kind of exception, and the line in our own code where it came from."""
    info = record.exc_info or (record.msg.get("exc_info") if isinstance(record.msg, dict) else None)
    error = sys.exc_info()[1] if info is True else info[1] if isinstance(info, tuple) else info
    if not isinstance(error, BaseException):
        return ""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "site-packages" not in frame.filename] or frames
    where = f" at {Path(ours[-1].filename).name}:{ours[-1].lineno} in {ours[-1].name}" if ours else ""
    return f"{type(error).__name__}{where}"


def _traceback(raised: Any) -> str:
    """Without the values of variables, which may be anybody's cards, and without the row that the database shows."""
    return _DETAIL.sub("DETAIL: not told", "".join(traceback.format_exception(*raised)).rstrip())


def _rendering(format_name: str) -> dict[str, Any]:
    drop = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    if format_name == "console":
        tell: Any = lambda out, raised: out.write(f"\n{_traceback(raised)}")  # noqa: E731
        processors: list[Any] = [drop, structlog.dev.ConsoleRenderer(colors=False, exception_formatter=tell)]
    else:
        raised: Any = structlog.processors.ExceptionRenderer(_traceback)  # type: ignore[arg-type]
        processors = [drop, raised, structlog.processors.JSONRenderer()]
    return {"processors": processors, "foreign_pre_chain": SHARED}
