"""`python -m bench.dashboard`: what the dashboard and the lists cost on a long log, and what its index costs a move.

Fills the tests' own database with copies of rows; nothing is kept.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from functools import partial
from statistics import median

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("SECRET_KEY", "for measuring alone")
django.setup()

# ruff: noqa: E402 - models can't be imported before

from django.conf import settings
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext, setup_test_environment

from config.env import Env
from config.local.testing import services_for_tests
from matches.models import Player
from matches.services import stock
from matches.timing import now_ms

TIMES = 15
PAGES = ("/admin/", "/admin/matches/match/", "/admin/matches/player/", "/admin/matches/seat/", "/admin/matches/report/")
_PLAYERS = """
INSERT INTO matches_player (name, name_key, password, email, is_superuser, is_active, is_staff, is_guest, is_bot)
SELECT 'p' || n, 'p' || n, '', '', false, true, false, false, false FROM generate_series(1, %s) n
"""
_MATCHES = """
INSERT INTO matches_match (id, game, ruleset, preset, options, seat_count, host_id, visibility, join_code,
    control, policy, status, secret, commitment, started_at, ended_at, outcome)
SELECT gen_random_uuid(), (ARRAY['snap', 'slamwich', 'splendor'])[1 + n %% 3], 1, 'standard', '{}', 2,
    (SELECT min(id) FROM matches_player), 'public', '', '{}', '{}', 'finished', '', '', now(), now(), '{}'
FROM generate_series(1, %s) n
"""
_LOG = """
INSERT INTO matches_moverecord (match_id, number, at, received, cause, entry)
SELECT m.id, n, {now} - ({last} - (m.r * 50 + n)) * 1000, 0, 'move', repeat('x', 300)
FROM (SELECT id, row_number() OVER () AS r FROM matches_match) m, generate_series(1, 50) n ORDER BY m.r, n
"""


def main() -> None:
    """Fill, count, look, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of the log")
    rows = parser.parse_args().rows
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    with services_for_tests(os.environ) as variables:
        settings.BROKER_URL = variables["BROKER_URL"]
        settings.CACHES = {"default": Env({}).cache("CACHE_URL", broker=variables["BROKER_URL"])}
        found = Env(variables).database("DATABASE_URL", default="")
        default = connections.databases["default"]
        default["OPTIONS"] = {**found.pop("OPTIONS")}
        default.update(found)
        default["TEST"]["NAME"] = f"bench_{os.getpid()}"
        setup_test_environment()
        name = connection.creation.create_test_db(verbosity=0)
        try:
            _measure(rows)
        finally:
            connection.creation.destroy_test_db(name, verbosity=0)


def _measure(rows: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_PLAYERS, [max(1, rows // 50)])
        cursor.execute(_MATCHES, [max(1, rows // 50)])
        for is_indexed in (False, True):
            cursor.execute("TRUNCATE matches_moverecord")
            if not is_indexed:
                cursor.execute("DROP INDEX log_by_time")
            else:
                cursor.execute(
                    "CREATE INDEX log_by_time ON matches_moverecord USING brin (at) WITH (autosummarize = on)"
                )
            begun = time.monotonic()
            cursor.execute(_LOG.format(now=now_ms(), last=rows))
            took = time.monotonic() - begun
            print(f"{rows:,} rows of log written {'with' if is_indexed else 'without'} the index: {took:.1f} s")
        for table in ("player", "match", "moverecord"):
            cursor.execute(f"ANALYZE matches_{table}")
        # As autovacuum does within a minute.
        cursor.execute("SELECT brin_summarize_new_values('log_by_time')")
        cursor.execute("CHECKPOINT")
        cursor.execute("SELECT pg_relation_size('log_by_time'), pg_relation_size('matches_moverecord')")
        print("bytes of the index, of the log:", *cursor.fetchone())
    _print("taking stock, the first time (a day of moves)", stock.stock_take, times=1)
    _print("taking stock, every other time", stock.stock_take)
    client = Client()
    client.force_login(Player.objects.create_superuser("boss"))
    for page in PAGES:
        client.get(page)
        with CaptureQueriesContext(connection) as captured:
            client.get(page)
        _print(f"{page} ({len(captured)} queries)", partial(client.get, page))


def _print(what: str, work: Callable[[], object], times: int = TIMES) -> None:
    took = []
    for _ in range(times):
        begun = time.monotonic()
        work()
        took.append(time.monotonic() - begun)
    print(f"{what}: median {median(took) * 1000:.1f} ms, worst {max(took) * 1000:.1f} ms")


if __name__ == "__main__":
    main()
