"""The project: settings, URLs, and the Celery app that every process shares."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
