"""The Celery app, and what it does by the clock."""

import os
from importlib import import_module

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# Tasks are logged with what they belong to, and counted.
import_module("config.tracing")

app = Celery("listik")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

# A beat that waited longer than its period is worthless: the next one does its work.
app.conf.beat_schedule = {
    "settle_due": {"task": "matches.settle_due", "schedule": 1.0, "options": {"expires": 1}},
    "call_bots": {"task": "matches.call_bots", "schedule": 5.0, "options": {"expires": 5}},
    "tend_calendars": {"task": "matches.tend_calendars", "schedule": 2.0, "options": {"expires": 2}},
    "tally_matches": {"task": "matches.tally_matches", "schedule": 2.0, "options": {"expires": 2}},
    "pair_players": {"task": "matches.pair_players", "schedule": 2.0, "options": {"expires": 2}},
    "send_recoveries": {"task": "matches.send_recoveries", "schedule": 5.0, "options": {"expires": 5}},
    "spread_notices": {"task": "matches.spread_notices", "schedule": 1.0, "options": {"expires": 1}},
    "call_couriers": {"task": "matches.call_couriers", "schedule": 2.0, "options": {"expires": 2}},
    "expire_lobbies": {"task": "matches.expire_lobbies", "schedule": 30.0, "options": {"expires": 30}},
    "finish_farewells": {"task": "matches.finish_farewells", "schedule": 60.0, "options": {"expires": 60}},
    "take_stock": {"task": "matches.take_stock", "schedule": 20.0, "options": {"expires": 20}},
    "drop_what_is_old": {"task": "matches.drop_what_is_old", "schedule": 600.0, "options": {"expires": 600}},
}

# Whatever waits for other people's servers has workers of its own, so that no match waits for them.
app.conf.task_routes = {
    f"matches.{task}": {"queue": "deliveries"}
    for task in ("spread_notices", "call_couriers", "send_deliveries", "send_recoveries")
}
