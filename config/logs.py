"""Logs by structlog: our events and those of every library come out alike, as JSON or for the eye."""

import logging.config
from typing import Any

import structlog

SHARED: list[structlog.typing.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.ExtraAdder(),
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
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "events"}},
        "root": {"handlers": ["stderr"], "level": level},
    }
    logging.config.dictConfig(config)
    return config


def _rendering(format_name: str) -> dict[str, Any]:
    drop = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    if format_name == "console":
        processors: list[Any] = [drop, structlog.dev.ConsoleRenderer(colors=False)]
    else:
        processors = [drop, structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    return {"processors": processors, "foreign_pre_chain": SHARED}
