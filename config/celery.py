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

app.conf.beat_schedule = {
    "settle_due": every(1.0, "matches.settle_due"),
    "call_bots": every(5.0, "matches.call_bots"),
    "tend_calendars": every(2.0, "matches.tend_calendars"),
    "tally_matches": every(2.0, "matches.tally_matches"),
    "pair_players": every(2.0, "matches.pair_players"),
    "send_recoveries": every(5.0, "matches.send_recoveries"),
    "spread_notices": every(1.0, "matches.spread_notices"),
    "call_couriers": every(2.0, "matches.call_couriers"),
    "expire_lobbies": every(30.0, "matches.expire_lobbies"),
    "finish_farewells": every(60.0, "matches.finish_farewells"),
    "take_stock": every(20.0, "matches.take_stock"),
    "drop_what_is_old": every(600.0, "matches.drop_what_is_old"),
}

# Whatever waits for other people's servers has workers of its own, so that no match waits for them.
app.conf.task_routes = {
    f"matches.{task}": {"queue": "deliveries"}
    for task in ("spread_notices", "call_couriers", "send_deliveries", "send_recoveries")
}
