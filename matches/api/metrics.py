"""Figures for Prometheus, read when they are asked for."""

from __future__ import annotations

import hmac
from collections.abc import Iterator

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Metric, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from matches import selectors


class Sweep(Collector):
    """How far the sweep is behind."""

    def collect(self) -> Iterator[Metric]:
        """The figures as they are now."""
        found = selectors.punctuality()
        yield GaugeMetricFamily("listik_overdue_matches", "Matches that are to be settled by now.", found.overdue)
        yield GaugeMetricFamily(
            "listik_behind_seconds", "How long the oldest of them is overdue.", found.behind_ms / 1000
        )
        yield GaugeMetricFamily("listik_stuck_matches", "Matches set aside because settling them fails.", found.stuck)
        yield CounterMetricFamily("listik_outages", "Times in which nobody could play.", found.outages)


REGISTRY = CollectorRegistry()
REGISTRY.register(Sweep())


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """All figures, for who knows METRICS_TOKEN; without such a setting there is no such page."""
    given = request.headers.get("Authorization", "").encode()
    if not settings.METRICS_TOKEN or not hmac.compare_digest(given, f"Bearer {settings.METRICS_TOKEN}".encode()):
        raise Http404
    return HttpResponse(generate_latest(REGISTRY), content_type=CONTENT_TYPE_LATEST)


urlpatterns = [path("", metrics, name="metrics")]
