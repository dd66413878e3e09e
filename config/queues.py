"""How many tasks wait for a worker."""

from __future__ import annotations

from django.conf import settings
from kombu import Connection
from kombu.exceptions import KombuError, OperationalError

QUEUES = ("celery", "deliveries")
PATIENCE_S = 1


def queue_lengths() -> dict[str, int] | None:
    """Tasks that wait, by queue; None where the broker can't be asked."""
    options = {"socket_connect_timeout": PATIENCE_S, "socket_timeout": PATIENCE_S, "max_retries": 1}
    try:
        with Connection(settings.BROKER_URL, connect_timeout=PATIENCE_S, transport_options=options) as asked:
            asked.ensure_connection(max_retries=1, timeout=PATIENCE_S)
            return {name: _length(asked, name) for name in QUEUES}
    except (OperationalError, KombuError, OSError):
        return None


def _length(asked: Connection, name: str) -> int:
    """A queue that was never used isn't there, and nothing waits in it."""
    try:
        with asked.channel() as channel:
            return int(channel.queue_declare(name, passive=True).message_count)
    except asked.channel_errors:
        return 0
