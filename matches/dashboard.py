"""The first page of the admin: what goes on. A card is a function; adding one is a line in `CARDS`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.template.loader import render_to_string

from config import figures
from config.queues import queue_lengths
from matches import selectors
from matches.timing import moment, now_ms

BAR_MINUTES = 10
"""The chart has a bar for so many minutes."""
WIDTH, HEIGHT, BAR = 1008, 160, 7
BEHIND_MS = 5_000
STATUSES = ("lobby", "running", "finished", "abandoned", "void", "cancelled")
KINDS = ("web", "stream", "worker", "beat")


class Tile(NamedTuple):
    """A number to be seen at once; `tone` is `good`, `bad` or nothing, `note` is what it is about."""

    title: str
    value: str
    note: str = ""
    tone: str = ""


class Card(NamedTuple):
    """A titled part of the page: its template in `matches/admin/cards/`, and what that shows. A wide one spans all."""

    title: str
    template: str
    shown: dict[str, Any]
    is_wide: bool = False

    def html(self) -> str:
        """As it stands in the page."""
        return render_to_string(f"matches/admin/cards/{self.template}", self.shown)


class Bar(NamedTuple):
    """A bar of the chart, in its coordinates, and what it says."""

    x: int
    y: float
    height: float
    label: str


def dashboard() -> dict[str, Any]:
    """Everything that the page shows, in a fixed number of queries."""
    stock = selectors.stock()
    punctuality = selectors.punctuality()
    return {
        "tiles": _tiles(stock, punctuality),
        "cards": [card(stock) for card in CARDS],
        "counted_at": None if stock.at is None else moment(stock.at),
    }


def _tiles(stock: selectors.Stock, punctuality: selectors.Punctuality) -> list[Tile]:
    status: Counter[str] = Counter()
    for statuses in stock.matches.values():
        status.update(statuses)
    behind = punctuality.behind_ms
    return [
        Tile("Running matches", f"{status['running']:,}", f"{status['lobby']:,} waiting for players"),
        Tile("Players today", f"{stock.today:,}", f"{stock.week:,} in seven days"),
        Tile("Moves in the last minute", f"{stock.moves[-1]:,}", f"{sum(stock.moves):,} in a day"),
        Tile(
            "Overdue matches",
            f"{punctuality.overdue:,}",
            f"the oldest by {behind / 1000:.1f} s" if behind else "nothing is behind",
            "bad" if behind > BEHIND_MS else "good",
        ),
        Tile(
            "Failed settlements",
            f"{punctuality.stuck:,}",
            "matches set aside",
            "bad" if punctuality.stuck else "good",
        ),
    ]


def _moves(stock: selectors.Stock) -> Card:
    chunks = [stock.moves[begin : begin + BAR_MINUTES] for begin in range(0, len(stock.moves), BAR_MINUTES)]
    rates = [sum(chunk) / len(chunk) for chunk in chunks]
    top = max(1.0, *rates)
    first = (stock.until - len(stock.moves)) * 60_000
    bars = [
        Bar(
            number * BAR,
            HEIGHT - rate / top * HEIGHT,
            rate / top * HEIGHT,
            f"{moment(first + number * BAR_MINUTES * 60_000):%H:%M}: {rate:.1f}",
        )
        for number, rate in enumerate(rates)
    ]
    per_hour = 60 // BAR_MINUTES
    ticks = [
        (number * BAR, f"{moment(first + number * BAR_MINUTES * 60_000):%H:%M}")
        for number in range(0, len(rates), 3 * per_hour)
    ]
    shown = {"bars": bars, "ticks": ticks, "top": f"{top:.1f}".removesuffix(".0"), "width": WIDTH, "height": HEIGHT}
    return Card("Moves a minute, the last 24 hours (UTC)", "moves.html", shown, is_wide=True)


def _matches(stock: selectors.Stock) -> Card:
    rows = [(game, [counts.get(status, 0) for status in STATUSES]) for game, counts in sorted(stock.matches.items())]
    heads = ("waiting", *STATUSES[1:])
    return Card("Matches by game", "matches.html", {"statuses": heads, "rows": rows}, is_wide=True)


def _processes(_: selectors.Stock) -> Card:
    alive = figures.alive()
    running = Counter(process.kind for process in alive if process.heard_s <= figures.ALIVE_S)
    missing = [kind for kind in KINDS if not running[kind]]
    shown = {"processes": alive[:12], "running": dict(running), "missing": missing, "limit_s": figures.ALIVE_S}
    return Card("Processes", "processes.html", shown)


def _queues(_: selectors.Stock) -> Card:
    return Card("Tasks that wait for a worker", "queues.html", {"lengths": queue_lengths()})


def _slowest(_: selectors.Stock) -> Card:
    return Card("Slowest endpoints, this hour and the last", "slowest.html", {"rows": selectors.slowest_endpoints()})


def _stuck(_: selectors.Stock) -> Card:
    now = now_ms()
    rows = [(match, max(0, match.retry_at - now) // 1000) for match in selectors.stuck_matches()]
    return Card("Matches whose settling fails", "stuck.html", {"rows": rows})


def _webhooks(_: selectors.Stock) -> Card:
    found = selectors.webhook_failures(limit=5)
    # An address may hold a secret in its path: the host is enough to know whose it is.
    rows = [
        (hook, urlsplit(hook.url).hostname, hook.get_stopped_display() or f"failed {hook.fails} times in a row")
        for hook in (*found.stopped, *found.failing)
    ]
    return Card("Webhook failures", "webhooks.html", {"found": found, "rows": rows}, is_wide=True)


def _errors(_: selectors.Stock) -> Card:
    rows = [{**error, "at": moment(error["at"] * 1000)} for error in figures.errors()[:10]]
    return Card("Latest errors", "errors.html", {"rows": rows}, is_wide=True)


CARDS: tuple[Callable[[selectors.Stock], Card], ...] = (
    _moves,
    _matches,
    _processes,
    _queues,
    _slowest,
    _stuck,
    _webhooks,
    _errors,
)
