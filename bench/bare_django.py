"""The rows of a move written by a view of Django that does nothing else, behind no middleware."""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.urls import path

from bench.bare import arguments, recorded

settings.ROOT_URLCONF = __name__
settings.MIDDLEWARE = []


def move(request: HttpRequest, match: str) -> HttpResponse:
    """Write a move for this match."""
    read, write = arguments(match)
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute(recorded()["read"], read)
        assert cursor.fetchone() is not None
        cursor.execute(recorded()["write"], write)
    return HttpResponse("{}", headers={"Content-Length": "2"})


urlpatterns = [path("api/v1/matches/<match>/moves", move)]
application = get_wsgi_application()
