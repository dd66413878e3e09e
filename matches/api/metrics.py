"""Figures for Prometheus, read when they are asked for; all processes together, whichever of them is asked."""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Iterator

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Metric, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

from config import figures
from config.queues import queue_lengths
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


class Play(Collector):
    """What is played, as it was counted last."""

    def collect(self) -> Iterator[Metric]:
        """The figures of the last stock that was taken."""
        stock = selectors.stock()
        matches = GaugeMetricFamily("listik_matches", "Matches, by game and status.", labels=("game", "status"))
        for game, statuses in stock.matches.items():
            for status, number in statuses.items():
                matches.add_metric((game, status), number)
        yield matches
        active = GaugeMetricFamily("listik_active_players", "Players seen in a period.", labels=("period",))
        active.add_metric(("today",), stock.today)
        active.add_metric(("week",), stock.week)
        yield active
        yield GaugeMetricFamily("listik_moves_per_minute", "Moves in the last full minute.", stock.moves[-1])


class Processes(Collector):
    """Who runs, and what waits for it."""

    def collect(self) -> Iterator[Metric]:
        """The figures as they are now; without a broker no length of a queue is given."""
        alive = GaugeMetricFamily("listik_processes", "Processes that run, by kind.", labels=("kind",))
        for kind, number in Counter(p.kind for p in figures.alive() if p.heard_s <= figures.ALIVE_S).items():
            alive.add_metric((kind,), number)
        yield alive
        lengths = queue_lengths()
        if lengths is not None:
            waiting = GaugeMetricFamily("listik_queue_length", "Tasks that wait for a worker.", labels=("queue",))
            for name, number in lengths.items():
                waiting.add_metric((name,), number)
            yield waiting


class Requests(Collector):
    """What was asked and answered, and how long it took."""

    def collect(self) -> Iterator[Metric]:
        """Everything since the counters were last lost."""
        requests = CounterMetricFamily(
            "listik_requests", "Requests, by endpoint and status.", labels=("endpoint", "status")
        )
        refused = CounterMetricFamily("listik_refusals", "Problems answered, by code.", labels=("code",))
        tasks = CounterMetricFamily("listik_tasks", "Tasks of the workers, by how they ended.", labels=("task", "end"))
        took = HistogramMetricFamily("listik_request_seconds", "How long requests took.", labels=("endpoint",))
        classes: dict[str, list[int]] = {}
        spent: Counter[str] = Counter()
        for name, number in figures.totals().items():
            kind, _, rest = name.partition("|")
            first, _, last = rest.rpartition("|")
            if kind == "answered":
                requests.add_metric((first, last), number)
            elif kind == "refused":
                refused.add_metric((rest,), number)
            elif kind == "task":
                tasks.add_metric((first, last), number)
            elif kind == "took":
                classes.setdefault(first, [0] * (len(figures.BOUNDS_MS) + 1))[int(last)] += number
            elif kind == "took_us":
                spent[rest] += number
        for endpoint, counts in classes.items():
            took.add_metric((endpoint,), list(_buckets(counts)), spent[endpoint] / 1e6)
        yield from (requests, refused, tasks, took)


def _buckets(counts: list[int]) -> Iterator[tuple[str, float]]:
    """Cumulative, as Prometheus has them."""
    below = 0
    for bound, number in zip([*(f"{ms / 1000:g}" for ms in figures.BOUNDS_MS), "+Inf"], counts, strict=True):
        below += number
        yield bound, below


class Telling(Collector):
    """How well players are told."""

    def collect(self) -> Iterator[Metric]:
        """The figures as they are now."""
        found = selectors.deliveries_summary()
        counter = CounterMetricFamily("listik_deliveries", "Deliveries that have ended.", labels=["channel", "result"])
        for channel, result, number in found.counts:
            counter.add_metric([channel, result], number)
        waiting = GaugeMetricFamily("listik_deliveries_waiting", "Deliveries that have not.", labels=["channel"])
        overdue = GaugeMetricFamily(
            "listik_deliveries_overdue_seconds", "How long the oldest of them is overdue.", labels=["channel"]
        )
        for channel, number, behind_ms in found.waiting:
            waiting.add_metric([channel], number)
            overdue.add_metric([channel], max(0, behind_ms) / 1000)
        yield from (counter, waiting, overdue)
        yield GaugeMetricFamily(
            "listik_notices_behind_seconds",
            "How long the oldest notice that no channel has got could have been told.",
            found.unspread / 1000,
        )


class Webhooks(Collector):
    """How well events get to the servers of players."""

    def collect(self) -> Iterator[Metric]:
        """The figures as they are now; attempts since the counters were last lost."""
        load = selectors.webhook_load()
        hooks = GaugeMetricFamily("listik_webhooks", "Webhooks that fail or are switched off.", labels=("state",))
        hooks.add_metric(("failing",), load.failing)
        hooks.add_metric(("stopped",), load.stopped)
        attempts = CounterMetricFamily("listik_webhook_attempts", "Attempts, by how they ended.", labels=("result",))
        for name, number in figures.totals().items():
            kind, _, result = name.partition("|")
            if kind == "webhook":
                attempts.add_metric((result,), number)
        yield from (hooks, attempts)
        yield GaugeMetricFamily("listik_webhook_events_waiting", "Events that wait to be taken.", load.waiting)
        yield GaugeMetricFamily(
            "listik_webhook_behind_seconds", "How long the oldest attempt is overdue.", load.behind_ms / 1000
        )


REGISTRY = CollectorRegistry()
for collector in (Sweep(), Play(), Processes(), Requests(), Telling(), Webhooks()):
    REGISTRY.register(collector)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """All figures, for who knows METRICS_TOKEN; without such a setting there is no such page."""
    given = request.headers.get("Authorization", "").encode()
    if not settings.METRICS_TOKEN or not hmac.compare_digest(given, f"Bearer {settings.METRICS_TOKEN}".encode()):
        raise Http404
    return HttpResponse(generate_latest(REGISTRY), content_type=CONTENT_TYPE_LATEST)


urlpatterns = [path("", metrics, name="metrics")]
