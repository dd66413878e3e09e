"""The Celery app, and what it does by the clock."""

import os
from importlib import import_module

from celery import Celery

from config.ticks import every

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# Tasks are logged with what they belong to, and counted.
import_module("config.tracing")

app = Celery("listik", task_cls="config.ticks:Task")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

PERIODS_S = {
    "settle_due": 1.0,
    "call_bots": 5.0,
    "tend_calendars": 2.0,
    "tally_matches": 2.0,
    "pair_players": 2.0,
    "send_recoveries": 5.0,
    "spread_notices": 1.0,
    "call_couriers": 2.0,
    "expire_lobbies": 30.0,
    "finish_farewells": 60.0,
    "take_stock": 20.0,
    "drop_what_is_old": 600.0,
}
app.conf.beat_schedule = {name: every(seconds, f"matches.{name}") for name, seconds in PERIODS_S.items()}

# Whatever waits for other people's servers has workers of its own, so that no match waits for them.
app.conf.task_routes = {
    f"matches.{task}": {"queue": "deliveries"}
    for task in ("spread_notices", "call_couriers", "send_deliveries", "send_recoveries")
}
