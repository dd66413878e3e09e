"""The Celery app, and what it does by the clock."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("listik")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

# A beat that waited longer than its period is worthless: the next one does its work.
app.conf.beat_schedule = {
    "settle_due": {"task": "matches.settle_due", "schedule": 1.0, "options": {"expires": 1}},
}
