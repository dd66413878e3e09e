"""What a process of the stream service counts, for Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 3, 10)


class Figures:
    """The figures of this process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.streams = Gauge("listik_streams", "Streams and long polls that are open.", registry=self.registry)
        self.matches = Gauge("listik_streams_matches", "Matches that are served.", registry=self.registry)
        self.is_told = Gauge(
            "listik_streams_told", "Whether moves are heard of at once: 1, or 0 without Valkey.", registry=self.registry
        )
        self.refused = Counter("listik_streams_refused", "Streams refused for want of a place.", registry=self.registry)
        self.missed = Counter(
            "listik_streams_missed", "Moves found by comparing, of which no message came.", registry=self.registry
        )
        self.delay = Histogram(
            "listik_streams_delay_seconds",
            "From hearing of a move to having it ready for its readers.",
            registry=self.registry,
            buckets=BUCKETS,
        )


FIGURES = Figures()
